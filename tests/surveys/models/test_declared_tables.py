"""Which tables a key holder returns, and what of them is frozen."""

import pytest

from surveys.design import get_design
from tests.sealed import make_sealed_survey

pytestmark = pytest.mark.django_db


def make(*questions, **fields):
    survey = make_sealed_survey((), opened=False, declared_tables=True, **fields)
    for family, more in questions:
        survey.add_question(f"{family}?", family=family, **more)
    return survey


def test_declared_tables_cover_questions_pairs_and_conditions():
    survey = make(
        ("coin", {}),
        ("direct", {}),
        ("direct", {}),
        ("coin", {"show_if": "1 is Yes and 3 is No"}),
        ("coin", {}),
        pinned_pairs="5-4, 3-2",
    )
    survey.open()

    assert survey.definition()["tables"] == [
        *([number] for number in range(1, 6)),
        *([1, 2], [1, 3], [1, 3, 4], [2, 3], [2, 4], [2, 5], [3, 4], [3, 5], [4, 5]),
    ]
    design = get_design(survey)
    assert design.declares(3, 1)
    assert design.declares(4, 1)
    assert not design.declares(1, 5)
    assert not design.declares(1, 2, 3)


def test_tick_list_items_share_the_condition_of_the_first():
    item = {"tick_list": "Which?", "show_if": "1 is Yes"}
    survey = make(
        ("coin", {}), ("coin", item), ("coin", {}), ("coin", {}), draws="1 of 2-4"
    )

    assert survey.definition()["tables"][4:] == [[1, 2], [1, 3], [1, 4]]


def test_references_to_missing_questions_declare_no_tables():
    survey = make(("coin", {}), ("coin", {"show_if": "7 is Yes"}), pinned_pairs="1-9")

    assert survey.definition()["tables"] == [[1], [2]]
