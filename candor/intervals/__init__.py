"""Intervals for the share of "yes", by the name of the method.

Each method takes the number of yes reports, in [0, n], its distribution, and the
confidence level, in (0, 1), and returns the ends of the interval as shares.
`share_interval` checks the arguments.
"""

import math
from typing import NamedTuple

from candor.binary import BinaryChannel, BinomialDesign
from candor.intervals.likelihood_ratio import feldman_cousins, pratt
from candor.intervals.posterior import find_highest_density
from candor.mechanisms.parameters import check_choice
from candor.validation import CONFIDENCE_LEVEL, is_whole

DEFAULT_METHOD = "feldman-cousins"
DEFAULT_CONFIDENCE_LEVEL = 0.95

NEARLY_EVERYTHING = 0.9
"""An interval of this length excludes at most a tenth of all shares, so that its
centre is not a useful estimate."""

LIMITS = {
    "feldman-cousins": feldman_cousins,
    "pratt": pratt,
    "bayes": find_highest_density,
}
METHODS = tuple(LIMITS)


ROUNDING = 1e-9
"""Rounding error allowed in a share or a number of respondents."""


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

    Without respondents it is [0, 1]. The Bayesian interval uses the confidence level as
    its posterior probability. 40 of 100 respondents report yes after flipping two
    coins:

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
    level = CONFIDENCE_LEVEL.check("confidence_level", confidence_level)
    check_choice("method", method, METHODS)
    if design.respondents == 0:
        return Interval(low=0.0, high=1.0)
    return Interval(*LIMITS[method](int(yes), design, confidence_level=level))


def find_effective_interval(
    counted: float,
    effective: float,
    channel: BinaryChannel,
    *,
    confidence_level: float,
    method: str,
) -> Interval:
    """Return the interval for an effective number of reports, rounded down, at least 1.

    `counted` is the share of yes reports, in [0, 1]. The lower end is that of the next
    smaller whole number of yes reports, the upper end that of the next larger one (Korn
    & Graubard 1998, Survey Methodology 24:193, for exact intervals).
    """
    n = max(1, math.floor(effective + ROUNDING))
    # A number that is whole up to rounding error counts as whole.
    ends = math.floor(counted * n + ROUNDING), math.ceil(counted * n - ROUNDING)
    low, high = (
        share_interval(
            yes, channel.design(n), confidence_level=confidence_level, method=method
        )
        for yes in ends
    )
    return Interval(low.low, high.high)
