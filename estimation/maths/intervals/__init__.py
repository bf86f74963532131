"""Intervals for the share of "yes", by name."""

import numbers
from typing import NamedTuple

from estimation.maths.intervals.closed_form import clopper_pearson, wald, wilson
from estimation.maths.intervals.likelihood_ratio import feldman_cousins, pratt
from estimation.maths.intervals.posterior import highest_density
from estimation.maths.yes_no import BinomialDesign

DEFAULT_METHOD = "feldman-cousins"
DEFAULT_CONFIDENCE_LEVEL = 0.95

LIMITS = {
    "feldman-cousins": feldman_cousins,
    "pratt": pratt,
    "wilson": wilson,
    "clopper-pearson": clopper_pearson,
    "wald": wald,
    "bayes": highest_density,
}
METHODS = tuple(LIMITS)


class Interval(NamedTuple):
    """Two shares, 0 <= low <= high <= 1."""

    low: float
    high: float


def share_interval(
    yes: int,
    design: BinomialDesign,
    *,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
    method: str = DEFAULT_METHOD,
) -> Interval:
    """Return an interval for the share of respondents whose answer is yes.

    Parameters
    ----------
    yes : int
        Yes reports, in [0, n].
    design : BinomialDesign
        n respondents and the range of the chance of a yes report.
    confidence_level : float
        In (0, 1). The Bayesian interval takes it as posterior probability.
    method : str
        One of `METHODS`.

    Returns
    -------
    Interval
        (low, high); all of [0, 1] without respondents.

    Raises
    ------
    TypeError
        Where `yes` is no whole number or `confidence_level` no number.
    ValueError
        Where an argument lies outside its range, and for an unknown method.

    Examples
    --------
    40 of 100 respondents report yes after flipping two coins (a = 3/4, b = 1/4):

    >>> coins = BinomialDesign(
    ...     respondents=100, p_yes_given_yes=3 / 4, p_yes_given_no=1 / 4
    ... )
    >>> low, high = share_interval(40, coins)
    >>> print(f"{low:.5f} {high:.5f}")
    0.11416 0.50000
    """
    if not is_whole(yes):
        raise TypeError(f"yes must be a whole number; got {yes!r}")
    if not 0 <= yes <= design.respondents:
        raise ValueError(f"yes must be in [0, {design.respondents}]; got {yes!r}")
    level = _checked_level(confidence_level)
    if method not in LIMITS:
        allowed = ", ".join(METHODS)
        raise ValueError(f"method must be one of {allowed}; got {method!r}")
    if design.respondents == 0:
        return Interval(low=0.0, high=1.0)
    return Interval(*LIMITS[method](int(yes), design, confidence_level=level))


def is_whole(value: object) -> bool:
    """Return whether `value` is a whole number of Python or numpy, and no truth."""
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def _checked_level(confidence_level: float) -> float:
    """Return `confidence_level` as a float in (0, 1).

    Raises
    ------
    TypeError
        Where it is no number.
    ValueError
        Where it is out of range or NaN.
    """
    if not _is_number(confidence_level):
        raise TypeError(
            f"confidence_level must be a number in (0, 1); got {confidence_level!r}"
        )
    level = float(confidence_level)
    if not 0 < level < 1:
        raise ValueError(
            f"confidence_level must be in (0, 1), such as 0.95; "
            f"got {confidence_level!r}"
        )
    return level
