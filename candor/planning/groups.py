"""The power of Fisher's exact test between two groups, and the people it needs.

Both groups are asked with the same table. Then their shares are equal just where their
chances of a report are, so that the exact test of the reports is one of the answers:
docs/reference/statistics.md. It is the test by which results compare two groups.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
import scipy

from candor.binary import FloatArray, IntArray, likely_counts
from candor.binomial import binomial
from candor.dichotomies import channel_of, one_against_the_rest
from candor.mechanisms import Mechanism
from candor.planning.one_sided_power import smallest
from candor.planning.power import DEFAULT_ALPHA, DEFAULT_POWER, check_errors
from candor.tolerance import is_at_most
from candor.validation import MAX_RESPONDENTS, SHARE, Range, check_whole

MAX_EXACT_GROUP = 30_000
"""Counted out exactly up to here, in a twentieth of a second for two such groups.
Beyond, the normal approximation is given: there within .002 of the power for equal
groups and .02 where one is three times as large (chances from .02 to .95)."""

LEFT_OUT = 1e-10
"""Chance of the counts on either side that are not looked at."""

TIED = 1 + 1e-7
"""Chances so close are taken as equal, as scipy and R do: exactly equal ones differ by
rounding."""

RATIO = Range(low=0.01, high=100, example="2")

SETTLED = 12
"""So many numbers in a row must have the power for the search to end. The longest run
that was broken later had one (eight pairs of shares, three powers, up to 1,400 people
in each group)."""


@dataclass(frozen=True, kw_only=True)
class GroupTest:
    """What Fisher's exact test does with two groups of these sizes.

    Attributes
    ----------
    respondents, others : int
        In the first and in the second group.
    share, other_share : float
        Supposed of them.
    alpha : float
        Of both sides together.
    power : float
        Chance that the test finds a difference, on the side that is supposed.
    is_exact : bool
        Whether the power was counted out.
    """

    respondents: int
    others: int
    share: float
    other_share: float
    alpha: float
    power: float
    is_exact: bool


@dataclass(frozen=True, kw_only=True)
class GroupSizes:
    """How many people Fisher's exact test needs in each of two groups.

    Attributes
    ----------
    share, other_share, alpha : float
        As in `GroupTest`.
    power : float
        The power that was wanted.
    ratio : float
        People in the second group for each in the first.
    respondents, others : int or None
        In the first and in the second group: from here on the power is never less.
        None beyond 10**9.
    is_exact : bool
        Whether it was counted out.
    """

    share: float
    other_share: float
    alpha: float
    power: float
    ratio: float
    respondents: int | None
    others: int | None
    is_exact: bool


def group_test(
    mechanism: Mechanism,
    *,
    share: float,
    other_share: float,
    respondents: int,
    others: int,
    alpha: float = DEFAULT_ALPHA,
) -> GroupTest:
    """Return what Fisher's exact test does with two groups.

    Parameters
    ----------
    mechanism : Mechanism
        Of both groups, as for `one_against_the_rest`.
    share, other_share : float
        Supposed shares of the first answer, in [0, 1]; not the same.
    respondents, others : int
        In each group, in [1, 10**9].
    alpha : float
        In [1e-9, 0.5], of both sides together.

    References
    ----------
    Fisher 1935, Journal of the Royal Statistical Society 98:39.
    """
    first, second = _chances(mechanism, share, other_share)
    n = check_whole("respondents", respondents, low=1, high=MAX_RESPONDENTS)
    m = check_whole("others", others, low=1, high=MAX_RESPONDENTS)
    level, _power = check_errors(alpha=alpha, power=1 - 1e-9)
    return GroupTest(
        respondents=n,
        others=m,
        share=float(share),
        other_share=float(other_share),
        alpha=level,
        power=_power_of(n, m, first, second, level),
        is_exact=is_counted_out(n, m),
    )


def group_sizes(
    mechanism: Mechanism,
    *,
    share: float,
    other_share: float,
    ratio: float = 1.0,
    alpha: float = DEFAULT_ALPHA,
    power: float = DEFAULT_POWER,
) -> GroupSizes:
    """Return how many people Fisher's exact test needs in each group.

    Parameters
    ----------
    mechanism, share, other_share, alpha
        As in `group_test`.
    ratio : float
        People in the second group for each in the first, in [0.01, 100]; rounded up.
    power : float
        In (alpha, 1).

    Examples
    --------
    Directly asked, 20 % against 40 %: 90 in each group.

    >>> from candor.mechanisms import build
    >>> found = group_sizes(build("direct"), share=0.2, other_share=0.4)
    >>> found.respondents, found.others
    (90, 90)
    """
    first, second = _chances(mechanism, share, other_share)
    level, wanted = check_errors(alpha=alpha, power=power)
    ratio = RATIO.check("ratio", ratio)

    found = sizes_with(
        lambda n, m: _power_of(n, m, first, second, level), power=wanted, ratio=ratio
    )
    return GroupSizes(
        share=float(share),
        other_share=float(other_share),
        alpha=level,
        power=wanted,
        ratio=ratio,
        respondents=found[0] if found else None,
        others=found[1] if found else None,
        is_exact=found is not None and is_counted_out(*found),
    )


def sizes_with(
    power_of: Callable[[int, int], float], *, power: float, ratio: float
) -> tuple[int, int] | None:
    """Return from which sizes of two groups on a test has a power; None beyond 10**9.

    Parameters
    ----------
    power_of : callable
        The power with so many people in the first and in the second group. Up to small
        relapses it grows.
    power : float
        The power that is wanted, in (0, 1).
    ratio : float
        People in the second group for each in the first, in `RATIO`.
    """

    @cache
    def has_power(n: int) -> bool:
        return power_of(n, _others(n, ratio)) >= power

    found = 1 + smallest(lambda n: n >= MAX_RESPONDENTS or has_power(1 + n))
    if found > MAX_RESPONDENTS:
        return None
    found = _settled(has_power, found)
    return found, _others(found, ratio)


def _chances(
    mechanism: Mechanism, share: float, other_share: float
) -> tuple[float, float]:
    law = channel_of(one_against_the_rest(mechanism))
    first = SHARE.check("share", share)
    second = SHARE.check("other_share", other_share)
    if first == second:
        raise ValueError(
            f"other_share must differ from share, which is {first:g}; got {second:g}"
        )
    return law.of_report(first), law.of_report(second)


def shared_out_over_groups(respondents: int, ratio: float) -> tuple[int, int]:
    """Return how many of 2 or more respondents are in each group, at least one."""
    first = min(max(round(respondents / (1 + ratio)), 1), respondents - 1)
    return first, respondents - first


def _others(respondents: int, ratio: float) -> int:
    return max(1, math.ceil(round(ratio * respondents, 9)))


def is_counted_out(respondents: int, others: int) -> bool:
    """Return whether the power of groups of these sizes is exact."""
    return max(respondents, others) <= MAX_EXACT_GROUP


def _power_of(n: int, m: int, first: float, second: float, alpha: float) -> float:
    """Return the power of checked numbers, told of the report that is likelier here."""
    if first < second:
        first, second = 1 - first, 1 - second
    if is_counted_out(n, m):
        return _counted_out(n, m, first, second, alpha)
    return _approximate(n, m, first, second, alpha)


def _counted_out(n: int, m: int, first: float, second: float, alpha: float) -> float:
    """Return the chance of all pairs of counts in which the test rejects."""
    here = likely_counts(n, first, left_out=LEFT_OUT)
    there = likely_counts(m, second, left_out=LEFT_OUT)
    totals = np.arange(here[0] + there[0], here[-1] + there[-1] + 1)
    critical = critical_counts(n, m, totals, alpha=alpha)
    rejected = here[:, None] >= critical[np.add.outer(here, there) - totals[0]]
    chances = binomial(here, n, first), binomial(there, m, second)
    return float(chances[0] @ (rejected @ chances[1]))


def critical_counts(n: int, m: int, totals: IntArray, *, alpha: float) -> IntArray:
    """Return from which count in the first group on the test rejects, for each total.

    Where no count does, one more than there can be. The p-value of a count is the sum
    of the hypergeometric chances of all that are no likelier (Fisher 1935), of which
    this is the upper side.

    Parameters
    ----------
    n, m : int
        Sizes of the two groups.
    totals : array of int
        Reports in both, in [0, n + m].
    alpha : float
    """
    both = n + m
    least, most = np.maximum(0, totals - m), np.minimum(n, totals)
    mode = np.floor((totals + 1) * (n + 1) / (both + 2)).astype(np.int64)
    # sqrt[t (N - t) n m / (N^2 (N - 1))], the hypergeometric standard deviation
    spread = totals * (both - totals) * (n / both) * (m / both) / max(1, both - 1)
    reach = math.ceil(7 * math.sqrt(spread.max()) + 12)
    counts = mode[:, None] + np.arange(-reach, reach + 1)
    chances = _hypergeometric(counts, n, m, totals, least=least, most=most)
    up_to = np.cumsum(chances, axis=1)
    from_on = np.cumsum(chances[:, ::-1], axis=1)[:, ::-1]
    rows, columns = np.arange(len(totals)), counts.shape[1]

    def p_value(column: IntArray) -> FloatArray:
        own = chances[rows, column] * TIED
        low, high = np.full(len(totals), -1), np.full(len(totals), reach)
        while (high - low > 1).any():
            middle = (low + high) // 2
            is_likelier = chances[rows, middle] > own
            is_open = high - low > 1
            high = np.where(is_likelier & is_open, middle, high)
            low = np.where(~is_likelier & is_open, middle, low)
        return from_on[rows, column] + np.where(low < 0, 0.0, up_to[rows, low])

    # The mode itself is never rejected.
    low, high = np.full(len(totals), reach), np.full(len(totals), columns)
    while (high - low > 1).any():
        middle = (low + high) // 2
        rejects = is_at_most(p_value(middle), alpha)
        is_open = high - low > 1
        high = np.where(rejects & is_open, middle, high)
        low = np.where(~rejects & is_open, middle, low)
    return np.minimum(mode - reach + high, most + 1)


def _hypergeometric(
    counts: IntArray,
    n: int,
    m: int,
    totals: IntArray,
    *,
    least: IntArray,
    most: IntArray,
) -> FloatArray:
    """Return the chance of each count in the first group, given the total of its row.

    Shape (totals, counts), 0 for counts that cannot be.
    """
    log_factorial = scipy.special.gammaln(np.arange(n + m + 1) + 1.0)
    inside = np.clip(counts, least[:, None], most[:, None])
    rest = totals[:, None] - inside
    logs = (
        -log_factorial[inside]
        - log_factorial[n - inside]
        - log_factorial[rest]
        - log_factorial[m - rest]
    )
    logs += (
        log_factorial[n]
        + log_factorial[m]
        - log_factorial[n + m]
        + log_factorial[totals]
        + log_factorial[n + m - totals]
    )[:, None]
    return np.where(inside == counts, np.exp(logs), 0.0)


def _approximate(n: int, m: int, first: float, second: float, alpha: float) -> float:
    """Return the normal approximation of the power, corrected for continuity.

    Casagrande, Pike & Smith 1978, Biometrics 34:483, for unequal groups Fleiss, Levin &
    Paik 2003.
    """
    pooled = (n * first + m * second) / (n + m)
    under_null = math.sqrt(pooled * (1 - pooled) * (1 / n + 1 / m))
    spread = math.sqrt(first * (1 - first) / n + second * (1 - second) / m)
    correction = (1 / n + 1 / m) / 2
    distance = first - second - correction + scipy.special.ndtri(alpha / 2) * under_null
    if spread == 0:
        return float(distance > 0)
    return float(scipy.special.ndtr(distance / spread))


def _settled(has_power: Callable[[int], bool], found: int) -> int:
    """Return the smallest n from which on no number in sight lacks the power."""
    ahead = found + 1
    while ahead <= found + SETTLED:
        if not has_power(ahead):
            found = ahead + 1
        ahead += 1
    return found
