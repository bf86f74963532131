"""How precise a survey will be, and how many respondents a wanted precision needs."""

import math

from scipy.stats import binom

from estimation.maths.chances import Chances, likely_counts
from estimation.maths.checked import (
    CONFIDENCE_LEVEL,
    MARGIN,
    SHARE,
    check_respondents,
    check_whole,
)
from estimation.maths.intervals import DEFAULT_CONFIDENCE_LEVEL, share_interval
from estimation.maths.intervals.closed_form import two_sided_z
from surveys.mechanisms import Mechanism

MAX_EXACT_RESPONDENTS = 10**6
"""Up to here the exact limits have been measured; beyond, the normal margin does."""

MOST_INTERVALS = 100
"""A mean over more counts than this takes every second, third, ... of them: the width
changes so slowly that the mean moves by less than one part in 1,000 (measured)."""

LEFT_OUT = 1e-6
"""Counts that come less often than this change no digit that anybody reads."""


def margin_of_error(
    mechanism: Mechanism,
    *,
    respondents: int,
    share: float,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
) -> float:
    """Return half the width that a normal interval for the share will have.

    Parameters
    ----------
    mechanism : Mechanism
        Two answers, two reports.
    respondents : int
        n, in [1, 10**9].
    share : float
        Assumed share of the first answer, pi, in [0, 1].
    confidence_level : float
        In (0, 1).

    Returns
    -------
    float
        In (0, inf); 0 only where the reports are certain. Above 1 the survey will not
        teach anything.

    Raises
    ------
    TypeError, ValueError
        For a bad argument, naming it, its range and the value.

    References
    ----------
    Warner 1965, Journal of the American Statistical Association 60:63.

    Examples
    --------
    Two coins, 1,600 people, half of them yes: 1.96 sqrt(1/2 * 1/2 / 1600) / (1/2).

    >>> from surveys.mechanisms import build
    >>> print(f"{margin_of_error(build('coin'), respondents=1600, share=0.5):.3f}")
    0.049
    """
    chances, n = Chances.of(mechanism), check_respondents(respondents)
    assumed = SHARE.check("share", share)
    level = CONFIDENCE_LEVEL.check("confidence_level", confidence_level)
    # z sqrt[lam (1 - lam) / n] / (a - b)
    return two_sided_z(level) * math.sqrt(chances.variance(assumed) / n)


def expected_half_width(
    mechanism: Mechanism,
    *,
    respondents: int,
    share: float,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
) -> float:
    """Return half the mean width of the exact Feldman-Cousins interval.

    The mean over the counts of reports that may come, each as often as it comes. For
    rare traits it is smaller than `margin_of_error`, because the interval ends at 0.

    Parameters
    ----------
    mechanism, share, confidence_level
        As in `margin_of_error`.
    respondents : int
        n, in [1, 10**6]. From about 300 on, the mean is taken over equally spaced
        counts (see `MOST_INTERVALS`).

    Returns
    -------
    float
        In (0, 1/2].
    """
    n = check_whole("respondents", respondents, low=1, high=MAX_EXACT_RESPONDENTS)
    chances, design = Chances.of(mechanism), Chances.of(mechanism).design(n)
    level = CONFIDENCE_LEVEL.check("confidence_level", confidence_level)
    chance = chances.of_report(SHARE.check("share", share))
    counts = likely_counts(n, chance, left_out=LEFT_OUT)
    counts = counts[:: math.ceil(len(counts) / MOST_INTERVALS)]
    # sum over x of P(x) (high(x) - low(x)) / 2
    weights = binom.pmf(counts, n, chance)
    widths = [
        high - low
        for low, high in (
            share_interval(int(count), design, confidence_level=level)
            for count in counts
        )
    ]
    return float(weights @ widths / weights.sum() / 2)


def respondents_needed(
    mechanism: Mechanism,
    *,
    margin: float,
    share: float,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
) -> int:
    """Return the smallest number of respondents for a margin of error.

    Parameters
    ----------
    mechanism, share, confidence_level
        As in `margin_of_error`.
    margin : float
        Half the width of the interval, M, in [1e-6, 1).

    Returns
    -------
    int
        1 or more.

    Examples
    --------
    Two coins, a trait of one in ten, five points either way:

    >>> from surveys.mechanisms import build
    >>> respondents_needed(build("coin"), margin=0.05, share=0.1)
    1291
    """
    chances, wanted = Chances.of(mechanism), MARGIN.check("margin", margin)
    assumed = SHARE.check("share", share)
    level = CONFIDENCE_LEVEL.check("confidence_level", confidence_level)
    # z^2 lam (1 - lam) / [(a - b)^2 M^2], rounded up
    ratio = two_sided_z(level) / wanted
    return max(1, math.ceil(ratio**2 * chances.variance(assumed)))
