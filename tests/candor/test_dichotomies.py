"""Dichotomies: their counts depend on the estimand alone."""

from fractions import Fraction
from itertools import combinations

import pytest

from candor.binary import BinaryChannel
from candor.dichotomies import dichotomies, find_dichotomy
from candor.estimands import Estimand
from candor.mechanisms import build
from tests.candor.tables import FIVE, NEVER_TRUE, ONE_BIT, SCALE, UNEVEN

SETS = [
    Estimand.make_share(*places, answers=5)
    for size in (1, 2, 3, 4)
    for places in combinations(range(5), size)
]


@pytest.mark.parametrize(
    ("weights", "estimand"),
    [
        (build("coin").weights, Estimand((1, 0))),
        (build("crosswise", prevalence="1/4").weights, Estimand((1, 0))),
        (NEVER_TRUE, Estimand((0, 1, 0))),
        (ONE_BIT, Estimand(SCALE)),
        *((FIVE, estimand) for estimand in SETS),
    ],
)
def test_the_chance_of_the_counted_reports_is_affine_in_the_estimand(weights, estimand):
    found = find_dichotomy(weights, estimand)
    (a, _), (b, _) = found.weights
    low, high = min(estimand.coefficients), max(estimand.coefficients)
    assert a > b
    for row, coefficient in zip(weights, estimand.coefficients, strict=True):
        part = Fraction(coefficient - low, high - low)
        assert sum(row[report] for report in found.counted) == b + (a - b) * part


def test_a_set_of_answers_is_counted_by_their_reports():
    found = find_dichotomy(FIVE, Estimand.make_share(1, 3, answers=5))
    assert found.counted == (1, 3)
    assert found.count((150, 95, 60, 55, 40)) == 150


def test_an_answer_is_counted_by_the_reports_that_favour_it():
    assert [each.counted for each in dichotomies(NEVER_TRUE)] == [
        (1, 2),
        (0, 2),
        (0, 1),
    ]
    assert dichotomies(build("crosswise", prevalence="1/4").weights)[0].counted == (1,)


def test_equally_informative_reports_are_counted_together():
    """Two reports may mean yes, and a report may be impossible."""
    (found, _no) = dichotomies(((4, 2, 2, 0), (1, 6, 1, 0)))
    assert found is None
    (found, _no) = dichotomies(((4, 2, 2, 0), (2, 5, 1, 0)))
    assert found.counted == (0, 2)
    assert found.channel == BinaryChannel(p_yes_given_yes=6 / 8, p_yes_given_no=3 / 8)


@pytest.mark.parametrize(
    ("weights", "estimand"),
    [
        (UNEVEN, Estimand((1, 0, 0))),
        # The mean of k-RR needs more than one count.
        (FIVE, Estimand(SCALE)),
        # A constant needs none.
        (FIVE, Estimand((1, 1, 1, 1, 1))),
    ],
)
def test_some_estimands_have_no_dichotomy(weights, estimand):
    assert find_dichotomy(weights, estimand) is None


def test_dichotomies_require_an_identified_estimand():
    with pytest.raises(ValueError, match="mechanism must identify"):
        dichotomies(ONE_BIT)
