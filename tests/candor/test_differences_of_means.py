"""Differences of means of a scale: against shares and textbooks, and at the edges."""

import math

import pytest
from scipy.special import stdtrit
from scipy.stats import ttest_ind_from_stats

from candor.differences import SCORES, Difference
from candor.estimands import MEAN, Estimand, mean_of_points
from candor.mechanisms import build
from candor.sample import PROFILE, Sample
from tests.candor.tables import sample_of

LAST = 4
ONE_BIT = build("one_bit", epsilon=1, points=LAST + 1)
GRID = build("grid", epsilon=2, points=LAST + 1)
ONE, OTHER = (153, 198, 292, 223, 134), (100, 198, 292, 223, 190)


def of_points(counts, mechanism=GRID):
    return sample_of(mechanism, *counts)


def mean_difference(first, second):
    return Difference(first, second, mean_of_points(LAST + 1))


def test_one_bit_mean_differences_are_scaled_share_differences():
    """One bit at epsilon 1 is a yes/no question about a fraction of the scale."""
    counts = ((60, 40), (40, 60))
    yes_no = build("epsilon", epsilon=1)
    groups = (Sample.of(yes_no, {"yes": x, "no": y}) for x, y in counts)
    shares = Difference(*groups, Estimand((1, 0)))
    found = mean_difference(*(of_points(each, ONE_BIT) for each in counts))
    assert found.method == PROFILE
    assert found.estimate == pytest.approx(LAST * shares.estimate, abs=1e-6)
    assert found.interval == pytest.approx([LAST * end for end in shares.interval])
    assert found.standard_error == pytest.approx(LAST * shares.standard_error)
    assert (found.p_value, found.is_exact) == (shares.p_value, True)


def test_grid_means_are_compared_by_the_welch_test_of_scores():
    """One more report at each end, with 1,000 each, lengthens it by 0.2 %."""
    groups = [of_points(counts) for counts in (ONE, OTHER)]
    found = mean_difference(*groups)
    textbook = ttest_ind_from_stats(
        *(
            each
            for group in groups
            for each in (
                group.raw(MEAN),
                group.standard_error(MEAN) * math.sqrt(1000),
                1000,
            )
        ),
        equal_var=False,
    )
    assert found.method == SCORES
    assert not found.is_exact
    assert found.estimate == pytest.approx(groups[0].raw(MEAN) - groups[1].raw(MEAN))
    assert found.p_value == pytest.approx(textbook.pvalue, rel=0.05)
    reach = found.standard_error * stdtrit(1997, 0.975)
    ends = found.raw - reach, found.raw + reach
    assert found.interval == pytest.approx(ends, abs=1e-3)
    mirrored = mean_difference(*groups[::-1])
    assert mirrored.interval == pytest.approx([-found.high, -found.low])


def test_reports_of_equal_score_leave_uncertainty():
    sure = build("grid", epsilon=10, points=LAST + 1)
    found = mean_difference(
        of_points((0, 0, 40, 0, 0), sure), of_points((0, 0, 0, 40, 0), sure)
    )
    assert found.estimate == pytest.approx(-1, abs=1e-3)
    assert found.standard_error > 0.05
    assert -1.3 < found.low < -1.1 < -0.9 < found.high < -0.7


def test_extreme_mean_differences_have_intervals_with_a_length():
    """Raw means far beyond both ends; one report; next to no epsilon."""
    found = mean_difference(of_points((0, 0, 0, 0, 90)), of_points((90, 0, 0, 0, 0)))
    assert found.raw > LAST
    assert found.estimate == pytest.approx(LAST)
    assert found.low < LAST - 0.1
    assert found.high == LAST
    alone = mean_difference(of_points((0, 0, 0, 0, 1)), of_points((90, 0, 0, 0, 0)))
    assert alone.interval == (-LAST, LAST)
    assert alone.p_value == 1
    assert math.isnan(alone.standard_error)
    tiny = build("grid", epsilon="0.01", points=LAST + 1)
    hidden = mean_difference(*(of_points(each, tiny) for each in (ONE, OTHER)))
    assert hidden.interval == (-LAST, LAST)
