"""Intervals for shares of two answers together, by the profile likelihood.

Arguments are checked by the callers. Both kinds of share are a linear function of the
joint shares, or a ratio of two, and joint shares that are likely enough form a convex
set. So what they give forms an interval, and bisection finds its ends.
"""

from enum import Enum

import numpy as np
import scipy

from estimation.maths.likelihood import likeliest_mixture
from estimation.maths.yes_no import FloatArray

HALVINGS = 30
"""Of [0, 1]: the ends of an interval are exact to 1e-9."""

NEXT_TO_EDGE = 1e-12
"""Stands for a share of 0 or 1, where a logarithm may be infinite."""


class PairShare(Enum):
    """Those with answers a and b, as a share of the first so many combinations.

    Combinations come in the order (a, b), (not a, b), (a, not b), (not a, not b).
    """

    WITHIN = 2
    """Of the respondents with answer b."""
    JOINT = 4
    """Of all respondents."""


def held_at(share: FloatArray, chances: FloatArray, target: PairShare) -> FloatArray:
    """Return the components that are left to mix when the share is held.

    Parameters
    ----------
    share : array of float
        Shape (problems,), in [0, 1].
    chances : array of float
        Shape (problems, 4, 4): the chances of four combinations of reports under the
        four combinations of answers.

    Returns
    -------
    array of float
        Shape (problems, 3, 4).
    """
    t, size = share[:, None, None], target.value
    # Of those it is a share of, t have both answers; the rest mixes the others.
    mixed = t * chances[:, :1] + (1 - t) * chances[:, 1:size]
    return np.concatenate([mixed, chances[:, size:]], axis=1)


def likelihood_held(
    share: FloatArray, chances: FloatArray, counts: FloatArray, target: PairShare
) -> FloatArray:
    """Return the largest log likelihood with this share, shape (problems,).

    Parameters are those of `held_at`, and counts of the combinations of reports, shape
    (problems, 4).
    """
    return likeliest_mixture(held_at(share, chances, target), counts)[1]


def profile_interval(
    chances: FloatArray,
    counts: FloatArray,
    target: PairShare,
    *,
    confidence_level: float,
) -> tuple[FloatArray, FloatArray]:
    """Return the shares that a likelihood ratio test does not reject.

    Parameters
    ----------
    chances, counts, target
        As in `likelihood_held`.
    confidence_level : float
        In (0, 1): aimed at, not guaranteed; statistics.md has what was found.

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
    least = best - float(scipy.special.chdtri(1, 1 - confidence_level)) / 2
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


def share_of(proportions: FloatArray, target: PairShare) -> FloatArray:
    """Return the share in the likeliest proportions, shape (problems,), inside (0, 1).

    Where next to nobody has answer b the ratio of the two proportions, both near 0, is
    as good as any.
    """
    whole = proportions[:, : target.value].sum(axis=1)
    return np.clip(proportions[:, 0] / whole, NEXT_TO_EDGE, 1 - NEXT_TO_EDGE)
