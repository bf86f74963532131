"""The button "Skip this question" in place of the answer "Prefer not to answer"."""

import json

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from respondents.models import Response, close
from surveys.design import get_design
from tests.browser.everybody import log_in, objections
from tests.browser.journey import CONTINUE, Respondent
from tests.factories import make_responses, make_survey

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

DECLINE = "Prefer not to answer"
SKIPPED = 3


def make_skippable(mode, *, shuffled=False):
    """A question that is not scrambled, so that its report shows what was picked."""
    survey = make_survey([], opened=False, mode=mode)
    choices = ["Never", "Once", "Often", DECLINE]
    for number in (1, 2):
        survey.add_question(
            f"How often, {number}?", family="direct_choice", choices=choices
        )
    survey.questions.update(shuffle_choices=shuffled)
    survey.open()
    return survey


def collect_bodies(page):
    bodies = []
    page.on(
        "request", lambda each: each.method == "POST" and bodies.append(each.post_data)
    )
    return bodies


@pytest.fixture(params=["browser", "server"])
def mode(request):
    return request.param


def begin(respondent):
    respondent.enter("What happens to your answers")
    respondent.go_on()


def tab_to(page, target):
    """Press Tab until `target` has the focus; a heading has it first."""
    for _press in range(9):
        if target.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"Tab never reaches {target}")


def skip_of(page):
    return page.get_by_role("button", name="Skip this question")


def picked(page):
    return page.locator("[data-answer]").all_inner_texts()


def test_a_question_is_skipped_and_changed_by_keyboard(page, site, mode):
    make_skippable(mode)
    respondent = Respondent(page, site)
    begin(respondent)
    radios = page.get_by_role("radio")
    expect(radios).to_have_count(3)
    assert objections(page) == []
    tab_to(page, skip_of(page))
    page.keyboard.press("Enter")
    expect(page.get_by_role("radio").first).not_to_be_checked()

    # The arrows pass the answer by, in both directions.
    radios.first.focus()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("radio", name="Often")).to_be_checked()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio", name="Never")).to_be_checked()
    tab_to(page, page.locator(CONTINUE))
    page.keyboard.press("Enter")
    assert picked(page) == [DECLINE, "Never"]

    page.locator("[data-go=change]:visible").first.press("Enter")
    expect(skip_of(page)).to_have_attribute("aria-pressed", "true")
    expect(page.locator(":checked:visible")).to_have_count(0)
    tab_to(page, page.get_by_role("radio", name="Never"))
    page.keyboard.press("ArrowDown")
    expect(skip_of(page)).to_have_attribute("aria-pressed", "false")
    tab_to(page, page.locator(CONTINUE))
    page.keyboard.press("Enter")
    assert picked(page) == ["Once", "Never"]


@pytest.mark.parametrize("shuffled", [False, True])
def test_the_message_of_a_skipped_question_has_the_same_length(
    page, site, mode, shuffled
):
    make_skippable(mode, shuffled=shuffled)
    bodies = collect_bodies(page)
    respondent = Respondent(page, site)
    for skips in (True, False):
        begin(respondent)
        for _ in range(2):
            if skips:
                skip_of(page).click()
            else:
                page.get_by_role("radio", name="Never").check()
                respondent.go_on()
        if mode == "browser":
            respondent.send()
            respondent.heading("Thank you")
            page.evaluate("localStorage.clear()")
        else:
            respondent.submit()
    patterns = sorted(bytes(each.pattern) for each in Response.objects.all())
    assert patterns == [bytes([0, 0]), bytes([SKIPPED, SKIPPED])]
    assert len(bodies) == 2
    assert len({len(body) for body in bodies}) == 1
    if mode == "browser":
        assert len({tuple(json.loads(body)) for body in bodies}) == 1


def test_without_scripts_it_is_one_of_the_answers(chromium, site):
    make_skippable("server")
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site.url}/s/study-habits/")
    expect(page.get_by_label(DECLINE)).to_have_count(2)
    expect(skip_of(page)).to_have_count(0)
    context.close()


def test_skipped_scales_arrive_and_results_have_the_mean_of_the_others(
    page, site, mode
):
    points = {"epsilon": "2", "points": "5"}
    survey = make_survey(
        [("one_bit_skip", points), ("grid_skip", points)], opened=False, mode=mode
    )
    survey.questions.update(scale={"low": "1", "high": "5"})
    survey.open()
    respondent = Respondent(page, site)
    respondent.enter()
    respondent.go_on()
    for _ in range(2):
        expect(page.locator(".choice:visible")).to_have_count(5)
        skip_of(page).click()
    assert picked(page) == [DECLINE, DECLINE]
    if mode == "browser":
        respondent.send()
        respondent.heading("Thank you")
    else:
        respondent.submit()
    (pattern,) = Response.objects.values_list("pattern", flat=True)
    assert get_design(survey).accepts(bytes(pattern))

    others = [bytes([place % 3, place % 6]) for place in range(119)]
    make_responses(survey, others)
    close(survey)
    log_in(page, site, survey.owner)
    page.goto(site.url + reverse("admin:estimation_results", args=[survey.pk]))
    results = page.locator("main")
    means = results.get_by_text("Among those who answered: mean")
    assert len([each for each in means.all() if each.is_visible()]) >= 2
    expect(results).to_contain_text("120")
    expect(results).to_contain_text(DECLINE)
