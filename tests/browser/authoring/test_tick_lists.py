"""A tick list, added to a draft without typing its rows one by one."""

import re

import pytest
from playwright.sync_api import expect

from surveys.models import Survey
from tests.browser.authoring.steps import question
from tests.browser.everybody import log_in, objections
from tests.factories import make_survey

pytestmark = [
    pytest.mark.browser,
    pytest.mark.windowless,
    pytest.mark.usefixtures("all_steps"),
]

LIST = "Which of these have you done this year?"


def add_list(page, text, *items, strength=None):
    box = page.locator("[data-tick-list]")
    if box.get_attribute("open") is None:
        box.locator("summary").click()
    box.get_by_label("Question").fill(text)
    box.get_by_label("Items, one per line").fill("\n".join(items))
    if strength:
        box.get_by_label("Strength").select_option(label=strength)
    box.get_by_role("button", name="Add the items").click()
    return box


def test_a_tick_list_is_added_behind_the_questions_and_saves_itself(
    page, site, researcher, complaints
):
    survey = make_survey(["coin"] * 2, opened=False, draws="1 of 1, 2")
    log_in(page, site, researcher)
    page.goto(f"{site.url}/admin/surveys/survey/{survey.pk}/change/")
    page.wait_for_load_state()
    box = add_list(page, LIST, "Copied", "", "  Cheated ", strength="Light (ε = 2.0)")
    expect(page.locator("[data-questions] > [data-said]")).to_have_text(
        "Added as questions 3 to 4."
    )
    expect(page.locator("#id_draws")).to_have_value("1 of 1, 2; 1 of 3-4")
    expect(page.locator("[data-saved]")).to_have_text(re.compile("^Saved at"))
    survey = Survey.objects.get()
    assert survey.draws == "1 of 1, 2; 1 of 3-4"
    first, second = survey.questions.all()[2:]
    assert (first.text, first.tick_list) == ("Copied", LIST)
    assert (second.text, second.tick_list) == ("Cheated", "")
    for item in (first, second):
        assert (item.family, item.parameters) == ("epsilon", {"epsilon": "2"})
    assert survey.problems() == []
    for items in (["Alone"], ["Twice", "Twice"], [str(n) for n in range(21)]):
        add_list(page, LIST, *items)
        expect(box.get_by_role("alert")).to_be_visible()
    assert page.locator(".question:not(.empty-form)").count() == 4
    assert objections(page) == []


def test_it_can_be_the_first_of_a_new_survey(page, site, researcher, complaints):
    log_in(page, site, researcher)
    page.goto(f"{site.url}/admin/surveys/survey/add/")
    page.wait_for_load_state()
    page.get_by_label("Title", exact=True).fill("Studies")
    page.get_by_label("Who runs it").fill("Institute of Examples")
    page.get_by_role("button", name="Add question").click()
    add_list(page, LIST, "Copied", "Cheated", "Paid for a paper")
    page.get_by_role("button", name="Save draft").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Studies")
    survey = Survey.objects.get()
    assert survey.draws == "1 of 1-3"
    assert list(survey.questions.values_list("family", "tick_list")) == [
        ("coin", LIST), ("coin", ""), ("coin", "")
    ]  # fmt: skip
    assert survey.problems() == []


def test_the_question_of_the_list_outlives_its_first_item(
    page, site, researcher, complaints
):
    survey = make_survey(["coin"] * 4, opened=False, draws="1 of 1-3")
    survey.questions.filter(position=1).update(tick_list=LIST)
    log_in(page, site, researcher)
    page.goto(f"{site.url}/admin/surveys/survey/{survey.pk}/change/")
    page.wait_for_load_state()
    lists = [page.locator(f'[name="questions-{n}-tick_list"]') for n in (0, 1)]
    question(page, 1).locator("[data-remove]").click()
    expect(lists[1]).to_have_value(LIST)
    page.get_by_role("button", name="Undo").click()
    expect(lists[0]).to_have_value(LIST)
    expect(lists[1]).to_have_value("")
    question(page, 1).locator("[data-remove]").click()
    expect(page.locator("#id_draws")).to_have_value("1 of 1, 2")
    expect(page.locator("[data-saved]")).to_have_text(re.compile("^Saved at"))
    survey = Survey.objects.get()
    assert list(survey.questions.values_list("tick_list", flat=True)) == [LIST, "", ""]
    assert survey.problems() == []
