"""Bounds and tests for draws, against scipy.stats."""

import math
from itertools import permutations

import pytest
from scipy import stats

from candor.sampler_audit import FALSE_ALARM, least_epsilon, row_fit


@pytest.mark.parametrize(
    "counts",
    [
        [[750, 250], [250, 750]],
        [[1000, 0], [0, 1000]],
        [[1, 0], [0, 1]],
        [[500, 300, 200], [200, 500, 300], [300, 200, 400]],
    ],
)
def test_the_epsilon_bound_uses_one_sided_clopper_pearson_limits(counts):
    """scipy.stats.binomtest(...).proportion_ci(method="exact"), one side each."""
    level = 1 - FALSE_ALARM / (2 * len(counts) * len(counts[0]))

    def bound(count, n, alternative):
        found = stats.binomtest(count, n, alternative=alternative)
        return found.proportion_ci(confidence_level=level, method="exact")

    expected = max(
        math.log(low / bound(other[r], sum(other), "less").high)
        for one, other in permutations(counts, 2)
        for r in range(len(one))
        if (low := bound(one[r], sum(one), "greater").low)
    )
    assert least_epsilon(counts) == pytest.approx(max(expected, 0), rel=1e-6)


def test_the_epsilon_bound_approaches_epsilon_from_below():
    bounds = [least_epsilon([[3 * n, n], [n, 3 * n]]) for n in (10, 1000, 10**5, 10**7)]
    assert bounds == sorted(bounds)
    assert math.log(3) - 0.01 < bounds[-1] < math.log(3)
    assert least_epsilon([[0, 5], [0, 5]]) == 0


def test_the_row_test_matches_scipy():
    weights, counts = [5, 2, 1], [620, 260, 120]
    expected = [1000 * weight / 8 for weight in weights]
    assert row_fit(weights, counts) == pytest.approx(
        stats.chisquare(counts, expected).pvalue
    )


def test_a_bias_of_one_percent_is_detected_in_100_000_draws():
    assert row_fit([3, 1], [76_000, 24_000]) < FALSE_ALARM / 100
    assert row_fit([3, 1], [75_000, 25_000]) == 1


@pytest.mark.parametrize(
    ("weights", "counts", "merged"),
    [
        # 5 and 5 expected are merged to 10, which is enough.
        ([1, 1, 98], [12, 11, 477], ([23, 477], [10, 490])),
        ([1, 4, 95], [6, 20, 474], ([26, 474], [25, 475])),
        # 10 expected are enough for any count.
        ([1, 49], [3, 497], ([3, 497], [10, 490])),
    ],
)
def test_reports_with_small_expected_counts_are_merged(weights, counts, merged):
    expected = stats.chisquare(*merged).pvalue
    assert row_fit(weights, counts) == pytest.approx(expected)


def test_the_row_test_handles_zeros_and_rare_reports():
    assert row_fit([1, 0], [1000, 0]) == row_fit([1, 0], [3, 0]) == 1
    assert row_fit([1, 0], [999, 1]) == 0
    # A report with a chance of 1e-9 is merged with its neighbour.
    assert row_fit([10**9 - 2, 1, 1], [999, 1, 0]) == 1
    assert row_fit([10**9, 10**9, 1], [400, 599, 1]) < 1e-8
