"""Intervals for a census: everyone in a finite population was surveyed.

The n respondents are the population, and an unknown number T of them has the answer.
The count of its reports is X = Bin(T, a) + Bin(n - T, b). It varies less than the count
of a sample, because participation is not random.
"""

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from candor.binary import (
    BinaryChannel,
    FloatArray,
    binomial,
    compute_likely_binomial,
)
from candor.intervals import DEFAULT_CONFIDENCE_LEVEL
from candor.mechanisms import Mechanism
from candor.sample import read_dichotomy
from candor.tolerance import ROUNDING, is_at_most
from candor.validation import CONFIDENCE_LEVEL, MAX_RESPONDENTS

MAX_TABLE_SIZE = 500
"""The table of all counts takes a fifth of a second at this size, and eight times as
long for twice as many respondents."""

CACHED_TABLES = 8
"""2 MB each at most."""

LEFT_OUT = 1e-20
"""Probability omitted in a tail: less than any confidence level leaves."""


@dataclass(frozen=True, kw_only=True)
class CensusInterval:
    """An interval for the number of people with an answer in a population of n."""

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
    """Estimate how many people of a fully surveyed population have an answer.

    Up to 500 reports, the interval orders the counts by the likelihood ratio of Feldman
    & Cousins 1998 (Physical Review D 57:3873) over the numbers T in {0..n}. For more,
    it has equal tails (Clopper & Pearson 1934, Biometrika 26:404): it contains each T
    for which P(X <= x) and P(X >= x) exceed (1 - confidence_level) / 2. Both intervals
    are exact and never empty.

    Parameters
    ----------
    mechanism : Mechanism
        With as many reports as answers.
    counts : mapping of str to int
        How many respondents sent each report, 0 or more; reports left out count 0. The
        total is the population, in [1, 10**9].
    answer : str, optional
        One of the mechanism's answers, by default the first.
    confidence_level : float
        In (0, 1).

    Returns
    -------
    CensusInterval
        `estimate` is the maximum-likelihood estimate up to 500 reports. For more, it is
        the raw share times n, rounded and clipped to [0, n].

    Raises
    ------
    TypeError, ValueError
        If an argument has the wrong type or is out of its range, or other answers of
        the mechanism send the reports of this answer with different chances.

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
    if not 1 <= n <= MAX_RESPONDENTS:
        raise ValueError(f"counts must have a total in [1, {MAX_RESPONDENTS}]; got {n}")
    if is_direct:
        return CensusInterval(n=n, low=x, high=x, estimate=x)
    if n > MAX_TABLE_SIZE:
        return find_equal_tailed_interval(x, n, dichotomy.channel, (1 - level) / 2)
    chances = tabulate_count_chances(n, dichotomy.channel)
    # R(y; T) = P(y | T) / max over T' of P(y | T')
    ratios = chances / chances.max(axis=0)
    is_no_higher = is_at_most(ratios, ratios[:, [x]])
    p_values = np.where(is_no_higher, chances, 0.0).sum(axis=1)
    kept = np.flatnonzero(~is_at_most(p_values, 1 - level))
    # The smallest of equally likely numbers: rounding must not decide.
    is_largest = chances[:, x] >= chances[:, x].max() * (1 - ROUNDING)
    return CensusInterval(
        n=n,
        low=int(kept[0]),
        high=int(kept[-1]),
        estimate=int(is_largest.argmax()),
    )


def find_equal_tailed_interval(
    x: int, n: int, channel: BinaryChannel, tail: float
) -> CensusInterval:
    """Return the interval with a probability of at most `tail` beyond either end."""
    # P(X >= x) is P(n - X <= n - x), where n - T have another answer. Both tails are
    # monotone in T, because the report is more likely given yes.
    other = channel.mirrored

    def is_high_enough(yes: int) -> bool:
        return not is_at_most(compute_count_tail(n - x, n - yes, n, other), tail)

    def is_too_high(yes: int) -> bool:
        return is_at_most(compute_count_tail(x, yes, n, channel), tail)

    numbers = range(n + 1)
    low = bisect_left(numbers, True, key=is_high_enough)
    beyond = bisect_left(numbers, True, key=is_too_high)
    estimate = (x - n * channel.p_yes_given_no) / channel.span
    return CensusInterval(
        n=n,
        low=min(low, n),
        high=max(beyond - 1, 0),
        estimate=min(max(round(estimate), 0), n),
    )


def compute_count_tail(x: int, yes: int, n: int, channel: BinaryChannel) -> float:
    """Return P(X <= x) if `yes` of `n` have the answer; relative error about 1e-12."""
    ours, chances = compute_likely_binomial(
        yes, channel.p_yes_given_yes, left_out=LEFT_OUT
    )
    others, theirs = compute_likely_binomial(
        n - yes, channel.p_yes_given_no, left_out=LEFT_OUT
    )
    # sum over y of P(Y = y) P(Z <= x - y). Small chances are added first, so that
    # rounding does not lose them.
    sums = np.append(0.0, np.cumsum(theirs))
    place = np.clip(x - ours - others[0] + 1, 0, len(others))
    return float(chances @ sums[place])


@lru_cache(maxsize=CACHED_TABLES)
def tabulate_count_chances(respondents: int, channel: BinaryChannel) -> FloatArray:
    """Return P(X = x) for every number T: shape (T, x), both 0..n.

    Sums of nonnegative products are accurate for small chances too, whose ratios are
    compared.
    """
    numbers = range(respondents + 1)
    counts, sizes = np.arange(respondents + 1), np.arange(respondents + 1)[:, None]
    # Counts above a size are impossible.
    yes, no = (
        [row[: t + 1] for t, row in enumerate(binomial(counts, sizes, chance))]
        for chance in (channel.p_yes_given_yes, channel.p_yes_given_no)
    )
    return np.array([np.convolve(yes[t], no[respondents - t]) for t in numbers])
