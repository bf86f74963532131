"""Mode hand: chance comes first, and what was entered is never shown as an answer."""

import re

import pytest

from candor.mechanisms import load_families
from surveys.design import get_design
from surveys.text.by_hand import describe_steps
from tests.factories import make_survey
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
    question = {
        "text": TEXT,
        "family": family,
        "parameters": build_example(family).parameters,
        "innocuous_question": INNOCUOUS,
    }
    return make_survey([question], mode="hand")


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
def test_the_check_page_shows_neither_the_question_nor_an_undo_button(
    client, db, family
):
    survey = make_survey_by_hand(family)
    (steps,) = map(describe_steps, get_design(survey).questions)
    _question, check = find_screens(client)
    assert {"Question 1 of 1", steps.entered} <= set(check.blocks)
    assert TEXT not in check.html
    buttons = [each.get("data-go") for each in check.inputs]
    assert buttons == [None, "back"], "to send, and to go back, but none to undo it"
