"""The journey in German, and mirrored: for those who write from right to left."""

import pytest
from playwright.sync_api import expect

from tests.browser.journey import CONTINUE, PATIENT
from tests.factories import find_thanks, make_survey
from tests.respondents.languages import english_in, make_translated_survey

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

WIDTHS = (320, 390, 768)

OVERFLOW = "document.scrollingElement.scrollWidth - innerWidth"

# The message that was sent is the protocol's, in no language.
READ_TEXTS = """() => [
  document.title,
  document.body.innerText.replace(
    document.querySelector("[data-body]")?.innerText || null, ""),
  ...Array.from(document.querySelectorAll("[aria-label]"), (each) => each.ariaLabel),
].join("\\n")"""


def walk(page, url, look, *, questions):
    """Go through all screens in any language; `look` is called at each."""
    page.add_init_script(PATIENT)
    page.goto(url)
    page.wait_for_selector("[data-start]:visible")
    look()
    page.click("[data-start]")
    look()  # the box is not ticked: there is a problem
    page.check("#consent")
    page.click("[data-start]")
    for folded in page.locator("summary:visible").all():
        folded.click()
    page.click("[data-draw]")
    page.click("[data-try] button >> nth=0")
    look()
    page.click(CONTINUE)
    for _number in range(questions):
        page.locator(".choice:visible").first.click()
        look()
        page.click(CONTINUE)
    look()
    page.route("**/reports/", lambda route: route.abort(), times=1)
    page.click("[data-go=scramble]")
    expect(page.locator("[data-go=retry]")).to_be_visible()
    look()
    page.click("[data-go=retry]")
    expect(page.locator("h1.done")).to_be_visible()
    page.click("summary:visible")
    look()


@pytest.fixture
def in_every_width(page):
    """A function that sees whether anything is wider than the screen."""

    def look():
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 844})
            assert page.evaluate(OVERFLOW) <= 0, width

    return look


def test_the_journey_in_german_has_no_english_word(page, site, in_every_width):
    survey = make_translated_survey()
    texts = []

    def look():
        texts.append(page.evaluate(READ_TEXTS))
        assert english_in(texts[-1]) == []
        in_every_width()

    walk(page, f"{site.url}{survey.get_absolute_url()}", look, questions=4)
    assert page.get_attribute("html", "lang") == "de"
    whole = "\n".join(texts)
    for said in (
        "Frage 1 von 4",
        "Wir bekämen",
        "Fehler: Umfrage zum Studium",
        "ε\u00a0=\u00a01,10",
        "Noch nicht gesendet. Lassen Sie diese Seite offen",
        "Ihre Antworten sind angekommen.",
    ):
        assert said in whole


ARABIC = {
    "title": "عادات الدراسة",
    "organiser": "معهد الأمثلة",
    "contact": "+49 30 123 456",
    "language": "ar",
}


def make_arabic_survey(**fields):
    questions = [{"text": "هل غششت في امتحان؟", "choices": ["نعم", "لا"]}]
    if fields.get("mode") != "hand":
        questions.append(
            {
                "text": "كم مرة؟",
                "family": "k_ary",
                "parameters": {"epsilon": "1"},
                "choices": ["أبدا", "مرة واحدة", "أحيانا", "كثيرا"],
            }
        )
    return make_survey(questions, **{**ARABIC, **fields})


def box(page, selector):
    return page.locator(selector).bounding_box()


def is_right_of(page, first, second):
    return box(page, first)["x"] > box(page, second)["x"]


def test_from_right_to_left_every_screen_is_mirrored(page, site, in_every_width):
    survey = make_arabic_survey()
    choice = ".choice:visible >> nth=0"
    mirrored = []

    def look():
        in_every_width()
        if page.is_visible("[data-screen=question]:visible"):
            mirrored.append(
                is_right_of(page, f"{choice} >> input", f"{choice} >> span")
                and is_right_of(page, CONTINUE, "[data-moves] [data-go=back]")
            )

    walk(page, f"{site.url}{survey.get_absolute_url()}", look, questions=2)
    assert page.get_attribute("html", "dir") == "rtl"
    assert mirrored == [True, True]


def test_right_to_left_pages_mirror_arrows_but_not_phone_numbers(page, site):
    page.goto(f"{site.url}{make_arabic_survey().get_absolute_url()}")
    # A phone number keeps its order.
    places = page.evaluate(
        """() => {
          const digits = document.querySelector(".foot bdi").firstChild;
          const left = (index) => {
            const range = document.createRange();
            range.setStart(digits, index);
            range.setEnd(digits, index + 1);
            return range.getBoundingClientRect().left;
          };
          return [left(0), left(4), left(12)];
        }"""
    )
    assert places == sorted(places)
    page.check("#consent")
    page.click("[data-start]")
    for folded in page.locator("summary:visible").all():
        folded.click()
    turned = "each => getComputedStyle(each).transform"
    for selector in (".odds svg", ".arrow"):
        assert page.eval_on_selector(selector, turned) == "matrix(-1, 0, 0, 1, 0, 0)"
    direction = "each => getComputedStyle(each).direction"
    assert page.eval_on_selector(".hash code", direction) == "ltr"

    picked = """() => Array.from(document.querySelectorAll("[type=radio]"), (each) =>
      each.checked).slice(0, 2)"""
    page.eval_on_selector("[data-screen=question]", "each => { each.hidden = false; }")
    page.focus("[type=radio] >> nth=0")
    for key, expected in [
        ("ArrowLeft", [False, True]),
        ("ArrowRight", [True, False]),
        ("ArrowDown", [False, True]),
    ]:
        page.keyboard.press(key)
        assert page.evaluate(picked) == expected


def test_from_right_to_left_plain_forms_and_notices_fit(page, site, in_every_width):
    for mode in ("server", "hand"):
        survey = make_arabic_survey(mode=mode, slug=mode)
        for url in (survey.get_absolute_url(), find_thanks(survey)):
            page.goto(f"{site.url}{url}")
            in_every_width()
    page.goto(f"{site.url}/s/none/")
    directions = page.eval_on_selector_all(
        "section", "all => all.map((each) => each.dir)"
    )
    assert directions == ["ltr", "rtl", "ltr", "ltr", "ltr"]
    in_every_width()
