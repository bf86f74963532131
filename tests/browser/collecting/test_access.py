"""Accessibility of every screen, light and dark, from 320 to 1280 pixels."""

import pytest
from playwright.sync_api import expect

from respondents.models import Response, close
from tests.browser.accessibility import find_problems, scrolls_sideways
from tests.browser.journey import Respondent
from tests.factories import find_thanks, give_reason, make_survey

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

SIZES = [{"width": width, "height": 900} for width in (320, 1280)]
# No rule depends on both width and scheme, so each is checked once.
SCREENS = list(zip(SIZES, ("dark", "light"), strict=True))
SMALLEST_TARGET = 44
"""Pixels, WCAG 2.2 criterion 2.5.5."""

FAMILIES = [
    "coin",
    ("epsilon", {"epsilon": "1"}),
    ("crosswise", {"prevalence": "1/4"}),
    ("k_ary", {"epsilon": "1", "choices": 3}),
    "direct",
]

LONG_WORD = "Donaudampfschifffahrtsgesellschaft" * 3

TARGETS = "button, summary, .choice, .button, .links a"

SMALL_TARGETS = f"""() => {{
  const targets = document.querySelectorAll("{TARGETS}");
  const size = (each) => each.getBoundingClientRect();
  return Array.from(targets)
    .filter((each) => each.checkVisibility())
    .filter((each) => Math.min(size(each).height, size(each).width) < {SMALLEST_TARGET})
    .map((each) => each.textContent.trim());
}}"""


@pytest.fixture
def inspect(page):
    """A function that checks the current screen in every size and scheme."""
    page.emulate_media(reduced_motion="reduce")

    def look():
        for size in SIZES:
            page.set_viewport_size(size)
            assert page.evaluate(SMALL_TARGETS) == [], size
        assert find_problems(page, SCREENS) == []

    return look


def unfold(page):
    for folded in page.locator("summary:visible").all():
        folded.click()


def test_every_screen_of_the_journey_is_accessible(page, site, inspect):
    """test_questionnaire.py checks sections and tick lists."""
    survey = make_survey(
        FAMILIES,
        title=f"Do you know the {LONG_WORD}?",
        purpose="To learn how people study.",
        contact=f"{LONG_WORD}@example.org",
        helpline=LONG_WORD,
        completion_code=LONG_WORD,
        completion_link="https://panel.example",
        opened=False,
    )
    survey.questions.filter(position=1).update(
        text=LONG_WORD, hint=LONG_WORD, helpline=LONG_WORD
    )
    survey.questions.filter(position=2).update(
        section=LONG_WORD, section_text=f"# {LONG_WORD}"
    )
    survey.questions.get(position=4).choices.filter(position=1).update(label=LONG_WORD)
    give_reason(survey)
    survey.open()
    respondent = Respondent(page, site)
    page.goto(respondent.url)
    page.click("[data-start]")
    inspect()  # with the error summary
    page.check("#consent")
    page.click("[data-start]")
    unfold(page)
    page.click("[data-draw]")
    page.click("[data-try] button >> text=Yes")
    inspect()
    respondent.go_on()
    page.locator(".choice:visible").first.click()
    inspect()
    respondent.go_on()
    assert not scrolls_sideways(page)  # the introduction to a section
    respondent.go_on()
    respondent.answer(0, 0)
    assert not scrolls_sideways(page)  # the question that may be left
    respondent.answer(2, 0)
    respondent.heading("Check your answers")
    inspect()
    page.route("**/reports/", lambda route: route.abort(), times=1)
    respondent.send()
    page.wait_for_selector("text=Not sent yet")
    inspect()
    respondent.heading("Thank you")
    page.click("summary:visible")
    inspect()


def test_the_plain_form_and_its_thanks_page_are_accessible(page, site, inspect):
    kuk = ("kuk", {"p_red_given_yes": "4/5", "p_red_given_no": "1/5"})
    make_survey([kuk], mode="hand", slug="hand")
    respondent = Respondent(page, site, "hand")
    respondent.enter()
    page.click("summary >> nth=0")
    respondent.go_on()
    respondent.go_on()
    inspect()  # with the error summary
    survey = make_survey(["coin", "die"], mode="server")
    page.route("**/plain.js", lambda route: route.abort())
    page.goto(f"{site.url}/s/study-habits/")
    page.check("#q1")
    page.check("#consent")
    page.evaluate("document.querySelector('form').noValidate = true")
    page.click("[type=submit]")
    expect(page.locator(".problem:visible")).to_be_focused()
    page.click("text=Question 2: choose one")
    expect(page.locator("#q2")).to_be_focused()
    assert page.locator("input[type=radio]:checked").count() == 0
    expect(page.get_by_role("radiogroup").nth(1)).to_have_accessible_description(
        "Choose an answer"
    )
    assert Response.objects.count() == 0
    page.click("summary >> nth=0")
    inspect()  # all of it as one page
    page.goto(f"{site.url}{find_thanks(survey)}")
    inspect()


def test_cards_explanations_and_closed_pages_are_accessible(page, site, inspect):
    make_survey(["coin", "die"], mode="hand")
    page.goto(f"{site.url}/s/study-habits/card/")
    page.wait_for_selector("[data-print]:visible")
    inspect()
    page.goto(f"{site.url}/how-it-works/")
    page.click("[data-try] >> text=No")
    unfold(page)
    page.click("[data-draw]")
    inspect()
    page.goto(f"{site.url}/what-we-store/")
    unfold(page)
    inspect()
    close(make_survey(slug="closed"))
    page.goto(f"{site.url}/s/closed/")
    inspect()


def test_numbers_in_tables_do_not_wrap(page, site):
    largest = {"epsilon": "10", "points": 11}
    make_survey([("one_bit", largest), ("epsilon", {"epsilon": "10"})])
    Respondent(page, site).enter()
    unfold(page)
    page.set_viewport_size(SIZES[0])
    assert not scrolls_sideways(page)
    line = page.locator(".maths .wide td", has_text="163840").first.bounding_box()
    long = page.locator(".maths .wide td", has_text="3608816150").first.bounding_box()
    assert line["height"] == long["height"]


def test_pages_respect_print_motion_and_font_size_settings(page, site):
    """Less motion, paper, few colours, and letters of twice the size."""
    make_survey(["coin", "direct"], mode="hand")
    page.goto(f"{site.url}/s/study-habits/")
    page.emulate_media(media="print")
    assert page.is_visible("text=Toss a coin twice")
    assert not page.is_visible("[type=submit]")
    page.emulate_media(media="screen")
    Respondent(page, site).enter()
    moves = "getComputedStyle(document.querySelector('.button')).transitionDuration"
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate(moves) == "0s"
    page.emulate_media(reduced_motion="no-preference")
    assert page.evaluate(moves) != "0s"
    page.emulate_media(forced_colors="active")
    colour = "(each) => getComputedStyle(each).backgroundColor"
    buttons = page.locator("[data-moves] .button")
    first, second = (each.evaluate(colour) for each in buttons.all())
    assert first != second
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    for _screen in range(2):
        assert not scrolls_sideways(page)
        page.click("[data-moves] [data-go=next]")


def test_the_accessibility_check_reports_violations(page, site):
    make_survey()
    page.goto(f"{site.url}/s/study-habits/")
    page.wait_for_selector("[data-start]:visible")
    page.evaluate("document.querySelector('h1').style.color = '#ddd'")
    page.evaluate("document.querySelector('h1').style.minWidth = '2000px'")
    found = str(find_problems(page, SCREENS))
    assert "color-contrast" in found
    assert "scrolls sideways" in found
