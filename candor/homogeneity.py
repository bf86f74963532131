"""Tests of homogeneity on tables of counted reports, and Holm's adjustment.

If groups were randomised by the same table, their answers have the same distribution if
and only if their reports do, so that an ordinary test of the reports is a test of the
answers. None of these tests needs large counts.
"""

import math
from collections.abc import Iterator, Sequence

import numpy as np
import scipy

from candor.binary import FloatArray, IntArray, find_likely_counts
from candor.validation import SHARE, check_sequence

MIN_EXPECTED = 5
"""With smaller expected counts, Pearson's test rejects too often (Cochran 1954,
Biometrics 10:417)."""

MAX_EXACT = 10**9
"""If all sums are larger, Pearson's test is as good to four digits, and fast."""

NEVER = 1e-300
"""Smallest p-value returned, close to the smallest float."""

SAME_CHANCE = 1e-7
"""Chances count as equal up to this relative difference, which may be rounding."""

MAX_ENUMERATED = 150
"""Up to this number of respondents, all tables with the same sums may be counted."""

MAX_ITERATIONS = 200_000
"""About half a second. Beyond, only the exact mean and variance of the statistic are
used."""


def exact_test(table: Sequence[Sequence[int]]) -> float:
    """Return the two-sided p-value of Fisher's exact test of two groups.

    It is the probability, in (0, 1], of all tables with the same sums that are at most
    as likely as this one; 1 if all reports are the same. `table` has shape (2, 2).

    References: Fisher 1935, Journal of the Royal Statistical Society 98:39; Hoeffding
    1963, Journal of the American Statistical Association 58:13, section 6 (which counts
    may be omitted).
    """
    (yes, no), (other_yes, other_no) = table
    # The smaller group has fewer terms. (scipy's own test is slow and less precise if
    # one group is in the millions.)
    drawn, rest = sorted((yes + no, other_yes + other_no))
    marked = yes + other_yes
    total = drawn + rest
    if drawn == 0 or marked in (0, total):
        return 1.0
    if min(drawn, marked, total - marked) > MAX_EXACT:
        return float(scipy.stats.chi2_contingency(table, correction=False).pvalue)
    observed = yes if yes + no == drawn else other_yes
    # A count drawn without replacement has no heavier tails than a binomial one.
    counts = find_likely_counts(drawn, marked / total, left_out=NEVER)
    counts = counts[(counts >= max(0, marked - rest)) & (counts <= marked)]
    if not counts[0] <= observed <= counts[-1]:
        return NEVER
    logs = compute_hypergeometric_logs(counts, drawn=drawn, marked=marked, total=total)
    chances = np.exp(logs - logs.max())
    limit = chances[observed - counts[0]] * (1 + SAME_CHANCE)
    return max(NEVER, float(chances[chances <= limit].sum() / chances.sum()))


def compute_hypergeometric_logs(
    counts: IntArray, *, drawn: int, marked: int, total: int
) -> FloatArray:
    """Return ln of the chances of consecutive counts, up to a constant."""
    k = counts[1:].astype(float)
    spare = total - marked - drawn
    # P(k) / P(k - 1) = (marked - k + 1) / k * (drawn - k + 1) / (spare + k)
    ratios = np.log((marked - k + 1) / k) + np.log((drawn - k + 1) / (spare + k))
    return np.concatenate([[0.0], np.cumsum(ratios)])


def run_independence_test(table: Sequence[Sequence[int]]) -> tuple[float, bool] | None:
    """Return the p-value of "rows and columns are independent", and if it is exact.

    None if all counts are in one row or column. The test is Pearson's if all expected
    counts are large enough. Otherwise it is exact: Fisher's for two rows and columns,
    or over all tables with the same sums. If there are too many of these, the
    distribution of Pearson's statistic is matched by its exact mean and variance.
    """
    kept = np.array(table)
    kept = kept[kept.any(axis=1)][:, kept.any(axis=0)]
    if min(kept.shape, default=0) < 2:
        return None
    found = scipy.stats.chi2_contingency(kept, correction=False)
    if found.expected_freq.min() >= MIN_EXPECTED:
        return float(found.pvalue), False
    if kept.shape == (2, 2):
        return exact_test(kept.tolist()), True
    exact = enumerate_tables(kept)
    if exact is not None:
        return exact, True
    return max(NEVER, match_moments(kept, float(found.statistic))), False


def enumerate_tables(table: IntArray) -> float | None:
    """Return the exact p-value of Pearson's statistic, or None if it takes too long.

    All tables with the same sums are enumerated column by column (Freeman & Halton
    1951, Biometrika 38:141). Statistics are compared as whole numbers, so that rounding
    decides no tie.
    """
    rows, columns = table.sum(axis=1).tolist(), table.sum(axis=0).tolist()
    total = sum(rows)
    if total > MAX_ENUMERATED:
        return None
    # Pearson's statistic is n * sum of t^2 / (r c) - n. All terms of the sum have this
    # common denominator.
    by_row, by_column = math.lcm(*rows), math.lcm(*columns)

    def squares(counts: Sequence[int], column: int) -> int:
        """Return the terms of a column in the sum, times the denominator."""
        pairs = zip(counts, rows, strict=True)
        return sum(t * t * (by_row // r) for t, r in pairs) * (by_column // column)

    own = sum(map(squares, table.T.tolist(), columns))
    # {remaining counts of the rows: {sum of squares so far: chance so far}}
    states: dict[tuple[int, ...], dict[int, float]] = {tuple(rows): {0: 1.0}}
    steps = 0
    for column in columns:
        following: dict[tuple[int, ...], dict[int, float]] = {}
        for left, sums in states.items():
            for taken in split_count(column, left):
                steps += len(sums)
                if steps > MAX_ITERATIONS:
                    return None
                pairs = list(zip(taken, left, strict=True))
                more = squares(taken, column)
                picks = math.prod(math.comb(rest, t) for t, rest in pairs)
                chance = picks / math.comb(sum(left), column)
                kept = following.setdefault(tuple(rest - t for t, rest in pairs), {})
                for sofar, before in sums.items():
                    key = sofar + more
                    kept[key] = kept.get(key, 0.0) + before * chance
        states = following
    ((_left, sums),) = states.items()
    return min(1.0, sum(p for each, p in sums.items() if each >= own))


def split_count(count: int, left: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield all ways to take `count` from the remaining counts `left`."""
    if not left:
        if count == 0:
            yield ()
        return
    rest = sum(left[1:])
    for taken in range(max(0, count - rest), min(count, left[0]) + 1):
        for others in split_count(count - taken, left[1:]):
            yield taken, *others


def match_moments(table: IntArray, statistic: float) -> float:
    """Return the p-value by a gamma distribution with the exact mean and variance.

    Haldane 1940, Biometrika 31:346; Dawson 1954, Biometrika 41:280 (both moments over
    all tables with the same sums).
    """
    n = float(table.sum())
    sums = [table.sum(axis=axis).astype(float) for axis in (1, 0)]
    sizes = [len(each) for each in sums]
    freedom = [(n - k) * (k - 1) / (n - 1) for k in sizes]
    uneven = [
        (n * (1 / each).sum() - k**2) / (n - 2)
        for each, k in zip(sums, sizes, strict=True)
    ]
    mean = (sizes[0] - 1) * (sizes[1] - 1) * n / (n - 1)
    apart = (freedom[0] - uneven[0]) * (freedom[1] - uneven[1])
    variance = 2 * n / (n - 3) * apart + n**2 / (n - 1) * uneven[0] * uneven[1]
    return float(
        scipy.special.gammaincc(mean**2 / variance, statistic * mean / variance)
    )


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted for several tests by Holm's method.

    The probability of any false rejection among all tests is at most the level.

    Parameters
    ----------
    p_values : sequence of float
        In [0, 1], in any order.

    Returns
    -------
    list of float
        In the same order, each in [0, 1].

    Raises
    ------
    TypeError, ValueError
        If a p-value is not a number in [0, 1].

    References
    ----------
    Holm 1979, Scandinavian Journal of Statistics 6:65.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    check_sequence("p_values", p_values, of="numbers")
    checked = [
        SHARE.check(f"p_values[{place}]", value) for place, value in enumerate(p_values)
    ]
    adjusted, largest = [0.0] * len(checked), 0.0
    for rank, place in enumerate(np.argsort(checked, kind="stable").tolist()):
        # The smallest is multiplied by the number of values, the next by one less, ...
        largest = max(largest, (len(checked) - rank) * checked[place])
        adjusted[place] = min(1.0, largest)
    return adjusted
