"""The planner's panels for unusual tables."""

from dataclasses import replace

import pytest

from candor.mechanisms import Mechanism, build
from candor.mechanisms.draws import DrawnGroup
from estimation.pages.planner.forms import Assumptions, PlanForm
from estimation.pages.planner.question import question_panel
from estimation.pages.planner.survey import survey_panel
from surveys.text.tables import TableDescription


def assume_nothing():
    form = PlanForm({})
    assert form.is_valid()
    return Assumptions(**form.cleaned_data)


ASSUMED = assume_nothing()

# The last row differs from the others.
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


def test_an_uninformative_table_shows_protection_but_no_precision(lopsided):
    panel = question_panel(lopsided, ASSUMED)
    assert panel.plan is None
    (fact,) = panel.facts
    assert fact.label == "Limits"
    privacy, *others = panel.figures
    assert privacy.number == "∞"
    assert [figure.number for figure in others] == [
        "\N{EN DASH}",
        "\N{EN DASH}",
        "\N{EN DASH}",
    ]


def test_the_survey_is_planned_from_its_other_questions(lopsided):
    coin = TableDescription((1,), build("coin"), ("Yes", "No"))
    alone = whole(lopsided)
    assert alone.plot is None
    assert alone.status == "Total epsilon ∞."
    both = whole(lopsided, coin)
    assert both.plot.name == "Question 1: Coin flip"
    assert both.facts[0].note == "question 1"


def coins(count):
    return [
        TableDescription((number,), build("coin"), ("Yes", "No"))
        for number in range(1, count + 1)
    ]


def test_the_meter_rises_with_epsilon_within_its_tier():
    meters = [whole(*coins(count)).meter for count in range(1, 10)]
    # 3 to 1, 9 to 1, 27 to 1.
    assert [each.tier for each in meters[:3]] == [1, 2, 3]
    pins = [each.pin for each in meters]
    assert pins == sorted(pins)
    width = 296 / 3
    for meter in meters:
        assert width * (meter.tier - 1) <= meter.pin <= width * meter.tier
    direct = TableDescription((1,), build("direct"), ("Yes", "No"))
    assert (whole(direct).meter.tier, whole(direct).meter.pin) == (3, 296)
    assert (whole().meter.tier, whole().meter.pin) == (1, 0)


def test_a_draw_is_suggested_if_all_answers_come_close_to_proof():
    remedy = whole(*coins(4)).remedy
    # Two coins shift odds 9 times, three 27 times: the most that stay a hint.
    assert remedy.title == "Ask each person 2 of questions 1\N{EN DASH}4"
    assert remedy.draws == "2 of 1-4"
    # 4 ln 3 and 2 ln 3; half of the people are asked each question.
    assert (
        remedy.sentence == "ε 2.20, a strong hint, never proof. People needed: 3,074."
    )
    drawn = replace(ASSUMED, draws=(DrawnGroup(asked=2, questions=(1, 2, 3, 4)),))
    panels = [question_panel(each, drawn) for each in coins(4)]
    after = survey_panel(panels, drawn)
    assert after.remedy is None
    assert (after.epsilon, after.facts[1].number) == ("2.20", "3,074")


def test_a_draw_that_would_not_help_is_not_suggested(lopsided):
    direct = TableDescription((2,), build("direct"), ("Yes", "No"))
    strong = TableDescription((1,), build("epsilon", epsilon=9), ("Yes", "No"))
    for tables in (coins(1), coins(2), [*coins(1), direct], [strong], [], [direct]):
        assert whole(*tables).remedy is None
    # One of its reports is proof, even if few are asked.
    assert whole(*coins(1), lopsided).remedy is None


def test_one_question_is_suggested_if_each_is_close_to_proof():
    tables = [
        TableDescription((number,), build("epsilon", epsilon=3), ("Yes", "No"))
        for number in (1, 2, 3)
    ]
    remedy = whole(*tables).remedy
    assert remedy.draws == "1 of 1-3"
    assert "ε 3.00, can come close to proof" in remedy.sentence
