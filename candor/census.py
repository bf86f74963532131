"""The share in a group of which everybody was asked: what only the scrambling hides.

The n respondents are the group, T of them have the answer, and T is what is not known.
The count of its reports is then X = Bin(T, a) + Bin(n - T, b), which varies less than
the count of a sample does: who happened to take part is no chance any more.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from candor.binary import BinaryChannel, FloatArray
from candor.binomial import binomial
from candor.intervals import DEFAULT_CONFIDENCE_LEVEL
from candor.tolerance import ROUNDING, is_at_most
from candor.validation import CONFIDENCE_LEVEL, MAX_RESPONDENTS, check_whole

MAX_CENSUS = 500
"""The table of all counts takes a fifth of a second then, and eight times as long for
twice as many people."""

CACHED_TABLES = 8
"""2 MB each at most."""


@dataclass(frozen=True, kw_only=True)
class CensusInterval:
    """How many of the group have the answer.

    Attributes
    ----------
    respondents : int
        All of the group.
    low, high : int
        Ends of the interval, in [0, n].
    likeliest : int
        The number that makes the count most likely.
    """

    respondents: int
    low: int
    high: int
    likeliest: int


def census_interval(
    counted: int,
    *,
    respondents: int,
    law: BinaryChannel,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
) -> CensusInterval:
    """Return how many of a whole group have an answer, by the ratio of likelihoods.

    The ordering of Feldman & Cousins 1998 (Physical Review D 57:3873) over the numbers
    T in {0..n}: exact, never empty, within [0, n].

    Parameters
    ----------
    counted : int
        Reports that speak for the answer, in [0, n].
    respondents : int
        n, everybody in the group, in [1, 500]; in [1, 10**9] of a direct question, of
        which the count is the number.
    law : BinaryChannel
        The chances a and b.
    confidence_level : float
        In (0, 1).

    Examples
    --------
    A class of 30, two coins, 12 report yes:

    >>> coin = BinaryChannel(p_yes_given_yes=3 / 4, p_yes_given_no=1 / 4)
    >>> found = census_interval(12, respondents=30, law=coin)
    >>> found.low, found.likeliest, found.high
    (0, 9, 19)
    """
    is_direct = law.span == 1
    most = MAX_RESPONDENTS if is_direct else MAX_CENSUS
    n = check_whole("respondents", respondents, low=1, high=most)
    x = check_whole("counted", counted, low=0, high=n)
    level = CONFIDENCE_LEVEL.check("confidence_level", confidence_level)
    if is_direct:
        return CensusInterval(respondents=n, low=x, high=x, likeliest=x)
    chances = chances_of_counts(n, law)
    # R(y; T) = P(y | T) / max over T' of P(y | T')
    ratios = chances / chances.max(axis=0)
    unlikelier = is_at_most(ratios, ratios[:, [x]])
    p_values = np.where(unlikelier, chances, 0.0).sum(axis=1)
    kept = np.flatnonzero(~is_at_most(p_values, 1 - level))
    # Of numbers with the same likelihood the smallest: rounding must not choose.
    is_largest = chances[:, x] >= chances[:, x].max() * (1 - ROUNDING)
    return CensusInterval(
        respondents=n,
        low=int(kept[0]),
        high=int(kept[-1]),
        likeliest=int(is_largest.argmax()),
    )


@lru_cache(maxsize=CACHED_TABLES)
def chances_of_counts(respondents: int, law: BinaryChannel) -> FloatArray:
    """Return P(X = x) for every number T: shape (T, x), both 0..n.

    Sums of products, none of which is below 0: every digit of a small chance counts,
    because ratios are compared.
    """
    numbers = range(respondents + 1)
    counts, sizes = np.arange(respondents + 1), np.arange(respondents + 1)[:, None]
    # Of a size only counts up to it are possible.
    yes, no = (
        [row[: t + 1] for t, row in enumerate(binomial(counts, sizes, chance))]
        for chance in (law.p_yes_given_yes, law.p_yes_given_no)
    )
    return np.array([np.convolve(yes[t], no[respondents - t]) for t in numbers])
