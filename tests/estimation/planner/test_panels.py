"""What the planner says of a table that nobody planned for."""

import pytest

from candor.mechanisms import Mechanism, build
from estimation.pages.planner.forms import Assumptions, PlanForm
from estimation.pages.planner.question import question_panel
from estimation.pages.planner.survey import survey_panel
from surveys.text.tables import TableDescription


def assume_nothing():
    form = PlanForm({})
    assert form.is_valid()
    return Assumptions(**form.cleaned_data)


ASSUMED = assume_nothing()

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
    return TableDescription((2,), LOPSIDED, ("Often", "Rarely", "Never"))


def whole(*tables):
    panels = [question_panel(table, ASSUMED) for table in tables]
    return survey_panel(panels, ASSUMED)


def test_its_protection_is_said_and_its_precision_is_not(lopsided):
    panel = question_panel(lopsided, ASSUMED)
    assert panel.plan is None
    (fact,) = panel.facts
    assert fact.text.startswith("For this mechanism only its protection")
    privacy, *others = panel.figures
    assert privacy.number == "∞"
    assert [figure.number for figure in others] == [
        "\N{EN DASH}",
        "\N{EN DASH}",
        "\N{EN DASH}",
    ]


def test_the_survey_is_planned_by_its_other_questions(lopsided):
    coin = TableDescription((1,), build("coin"), ("Yes", "No"))
    alone = whole(lopsided)
    assert alone.plot is None
    assert alone.status == "Total epsilon ∞."
    both = whole(lopsided, coin)
    assert both.plot.name == "Question 1: Coin flip"
    _epsilon, *precision = both.figures
    assert {figure.which for figure in precision} == {"question 1, the least precise"}


def test_what_is_not_scrambled_is_named_as_respondents_read_it():
    coin = TableDescription((1,), build("coin"), ("Yes", "No"))
    direct = TableDescription((2,), build("direct"), ("Yes", "No"))
    who = "Your device scrambles each answer before sending it: chance may change it."
    said = {
        (coin,): (who, "We receive only the scrambled answer."),
        (coin, direct): (
            "Your device scrambles each protected answer before sending it: chance may "
            "change it.",
            "But question 2 is not protected: we receive your real answer.",
        ),
        (direct,): (),
    }
    for tables, sentences in said.items():
        assert whole(*tables).read.sentences == sentences


@pytest.mark.parametrize(
    ("families", "note"),
    [
        (["direct"], "1 question"),
        (["direct"] * 2, "2 questions"),
        (["coin"], "1 question"),
        (["coin", "direct", "direct"], "1 scrambled question"),
        ([], "0 questions"),
    ],
)
def test_epsilon_says_of_how_many_questions_it_is(families, note):
    tables = [
        TableDescription((number,), build(family), ("Yes", "No"))
        for number, family in enumerate(families, start=1)
    ]
    assert whole(*tables).figures[0].note == note
