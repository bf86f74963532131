"""Intervals for shares of two answers together, by the profile likelihood.

Arguments are checked by the callers. Both kinds of share are a linear function of the
joint shares, or a ratio of two, and joint shares that are likely enough form a convex
set. So what they give forms an interval, and a search between brackets finds its ends.
"""

from collections.abc import Callable
from enum import Enum
from typing import Any

import numpy as np
import scipy

from candor.binary import FloatArray, IntArray
from candor.likelihood import fit_mixture

EXACT_TO = 1e-9
"""Absolute error of the ends of an interval."""

MOST_STEPS = 60

NEXT_TO_EDGE = 1e-12
"""Replaces a share of 0 or 1, where a logarithm may be infinite."""


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

    Shape (problems, 3, 4); `chances` are those of four combinations of reports under
    the four combinations of answers, shape (problems, 4, 4).
    """
    t, size = share[:, None, None], target.value
    # Of those it is a share of, t have both answers; the rest mixes the others.
    mixed = t * chances[:, :1] + (1 - t) * chances[:, 1:size]
    return np.concatenate([mixed, chances[:, size:]], axis=1)


def likelihood_held(
    share: FloatArray, chances: FloatArray, counts: FloatArray, target: PairShare
) -> FloatArray:
    """Return the largest log likelihood with this share, shape (problems,)."""
    return fit_mixture(held_at(share, chances, target), counts)[1]


def profile_interval(
    chances: FloatArray,
    counts: FloatArray,
    target: PairShare,
    *,
    confidence_level: float,
) -> tuple[FloatArray, FloatArray]:
    """Return the shares, low and high, that a likelihood ratio test does not reject.

    Wilks 1938, Annals of Mathematical Statistics 9:60; Venzon & Moolgavkar 1988,
    Applied Statistics 37:87. The level is aimed at: statistics.md has the coverage that
    was found.
    """
    proportions, best = fit_mixture(chances, counts)

    def held(share: FloatArray, place: IntArray) -> FloatArray:
        return likelihood_held(share, chances[place], counts[place], target)

    middle = maximise_likelihood(proportions, target)
    return likely_ends(held, best, middle, confidence_level, edges=(0.0, 1.0))


def likely_ends(
    held: Callable[[FloatArray, IntArray], FloatArray],
    best: FloatArray,
    middle: FloatArray,
    confidence_level: float,
    *,
    edges: tuple[float, float],
) -> tuple[FloatArray, FloatArray]:
    """Return between which values twice the lack of log likelihood is small enough.

    `held` takes values and the problem that each belongs to, and returns the largest
    log likelihood with them; `best` is the largest of all, at `middle`. Both ends of
    all problems are searched at once, exact to `EXACT_TO`; an end is an edge where the
    interval reaches it.
    """
    # Wilks: 2 [l(maximum) - l(maximum with the true value)] has nearly a chi-squared
    # distribution with one degree of freedom.
    limit = np.sqrt(float(scipy.special.chdtri(1, 1 - confidence_level)))

    def beyond(value: FloatArray, place: IntArray) -> FloatArray:
        # A root of the lack is nearly straight in the value.
        lack = 2 * (best[place] - held(value, place))
        return np.sqrt(np.maximum(lack, 0.0)) - limit

    place = np.tile(np.arange(len(middle)), 2)
    edge = np.repeat(edges, len(middle))
    outer = np.clip(edge, edges[0] + NEXT_TO_EDGE, edges[1] - NEXT_TO_EDGE)
    tolerances = {"xatol": EXACT_TO, "xrtol": 0.0}
    found = roots(beyond, (middle[place], outer), place, tolerances=tolerances)
    low, high = np.split(np.where(np.isnan(found), edge, found), 2)
    return low, high


def roots(
    function: Callable[..., FloatArray],
    ends: tuple[FloatArray, FloatArray],
    *arguments: Any,
    tolerances: Any,
) -> FloatArray:
    """Return where `function` is 0 between each two ends, NaN where it has one sign.

    Of its arguments it gets those whose root is still searched; `tolerances` are those
    of `scipy.optimize.elementwise.find_root`.
    """
    # Here, since scipy does not load this part of it by itself when it is first used.
    from scipy.optimize.elementwise import find_root

    return find_root(
        function, ends, args=arguments, tolerances=tolerances, maxiter=MOST_STEPS
    ).x


def maximise_likelihood(proportions: FloatArray, target: PairShare) -> FloatArray:
    """Return the maximum-likelihood share, shape (problems,), inside (0, 1).

    Where next to no respondent has answer b the ratio of the two proportions, both near
    0, is as good as any.
    """
    whole = proportions[:, : target.value].sum(axis=1)
    return np.clip(proportions[:, 0] / whole, NEXT_TO_EDGE, 1 - NEXT_TO_EDGE)
