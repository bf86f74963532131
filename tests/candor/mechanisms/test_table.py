"""Which sums of shares a table identifies, by exact elimination."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from candor.mechanisms.table import (
    TableError,
    UninformativeTableError,
    check_table,
    eliminate_rows,
    find_truth_and_other,
    identifies,
    identity,
)

# A scale of three values sent as one bit identifies the mean, and no share.
ONE_BIT = ((3, 1), (2, 2), (1, 3))


@pytest.mark.parametrize(
    ("weights", "target", "is_identified"),
    [
        (((3, 1), (1, 3)), (1, 0), True),
        (((3, 1), (3, 1)), (1, 0), False),
        # Every table identifies a constant.
        (((3, 1), (3, 1)), (1, 1), True),
        (ONE_BIT, (0, 1, 2), True),
        (ONE_BIT, (5, 3, 1), True),
        (ONE_BIT, (1, 0, 0), False),
        (ONE_BIT, (0, 1, 3), False),
        # The sum of the first two answers, which have equal rows.
        (((3, 1), (3, 1), (1, 3)), (1, 1, 0), True),
        (((3, 1), (3, 1), (1, 3)), (1, 0, 0), False),
    ],
)
def test_it_decides_whether_an_estimand_is_identified(weights, target, is_identified):
    assert identifies(weights, target) is is_identified


def test_a_table_must_identify_the_share_of_every_answer():
    check_table(((3, 1), (1, 3)), answers=2, reports=2)
    with pytest.raises(UninformativeTableError, match="tell the answers apart"):
        check_table(ONE_BIT, answers=3, reports=2)


@pytest.mark.parametrize(
    ("weights", "found"),
    [
        (((3, 1), (1, 3)), (3, 1)),
        (((0, 2, 2), (2, 0, 2), (2, 2, 0)), (0, 2)),
        (ONE_BIT, None),
        (((3, 1), (2, 2)), None),
        (((3, 1, 0), (0, 3, 1), (1, 0, 3)), None),
        (((2, 1, 1), (1, 2, 1), (1, 0, 3)), None),
    ],
)
def test_a_table_that_treats_all_answers_equally_has_two_weights(weights, found):
    assert find_truth_and_other(weights) == found


def test_a_table_has_at_most_255_reports():
    def check(reports):
        weights = ((2, *[1] * (reports - 1)), (*[1] * (reports - 1), 2))
        check_table(weights, answers=2, reports=reports)

    check(255)
    with pytest.raises(TableError, match="2 to 255 reports; got 256"):
        check(256)


@settings(deadline=None, derandomize=True)
@given(
    st.integers(1, 4).flatmap(
        lambda size: st.lists(
            st.lists(st.integers(-9, 9), min_size=size, max_size=size),
            min_size=size,
            max_size=size,
        )
    )
)
def test_elimination_inverts_regular_matrices(rows):
    size = len(rows)
    wide = [[*row, *unit] for row, unit in zip(rows, identity(size), strict=True)]
    found, leading = eliminate_rows(wide, columns=size)
    if len(leading) < size:
        assert not any(any(row[:size]) for row in found[len(leading) :])
        return
    divisor = found[0][0]
    inverse = [[Fraction(cell, divisor) for cell in row[size:]] for row in found]
    product = [
        [
            sum(a * b for a, b in zip(row, column, strict=True))
            for column in zip(*inverse, strict=True)
        ]
        for row in rows
    ]
    assert product == [list(unit) for unit in identity(size)]
