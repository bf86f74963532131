"""Intervals for shares of two answers together, by the profile likelihood.

Arguments are checked by the callers. Both kinds of share are a linear function of the
joint shares, or a ratio of two, and joint shares that are likely enough form a convex
set. So what they give forms an interval, and bisection finds its ends.
"""

from enum import Enum

import numpy as np
from scipy.special import chdtri

from estimation.maths.likelihood import likeliest_mixture
from estimation.maths.yes_no import FloatArray

HALVINGS = 30
"""Of [0, 1]: the ends of an interval are exact to 1e-9."""

NEXT_TO_EDGE = 1e-12
"""Stands for a share of 0 or 1, where a logarithm may be infinite."""


class Target(Enum):
    """Which share of the four combinations, in the order (a, b), (not a, b) ..."""

    JOINT = "joint"
    """Of all respondents, those with answers a and b."""
    WITHIN = "within"
    """Of the respondents with answer b, those with answer a."""


def held_at(share: FloatArray, chances: FloatArray, target: Target) -> FloatArray:
    """Return the components that are left to mix when the share is held.

    Parameters
    ----------
    share : array of float
        Shape (problems,), in [0, 1].
    chances : array of float
        Shape (problems, 4, 4): the chances of four combinations of reports under the
        combinations (a, b), (not a, b), (a, not b), (not a, not b).

    Returns
    -------
    array of float
        Shape (problems, 3, 4).
    """
    t, it = share[:, None, None], chances[:, :1]
    if target is Target.JOINT:
        # t of all have both answers; the rest mixes the three other combinations.
        return t * it + (1 - t) * chances[:, 1:]
    # Of those with answer b, t have answer a: one component instead of two.
    group = t * it + (1 - t) * chances[:, 1:2]
    return np.concatenate([group, chances[:, 2:]], axis=1)


def likelihood_held(
    share: FloatArray, chances: FloatArray, counts: FloatArray, target: Target
) -> FloatArray:
    """Return the largest log likelihood with this share, shape (problems,).

    Parameters
    ----------
    share, chances, target
        As in `held_at`.
    counts : array of float
        Shape (problems, 4): how many sent each combination of reports.
    """
    _proportions, likelihood = likeliest_mixture(
        held_at(share, chances, target), counts
    )
    return likelihood


def profile_interval(
    chances: FloatArray,
    counts: FloatArray,
    target: Target,
    *,
    confidence_level: float,
) -> tuple[FloatArray, FloatArray]:
    """Return the shares that a likelihood ratio test does not reject.

    Parameters
    ----------
    chances, counts, target
        As in `likelihood_held`.
    confidence_level : float
        In (0, 1): aimed at, not guaranteed; docs/statistics.md has what was found.

    Returns
    -------
    low, high : array of float
        Shape (problems,), 0 <= low <= high <= 1.

    References
    ----------
    Wilks 1938, Annals of Mathematical Statistics 9:60; Venzon & Moolgavkar 1988,
    Applied Statistics 37:87.
    """
    proportions, best = likeliest_mixture(chances, counts)
    # Wilks: 2 [l(likeliest) - l(likeliest with the true share)] has nearly a
    # chi-squared distribution with one degree of freedom.
    least = best - float(chdtri(1, 1 - confidence_level)) / 2
    middle = share_of(proportions, target)
    ends = []
    for edge in (NEXT_TO_EDGE, 1 - NEXT_TO_EDGE):
        outer, inner = np.full_like(middle, edge), middle.copy()
        reached = likelihood_held(outer, chances, counts, target) >= least
        for _halving in range(HALVINGS):
            between = (outer + inner) / 2
            inside = likelihood_held(between, chances, counts, target) >= least
            inner = np.where(inside, between, inner)
            outer = np.where(inside, outer, between)
        ends.append(np.where(reached, round(edge), inner))
    return ends[0], ends[1]


def share_of(proportions: FloatArray, target: Target) -> FloatArray:
    """Return the share in the likeliest proportions, shape (problems,), inside (0, 1).

    Where next to nobody has answer b the ratio of the two proportions, both near 0, is
    as good as any.
    """
    it = proportions[:, 0]
    share = it if target is Target.JOINT else it / (it + proportions[:, 1])
    return np.clip(share, NEXT_TO_EDGE, 1 - NEXT_TO_EDGE)
