"""Differences of two groups, against the definition and other formulas."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.special import xlog1py, xlogy

from benchmarks.validation.exact import difference_ends, pair_coverage, subtract
from candor.differences import Difference
from candor.estimands import Estimand
from candor.mechanisms import Mechanism, build
from candor.sample import Sample
from tests.candor.tables import sample_of

COIN, DIRECT = build("coin"), build("direct")
CHI_SQUARED = 3.841458820694124  # one degree of freedom, .95


def difference(first, second, estimand=None, **options):
    """Return the difference, by default of the first answer."""
    answers = len(first.mechanism.answers)
    return Difference(
        first, second, estimand or Estimand.make_share(0, answers=answers), **options
    )


def lack(found, distance):
    """2 [l(maximum) - l(distance)], by a search for the best pair of shares."""

    def likelihood(shares):
        total = 0.0
        for each, share in zip(found.groups, shares, strict=True):
            (yes, _), (other, _) = each.mechanism.weights
            b, a = other / each.mechanism.total, yes / each.mechanism.total
            x, n = each.counts[0], each.n
            total += xlogy(x, b + (a - b) * share)
            total += xlog1py(n - x, -(b + (a - b) * share))
        return total

    def worse(second):
        return -likelihood((second + distance, second))

    ends = max(0.0, -distance), min(1.0, 1 - distance)
    searched = minimize_scalar(worse, bounds=ends, method="bounded").fun
    best = [each.shares[each.mechanism.answers[0]] for each in found.groups]
    return 2 * (likelihood(best) + min(searched, *map(worse, ends)))


def test_the_difference_of_two_coin_samples_matches_hand_calculation():
    found = difference(sample_of(COIN, 40, 60), sample_of(COIN, 30, 70))
    # .30 less .10; root of (.24 + .21) / 99 / .25
    assert found.estimate == pytest.approx(0.2)
    assert found.raw == pytest.approx(0.2)
    assert found.standard_error == pytest.approx(math.sqrt(0.45 / 99) / 0.5)
    assert (found.low, found.high) == pytest.approx((-0.06425, 0.45921), abs=5e-6)
    # Fisher's exact test of 40 of 100 against 30 of 100
    assert found.p_value == pytest.approx(0.18193, abs=5e-6)
    assert found.is_exact


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (sample_of(COIN, 40, 60), sample_of(COIN, 30, 70)),
        (sample_of(COIN, 400, 600), sample_of(build("die"), 30, 70)),
        (sample_of(DIRECT, 40, 60), sample_of(COIN, 30, 70)),
        (sample_of(COIN, 10, 90), sample_of(COIN, 45, 55)),
        (sample_of(build("forced_response", forced_yes="1/6", forced_no="1/3"), 9, 25),
         sample_of(build("warner", p="1/4"), 9, 50)),
        (sample_of(COIN, 1, 2), sample_of(COIN, 2, 1)),
    ],
)  # fmt: skip
def test_interval_ends_have_the_chi_squared_likelihood_ratio(first, second):
    found = difference(first, second)
    for end in found.interval:
        if abs(end) < 1:
            assert lack(found, end) == pytest.approx(CHI_SQUARED, abs=1e-5)
        else:
            assert lack(found, end) <= CHI_SQUARED


def test_different_tables_have_the_likelihood_ratio():
    found = difference(sample_of(COIN, 40, 60), sample_of(build("die"), 38, 62))
    assert not found.is_exact
    # Chi-squared with one degree of freedom: P(X > l) = erfc(root of l / 2)
    expected = math.erfc(math.sqrt(lack(found, 0) / 2))
    assert found.p_value == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("epsilons", [(".01", "10"), (".5", "10"), ("1", "10")])
def test_equal_groups_under_different_tables_are_not_significant(epsilons):
    """Rounding made the likelihood ratio negative, and P 1e-300."""
    half = {"yes": 50, "no": 50}
    groups = [Sample.of(build("epsilon", epsilon=e), half) for e in epsilons]
    assert difference(*groups).p_value == 1.0


class TestSeveralAnswers:
    THREE = build("k_ary", epsilon=1, choices=3)

    def test_each_answer_has_the_difference_of_its_dichotomy(self):
        groups = (
            sample_of(self.THREE, 285, 467, 248),
            sample_of(self.THREE, 310, 400, 290),
        )
        found = difference(*groups, Estimand.make_share(1, answers=3))
        two = Mechanism(
            family="custom", parameters={}, answers=("it", "others"),
            reports=("it", "others"),
            weights=(
                (self.THREE.weights[0][0], 2 * self.THREE.weights[0][1]),
                (self.THREE.weights[0][1], sum(self.THREE.weights[0][:2])),
            ),
        )  # fmt: skip
        dichotomised = difference(sample_of(two, 467, 533), sample_of(two, 400, 600))
        assert found.interval == pytest.approx(dichotomised.interval)
        assert found.p_value == pytest.approx(dichotomised.p_value)
        assert found.estimate == pytest.approx(dichotomised.estimate)

    def test_the_interval_contains_the_difference_of_the_shown_shares(self):
        """The maximum-likelihood shares differ from those of each answer alone."""
        groups = sample_of(self.THREE, 90, 5, 5), sample_of(self.THREE, 40, 31, 29)
        for row in range(3):
            found = difference(*groups, Estimand.make_share(row, answers=3))
            assert found.low <= found.estimate <= found.high
            shares = [list(each.shares.values())[row] for each in groups]
            assert found.estimate == shares[0] - shares[1]


class TestRatio:
    def test_the_ratio_is_that_of_the_shares_with_profile_interval(self):
        found = difference(sample_of(COIN, 60, 40), sample_of(COIN, 50, 50)).ratio
        assert found.estimate == pytest.approx(0.7 / 0.5)
        # Found on a grid: lines through the origin touch the likely pairs there
        shares = np.linspace(1e-9, 1, 2001)
        chances = 0.25 + shares / 2
        lacks = [
            2 * (xlogy(x, x / n) + xlogy(n - x, 1 - x / n)
                 - xlogy(x, chances) - xlogy(n - x, 1 - chances))
            for x, n in ((60, 100), (50, 100))
        ]  # fmt: skip
        likely = lacks[0][:, None] + lacks[1] <= CHI_SQUARED
        ratios = (shares[:, None] / shares)[likely]
        ends = ratios.min(), ratios.max()
        assert (found.low, found.high) == pytest.approx(ends, rel=0.005)

    def test_a_possible_share_of_zero_leaves_no_upper_end(self):
        found = difference(sample_of(COIN, 40, 60), sample_of(COIN, 25, 75)).ratio
        assert (found.estimate, found.high) == (math.inf, math.inf)
        assert 0 < found.low < math.inf
        found = difference(sample_of(DIRECT, 0, 9), sample_of(DIRECT, 0, 9)).ratio
        assert math.isnan(found.estimate)
        assert (found.low, found.high) == (0, math.inf)

    def test_a_scale_without_0_has_no_ratio(self):
        found = difference(*[sample_of(COIN, 4, 6)] * 2, Estimand((5, 1)))
        with pytest.raises(ValueError, match="0 as its smallest value"):
            _ = found.ratio


class TestEdges:
    def test_equal_reports_leave_uncertainty(self):
        found = difference(sample_of(DIRECT, 0, 100), sample_of(DIRECT, 0, 100))
        # Half a report away from 0: root of 2 x .005 x .995 / 100
        assert found.standard_error == pytest.approx(math.sqrt(0.0000995))

    def test_one_report_has_no_error_and_a_wide_interval(self):
        found = difference(sample_of(COIN, 1, 0), sample_of(COIN, 0, 1))
        assert math.isnan(found.standard_error)
        assert found.high == 1
        assert found.low < -0.5
        assert found.p_value == 1

    def test_a_rare_answer_among_a_billion(self):
        found = difference(sample_of(DIRECT, 0, 10**9), sample_of(DIRECT, 0, 10**9))
        # -ln(1 - d) = 3.8415 / 2 / 10^9
        assert found.high == pytest.approx(1.92073e-9, rel=1e-5)


# docs/reference/validation.md has the coverage of more respondents.
def test_the_interval_covers_the_difference_as_often_as_promised():
    found = pair_coverage(COIN, difference_ends(COIN, 30, 30), subtract)
    assert min(found) >= 0.93
    assert 0.95 <= np.mean(found) <= 0.97


def test_the_benchmark_intervals_match_the_library():
    ends = difference_ends(COIN, 12, 9)
    one = difference(sample_of(COIN, 7, 5), sample_of(COIN, 2, 7))
    assert ends[7, 2] == pytest.approx(one.interval)
