"""Questions shown by earlier answers, and answers that end the survey."""

import json

import pytest

from respondents.models import Response
from tests.browser.journey import Respondent, note_posts
from tests.factories import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.windowless]


def make_branching_survey(**fields):
    """Question 1 screens, 2 decides on 3, and 2 or 3 on 4; all are asked 5."""
    exams = {"section": "Exams", "section_text": "Two more questions."}
    questions = (
        {"ends_if": "No"},
        {},
        {"show_if": "2 is Yes", **exams},
        {"show_if": "2 is Yes and 3 is not No", "answer_if_hidden": "Yes"},
        {"section": "The end"},
    )
    return make_survey([{"family": "direct", **each} for each in questions], **fields)


def shown(page):
    return page.locator("b[data-progress]:visible").inner_text()


def rows(page):
    return page.locator(".answers dt:visible").all_inner_texts()


@pytest.fixture
def bodies(page):
    return note_posts(page)


def read(bodies, mode):
    (body,) = bodies
    if mode == "browser":
        return json.loads(body)["reports"]
    return [each for each in body.split("&") if each.startswith("q")]


@pytest.mark.parametrize("mode", ["browser", "server"])
def test_a_question_is_shown_only_if_its_condition_is_true(page, site, bodies, mode):
    make_branching_survey(mode=mode)
    respondent = Respondent(page, site)
    respondent.enter("What happens to your answers")
    respondent.go_on()
    respondent.answer(0, 1)
    assert shown(page) == "Question 5"
    page.go_back()
    assert shown(page) == "Question 2"
    respondent.answer(1, 0)
    respondent.heading("Check your answers")
    assert rows(page) == [f"Sensitive question {number}?" for number in (1, 2, 5)]
    # A change brings up what has not been answered, and then returns to the check.
    page.click("[data-go=change][value='2']")
    respondent.answer(0)
    assert shown(page) == "Question 3"
    respondent.answer(0)
    assert shown(page) == "Question 4"
    respondent.answer(1)
    respondent.heading("Check your answers")
    assert len(rows(page)) == 5
    page.click("[data-go=change][value='3']")
    respondent.answer(1)
    respondent.heading("Check your answers")
    assert rows(page) == [f"Sensitive question {number}?" for number in (1, 2, 3, 5)]
    # Question 4 counts with its declared answer, Yes, whatever was picked before.
    page.go_back()
    assert shown(page) == "Question 3"
    page.go_forward()
    respondent.submit()
    expected = {
        "browser": "0000010000",
        "server": ["q1=0", "q2=0", "q3=1", "q4=0", "q5=0"],
    }
    assert read(bodies, mode) == expected[mode]
    assert [bytes(each.pattern).hex() for each in Response.objects.all()] == [
        "0000010000"
    ]


@pytest.mark.parametrize("mode", ["browser", "server"])
def test_back_and_forward_pass_nothing_that_a_change_asks_for(page, site, bodies, mode):
    make_branching_survey(mode=mode)
    respondent = Respondent(page, site)
    back = page.locator("[data-moves] [data-go=back]")
    respondent.reach_check(0, 1, 0)
    # Question 3 is brought up, and "Back" of the page would return to the check.
    page.click("[data-go=change][value='2']")
    page.locator(".choice:visible").first.click()
    back.click()
    respondent.heading("Sensitive question 3?")
    respondent.answer(0, 0)
    respondent.heading("Check your answers")
    # "No" ends the survey as soon as it counts.
    page.click("[data-go=change][value='1']")
    page.locator(".choice:visible").nth(1).click()
    back.click()
    respondent.heading("Sensitive question 1?")
    respondent.answer(0)
    respondent.heading("Check your answers")
    # Without consent nothing is sent.
    while not page.locator("#consent").is_visible():
        page.go_back()
    page.uncheck("#consent")
    page.go_forward()
    page.check("#consent")
    page.click("[data-start]")
    respondent.submit()
    assert len(bodies) == 1


@pytest.mark.parametrize("mode", ["browser", "server"])
def test_an_answer_that_ends_the_survey_sends_nothing(page, site, bodies, mode):
    make_branching_survey(
        mode=mode, screened_code="NOT-YOU", screened_link="https://panel.example/no"
    )
    respondent = Respondent(page, site)
    respondent.enter("What happens to your answers")
    respondent.go_on()
    respondent.answer(1)
    respondent.heading("Thank you")
    text = page.inner_text("main")
    assert "This survey is for other people." in text
    assert "Nothing was sent. Your answers have been erased from this page." in text
    assert "NOT-YOU" in text
    link = page.locator("a.button:visible")
    assert link.get_attribute("href") == "https://panel.example/no"
    assert link.get_attribute("rel") == "noreferrer"
    assert not page.locator("[type=radio]:checked").count()
    page.reload()
    page.wait_for_selector("[data-start]:visible")
    assert bodies == []
    assert not Response.objects.exists()


def test_a_conditional_tick_list_is_shown_as_a_whole(page, site, bodies):
    ticked = {"tick_list": "Which of these?", "show_if": "1 is Yes"}
    make_survey(["direct", ticked, "coin", "coin"], draws="1 of 2-4")
    respondent = Respondent(page, site)
    respondent.reach_check(1)
    assert rows(page) == ["Sensitive question 1?"]
    page.click("[data-go=change][value='1']")
    page.locator(".choice:visible").first.click()
    # Unseen boxes are not "None of these" by going back to the check either.
    page.go_back()
    respondent.heading("Which of these?")
    page.locator("[type=checkbox]:visible").first.check()
    respondent.go_on()
    respondent.heading("Check your answers")
    assert rows(page) == ["Sensitive question 1?", "Which of these?"]
    respondent.submit()
    (body,) = bodies
    reports = bytes.fromhex(json.loads(body)["reports"])
    assert reports[0] == 0
    assert sorted(reports[1:])[1:] == [255, 255]
