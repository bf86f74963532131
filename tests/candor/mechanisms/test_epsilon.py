"""Epsilon from a table by hand: each case small enough to check by looking."""

import math
from fractions import Fraction

import pytest

from candor.mechanisms.epsilon import (
    compute_epsilon,
    epsilon_rounded_up,
    shows_answers,
    worst_ratio,
)


@pytest.mark.parametrize(
    ("weights", "ratio"),
    [
        ([[3, 1], [1, 3]], 3),
        ([[1, 2, 3], [2, 2, 2]], 2),
        ([[1, 4, 1], [2, 2, 2], [1, 1, 4]], 4),
        # One zero in one column is enough, whatever the others are.
        ([[2, 1, 1], [2, 2, 0]], None),
        ([[0, 1, 1], [1, 1, 0]], None),
        ([[1, 0], [0, 1]], None),
        # A report that no one ever sends reveals nothing.
        ([[3, 1, 0], [1, 3, 0]], 3),
    ],
)
def test_the_worst_ratio_is_that_of_any_column(weights, ratio):
    assert worst_ratio(weights) == ratio


@pytest.mark.parametrize(
    ("weights", "is_so"),
    [
        ([[1, 0], [0, 1]], True),
        ([[1, 1, 0], [0, 0, 2]], True),
        ([[2, 0], [1, 1]], False),
        ([[3, 1], [1, 3]], False),
    ],
)
def test_a_table_shows_answers_where_every_report_has_one_sender(weights, is_so):
    assert shows_answers(weights) == is_so


def test_epsilon_is_never_rounded_down():
    assert compute_epsilon(None) == math.inf
    assert compute_epsilon(Fraction(1)) == 0
    for ratio in (Fraction(3), Fraction(5, 2), Fraction(10**6 + 1, 10**6)):
        assert 0 <= compute_epsilon(ratio) - math.log(ratio) < 1e-15
    # ln 3 = 1.09861
    assert epsilon_rounded_up(Fraction(3)) == "1.10"
    assert epsilon_rounded_up(Fraction(1)) == "0.00"
    assert epsilon_rounded_up(None) == "∞"
