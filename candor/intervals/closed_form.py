"""Textbook intervals for a binomial chance, carried over to the share.

All three are made for the chance of a yes report and cut off at shares 0 and 1. Where
the observed rate lies outside the range that the design allows, they shrink to a point,
which is not certainty but failure: they serve comparison with published work.
"""

import math

import scipy

from candor.binary import BinomialDesign


def wald(
    yes: int, design: BinomialDesign, *, confidence_level: float
) -> tuple[float, float]:
    """Return estimate plus and minus z standard errors (with n, as usual).

    Laplace 1812, Theorie analytique des probabilites.
    """
    n, observed = design.respondents, yes / design.respondents
    # half width = z sqrt(lam (1 - lam) / n)
    half_width = two_sided_z(confidence_level) * math.sqrt(
        observed * (1 - observed) / n
    )
    return design.share(observed - half_width), design.share(observed + half_width)


def wilson(
    yes: int, design: BinomialDesign, *, confidence_level: float
) -> tuple[float, float]:
    """Return the chances that a score test does not reject, as shares.

    Wilson 1927, Journal of the American Statistical Association 22:209.
    """
    n, z = design.respondents, two_sided_z(confidence_level)
    # [x + z^2/2 +- z sqrt(x (n - x) / n + z^2/4)] / (n + z^2)
    middle = yes + z**2 / 2
    spread = z * math.sqrt(yes * (n - yes) / n + z**2 / 4)
    return (
        design.share((middle - spread) / (n + z**2)),
        design.share((middle + spread) / (n + z**2)),
    )


def clopper_pearson(
    yes: int, design: BinomialDesign, *, confidence_level: float
) -> tuple[float, float]:
    """Return the chances that neither one-sided exact test rejects, as shares.

    Clopper & Pearson 1934, Biometrika 26:404.
    """
    n, tail = design.respondents, (1 - confidence_level) / 2
    low, high = least_chance(yes, n, tail), most_chance(yes, n, tail)
    return design.share(low), design.share(high)


def least_chance(count: int, n: int, tail: float) -> float:
    """Return the one-sided lower bound of Clopper & Pearson.

    The smallest chance by which `count` or more of `n` come more often than `tail`.
    """
    # No count is below 0, so there is nothing to test on that side.
    return (
        0.0
        if count == 0
        else float(scipy.special.betaincinv(count, n - count + 1, tail))
    )


def most_chance(count: int, n: int, tail: float) -> float:
    """Return the upper bound; no count is above `n`."""
    return (
        1.0
        if count == n
        else float(scipy.special.betainccinv(count + 1, n - count, tail))
    )


def two_sided_z(confidence_level: float) -> float:
    """Return the normal quantile that leaves half of the rest above it."""
    # From the tail: (1 + level) / 2 would round to 1 for levels next to 1.
    return float(-scipy.special.ndtri((1 - confidence_level) / 2))
