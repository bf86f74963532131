"""What the planner says of a table that nobody planned for."""

import pytest

from estimation.planner.panels import (
    Assumptions,
    describe_question,
    describe_survey,
    plan_questions,
)
from surveys.mechanisms import Mechanism, build
from surveys.words.tables import TableInWords

ASSUMED = Assumptions(
    mode="browser",
    language="en",
    share=0.5,
    respondents=None,
    margin=None,
    against=None,
    prior=0.1,
)

# It treats its answers unlike each other.
LOPSIDED = Mechanism(
    family="k_ary",
    parameters={"epsilon": "1", "choices": "3"},
    answers=("1", "2", "3"),
    reports=("1", "2", "3"),
    weights=((2, 1, 1), (1, 2, 1), (1, 0, 3)),
)


@pytest.fixture
def lopsided():
    return TableInWords((2,), LOPSIDED, ("Often", "Rarely", "Never"))


def test_its_protection_is_said_and_its_precision_is_not(lopsided):
    (question,) = plan_questions([lopsided], ASSUMED)
    found = describe_question(question, ASSUMED)
    assert found["figures"] is None
    assert found["scope"].startswith("For this mechanism only its protection")
    assert found["protection"]["epsilon"] == "∞"
    assert "precision" not in found


def test_the_survey_is_planned_by_its_other_questions(lopsided):
    coin = TableInWords((1,), build("coin"), ("Yes", "No"))
    alone = describe_survey(plan_questions([lopsided], ASSUMED), ASSUMED)
    assert alone["curve"] is None
    assert alone["status"] == "Total epsilon ∞."
    both = describe_survey(plan_questions([lopsided, coin], ASSUMED), ASSUMED)
    assert both["least_precise"] == (1,)
    assert both["which"] == "question 1, the least precise"
