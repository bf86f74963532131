"""Hints, helplines, sections, random order and completion of a survey."""

import json

import pytest
from django.core.exceptions import ValidationError

from surveys.design import get_design
from surveys.files.definition import duplicate, store_definition, write_definition
from surveys.files.read import read_definition
from surveys.models import Question, Survey
from tests.factories import give_reason, make_survey

pytestmark = pytest.mark.django_db

SURVEY = {
    "helpline": "Someone to talk to: 116 123",
    "completion_code": "C0FFEE",
    "completion_link": "https://panel.example/complete?cc=C0FFEE",
    "screened_code": "NOT-YOU",
    "screened_link": "https://panel.example/screened",
}
QUESTION = {
    "hint": "In the last 12 months.",
    "helpline": "If this is hard: 116 123",
    "section": "At school",
    "section_text": "The next questions are about **exams**.",
    "shuffle_section": True,
    "shuffle_choices": True,
    "tick_list": "Which of these have you done?",
    "show_if": "1 is Yes",
    "answer_if_hidden": "Yes",
}
SCREENING = {"ends_if": "No"}
"""Of a question that is not scrambled."""


def make_full_survey(**fields):
    survey = make_survey(
        ["direct", "die", "die"], opened=False, draws="1 of 2, 3", **SURVEY, **fields
    )
    survey.questions.filter(position=1).update(**SCREENING)
    survey.questions.filter(position=2).update(**QUESTION)
    return survey


def test_a_survey_that_uses_none_of_it_defines_none_of_it():
    definition = make_survey().definition()
    assert not {*SURVEY, *Survey.DEFINED_IF_WRITTEN} & definition.keys()
    assert not QUESTION.keys() & definition["questions"][0].keys()


def test_all_of_it_is_part_of_the_digest():
    assert {*QUESTION, *SCREENING} == set(Question.PRESENTATION)
    survey = make_full_survey()
    survey.open()
    definition = survey.definition()
    assert SURVEY.items() <= definition.items()
    assert QUESTION.items() <= definition["questions"][1].items()
    assert SCREENING.items() <= definition["questions"][0].items()
    design = get_design(survey)
    assert {name: getattr(design, name) for name in SURVEY} == SURVEY
    assert design.questions[1].hint == QUESTION["hint"]
    assert not design.questions[0].shuffle_choices


def test_a_section_reaches_to_the_next_one():
    survey = make_survey(["coin"] * 5, opened=False)
    survey.questions.filter(position=2).update(section="First")
    survey.questions.filter(position=4).update(shuffle_section=True)
    give_reason(survey)
    survey.open()
    first, last = get_design(survey).sections
    assert (list(first.numbers), first.title, first.is_shuffled) == ([2, 3], "First", 0)
    assert (list(last.numbers), last.title, last.is_shuffled) == ([4, 5], "", 1)
    found = [get_design(survey).find_section(number) for number in range(1, 6)]
    assert found == [None, first, first, last, last]


def test_a_copy_and_a_file_keep_all_of_it():
    survey = make_full_survey()
    definition = survey.definition()
    copy = duplicate(survey, survey.owner)
    read = store_definition(read_definition(write_definition(survey)), survey.owner)
    for twin in (copy, read):
        again = twin.definition()
        assert again["questions"] == definition["questions"]
        assert SURVEY.items() <= again.items()


@pytest.mark.parametrize("link", ["http://panel.example", "javascript:alert(1)", "x"])
def test_a_completion_link_is_an_https_address(link):
    survey = make_survey(opened=False, completion_link=link)
    with pytest.raises(ValidationError) as refused:
        survey.full_clean()
    assert list(refused.value.message_dict) == ["completion_link"]


def test_a_file_with_another_completion_link_is_refused():
    survey = make_survey(opened=False)
    written = json.loads(write_definition(survey))
    written["completion_link"] = "http://panel.example"
    with pytest.raises(ValueError, match="completion_link must be"):
        read_definition(json.dumps(written))


def test_the_points_of_a_scale_stay_in_order():
    survey = make_survey([("grid", {"epsilon": "1", "points": "5"})], opened=False)
    survey.questions.update(shuffle_choices=True)
    assert survey.problems() == ["Question 1: The points of a scale stay in order."]
