"""A tick list, added to a draft without typing its rows one by one."""

import pytest
from playwright.sync_api import expect

from surveys.models import Survey
from tests.browser.accessibility import find_problems
from tests.browser.authoring.steps import (
    expect_saved,
    open_draft,
    pass_time,
    question,
    state_of,
)
from tests.factories import make_survey

pytestmark = [
    pytest.mark.browser,
    pytest.mark.windowless,
    pytest.mark.usefixtures("all_steps", "clock"),
]

LIST = "Which of these have you done this year?"


def test_a_tick_list_is_added_and_survives_removal_of_its_first_item(
    page, site, console_messages
):
    survey = make_survey(["coin"] * 2, opened=False, draws="1 of 1, 2")
    open_draft(page, site, survey)
    box = page.locator("[data-tick-list]")
    box.locator("summary").click()
    draws = page.locator("#id_draws")

    def add(*items):
        box.get_by_label("Question").fill(LIST)
        box.get_by_label("Items, one per line").fill("\n".join(items))
        box.get_by_role("button", name="Add the items").click()

    for items in (["Alone"], ["Twice", "Twice"], [str(n) for n in range(21)]):
        add(*items)
        expect(box.get_by_role("alert")).to_be_visible()
    assert page.locator(".question:not(.empty-form)").count() == 2
    assert find_problems(page) == []
    box.get_by_label("Strength").select_option(label="Light (ε = 2.0)")
    add("Copied", "", "  Cheated ", "Lied")
    expect(page.locator("[data-questions] > [data-announcement]")).to_have_text(
        "Added as questions 3 to 5."
    )
    expect(draws).to_have_value("1 of 1, 2; 1 of 3-5")
    expect_saved(page)
    survey = Survey.objects.get()
    assert survey.draws == "1 of 1, 2; 1 of 3-5"
    added = survey.questions.all()[2:]
    assert [(each.text, each.tick_list) for each in added] == [
        ("Copied", LIST),
        ("Cheated", ""),
        ("Lied", ""),
    ]
    for item in added:
        assert (item.family, item.parameters) == ("epsilon", {"epsilon": "2"})
    assert survey.problems() == []

    lists = [page.locator(f'[name="questions-{n}-tick_list"]') for n in (2, 3)]
    question(page, 3).locator("[data-remove]").click()
    expect(lists[1]).to_have_value(LIST)
    page.get_by_role("button", name="Undo").click()
    expect(lists[0]).to_have_value(LIST)
    expect(lists[1]).to_have_value("")
    question(page, 3).locator("[data-remove]").click()
    expect(draws).to_have_value("1 of 1, 2; 1 of 3, 4")
    pass_time(page)
    expect(state_of(page)).to_contain_text("1 of 1, 2; 1 of 3, 4.")
    survey = Survey.objects.get()
    kept = survey.questions.values_list("tick_list", flat=True)
    assert list(kept) == ["", "", LIST, ""]
    assert survey.problems() == []
    assert console_messages == []
