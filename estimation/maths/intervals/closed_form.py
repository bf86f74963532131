"""Textbook intervals for a binomial chance, carried over to the share.

All three are made for the chance of a yes report and cut off at shares 0 and 1. Where
the observed rate lies outside the range that the design allows, they shrink to a point,
which is not certainty but failure: they serve comparison with published work.
"""

import math

from scipy.special import betaincinv, ndtri

from estimation.maths.yes_no import BinomialDesign


def wald(
    yes: int, design: BinomialDesign, *, confidence_level: float
) -> tuple[float, float]:
    """Return estimate plus and minus z standard errors (with n, as usual).

    Parameters
    ----------
    yes : int
        Yes reports, in [0, n].
    design : BinomialDesign
    confidence_level : float
        In (0, 1).

    References
    ----------
    Laplace 1812, Theorie analytique des probabilites.
    """
    n, observed = design.respondents, yes / design.respondents
    # half width = z sqrt(lam (1 - lam) / n)
    half_width = _z(confidence_level) * math.sqrt(observed * (1 - observed) / n)
    return design.share(observed - half_width), design.share(observed + half_width)


def wilson(
    yes: int, design: BinomialDesign, *, confidence_level: float
) -> tuple[float, float]:
    """Return the chances that a score test does not reject, as shares.

    Parameters are those of `wald`.

    References
    ----------
    Wilson 1927, Journal of the American Statistical Association 22:209.
    """
    n, z = design.respondents, _z(confidence_level)
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

    Parameters are those of `wald`.

    References
    ----------
    Clopper & Pearson 1934, Biometrika 26:404.
    """
    n, tail = design.respondents, (1 - confidence_level) / 2
    # No count is below 0 or above n, so there is nothing to test on that side.
    low = 0.0 if yes == 0 else float(betaincinv(yes, n - yes + 1, tail))
    high = 1.0 if yes == n else float(betaincinv(yes + 1, n - yes, 1 - tail))
    return design.share(low), design.share(high)


def _z(confidence_level: float) -> float:
    return float(ndtri((1 + confidence_level) / 2))
