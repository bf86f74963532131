"""Intervals for a census: everyone in a finite population was surveyed.

The n respondents are the population, T of them have the answer, and T is unknown. The
count of its reports is then X = Bin(T, a) + Bin(n - T, b), which varies less than the
count of a sample, because who takes part is not random.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from candor.binary import BinaryChannel, FloatArray, binomial
from candor.intervals import DEFAULT_CONFIDENCE_LEVEL
from candor.mechanisms import Mechanism
from candor.sample import read_dichotomy
from candor.tolerance import ROUNDING, is_at_most
from candor.validation import CONFIDENCE_LEVEL, MAX_RESPONDENTS

MAX_CENSUS = 500
"""The table of all counts takes a fifth of a second then, and eight times as long for
twice as many respondents."""

CACHED_TABLES = 8
"""2 MB each at most."""


@dataclass(frozen=True, kw_only=True)
class CensusInterval:
    """How many of a population of n have an answer: an interval."""

    n: int
    low: int
    high: int
    estimate: int


def census_interval(
    mechanism: Mechanism,
    counts: Mapping[str, int],
    *,
    answer: str | None = None,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
) -> CensusInterval:
    """Return how many of a fully surveyed population have an answer.

    The likelihood-ratio ordering of Feldman & Cousins 1998 (Physical Review D 57:3873)
    over the numbers T in {0..n}: exact, never empty, within [0, n].

    Parameters
    ----------
    mechanism : Mechanism
        With as many reports as answers.
    counts : mapping of str to int
        How many respondents sent each report, 0 or more; reports left out count 0. In
        total all of the population, in [1, 500]; for a direct question, whose count is
        the number, in [1, 10**9].
    answer : str, optional
        One of the mechanism's answers, by default the first.
    confidence_level : float
        In (0, 1).

    Returns
    -------
    CensusInterval

    Raises
    ------
    TypeError, ValueError
        For an argument of the wrong type or out of its range, and a mechanism whose
        other answers send the reports of this one with different chances.

    Examples
    --------
    A class of 30, two coins, 12 report yes:

    >>> import candor
    >>> coin = candor.mechanism("coin")
    >>> found = candor.census_interval(coin, {"yes": 12, "no": 18})
    >>> found.low, found.estimate, found.high
    (0, 9, 19)
    """
    x, n, dichotomy = read_dichotomy(mechanism, counts, answer)
    level = CONFIDENCE_LEVEL.check("confidence_level", confidence_level)
    is_direct = dichotomy.channel.span == 1
    most = MAX_RESPONDENTS if is_direct else MAX_CENSUS
    if not 1 <= n <= most:
        raise ValueError(f"counts must have a total in [1, {most}]; got {n}")
    if is_direct:
        return CensusInterval(n=n, low=x, high=x, estimate=x)
    chances = chances_of_counts(n, dichotomy.channel)
    # R(y; T) = P(y | T) / max over T' of P(y | T')
    ratios = chances / chances.max(axis=0)
    is_no_higher = is_at_most(ratios, ratios[:, [x]])
    p_values = np.where(is_no_higher, chances, 0.0).sum(axis=1)
    kept = np.flatnonzero(~is_at_most(p_values, 1 - level))
    # Of numbers with the same likelihood the smallest: rounding must not choose.
    is_largest = chances[:, x] >= chances[:, x].max() * (1 - ROUNDING)
    return CensusInterval(
        n=n,
        low=int(kept[0]),
        high=int(kept[-1]),
        estimate=int(is_largest.argmax()),
    )


@lru_cache(maxsize=CACHED_TABLES)
def chances_of_counts(respondents: int, channel: BinaryChannel) -> FloatArray:
    """Return P(X = x) for every number T: shape (T, x), both 0..n.

    Sums of products of at least 0 keep every digit of small chances: ratios are
    compared.
    """
    numbers = range(respondents + 1)
    counts, sizes = np.arange(respondents + 1), np.arange(respondents + 1)[:, None]
    # Of a size only counts up to it are possible.
    yes, no = (
        [row[: t + 1] for t, row in enumerate(binomial(counts, sizes, chance))]
        for chance in (channel.p_yes_given_yes, channel.p_yes_given_no)
    )
    return np.array([np.convolve(yes[t], no[respondents - t]) for t in numbers])
