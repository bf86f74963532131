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


def test_the_trial_is_of_the_table_that_protects_least_where_it_fits():
    found = practice(symmetric("abcdef"), build_example("die"), build_example("coin"))
    assert (found["table"], found["labels"]) == (2, ["Yes", "No"])
    assert found["reports"] == ("Yes", "No")


def test_a_third_answer_has_a_trial_too():
    found = practice(symmetric("abc"))
    assert found["labels"] == list(HARMLESS_ANSWERS)
    assert found["reports"] == HARMLESS_ANSWERS


def test_where_no_harmless_question_fits_there_is_no_trial():
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
def test_a_table_scrolls_before_its_header_breaks(labels, wide):
    mechanism = symmetric("abc"[: len(labels)])
    assert is_wide(TableDescription((1,), mechanism, labels)) is wide
