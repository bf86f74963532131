"""Questions and answers in an order that the respondent's browser draws."""

import json

import pytest

from tests.browser.journey import Respondent
from tests.factories import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

CHOICES = ["Never", "Once", "Twice", "Often", "Prefer not to answer"]
SHOWN = """() => Array.from(document.querySelectorAll("[data-question]"))
  .map((each) => Number(each.dataset.number))"""
LABELS = """(number) => Array.from(
    document.querySelectorAll(`[data-number="${number}"] .choice`)
  ).map((each) => each.textContent.trim())"""


def make_shuffled_survey(**fields):
    """Question 1 stays first; 2 to 6 and the answers to 2 are shuffled."""
    second = {
        "family": "direct_choice",
        "choices": CHOICES,
        "section": "Exams",
        "section_text": "Five questions.",
        "shuffle_section": True,
        "shuffle_choices": True,
    }
    return make_survey(["direct", second, *["direct"] * 4], **fields)


@pytest.mark.parametrize("mode", ["browser", "server"])
def test_the_order_is_shown_everywhere_and_sent_nowhere(page, site, mode):
    make_shuffled_survey(mode=mode)
    bodies = []
    page.on(
        "request", lambda each: each.method == "POST" and bodies.append(each.post_data)
    )
    respondent = Respondent(page, site)
    seen, lists = set(), set()
    for _ in range(4):
        page.goto(respondent.url)
        page.wait_for_selector("[data-start]:visible")
        order, labels = page.evaluate(SHOWN), page.evaluate(LABELS, 2)
        assert order[0] == 1
        assert sorted(order) == [1, 2, 3, 4, 5, 6]
        assert labels[-1] == CHOICES[-1]
        assert sorted(labels) == sorted(CHOICES)
        seen.add(tuple(order))
        lists.add(tuple(labels))
    # 1 in 120 ** 3 and 1 in 24 ** 3 that all orders were the same.
    assert len(seen) > 1
    assert len(lists) > 1
    page.check("#consent")
    page.click("[data-start]")
    respondent.go_on()
    for place, number in enumerate(order, start=1):
        if place == 2:
            respondent.heading("Exams")
            respondent.go_on()
        assert f"Sensitive question {number}?" in page.inner_text("main")
        progress = f"Question {place} of 6"
        if number != place:  # the tables of chances name it
            progress += f" (number {number} of the survey)"
        assert page.locator("b[data-progress]:visible").inner_text() == progress
        bar = page.locator("progress:visible")
        assert bar.evaluate("(bar) => [bar.value, bar.max]") == [place, 6]
        radios = page.locator("[data-screen=question]:visible input")
        # With the arrows, as shown; Often, or No for all but the third question.
        wanted = labels.index("Often") if number == 2 else int(number != 3)
        radios.first.focus()
        page.keyboard.press("Space")
        for _ in range(wanted):
            page.keyboard.press("ArrowDown")
        assert page.evaluate("document.activeElement.checked")
        respondent.go_on()
    respondent.heading("Check your answers")
    picked = page.locator("[data-answer]").all_inner_texts()
    expected = {2: "Often", 3: "Yes"}
    assert picked == [expected.get(number, "No") for number in order]
    third = order.index(3)
    page.locator("[data-go=change]:visible").nth(third).click()
    assert "Sensitive question 3?" in page.inner_text("main")
    respondent.go_on()
    respondent.heading("Check your answers")
    if mode == "browser":
        respondent.send()
        respondent.heading("Thank you")
        (body,) = bodies
        assert json.loads(body)["reports"] == "010300010101"
    else:
        respondent.submit()
        (body,) = bodies
        sent = [each for each in body.split("&") if each.startswith("q")]
        assert sent == ["q1=1", "q2=3", "q3=0", "q4=1", "q5=1", "q6=1"]
