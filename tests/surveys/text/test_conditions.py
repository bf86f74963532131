"""Conditions and paths in words."""

import pytest

from surveys.design import DesignQuestion
from surveys.kinds import find_scale
from surveys.models.conditions import Combination, OneOf
from surveys.text.conditions import describe_condition
from surveys.text.paths import describe_paths
from tests.factories import make_survey
from tests.surveys.tables import build_example


def question_of(family, labels):
    mechanism = build_example(family)
    return DesignQuestion(
        text="?",
        innocuous_question="",
        choices=labels,
        mechanism=mechanism,
        scale=find_scale(mechanism),
    )


QUESTIONS = (
    question_of("direct_choice", ("Never", "Once", "Often")),
    question_of("grid", tuple("01234")),
)


def one_of(number, *positions):
    return OneOf(number, frozenset(positions))


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (one_of(1, 0), "your answer to question 1 is “Never”"),
        (one_of(1, 1, 2), "your answer to question 1 is not “Never”"),
        (one_of(2, 0, 3), "your answer to question 2 is “0” or “3”"),
        (one_of(2, 3, 4), "your answer to question 2 is at least 3"),
        (one_of(2, 0, 1), "your answer to question 2 is at most 1"),
        (one_of(2, 4), "your answer to question 2 is “4”"),
        (one_of(2, 0, 1, 3, 4), "your answer to question 2 is not “2”"),
        (one_of(2, 1, 2, 3), "your answer to question 2 is not “0” or “4”"),
    ],
)
def test_conditions_are_described_in_their_shortest_form(condition, expected):
    assert describe_condition(condition, QUESTIONS) == expected


def test_combined_conditions_keep_their_brackets():
    either = Combination("or", (one_of(1, 0), one_of(2, 4)))
    condition = Combination("and", (one_of(1, 2), either))
    assert describe_condition(condition, QUESTIONS) == (
        "your answer to question 1 is “Often” and (your answer to question 1 is "
        "“Never” or your answer to question 2 is “4”)"
    )


@pytest.mark.django_db
def test_paths_name_the_answers_that_lead_there():
    survey = make_survey(["direct", "coin", "coin"], opened=False)
    assert describe_paths(survey) == []
    survey.questions.filter(position=1).update(ends_if="No")
    survey.questions.filter(position=3).update(show_if="2 is Yes")
    assert describe_paths(survey) == [
        "1 “Yes” and 2 “Yes”: questions 1\N{EN DASH}3.",
        "1 “Yes” and 2 “No”: questions 1 and 2.",
        "1 “No”: question 1. Then the survey ends.",
    ]
