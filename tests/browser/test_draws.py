"""A survey that asks each respondent two of four questions, on a phone."""

import pytest

from candor.mechanisms.draws import DrawnGroup, decode_pattern, draw_asked
from respondents.models import Response
from surveys.design import get_design
from tests.browser.journey import Respondent
from tests.candor.mechanisms.checks import only
from tests.factories import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

PHONE = {"width": 390, "height": 844}
QUESTIONS = ["direct"] * 5
DRAWS = "2 of 2-5"

ASKED = """() => Array.from(document.querySelectorAll("[data-question]"))
  .map((each, index) => each.dataset.screen ? index + 1 : 0).filter(Boolean)"""

# The words run out where more are drawn than by the twin in Python.
TWIN = """([count, groups, words]) => import("/static/js/collecting/draw.js").then(
  async ({ drawAsked }) => {
    const { uniformBelow } = await import("/static/js/collecting/randomise.js");
    const draw = (n) => uniformBelow(n, () => {
      if (!words.length) throw new Error("out of words");
      return words.shift();
    });
    return [drawAsked(count, groups, draw), words.length];
  })"""


def asked_on(page):
    page.wait_for_selector("[data-start]:visible")
    return page.evaluate(ASKED)


@pytest.mark.parametrize("mode", ["browser", "server"])
@pytest.mark.windowless(False)
def test_questions_are_drawn_once_and_only_those_are_asked(page, site, mode):
    survey = make_survey(QUESTIONS, draws=DRAWS, mode=mode)
    page.set_viewport_size(PHONE)
    respondent = Respondent(page, site)
    page.goto(respondent.url)
    asked = asked_on(page)
    assert asked[0] == 1
    assert len(asked) == 3
    assert page.get_by_text("3 questions").is_visible()
    # 1 in 6**4 that as many fresh draws were the same.
    for _ in range(2):
        page.reload()
        assert asked_on(page) == asked
        page.goto("about:blank")
        page.go_back()
        assert asked_on(page) == asked
    page.check("#consent")
    page.click("[data-start]")
    respondent.go_on()
    for place, number in enumerate(asked, start=1):
        bar = page.locator("progress:visible")
        progress = page.locator(".progress:visible").inner_text()
        assert progress == f"Question {place} of 3"
        assert bar.evaluate("(bar) => [bar.value, bar.max]") == [
            asked.index(number) + 1, 3
        ]  # fmt: skip
        respondent.answer(1)
    respondent.heading("Check your answers")
    assert page.locator("[data-go=change]:visible").count() == 3
    page.locator("[data-go=change]:visible").nth(1).click()
    assert f"Sensitive question {asked[1]}?" in page.inner_text("main")
    respondent.answer(0)
    if mode == "server":
        respondent.submit()
    else:
        respondent.send()
        respondent.heading("Thank you")
        page.click("[data-message] summary")
        sent = page.locator("[data-sent]").all_inner_texts()
        assert [n for n, text in enumerate(sent, 1) if text != "Not asked"] == asked
    page.wait_for_load_state()  # modules have run by then
    assert page.evaluate("sessionStorage.length") == 0
    (pattern,) = Response.objects.values_list("pattern", flat=True)
    reports = [None] * 5
    for number, report in zip(asked, (1, 0, 1), strict=True):
        reports[number - 1] = report
    assert decode_pattern(bytes(pattern)) == reports
    assert get_design(survey).accepts(bytes(pattern))
    if mode == "browser":
        follow_the_twin(page)


def follow_the_twin(page):
    """The script and Python draw the same from the same words, and use as many."""
    group = DrawnGroup(asked=2, questions=(2, 3, 4, 5))
    for words in ([0, 0, 0, 0], [3, 2, 1, 0], [2, 1, 1, 7], [0, 2**32 - 1, 5, 1, 0]):
        expected = draw_asked(5, [group], only(*words))
        found = page.evaluate(TWIN, [5, [[2, [1, 2, 3, 4]]], words])
        assert found == ["".join("01"[each] for each in expected), 0]
