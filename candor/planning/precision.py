"""How precise a survey will be, and how many respondents a wanted precision needs."""

import math

import numpy as np

from candor.assumptions import Assumed
from candor.binary import likely_counts
from candor.binomial import binomial
from candor.intervals import DEFAULT_CONFIDENCE_LEVEL
from candor.intervals.likelihood_ratio import feldman_cousins
from candor.mechanisms import Mechanism
from candor.validation import MARGIN, check_respondents, check_whole

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
    mechanism, share, confidence_level
        As `Assumed.of` takes them.
    respondents : int
        n, in [1, 10**9].

    Returns
    -------
    float
        In (0, inf); 0 only where the reports are certain. Above 1 the survey will not
        teach anything.

    References
    ----------
    Warner 1965, Journal of the American Statistical Association 60:63.

    Examples
    --------
    Two coins, 1,600 people, half of them yes: 1.96 sqrt(1/2 * 1/2 / 1600) / (1/2).

    >>> from candor.mechanisms import build
    >>> print(f"{margin_of_error(build('coin'), respondents=1600, share=0.5):.3f}")
    0.049
    """
    assumed = Assumed.of(mechanism, share=share, confidence_level=confidence_level)
    return assumed.margin(check_respondents(respondents))


def expected_half_width(
    mechanism: Mechanism,
    *,
    respondents: int,
    share: float,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
) -> float:
    """Return half the mean width of the exact Feldman-Cousins interval, in (0, 1/2].

    Parameters are those of `margin_of_error`, but for respondents: in [1, 10**6].
    """
    assumed = Assumed.of(mechanism, share=share, confidence_level=confidence_level)
    most = MAX_EXACT_RESPONDENTS
    return mean_half_width(
        assumed, check_whole("respondents", respondents, low=1, high=most)
    )


def mean_half_width(assumed: Assumed, respondents: int) -> float:
    """Return half the mean width of the exact interval, of checked respondents.

    The mean over the counts of reports that may come, each as often as it comes; from
    about 300 respondents on, over equally spaced counts (see `MOST_INTERVALS`). For
    rare traits it is smaller than the margin of error, because the interval ends at 0.
    """
    law, level = assumed.law.design(respondents), assumed.confidence_level
    chance = law.of_report(assumed.share)
    counts = likely_counts(respondents, chance, left_out=LEFT_OUT)
    counts = counts[:: math.ceil(len(counts) / MOST_INTERVALS)]
    intervals = [
        feldman_cousins(count, law, confidence_level=level) for count in counts.tolist()
    ]
    # sum over x of P(x) (high(x) - low(x)) / 2
    weights = binomial(counts, respondents, chance)
    return float(weights @ np.diff(intervals)[:, 0] / weights.sum() / 2)


def respondents_needed(
    mechanism: Mechanism,
    *,
    margin: float,
    share: float,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
) -> int:
    """Return the smallest number of respondents for a margin of error, 1 or more.

    Parameters
    ----------
    mechanism, share, confidence_level
        As `Assumed.of` takes them.
    margin : float
        Half the width of the interval, M, in [1e-6, 1).

    Examples
    --------
    Two coins, a trait of one in ten, five points either way:

    >>> from candor.mechanisms import build
    >>> respondents_needed(build("coin"), margin=0.05, share=0.1)
    1291
    """
    assumed = Assumed.of(mechanism, share=share, confidence_level=confidence_level)
    return assumed.needed(MARGIN.check("margin", margin))
