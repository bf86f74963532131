"""The button "Skip this question" in place of the answer "Prefer not to answer"."""

import pytest
from playwright.sync_api import expect

from respondents.models import Response
from tests.browser.journey import CONTINUE, Respondent
from tests.factories import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

DECLINE = "Prefer not to answer"


def tab_to(page, target):
    """Press Tab until `target` has the focus; a heading has it first."""
    for _press in range(9):
        if target.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"Tab never reaches {target}")


@pytest.mark.parametrize("mode", ["browser", "server"])
def test_a_question_is_skipped_and_changed_by_keyboard(page, site, mode):
    choices = ["Never", "Once", "Often", DECLINE]
    make_survey([{"family": "direct_choice", "choices": choices}] * 2, mode=mode)
    respondent = Respondent(page, site)
    respondent.enter("What happens to your answers")
    respondent.go_on()
    radios = page.get_by_role("radio")
    skip = page.get_by_role("button", name="Skip this question")
    answers = page.locator("[data-answer]")
    expect(radios).to_have_count(3)
    tab_to(page, skip)
    page.keyboard.press("Enter")
    expect(page.get_by_role("radio").first).not_to_be_checked()

    # The arrow keys pass over the skipped answer in both directions.
    radios.first.focus()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("radio", name="Often")).to_be_checked()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio", name="Never")).to_be_checked()
    tab_to(page, page.locator(CONTINUE))
    page.keyboard.press("Enter")
    assert answers.all_inner_texts() == [DECLINE, "Never"]

    page.locator("[data-go=change]:visible").first.press("Enter")
    expect(skip).to_have_attribute("aria-pressed", "true")
    expect(page.locator(":checked:visible")).to_have_count(0)
    tab_to(page, page.get_by_role("radio", name="Never"))
    page.keyboard.press("ArrowDown")
    expect(skip).to_have_attribute("aria-pressed", "false")
    tab_to(page, page.locator(CONTINUE))
    page.keyboard.press("Enter")
    assert answers.all_inner_texts() == ["Once", "Never"]
    respondent.submit()
    assert bytes(Response.objects.get().pattern) == b"\1\0"
