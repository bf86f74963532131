"""Tick lists show all boxes on one screen and send one, whichever are ticked."""

import json

import pytest

from candor.mechanisms.draws import NOT_ASKED
from respondents.models import Response
from tests.browser.journey import Respondent, note_posts
from tests.factories import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

LIST = "Which of these have you done this year?"
ITEMS = ("Copied", "Cheated", "Paid for a paper")
TICKED = ((0,), (1, 2))

# Words below a quarter: of two coins, the report is the answer. Before these come those
# that draw the item.
FIXED_WORDS = """(words) => {
  const real = crypto.getRandomValues.bind(crypto);
  crypto.getRandomValues = (array) =>
    array instanceof Uint32Array
      ? array.fill(words.length ? words.shift() : 1) : real(array);
}"""


def list_items(**of_the_list):
    first, *others = ({"text": text} for text in ITEMS)
    return [{**first, "tick_list": LIST, **of_the_list}, *others]


def make_tick_list(draws="1 of 2-4", **fields):
    return make_survey(["coin", *list_items()], draws=draws, **fields)


def test_only_the_drawn_item_is_sent_in_messages_of_equal_length(page, site):
    make_tick_list()
    messages, shown = note_posts(page), set()
    for drawn in range(3):
        page.add_init_script(f"({FIXED_WORDS})({json.dumps([1] * drawn + [0])})")
        respondent = Respondent(page, site)
        page.goto(respondent.url)
        # The script of the practice comes last.
        page.wait_for_selector("[data-coin]:not([hidden])", state="attached")
        shown.add(page.evaluate("document.querySelector('main').outerHTML"))
        page.evaluate("sessionStorage.clear()")
        for ticks in TICKED:
            respondent.finish(0, ticks)
            page.evaluate("localStorage.clear()")
            sent = json.loads(messages[-1])
            reports = [NOT_ASKED] * 3
            reports[drawn] = int(drawn not in ticks)
            assert list(bytes.fromhex(sent["reports"])) == [0, *reports]
    assert len(messages) == Response.objects.count() == 3 * len(TICKED)
    assert len({len(each) for each in messages}) == 1
    assert len({tuple(sorted(json.loads(each))) for each in messages}) == 1
    assert len(shown) == 1  # nothing on the page shows which item is drawn


def test_boxes_are_ticked_by_keyboard_and_listed_on_the_check_page(page, site):
    make_tick_list(draws="2 of 2-4")
    respondent = Respondent(page, site)
    page.goto(respondent.url)
    page.wait_for_selector("[data-start]:visible")
    assert page.get_by_text("2 questions").is_visible()
    assert page.get_by_text("Chance picks some questions for you").count() == 0
    respondent.enter()
    respondent.go_on()
    respondent.answer(0)
    respondent.heading(LIST)
    group = page.get_by_role("group", name=LIST)
    assert "Your device sends only 2 of them" in group.inner_text()
    boxes = page.get_by_role("checkbox")
    names = [each.evaluate("each => each.labels[0].innerText") for each in boxes.all()]
    assert names == list(ITEMS)
    assert page.locator(".progress:visible").inner_text() == "Question 2 of 2"
    page.locator("h1:visible").focus()
    # From the heading with Tab and Space alone.
    for key in ("Tab", "Space", "Tab", "Tab", "Space", "Tab", "Enter"):
        page.keyboard.press(key)
    respondent.heading("Check your answers")
    answers = page.locator("[data-answer]:visible")
    assert answers.all_inner_texts() == ["Yes", "Copied\nPaid for a paper"]
    page.locator("[data-go=change]:visible").nth(1).click()
    for index in (0, 2):
        page.locator(".choice:visible input").nth(index).uncheck()
    respondent.go_on()
    assert answers.all_inner_texts() == ["Yes", "None of these"]
    respondent.submit()
    page.click("[data-message] summary")
    sent = page.locator("[data-sent]").all_inner_texts()
    assert sent.count("Not picked by chance") == 1
    (pattern,) = Response.objects.values_list("pattern", flat=True)
    assert bytes(pattern).count(NOT_ASKED) == 1


def test_boxes_can_be_shown_in_random_order(page, site):
    make_survey(list_items(shuffle_choices=True), draws="1 of 1-3")
    # Keys for the three boxes; then the third item is drawn, and the truth sent.
    page.add_init_script(
        f"({FIXED_WORDS})([1, 1]); const draw = crypto.getRandomValues;"
        "crypto.getRandomValues = (array) => array.length === 3 && "
        "array instanceof Uint32Array ? Object.assign(array, [1, 2, 0]) : draw(array);"
    )
    respondent = Respondent(page, site)
    respondent.enter()
    respondent.go_on()
    labels = page.locator(".choice:visible")
    assert labels.all_inner_texts() == [ITEMS[2], ITEMS[0], ITEMS[1]]
    labels.first.click()
    respondent.go_on()
    respondent.submit()
    (pattern,) = Response.objects.values_list("pattern", flat=True)
    assert list(bytes(pattern)) == [NOT_ASKED, NOT_ASKED, 0]
