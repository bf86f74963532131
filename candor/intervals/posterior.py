"""The likelihood as a density over [b, a]: its level sets, its mass, its best interval.

Everything is scaled by the likelihood at its peak, so that nothing underflows, however
far the observed rate lies outside [b, a].
"""

import math
from functools import cache, lru_cache

import numpy as np
import scipy

from candor.binary import BinomialDesign, FloatArray

EVIDENCES_KEPT = 2**12
"""Of a survey of some thousand people, which take half a second: a megabyte."""

NEGLIGIBLE_DROP = 40.0
"""The likelihood is cut off where its logarithm lies this far below its peak: what is
left out is exp(-40), a fiftieth of the rounding of a float."""

GAUSS_LEGENDRE_POINTS = 64
"""They take a normal curve over such a range to 15 digits, an exponential one to more.
"""


@cache
def gauss_legendre() -> tuple[FloatArray, FloatArray]:
    """Return nodes and weights; numpy loads their module, which only this needs."""
    return np.polynomial.legendre.leggauss(GAUSS_LEGENDRE_POINTS)


def level_set(yes: int, design: BinomialDesign, *, drop: float) -> tuple[float, float]:
    """Return the ends of the chances whose log likelihood is within `drop` of the peak.

    Both lie in [b, a], at an end of it where the likelihood is still high there; `drop`
    is in [0, inf).
    """
    peak = design.peak(yes)
    bottom = design.log_likelihood(yes, peak) - drop

    def excess(chance: float) -> float:
        # At a chance of 0 or 1 the logarithm may be -inf, which no root finder likes.
        return max(design.log_likelihood(yes, chance) - bottom, -2 * drop - 1)

    def end(limit: float) -> float:
        if excess(limit) >= 0:
            return limit
        # The likelihood has one peak, so there is one crossing on either side of it.
        return scipy.optimize.brentq(excess, limit, peak, xtol=np.finfo(float).tiny)

    if drop == 0:
        return peak, peak
    return end(design.p_yes_given_no), end(design.p_yes_given_yes)


def log_mass(yes: int, design: BinomialDesign, *, low: float, high: float) -> float:
    """Return ln of the integral of the likelihood over [low, high], part of [b, a].

    That is no wider than the level set at `NEGLIGIBLE_DROP`.
    """
    half_width = (high - low) / 2
    if half_width == 0:
        return -math.inf
    nodes, weights = gauss_legendre()
    chances = low + half_width * (1 + nodes)
    top = design.log_likelihood(yes, design.peak(yes))
    scaled = np.exp(design.log_likelihoods(yes, chances) - top)
    return float(top + np.log(half_width * (weights @ scaled)))


@lru_cache(maxsize=EVIDENCES_KEPT)
def log_evidence(yes: int, design: BinomialDesign) -> float:
    """Return ln of the likelihood's integral over [b, a], a uniform prior's evidence.

    The factor binomial(n, yes) / (a - b), which Pratt's ordering does not need, is
    left out. Intervals of neighbouring counts ask for the same ones.
    """
    low, high = level_set(yes, design, drop=NEGLIGIBLE_DROP)
    return log_mass(yes, design, low=low, high=high)


def highest_density(
    yes: int, design: BinomialDesign, *, confidence_level: float
) -> tuple[float, float]:
    """Return the shortest interval of shares with this posterior probability.

    For a uniform prior the density of the chance is the likelihood cut off at [b, a],
    and its shortest set a level set. This is no confidence interval: for some shares it
    covers far less often. Box & Tiao 1973, Bayesian Inference in Statistical Analysis.
    """
    total = log_evidence(yes, design)

    def surplus(drop: float) -> float:
        low, high = level_set(yes, design, drop=drop)
        inside = log_mass(yes, design, low=low, high=high)
        return math.exp(inside - total) - confidence_level

    drop = scipy.optimize.brentq(surplus, 0.0, NEGLIGIBLE_DROP)
    low, high = level_set(yes, design, drop=drop)
    return design.share(low), design.share(high)
