"""Tests of a sampler against the table that it should follow.

Counts are whole numbers >= 0, shape (answers, reports): how often each report was drawn
for each answer. Draws are independent, and their number may differ between answers.
"""

import math
from collections.abc import Iterable, Sequence

import scipy

from candor.intervals.closed_form import find_lower_bound, find_upper_bound

FALSE_ALARM = 1e-6
"""A correct sampler is rejected once in a million runs."""

MIN_EXPECTED = 10
"""Cells with fewer expected draws are combined. Twice the 5 of Cochran 1954, Biometrics
10:417, because the far tail of chi-squared is used."""


def least_epsilon(
    counts: Sequence[Sequence[int]], *, alpha: float = FALSE_ALARM
) -> float:
    """Return a lower bound on epsilon: too high with a chance of at most `alpha`.

    The chance of each report given each answer has a one-sided Clopper-Pearson bound,
    all of them valid simultaneously (Bonferroni). The result is the largest log ratio
    that the bounds imply for a pair of answers and a report (Ding et al. 2018, CCS,
    "Detecting Violations of Differential Privacy"). Every answer has at least one draw.

    Two coins, 75,000 of 100,000 draws equal to either answer; ln 3 is 1.0986:

    >>> round(least_epsilon([[75_000, 25_000], [25_000, 75_000]]), 2)
    1.06
    """
    tail = alpha / (2 * len(counts) * len(counts[0]))
    drawn = [sum(row) for row in counts]
    bound = 0.0
    for column in zip(*counts, strict=True):
        cells = list(zip(column, drawn, strict=True))
        least = [find_lower_bound(count, n, tail) for count, n in cells]
        most = [find_upper_bound(count, n, tail) for count, n in cells]
        for one, low in enumerate(least):
            others = [high for other, high in enumerate(most) if other != one]
            if low > 0:
                bound = max(bound, math.log(low / min(others)))
    return bound


def row_fit(weights: Sequence[int], counts: Sequence[int]) -> float:
    """Return the p-value of Pearson's chi-squared test of one row (Pearson 1900).

    It is 0 if an impossible report was drawn, and 1 if only one report is possible.
    75,700 of 100,000 instead of 75,000 are 5.1 standard errors:

    >>> f"{row_fit([3, 1], [75_700, 24_300]):.1e}"
    '3.2e-07'
    """
    total, n = sum(weights), sum(counts)
    if any(count and not weight for weight, count in zip(weights, counts, strict=True)):
        return 0.0
    cells = combine_cells(
        (n * weight / total, count)
        for weight, count in zip(weights, counts, strict=True)
        if weight
    )
    # X^2 = sum (observed - expected)^2 / expected
    statistic = sum((count - expected) ** 2 / expected for expected, count in cells)
    freedom = len(cells) - 1
    return float(scipy.special.chdtrc(freedom, statistic)) if freedom else 1.0


def combine_cells(cells: Iterable[tuple[float, int]]) -> list[tuple[float, int]]:
    """Return (expected, count) with the smallest combined up to `MIN_EXPECTED`."""
    rest = sorted(cells)
    while len(rest) > 1 and rest[0][0] < MIN_EXPECTED:
        (one, few), (other, more), *larger = rest
        rest = sorted([(one + other, few + more), *larger])
    return rest
