"""The mean of a scale: exact for one bit, otherwise by likelihood and scores."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import t as student

from candor.binary import BinomialDesign
from candor.estimands import MEAN, mean_of_points, score_variance
from candor.intervals import METHODS, share_interval
from candor.likelihood import find_profile_interval, mix_components
from candor.mechanisms import build
from candor.planning.assumptions import assume
from candor.planning.margins import compute_achieved_margin
from candor.poisoning import forged_weight
from candor.sample import PROFILE, Sample
from tests.candor.tables import covariance_of, sample_of

ONE_BIT = build("one_bit", epsilon=1, points=11)
GRID = build("grid", epsilon=2, points=5)
COUNTS = (153, 198, 292, 223, 134)
MEAN_OF_FIVE = mean_of_points(5)


@pytest.mark.parametrize(
    ("epsilon", "one_bit", "grid"),
    # 2-statistics: n Var of the mean on the unit scale, K = 10, uniform answers.
    [(0.5, 4.17, 32.2), (1, 1.17, 5.48), (2, 0.431, 0.741), (4, 0.269, 0.145)],
)
def test_variances_of_means_match_the_formulas(epsilon, one_bit, grid):
    uniform = [1 / 11] * 11
    for family, expected in (("one_bit", one_bit), ("grid", grid)):
        table = build(family, epsilon=epsilon, points=11)
        found = score_variance(table.weights, uniform, mean_of_points(11)) / 100
        assert found == pytest.approx(expected, rel=0.005)
    planned = assume(build("one_bit", epsilon=epsilon, points=11))
    assert planned.most_precise == ("grid" if grid < one_bit else "one_bit")


@pytest.mark.parametrize("method", METHODS)
def test_one_bit_has_the_interval_of_a_yes_no_question(method):
    result = Sample.of(ONE_BIT, {"high": 60, "low": 40})
    low, high = (float(ONE_BIT.probability("high", given=v)) for v in ("0", "10"))
    share = share_interval(
        60, build_design(100, given_yes=high, given_no=low), method=method
    )
    assert result.interval(MEAN, method=method) == pytest.approx(
        (10 * share.low, 10 * share.high)
    )
    assert result.method(MEAN, method) == method


def build_design(respondents, *, given_yes, given_no):
    return BinomialDesign(
        respondents=respondents, p_yes_given_yes=given_yes, p_yes_given_no=given_no
    )


def test_the_grid_mean_equals_the_mean_of_its_shares():
    result = sample_of(GRID, *COUNTS)
    values = range(5)
    raw = sum(
        value * share
        for value, share in zip(values, result.raw_shares.values(), strict=True)
    )
    assert result.raw(MEAN) == pytest.approx(raw)
    spread = np.array(values) @ covariance_of(result) @ np.array(values)
    assert result.standard_error(MEAN) == pytest.approx(math.sqrt(spread))
    # Inside the simplex the maximum-likelihood mean is the raw one.
    assert result.estimate(MEAN) == pytest.approx(raw)
    assert result.method(MEAN) == PROFILE


def test_the_ends_of_a_profile_interval_have_the_critical_drop():
    table = np.array(GRID.weights) / GRID.total
    low, high = find_profile_interval(
        GRID.weights, COUNTS, MEAN_OF_FIVE, confidence_level=0.95
    )
    counts = np.array(COUNTS)
    best = counts @ np.log(counts / counts.sum())
    for end in (low, high):
        # Mixtures of two points with this mean; compared with a slow ascent.
        held = mix_components(end, MEAN_OF_FIVE, table)
        part = np.full(len(held), 1 / len(held))
        for _ in range(4000):
            part *= held @ (counts / (part @ held)) / counts.sum()
        fallen = 2 * (best - counts @ np.log(part @ held))
        assert fallen == pytest.approx(3.841459, abs=1e-3)


def test_grid_intervals_cover_means_that_profiles_miss():
    # Everyone at 0: the profile missed in 40 to 60 of 100 such surveys.
    mechanism = build("grid", epsilon=4, points=11)
    source = np.random.default_rng(5)  # noqa: TID251 - seeded
    chances = np.array(mechanism.weights[0]) / mechanism.total
    drawn = source.multinomial(300, chances, size=40).tolist()
    held = [
        sample_of(mechanism, *counts).interval(MEAN).low <= 1e-9 for counts in drawn
    ]
    assert sum(held) >= 36


@pytest.mark.parametrize("mechanism", [ONE_BIT, GRID])
def test_without_reports_nothing_is_known(mechanism):
    result = Sample.of(mechanism, {})
    assert math.isnan(result.raw(MEAN))
    assert math.isnan(result.estimate(MEAN))
    assert math.isnan(result.standard_error(MEAN))
    assert result.interval(MEAN) == (0, len(mechanism.answers) - 1)
    assert result.design_fit == 1


def test_lopsided_one_bit_reports_do_not_fit_the_design():
    assert Sample.of(ONE_BIT, {"high": 5, "low": 95}).design_fit < 1e-6
    assert Sample.of(ONE_BIT, {"high": 40, "low": 60}).design_fit > 0.5


def test_identical_reports_have_a_positive_standard_error():
    # Everyone at the middle: the largest spread with this mean is half at each end.
    result = sample_of(build("grid", epsilon=4, points=5), 0, 0, 9, 0, 0)
    ends = [0.5, 0, 0, 0, 0.5]
    spread = score_variance(result.mechanism.weights, ends, MEAN_OF_FIVE)
    assert result.standard_error(MEAN) == pytest.approx(math.sqrt(spread / 9))


def test_margins_of_a_mean_are_proportions_of_its_scale():
    # At the middle of the scale the chance of High is 1/2: 1.96 / (2 (a - b) sqrt n).
    span = float(
        ONE_BIT.probability("high", given="10") - ONE_BIT.probability("high", given="0")
    )
    margin = compute_achieved_margin(ONE_BIT, {"high": 500, "low": 500})
    assert margin == pytest.approx(1.959964 / (2 * span * math.sqrt(1000)), rel=1e-6)
    planned = assume(ONE_BIT)
    assert planned.margin(1000) == pytest.approx(margin)
    needed = planned.needed(0.05)
    assert planned.margin(needed) <= 0.05
    assert planned.margin(needed - 1) > 0.05
    # (K + 2) / (12 K) honest answers.
    assert planned.direct_variance == pytest.approx(0.1)
    assert forged_weight(ONE_BIT) == pytest.approx(Fraction(1582, 1000), abs=1e-3)


def test_the_interval_joins_profile_and_score_intervals():
    # Reports that no shares can produce: the score lies below the scale, the
    # maximum-likelihood mean above 0, and neither interval covers 0.
    counts = (20, 9, 11, 10, 15, 9, 5, 5, 7, 5, 4)
    found = sample_of(build("grid", epsilon=1, points=11), *counts)
    t = float(student.ppf(0.975, 99))
    assert found.raw(MEAN) + t * found.standard_error(MEAN) < 0
    profile = find_profile_interval(
        found.mechanism.weights,
        counts,
        mean_of_points(11),
        confidence_level=0.95,
        drop=t**2,
    )
    assert profile.low > 0.06
    assert found.interval(MEAN) == (0, profile.high)
