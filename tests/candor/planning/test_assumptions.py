"""Assumptions about a scale, against explicit shares of every answer."""

import math
from itertools import product

import numpy as np
import pytest

from candor.estimands import mean_of_points, score_variance
from candor.mechanisms import build
from candor.planning.assumptions import ScaleAnswers, assume

SHARES = {
    "at one point": [0, 1, 0, 0, 0],
    "between two": [0, 0.3, 0.7, 0, 0],
    "at both ends": [0.8, 0, 0, 0, 0.2],
    "falling": [0.4, 0.3, 0.2, 0.1, 0],
    "equally common": [0.2] * 5,
    "at the lowest": [1, 0, 0, 0, 0],
}


@pytest.mark.parametrize("name", SHARES)
@pytest.mark.parametrize(
    ("family", "epsilon"), list(product(["grid", "one_bit"], ["0.01", "1", "4", "10"]))
)
def test_the_variance_depends_only_on_mean_and_deviation(name, family, epsilon):
    shares, value = np.array(SHARES[name]), np.arange(5)
    mean = float(shares @ value)
    sd = math.sqrt(max(0, shares @ value**2 - mean**2))
    assumed = ScaleAnswers.of(5, mean=mean, sd=sd)
    assert (assumed.mean, assumed.sd) == (mean, pytest.approx(sd, abs=1e-9))
    weights = build(family, epsilon=epsilon, points=5).weights
    # Added up over all answers and all reports.
    expected = score_variance(weights, shares, mean_of_points(5))
    assert assumed.variance(weights) == pytest.approx(expected, rel=1e-9)
    plan = assume(build(family, epsilon=epsilon, points=5), mean=mean, sd=sd)
    assert plan.variances[family] == pytest.approx(expected / 16, rel=1e-9)
    assert plan.direct_variance == pytest.approx(sd**2 / 16, abs=1e-9)


def test_all_points_are_equally_common_by_default():
    for points in (2, 3, 11, 101):
        default = ScaleAnswers.of(points)
        assert default.is_default
        assert default.mean == (points - 1) / 2
        assert default.sd == pytest.approx(np.arange(points).std())
    assert ScaleAnswers.of(11, mean=5).is_default
    assert not ScaleAnswers.of(11, mean=5.1).is_default
    assert not ScaleAnswers.of(11, sd=3).is_default


def test_the_mean_bounds_the_standard_deviation():
    # All others at 10: sqrt(9.5 x .5), less than that of points equally common.
    assert ScaleAnswers.of(11, mean=9.5).sd == pytest.approx(math.sqrt(4.75))
    # Half of them at 9 and half at 10.
    assert ScaleAnswers.of(11, mean=9.5, sd=0.1).sd == 0.5
    assert ScaleAnswers.of(11, mean=10).sd == 0
    # The mean of two points determines the shares.
    assert ScaleAnswers.of(2, mean=0.3).sd == pytest.approx(math.sqrt(0.21))
    assert ScaleAnswers.of(2, mean=0.3, sd=0).sd == pytest.approx(math.sqrt(0.21))
    # The maximum itself, computed independently.
    ScaleAnswers.of(11, mean=9.5, sd=math.sqrt(9.5 * 0.5))
    with pytest.raises(ValueError, match=r"sd must be a number in \[0, 2.17945\]"):
        ScaleAnswers.of(11, mean=9.5, sd=2.2)
    with pytest.raises(ValueError, match=r"mean must be a number in \[0, 10\], such"):
        ScaleAnswers.of(11, mean=10.1)


def test_the_cost_of_privacy_is_infinite_where_all_answers_are_equal():
    plan = assume(build("grid", epsilon=4, points=11), mean=0)
    assert plan.cost_of_privacy == math.inf
    assert plan.direct_margins.margin(100) == 0
    assert plan.direct_margins.needed(0.05) == 1
