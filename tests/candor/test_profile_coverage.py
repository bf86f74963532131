"""How often an interval for two questions holds the true share, added up exactly.

For each true share the test adds up the chances of all outcomes whose interval holds
it: nothing is drawn, so nothing can fail by chance.
"""

import numpy as np
import pytest
from scipy.special import gammaln, xlogy

from candor.dichotomies import dichotomy_of_answer
from candor.likelihood import fit_mixture
from candor.mechanisms import build
from candor.profile_likelihood import PairShare, likelihood_held

N = 30
LARGEST_RATIO = 3.841459  # chi-squared, one degree of freedom, .95

# Rounded down from what this sum gives at the shares below; statistics.md has
# the same figures for more respondents.
SMALLEST = {
    ("coin", "coin", PairShare.WITHIN): 0.955,
    ("coin", "coin", PairShare.JOINT): 0.925,
    ("direct", "coin", PairShare.WITHIN): 0.915,
    ("direct", "coin", PairShare.JOINT): 0.895,
}
MEAN = 0.955

SHARES = (1e-12, 0.02, 0.1, 0.3, 0.5, 0.8, 1 - 1e-12)
GROUPS, OTHERS = (0, 0.1, 0.3, 0.5, 0.7, 0.9), (0, 0.1, 0.5, 1)


def every_outcome(n):
    return np.array(
        [
            (a, b, c, n - a - b - c)
            for a in range(n + 1)
            for b in range(n + 1 - a)
            for c in range(n + 1 - a - b)
        ],
        dtype=float,
    )


def chance_of(outcomes, chances):
    logs = xlogy(outcomes, chances).sum(axis=1)
    return np.exp(gammaln(N + 1) - gammaln(outcomes + 1).sum(axis=1) + logs)


def populations(share, target):
    """Joint shares (a, b), (not a, b), (a, not b), (not a, not b) with this share."""
    for group in GROUPS:
        for other in OTHERS:
            if target is PairShare.JOINT:
                rest = 1 - share
                yield share, rest * group, *split(rest * (1 - group), other)
            elif group:
                yield *split(group, share), *split(1 - group, other)


def split(whole, share):
    return whole * share, whole * (1 - share)


@pytest.mark.parametrize(("first", "second", "target"), SMALLEST)
def test_the_interval_holds_the_share_about_as_often_as_it_says(first, second, target):
    folds = [dichotomy_of_answer(build(family), 0) for family in (second, first)]
    folded = [np.array(fold.weights) / sum(fold.weights[0]) for fold in folds]
    table, outcomes = np.kron(*folded), every_outcome(N)
    tables = np.broadcast_to(table, (len(outcomes), 4, 4))
    _proportions, best = fit_mixture(tables, outcomes)
    found = []
    for share in SHARES:
        held = likelihood_held(np.full(len(outcomes), share), tables, outcomes, target)
        holds = 2 * (best - held) <= LARGEST_RATIO
        for population in populations(share, target):
            chances = chance_of(outcomes, np.array(population) @ table)
            assert chances.sum() == pytest.approx(1)
            found.append(chances[holds].sum())
    assert min(found) >= SMALLEST[first, second, target]
    assert np.mean(found) >= MEAN
