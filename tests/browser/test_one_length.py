"""Whatever is chosen, one message of one length, with one report for each question."""

import itertools
import json

import pytest

from candor.mechanisms import build
from respondents.models import Response
from tests.factories import give_reason, make_survey

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

QUESTIONS = (
    ("coin", {}),
    ("k_ary", {"epsilon": "1", "choices": "3"}),
    ("crosswise", {"prevalence": "1/4"}),
    ("direct", {}),
)

ANSWER_ALL = """(picks) => {
  const click = (selector) => document.querySelector(selector).click();
  const next = () => click("[data-moves] [data-go=next]");
  click("#consent");
  click("[data-start]");
  next();
  for (const pick of picks) {
    const screen = document.querySelector("[data-screen=question]:not([hidden])");
    const input = screen.querySelectorAll("input")[pick];
    if (input.closest("label").hidden) {
      screen.querySelector("[data-go=skip]").click();
    } else {
      input.click();
      next();
    }
  }
  click("[data-go=scramble]");
}"""


@pytest.fixture
def survey(site):
    survey = make_survey([], opened=False)
    for family, parameters in QUESTIONS:
        survey.add_question("Sensitive?", family=family, parameters=parameters)
    give_reason(survey)
    survey.open()
    return survey


def every_choice():
    tables = [build(family, **parameters) for family, parameters in QUESTIONS]
    return list(itertools.product(*(range(len(table.answers)) for table in tables)))


def test_every_choice_makes_a_message_of_the_same_shape(page, site, survey):
    messages = []
    page.on(
        "request", lambda each: messages.append(each) if each.method == "POST" else None
    )
    chosen = every_choice()
    assert len(chosen) == 2 * 3 * 2 * 2
    page.goto(f"{site.url}/s/study-habits/")
    for picks in chosen:
        page.wait_for_selector("[data-start]:visible")
        page.evaluate(ANSWER_ALL, picks)
        page.wait_for_selector("[data-screen=thanks]:not([hidden])")
        page.evaluate("localStorage.clear()")
        page.reload()
    assert len(messages) == len(chosen)
    assert {len(each.post_data) for each in messages} == {
        len('{"design":"","submission":"","reports":""}') + 64 + 32 + 2 * len(QUESTIONS)
    }
    assert len({tuple(sorted(each.headers.items())) for each in messages}) == 1
    bodies = [json.loads(each.post_data) for each in messages]
    assert {tuple(body) for body in bodies} == {("design", "submission", "reports")}
    assert len({body["submission"] for body in bodies}) == len(bodies)
    # A direct question shows that the picks were the intended ones.
    assert [int(body["reports"][-2:], 16) for body in bodies] == [
        picks[-1] for picks in chosen
    ]
    stored = [bytes(each.pattern).hex() for each in Response.objects.all()]
    assert sorted(stored) == sorted(body["reports"] for body in bodies)
