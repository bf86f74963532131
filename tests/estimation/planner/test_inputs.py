"""The planner's view: refusals, no storage, and charts."""

import pytest

from estimation.pages.planner.forms import PlanForm
from tests.estimation.planner.asked import (
    BAD_REQUEST,
    COIN,
    NO_SUCH_METHOD,
    OK,
    SEVERAL,
    STRONG,
    ask,
    plan,
    planned,
)


def subject_of(field):
    """Return the name of a field in errors."""
    return PlanForm.base_fields[field].label or field


@pytest.mark.parametrize(
    ("field", "value", "allowed"),
    [
        ("share", "101", "a number from 0 to 100, such as 10"),
        ("share", "half", "a number from 0 to 100, such as 10"),
        ("share", "nan", "a number from 0 to 100, such as 10"),
        ("respondents", "0", "a whole number from 1 to 10,000,000, such as 1,000"),
        ("respondents", "2.5", "a whole number from 1 to 10,000,000, such as 1,000"),
        ("respondents", "1e99", "a whole number from 1 to 10,000,000, such as 1,000"),
        ("margin", "0", "a number from 0.1 to 50, such as 5"),
        ("margin", "51", "a number from 0.1 to 50, such as 5"),
        ("against", "-1", "a number from 0 to 100, such as 10"),
        (
            "against",
            "50",
            "a number from 0 to 100, such as 10, and not the assumed share",
        ),
        ("prior", "200", "a number from 0 to 100, such as 10"),
        ("difference", "0", "a number from 0.1 to 100, such as 10"),
        ("mean", "101", "a number from 0 to 100, such as 50"),
        ("sd", "51", "a number from 0 to 50, such as 30"),
        ("ratio", "0", "a number from 0.01 to 100, such as 2"),
        ("power", "100", "a number from 50 to 99.9, such as 80"),
        ("response_rate", "0", "a number from 0.1 to 100, such as 40"),
        ("design_effect", "0.5", "a number from 1 to 100, such as 1.5"),
        ("intra_class", "1.5", "a number from 0 to 1, such as 0.1"),
        ("cluster_size", "0", "a number from 1 to 10,000, such as 25"),
        ("mode", "paper", "one of browser, server, hand"),
        ("language", "xx", "one of en, ar, de, es, fr"),
        # Input is never treated as a placeholder.
        ("share", "50%", "a number from 0 to 100, such as 10"),
    ],
)
def test_a_bad_assumption_is_refused_by_name_range_and_value(field, value, allowed):
    (error,) = plan(COIN, **{field: value}).refused
    assert (error.field, error.numbers) == (field, ())
    assert error.message == f"{subject_of(field)} must be {allowed}; got '{value}'"


@pytest.mark.parametrize(
    ("inputs", "field", "message"),
    [
        ({"family": "dice"}, "family", r"family must be one of"),
        (
            {"family": "epsilon", "epsilon__epsilon": "often"},
            "epsilon__epsilon",
            "Epsilon must be a number above 0 and at most 10, such as 1; got 'often'",
        ),
        ({**SEVERAL, "k_ary__choices": "One"}, "k_ary__choices", "from 2 to 20"),
        (
            {**SEVERAL, "k_ary__choices": "Same\nSame"},
            "k_ary__choices",
            "different wordings",
        ),
        ({**COIN, "number": "0"}, "number", "number must be a whole number"),
        ({**COIN, "number": [2, 2]}, "number", "that no other question has"),
    ],
    ids=str,
)
def test_a_bad_question_is_refused_and_the_others_are_not(inputs, field, message):
    found = plan({**STRONG, "number": 7}, inputs)
    (error,) = found.refused
    assert error.field == field
    assert message in error.message
    assert [question.table.numbers for question in found.questions] == [(7,)]
    # A total without one of its parts would be wrong.
    assert found.survey is None


def test_the_refused_question_is_named_by_its_numbers():
    (error,) = plan(COIN, {"family": "warner", "number": [4, 5]}).refused
    assert error.numbers == (4, 5)


def test_the_planner_is_read_only_and_never_cached(client, researcher):
    response = ask(client, COIN)
    assert "no-store" in response.headers["Cache-Control"]
    assert ask(client, COIN, method="post").status_code == NO_SUCH_METHOD
    assert ask(client, {"family": "dice"}).status_code == BAD_REQUEST


def test_the_planner_does_not_query_surveys(
    client, researcher, django_assert_num_queries
):
    # The session and its user.
    with django_assert_num_queries(2):
        ask(client, COIN, STRONG, SEVERAL)


def test_a_plot_is_drawn_for_one_question(client, researcher):
    page = "estimation_plan_chart"
    response = ask(client, SEVERAL, page=page)
    assert response.status_code == OK
    assert response.headers["Content-Type"] == "image/svg+xml"
    assert "no-store" in response.headers["Cache-Control"]
    for bad in (
        ask(client, page=page),
        ask(client, COIN, COIN, page=page),
        ask(client, {"family": "warner"}, page=page),
        ask(client, COIN, page=page, margin="0"),
    ):
        assert bad.status_code == BAD_REQUEST


def test_the_plot_shows_the_least_precise_question():
    found = planned(COIN, SEVERAL, STRONG, share=30, respondents=500)
    strong = planned(STRONG, share=30, respondents=500)
    assert found.survey.plot.drawing == strong.survey.plot.drawing
    assert "500 people" in [each.text for each in found.survey.plot.drawing.texts]


@pytest.mark.parametrize(
    "assumed",
    [{"response_rate": "0.1"}, {"margin": "0.1"}, {"margin": "50"}, {"power": "99.9"},
     {"ratio": "0.01"}, {"difference": "0.1"}, {"design_effect": "100"},
     {"intra_class": "1", "cluster_size": "10000"}],
)  # fmt: skip
def test_the_ends_of_a_range_belong_to_it(assumed):
    planned(COIN, **assumed)
