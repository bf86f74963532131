"""Whatever is chosen, one message of one length, with one report for each question."""

import json

import pytest
from playwright.sync_api import expect

from respondents.models import Response
from surveys.design import get_design
from tests.browser.journey import Respondent, note_posts
from tests.factories import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

DECLINE = "Prefer not to answer"

DIRECT = {"family": "direct_choice", "choices": ["Never", "Often", DECLINE]}
"""A question that is not scrambled, so that its report shows what was picked."""

QUESTIONS = (
    "coin",
    ("k_ary", {"epsilon": "1", "choices": "3"}),
    ("crosswise", {"prevalence": "1/4"}),
    ("one_bit_skip", {"epsilon": "2", "points": "3"}),
    DIRECT,
)

CHOSEN = [(0, 0, 0, 0, 0), (1, 1, 1, 1, 1), (0, 2, 1, 2, 0), (1, 0, 0, 3, 2)]
"""Every answer of every question, of the last two questions also that of a skip."""


def test_messages_have_the_same_shape_for_every_choice(page, site):
    survey = make_survey(QUESTIONS)
    messages = []
    page.on(
        "request", lambda each: messages.append(each) if each.method == "POST" else None
    )
    for picks in CHOSEN:
        Respondent(page, site).finish(*picks)
        page.evaluate("localStorage.clear()")
    assert len(messages) == len(CHOSEN)
    assert {len(each.post_data) for each in messages} == {
        len('{"design":"","submission":"","reports":""}') + 64 + 32 + 2 * len(QUESTIONS)
    }
    assert len({tuple(sorted(each.headers.items())) for each in messages}) == 1
    bodies = [json.loads(each.post_data) for each in messages]
    assert {tuple(body) for body in bodies} == {("design", "submission", "reports")}
    assert len({body["submission"] for body in bodies}) == len(bodies)
    # A direct question shows that the picks were the intended ones.
    assert [int(body["reports"][-2:], 16) for body in bodies] == [
        picks[-1] for picks in CHOSEN
    ]
    stored = [bytes(each.pattern) for each in Response.objects.all()]
    assert sorted(each.hex() for each in stored) == sorted(
        body["reports"] for body in bodies
    )
    assert all(map(get_design(survey).accepts, stored))


def test_a_form_with_skipped_questions_has_the_same_length(page, site):
    make_survey([{**DIRECT, "shuffle_choices": True}] * 2, mode="server")
    bodies = note_posts(page)
    respondent = Respondent(page, site)
    for skips in (True, False):
        respondent.enter("What happens to your answers")
        respondent.go_on()
        for _ in range(2):
            if skips:
                page.get_by_role("button", name="Skip this question").click()
            else:
                page.get_by_role("radio", name="Never").check()
                respondent.go_on()
        respondent.submit()
    patterns = sorted(bytes(each.pattern) for each in Response.objects.all())
    assert patterns == [bytes([0, 0]), bytes([2, 2])]
    assert len(bodies) == 2
    assert len({len(body) for body in bodies}) == 1


def test_skipping_is_an_answer_without_javascript(chromium, site):
    make_survey([DIRECT], mode="server")
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site.url}/s/study-habits/")
    expect(page.get_by_label(DECLINE)).to_be_visible()
    expect(page.locator("[data-go=skip]")).to_be_hidden()
    context.close()
