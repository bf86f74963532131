"""What a survey says about itself, on the pages of every mode."""

import pytest

from respondents.collecting.page_context import (
    HARMLESS_ANSWERS,
    choose_practice,
    is_wide,
)
from surveys.text.protection import Protection
from surveys.text.tables import TableDescription
from tests.surveys.tables import build_example, make_design, table_of


def symmetric(names):
    weights = [[4 if i == j else 1 for j in names] for i in names]
    return table_of(weights, tuple(names), tuple(names))


def practice(*mechanisms):
    return choose_practice(Protection(make_design(*mechanisms)))


def test_the_trial_uses_the_least_protective_suitable_table():
    found = practice(symmetric("abcdef"), build_example("die"), build_example("coin"))
    assert (found["table"], found["labels"]) == (2, ["Yes", "No"])
    assert found["reports"] == ("Yes", "No")


def test_tables_with_three_answers_have_a_trial():
    found = practice(symmetric("abc"))
    assert found["labels"] == list(HARMLESS_ANSWERS)
    assert found["reports"] == HARMLESS_ANSWERS


def test_without_a_suitable_harmless_question_there_is_no_trial():
    assert practice(symmetric("abcd")) is None
    assert practice(build_example("direct")) is None


@pytest.mark.parametrize(
    ("labels", "wide"),
    [
        (("Same", "Different"), False),
        (("Pareil", "Différent"), False),
        # One letter more, and they broke on a phone of 360 px.
        (("Iguales", "Distintas"), True),
        (("Gleich", "Verschieden"), True),
        # Words wrap where they end, so that only the longest counts.
        (("Yes, and often", "No, not once"), False),
        (("A", "B", "C"), True),
    ],
)
def test_a_table_with_long_labels_is_marked_wide(labels, wide):
    mechanism = symmetric("abc"[: len(labels)])
    assert is_wide(TableDescription((1,), mechanism, labels)) is wide
