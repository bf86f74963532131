"""The pages about the method and the cards to print, in a real browser."""

import re
from itertools import product

import pytest
from django.conf import settings

from tests.browser.accessibility import count_words, scrolls_sideways, watch_console
from tests.factories import make_survey
from tests.surveys.tables import build_example

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

FAMILIES_BY_HAND = (
    "coin",
    "die",
    "warner",
    "forced_response",
    "kuk",
    "crosswise",
    "unrelated_question",
)
HARMLESS = "Is your mother's birthday in January, February or March?"

PAGES = ("/how-it-works/", "/what-we-store/")
MAX_WORDS = 400

A4_POINTS, A6_POINTS, LETTER_POINTS = (595, 842), (298, 420), (612, 792)
"""ISO 216: 210 x 297 mm and 105 x 148 mm; ANSI: 8.5 x 11 inches; points of 1/72."""


def test_the_coin_and_the_trial_work_on_the_method_page(page, site):
    console_messages = watch_console(page, site)
    page.goto(f"{site.url}/how-it-works/")
    page.click("[data-try] >> text=Yes")
    assert page.inner_text("[data-tapped]") == "Yes"
    page.click("#check summary")
    page.click("[data-draw]")
    rows = page.locator("[data-table='0'] tbody tr").all_inner_texts()
    expected, drawn = zip(
        *(map(int, re.findall(r"\d+", row)) for row in rows), strict=True
    )
    assert expected == (750, 250, 250, 750)
    assert drawn[0] + drawn[1] == drawn[2] + drawn[3] == 1000
    # Hoeffding 1963: P(|Binomial(1000, 3/4) - 750| >= 90) <= 2 exp(-2 90**2 / 1000),
    # which is 2e-7.
    assert all(abs(a - b) < 90 for a, b in zip(expected, drawn, strict=True))
    assert console_messages == []
    assert page.context.cookies() == []


def test_the_method_page_is_readable_without_javascript(chromium, site):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site.url}/how-it-works/")
    assert "This part needs JavaScript." in page.inner_text("main")
    assert not page.is_visible("[data-draw]")
    assert page.is_visible("text=What it cannot prevent")
    context.close()


def test_explanation_pages_are_short_and_printable(page, site):
    # A4 less Chromium's margins of 1 cm: nothing is cut off at the side.
    page.set_viewport_size({"width": 718, "height": 1000})
    for address, language in product(PAGES, dict(settings.LANGUAGES)):
        page.goto(f"{site.url}{address}?language={language}")
        assert count_words(page, "main") <= MAX_WORDS, (address, language)
        page.emulate_media(media="print")
        assert page.is_visible("h1")
        assert not page.is_visible(".links")
        assert not scrolls_sideways(page)
        page.emulate_media(media="screen")


def test_reading_the_method_page_keeps_the_survey_state(page, site):
    make_survey()
    page.goto(f"{site.url}/s/study-habits/")
    page.check("#consent")
    page.click("[data-start]")
    with page.context.expect_page() as opened:
        page.click(".foot >> text=What we store")
    opened.value.wait_for_selector("h1 >> text=What we store")
    assert page.is_visible("h1 >> text=See it work")


@pytest.fixture
def cards(page, site):
    """The cards of a survey with every family that people can carry out."""
    questions = [
        {
            "text": "Have you handed in a text that somebody else wrote?",
            "family": name,
            "parameters": build_example(name).parameters,
            "innocuous_question": HARMLESS,
        }
        for name in FAMILIES_BY_HAND
    ]
    make_survey(questions, mode="hand")

    def visit(query=""):
        page.goto(f"{site.url}/s/study-habits/card/{query}")
        return page

    return visit


def sizes_of(pdf):
    """Return width and height of every page, in points."""
    boxes = re.findall(rb"/MediaBox ?\[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    return [(round(float(width)), round(float(height))) for width, height in boxes]


def test_only_cards_are_printed_and_fill_the_chosen_paper(cards):
    for query, size, pages in (
        ("", A4_POINTS, 2),
        ("?paper=letter", LETTER_POINTS, 2),
        ("?paper=a6", A6_POINTS, len(FAMILIES_BY_HAND)),
    ):
        pdf = cards(query).pdf(prefer_css_page_size=True)
        assert sizes_of(pdf) == [size] * pages
    page = cards()
    page.wait_for_selector("[data-print]:visible")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.locator("article:visible").count() == len(FAMILIES_BY_HAND)
    for hidden in (".top", ".foot", "[data-print]", "h1"):
        assert not page.is_visible(hidden)
    # Dark text on white paper, whatever the screen shows.
    style = "getComputedStyle(document.querySelector('article')).backgroundColor"
    assert page.evaluate(style) == "rgb(255, 255, 255)"
