"""Rounding must not decide between a computed number and an equal limit."""

from fractions import Fraction

import numpy as np
import pytest

from candor.binary import DIRECT
from candor.census import census_interval
from candor.intervals.one_sided import ONE_SIDED_METHODS, OneSidedTest
from candor.mechanisms import build
from candor.planning.bound_power import OneSidedPower
from candor.planning.group_power import critical_counts
from candor.tolerance import is_at_most, is_below

LEVELS = (0.8, 0.9, 0.95)


def test_comparisons_ignore_rounding_but_not_more():
    assert is_at_most(0.1 + 0.2, 0.3)
    assert not is_below(10 - 4e-15, 10)
    assert not is_at_most(0.3 * (1 + 1e-8), 0.3)
    assert is_below(10 * (1 - 1e-8), 10)
    assert is_at_most(np.array([0.1 + 0.2, 0.4]), 0.3).tolist() == [True, False]


@pytest.mark.parametrize("level", LEVELS)
def test_a_single_report_as_unlikely_as_alpha_rejects(level):
    # Where the null is a share of alpha, P(X = 1) of one respondent is alpha.
    alpha = 1 - level
    null = round(alpha, 2)
    assert OneSidedPower(null=null, alternative=1, alpha=alpha).critical_count(1) == 0
    for method in ONE_SIDED_METHODS:
        test = OneSidedTest(channel=DIRECT, bound=null, method=method)
        assert test.critical_counts(np.array([1]), alpha=alpha).tolist() == [0]


@pytest.mark.parametrize(
    ("n", "m", "total", "alpha", "rejected_from"),
    [(1, 19, 1, 0.05, 1), (2, 3, 2, 0.1, 2), (3, 3, 3, 0.1, 3), (3, 3, 3, 0.099, 4)],
)
def test_fishers_p_values_that_equal_alpha_reject(n, m, total, alpha, rejected_from):
    # 1 of 20, 1 of C(5, 2) = 10, and 2 of C(6, 3) = 20 tables
    critical = critical_counts(n, m, np.array([total]), alpha=alpha)
    assert critical.tolist() == [rejected_from]


@pytest.mark.parametrize("level", LEVELS)
def test_a_census_excludes_numbers_with_probability_alpha(level):
    error = Fraction(round(20 * (1 - level)), 20)
    table = build("custom", p_yes_given_yes=1 - error, p_yes_given_no=error)
    found = census_interval(table, {"yes": 1}, confidence_level=level)
    assert (found.low, found.high) == (1, 1)
