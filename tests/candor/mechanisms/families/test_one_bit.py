"""One bit of a number: its chances grow evenly, and epsilon is never exceeded."""

from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

import pytest

from candor.mechanisms import Mechanism, build
from candor.mechanisms.epsilon import logarithm
from candor.mechanisms.table import UninformativeTableError


@pytest.mark.parametrize("points", [2, 5, 11, 101])
@pytest.mark.parametrize("epsilon", ["1/1000", "1", "4", "10"])
def test_high_grows_by_the_same_step_from_point_to_point(epsilon, points):
    mechanism = build("one_bit", epsilon=epsilon, points=points)
    chances = [mechanism.probability("high", given=v) for v in mechanism.answers]
    assert len({b - a for a, b in pairwise(chances)}) == 1
    # P(high | v) = [1 + (E - 1) v / K] / (E + 1): the ends add up to 1
    assert chances[0] + chances[-1] == 1
    odds = chances[-1] / chances[0]
    assert odds == mechanism.worst_ratio
    wanted, real = Decimal(1) * Decimal(str(float(Fraction(epsilon)))), logarithm(odds)
    assert real <= wanted < real + Decimal("0.003")


def test_answers_are_points_from_zero_and_reports_have_names():
    mechanism = build("one_bit", epsilon=1, points=11)
    assert mechanism.answers == tuple(map(str, range(11)))
    assert mechanism.reports == ("high", "low")
    assert not mechanism.tells_shares
    assert build("grid", epsilon=1, points=11).reports == mechanism.answers


def test_the_grid_is_the_table_of_several_answers():
    grid = build("grid", epsilon="1/3", points=7)
    assert grid.weights == build("k_ary", epsilon="1/3", choices=7).weights
    assert grid.tells_shares


def test_fewer_reports_than_answers_must_tell_the_mean():
    with pytest.raises(UninformativeTableError):
        Mechanism(
            family="bent",
            parameters={},
            answers=("0", "1", "2"),
            reports=("high", "low"),
            weights=((3, 1), (3, 1), (1, 3)),
        )
