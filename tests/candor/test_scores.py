"""Scores of reports for an estimand: unbiased, with the smallest variance."""

import math
from fractions import Fraction

import numpy as np
import pytest

from candor.estimands import Estimand, scores
from tests.candor.tables import FIVE, NEVER_TRUE, ONE_BIT, SCALE, TWO_COINS, UNEVEN

# Three reports to a yes/no question; the middle one is uninformative.
UNSURE = ((3, 2, 1), (1, 2, 3))


def exact(weights, *targets):
    """Return the scores as fractions, [target][report]."""
    numerators, denominator = scores(weights, *targets)
    return [[Fraction(each, denominator) for each in column] for column in numerators.T]


def mean(chances, score):
    return sum(chance * each for chance, each in zip(chances, score, strict=True))


def test_scores_undo_the_table_exactly():
    for weights in (FIVE, TWO_COINS, UNEVEN, NEVER_TRUE):
        numerators, denominator = scores(weights)
        undone = np.array(weights, dtype=object) @ numerators
        identity = np.identity(len(weights), dtype=int)
        assert (undone == sum(weights[0]) * denominator * identity).all()
        assert math.gcd(denominator, *numerators.flat) == 1


@pytest.mark.parametrize("weights", [UNSURE, (*UNSURE, (2, 2, 2))])
def test_scores_have_the_smallest_variance_among_unbiased_scores(weights):
    """Any other unbiased scores differ by numbers whose mean is 0 given each answer."""
    yes = Estimand.make_share(0, answers=len(weights))
    # Of three answers the last one is half a yes: no share by itself is identified.
    target = yes if len(weights) == 2 else Estimand((2, 0, 1))
    (score,) = exact(weights, target)
    total = sum(weights[0])
    for row, coefficient in zip(weights, target.coefficients, strict=True):
        assert mean(row, score) == total * coefficient
    # Under equal shares: sum of lam s d = 0 for every such difference d.
    difference = (1, -2, 1)
    assert all(mean(row, difference) == 0 for row in weights)
    sent = [sum(column) for column in zip(*weights, strict=True)]
    assert sum(map(math.prod, zip(sent, score, difference, strict=True))) == 0


def test_an_impossible_report_has_no_weight():
    assert exact(((3, 0, 1), (1, 0, 3)))[0] == [Fraction(3, 2), 0, Fraction(-1, 2)]


def test_a_table_may_identify_a_mean_and_no_share():
    (score,) = exact(ONE_BIT, Estimand(SCALE))
    # E score = v for every value v: P(1 | v) = (2 + v)/8, so that 8 x - 2 of bit x
    assert score == [-2, 6]
    with pytest.raises(ValueError, match=r"mechanism must identify .* \(1, 0, 0, 0, 0"):
        scores(ONE_BIT)
    with pytest.raises(ValueError, match=r"mechanism must identify .* \(0, 1, 0, 0, 1"):
        scores(ONE_BIT, Estimand(SCALE), Estimand.make_share(1, 4, answers=5))
