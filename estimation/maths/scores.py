"""Shares of several answers: numbers of at least 0 that sum to 1.

The functions take a square table of whole numbers, shape (answers, reports), rows
linearly independent and of one sum. Arguments are checked by the callers.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from surveys.mechanisms.table import Weights, truth_and_other

CACHED_TABLES = 256

CLOSE = 1e-12
"""The search for the likeliest shares ends where no shares could raise the mean log
likelihood of a report by more than this."""

MOST_STEPS = 100_000
"""About a second. Tables that hide nearly everything may need them all, and then carry
so little that the rest of the way lies far inside the standard errors."""


@lru_cache(maxsize=CACHED_TABLES)
def scores(weights: Weights) -> tuple[npt.NDArray[np.object_], int]:
    """Return what each report tells of each answer, in whole numbers.

    Returns
    -------
    numerators : array of int
        Shape (reports, answers), of Python's whole numbers, which never overflow.
    denominator : int
        The mean of numerators[report][answer] / denominator over all respondents is
        an unbiased estimate of the share of `answer`: the scores are the inverse of
        the table of chances (van den Hout & van der Heijden 2002, International
        Statistical Review 70:269).
    """
    total = sum(weights[0])
    rows = [[Fraction(cell * total) for cell in row] for row in inverse(weights)]
    denominator = math.lcm(*(cell.denominator for row in rows for cell in row))
    numerators = [[int(cell * denominator) for cell in row] for row in rows]
    return np.array(numerators, dtype=object), denominator


def inverse(weights: Weights) -> list[list[Fraction]]:
    """Return the exact inverse, by Gauss and Jordan in fractions."""
    size = len(weights)
    rows = [
        [Fraction(weight) for weight in row]
        + [Fraction(column == position) for column in range(size)]
        for position, row in enumerate(weights)
    ]
    for k in range(size):
        pivot = next(r for r in range(k, size) if rows[r][k])
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [cell / rows[k][k] for cell in rows[k]]
        for r in range(size):
            if r != k and (factor := rows[r][k]):
                pairs = zip(rows[r], rows[k], strict=True)
                rows[r] = [cell - factor * other for cell, other in pairs]
    return [row[size:] for row in rows]


def likeliest(weights: Weights, counts: Sequence[int]) -> list[float]:
    """Return the shares that make these counts of reports most likely.

    Parameters
    ----------
    weights : tuple of tuples of int
        Shape (answers, reports), square.
    counts : sequence of int
        How many sent each report, 0 or more, not all 0.
    """
    truth, other = truth_and_other(weights) or (0, 0)
    if truth > other:
        return water_filling(counts, truth=truth, other=other)
    return expectation_maximisation(weights, counts)


def water_filling(counts: Sequence[int], *, truth: int, other: int) -> list[float]:
    """Return the likeliest shares under one weight for the truth, one for the rest.

    Let A be the answers with a share above 0. Setting the derivative of the likelihood
    to 0 gives, in chances p and q,

        mu = sum of the counts in A / (p - q + |A| q),   f_v = (C_v / mu - q) / (p - q).

    Answers whose f_v is negative leave A, and mu rises; they never come back.

    Parameters
    ----------
    counts : sequence of int
        0 or more, not all 0.
    truth, other : int
        Weights of the true report and of every other, truth > other >= 0.
    """
    kept = set(range(len(counts)))
    while True:
        level = Fraction(
            sum(counts[answer] for answer in kept), truth - other + len(kept) * other
        )
        shares = {
            answer: (counts[answer] / level - other) / (truth - other)
            for answer in kept
        }
        negative = {answer for answer in kept if shares[answer] < 0}
        if not negative:
            return [float(shares.get(answer, 0)) for answer in range(len(counts))]
        kept -= negative


def expectation_maximisation(weights: Weights, counts: Sequence[int]) -> list[float]:
    """Return the likeliest shares under any table, by many small steps.

    f_a <- f_a g_a, where g_a = sum over reports r of (C_r / n) P(r | a) / P(r). The
    likelihood rises with every step. At the largest g_a its logarithm lies, per
    respondent, no more than g_a - 1 below its maximum, because it is concave.

    References
    ----------
    Dempster, Laird & Rubin 1977, Journal of the Royal Statistical Society B 39:1;
    Lindsay 1983, Annals of Statistics 11:86 (the bound).
    """
    chances = np.array(weights, dtype=np.float64) / sum(weights[0])
    observed = np.array(counts, dtype=np.float64) / sum(counts)
    seen = observed > 0
    chances, observed = chances[:, seen], observed[seen]
    shares = np.full(len(weights), 1 / len(weights))
    for _ in range(MOST_STEPS):
        growth = chances @ (observed / (shares @ chances))
        if growth.max() - 1 <= CLOSE:
            break
        shares *= growth
    return [float(share) for share in shares / shares.sum()]


def norm_sub(raw: Sequence[float]) -> list[float]:
    """Return the shares nearest to raw ones: all are lowered alike, then cut off at 0.

    About as exact as the likeliest shares: for comparison with published work.

    References
    ----------
    Wang et al. 2020, NDSS, "Locally differentially private frequency estimation with
    consistency" (Norm-Sub).
    """
    # The j largest, lowered by (their sum - 1) / j, would sum to 1.
    tops = accumulate(sorted(raw, reverse=True))
    lowered = max((top - 1) / j for j, top in enumerate(tops, start=1))
    return [max(share - lowered, 0.0) for share in raw]
