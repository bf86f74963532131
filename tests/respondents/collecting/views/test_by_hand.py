"""Mode hand: chance comes first, and what was entered is never shown as an answer."""

import re

import pytest

from candor.mechanisms import load_families
from surveys.design import get_design
from surveys.text.by_hand import describe_steps
from tests.factories import find_thanks, give_reason, make_survey
from tests.respondents.markup import Markup
from tests.surveys.tables import build_example, make_design

URL = "/s/study-habits/"
TEXT = "Did you ever cheat?"
INNOCUOUS = "Is it raining?"

BY_HAND = [
    name
    for name in load_families()
    if describe_steps(make_design(build_example(name)).questions[0])
]


def make_survey_by_hand(family):
    survey = make_survey([], opened=False, mode="hand")
    survey.add_question(
        TEXT,
        family=family,
        parameters=build_example(family).parameters,
        innocuous_question=INNOCUOUS,
    )
    give_reason(survey)
    survey.open()
    return survey


def find_screens(client):
    html = client.get(URL).content.decode()
    question, check = (
        re.search(rf'data-screen="{name}".*?</section>', html, re.DOTALL)[0]
        for name in ("question", "check")
    )
    return Markup(f"<section {question}"), Markup(f"<section {check}")


@pytest.mark.parametrize("family", BY_HAND)
def test_the_steps_come_before_the_question_and_one_entry_after_it(client, db, family):
    survey = make_survey_by_hand(family)
    (steps,) = map(describe_steps, get_design(survey).questions)
    markup, _check = find_screens(client)
    said = " ".join(markup.blocks)
    texts = [steps.start, steps.note, *(each.then for each in steps.outcomes), TEXT]
    assert [each for each in texts if each not in said] == []
    places = [said.index(each) for each in (steps.start, steps.note, TEXT)]
    assert places == sorted(places)
    assert markup.html.index(TEXT) < markup.html.index('type="radio"')
    assert len({each["name"] for each in markup.inputs}) == 1


@pytest.mark.parametrize("family", BY_HAND)
def test_what_is_checked_is_neither_the_question_nor_the_entry(client, db, family):
    survey = make_survey_by_hand(family)
    (steps,) = map(describe_steps, get_design(survey).questions)
    _question, check = find_screens(client)
    assert {"Question 1 of 1", steps.entered} <= set(check.blocks)
    assert TEXT not in check.html
    buttons = [each.get("data-go") for each in check.inputs]
    assert buttons == [None, "back"], "to send, and to go back, but none to undo it"


@pytest.mark.parametrize(
    ("family", "said"),
    [
        ("coin", "“Yes” may be only the coin."),
        ("die", "“Yes” may be only the die."),
        ("crosswise", "“Different” on our side does not mean your real answer is Yes."),
    ],
)
def test_each_entry_says_that_it_may_be_chance(client, db, family, said):
    survey = make_survey([], opened=False, mode="hand")
    for number in (1, 2):
        survey.add_question(
            f"{TEXT} {number}",
            family=family,
            parameters=build_example(family).parameters,
            innocuous_question=INNOCUOUS,
        )
    survey.open()
    assert Markup(client.get(URL).content.decode()).blocks.count(said) == 2


def test_a_proof_is_not_called_chance(client, db):
    make_survey_by_hand("forced_yes")
    html = client.get(URL).content.decode()
    assert "may be only" not in html
    assert "“No” is proof" in html


def test_direct_questions_are_checked_as_in_the_other_modes(client, db):
    make_survey(["direct"], mode="hand")
    _question, check = find_screens(client)
    assert "Sensitive question 1?" in check.blocks
    assert [each.get("data-go") for each in check.inputs] == ["change", None, "back"]


def test_the_thanks_say_what_was_received(client, db):
    survey = make_survey_by_hand("coin")
    said = client.get(find_thanks(survey)).content.decode()
    assert "We received only what you entered." in said
