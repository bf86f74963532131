"""The likelihood as a density over [b, a]: level sets, integrals, shortest intervals.

All values are scaled by the maximum of the likelihood, so that they do not underflow
even if the observed rate lies far outside [b, a].
"""

import math
from functools import cache, lru_cache

import numpy as np
import scipy

from candor.binary import BinomialDesign, FloatArray

EVIDENCES_KEPT = 2**12
"""Enough for a survey of some thousand people: half a second and a megabyte."""

NEGLIGIBLE_DROP = 40.0
"""The likelihood is cut off where its logarithm is this far below its maximum. The
omitted part is exp(-40), a fiftieth of the rounding error of a float."""

GAUSS_LEGENDRE_POINTS = 64
"""They integrate a normal density over this range to 15 digits, an exponential density
to more."""


@cache
def load_gauss_legendre() -> tuple[FloatArray, FloatArray]:
    """Return nodes and weights. numpy loads their module only when it is called."""
    return np.polynomial.legendre.leggauss(GAUSS_LEGENDRE_POINTS)


def find_level_set(
    yes: int, design: BinomialDesign, *, drop: float
) -> tuple[float, float]:
    """Return the range of chances whose log likelihood is within `drop` of the maximum.

    The range is in [b, a]. It includes b or a if the likelihood is still high there.
    `drop` is in [0, inf).
    """
    peak = design.peak(yes)
    bottom = design.log_likelihood(yes, peak) - drop

    def excess(chance: float) -> float:
        # At a chance of 0 or 1 the logarithm may be -inf; a root finder needs numbers.
        return max(design.log_likelihood(yes, chance) - bottom, -2 * drop - 1)

    def end(limit: float) -> float:
        if excess(limit) >= 0:
            return limit
        # The likelihood is unimodal, so there is one root on either side of the peak.
        return scipy.optimize.brentq(excess, limit, peak, xtol=np.finfo(float).tiny)

    if drop == 0:
        return peak, peak
    return end(design.p_yes_given_no), end(design.p_yes_given_yes)


def compute_log_mass(
    yes: int, design: BinomialDesign, *, low: float, high: float
) -> float:
    """Return ln of the integral of the likelihood over [low, high], part of [b, a].

    The range is at most as wide as the level set at `NEGLIGIBLE_DROP`.
    """
    half_width = (high - low) / 2
    if half_width == 0:
        return -math.inf
    nodes, weights = load_gauss_legendre()
    chances = low + half_width * (1 + nodes)
    top = design.log_likelihood(yes, design.peak(yes))
    scaled = np.exp(design.log_likelihoods(yes, chances) - top)
    return float(top + np.log(half_width * (weights @ scaled)))


@lru_cache(maxsize=EVIDENCES_KEPT)
def compute_log_evidence(yes: int, design: BinomialDesign) -> float:
    """Return ln of the integral of the likelihood over [b, a], for a uniform prior.

    The factor binomial(n, yes) / (a - b) is omitted, because Pratt's ordering does not
    need it. Results are cached, because intervals of other counts use them again.
    """
    low, high = find_level_set(yes, design, drop=NEGLIGIBLE_DROP)
    return compute_log_mass(yes, design, low=low, high=high)


def find_highest_density(
    yes: int, design: BinomialDesign, *, confidence_level: float
) -> tuple[float, float]:
    """Return the shortest interval of shares with this posterior probability.

    For a uniform prior the density of the chance is the likelihood restricted to [b,
    a], and its shortest set is a level set. It is not a confidence interval: for some
    shares its coverage is far smaller. Box & Tiao 1973, Bayesian Inference in
    Statistical Analysis.
    """
    total = compute_log_evidence(yes, design)

    def surplus(drop: float) -> float:
        low, high = find_level_set(yes, design, drop=drop)
        inside = compute_log_mass(yes, design, low=low, high=high)
        return math.exp(inside - total) - confidence_level

    drop = scipy.optimize.brentq(surplus, 0.0, NEGLIGIBLE_DROP)
    low, high = find_level_set(yes, design, drop=drop)
    return design.share(low), design.share(high)
