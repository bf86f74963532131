"""Power between two groups, against scipy's test of every table."""

import math

import numpy as np
import pytest
from scipy.stats import binom, fisher_exact

from candor.mechanisms import build
from candor.planning.group_power import critical_counts
from candor.planning.groups import compare, group_sizes


def power_by_scipy(n, m, first, second, alpha):
    """Return the chance of all tables that scipy rejects on the side of `first`."""
    return sum(
        binom.pmf(here, n, first) * binom.pmf(there, m, second)
        for here in range(n + 1)
        for there in range(m + 1)
        if here * m > there * n
        and fisher_exact([[here, n - here], [there, m - there]])[1] <= alpha
    )


@pytest.mark.parametrize(
    ("n", "m", "share", "other", "alpha"),
    [(14, 14, 0.9, 0.1, 0.05), (8, 21, 0.2, 0.9, 0.1), (19, 7, 1, 0, 0.01)],
)
def test_the_power_matches_the_test_of_scipy(n, m, share, other, alpha):
    coins = compare(build("coin"), share=share, other_share=other, alpha=alpha)
    found = coins.with_sizes(n, m)
    first, second = 0.25 + 0.5 * share, 0.25 + 0.5 * other
    if first < second:
        first, second = 1 - first, 1 - second
    expected = power_by_scipy(n, m, first, second, alpha)
    assert found.power == pytest.approx(expected, abs=1e-9)
    assert found.is_exact


def test_the_size_of_the_test_never_exceeds_alpha():
    # Equal groups: the chance of rejecting on one side, at any common chance.
    n, m, alpha = 25, 40, 0.05
    critical = critical_counts(n, m, np.arange(n + m + 1), alpha=alpha)
    here, there = np.arange(n + 1), np.arange(m + 1)
    rejected = here[:, None] >= critical[np.add.outer(here, there)]
    for chance in (0.01, 0.1, 0.3, 0.5, 0.9):
        pmf = binom.pmf(here, n, chance), binom.pmf(there, m, chance)
        assert pmf[0] @ (rejected @ pmf[1]) <= alpha


@pytest.mark.parametrize(
    ("share", "other", "ratio", "people"),
    [(0.4, 0.2, 1, (90, 90)), (0.2, 0.4, 1, (90, 90)), (0.6, 0.5, 2, (295, 590))],
)
def test_group_sizes_are_the_smallest_with_lasting_power(share, other, ratio, people):
    direct = build("direct")
    found = group_sizes(direct, share=share, other_share=other, ratio=ratio)
    assert (found.respondents, found.others) == people
    compared = compare(direct, share=share, other_share=other)
    powers = [
        compared.power(n, math.ceil(ratio * n))
        for n in range(people[0] - 1, people[0] + 60)
    ]
    assert powers[0] < 0.8
    assert min(powers[1:]) >= 0.8


def test_power_of_large_groups_is_approximate_and_continuous():
    coins = compare(build("coin"), share=0.2, other_share=0.18)
    exact, near = (coins.power(n, n) for n in (30_000, 30_001))
    assert near == pytest.approx(exact, abs=0.002)
    far = group_sizes(build("coin"), share=0.2, other_share=0.21)
    assert (far.respondents, far.is_exact) == (143_716, False)
    never = group_sizes(build("coin"), share=0.2, other_share=0.20001)
    assert never.respondents is never.others is None
