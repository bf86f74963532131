"""Probabilities of binomial counts."""

import math

import numpy as np
import numpy.typing as npt
import scipy

from candor.binary import FloatArray, IntArray, likely_counts

Numbers = float | npt.NDArray[np.integer] | FloatArray

SERIES = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188)
"""ln n! less Stirling's formula is the sum of these / n^(2j + 1); DLMF 5.11.1."""

SERIES_FROM = 16
"""From this n on five terms give all the digits of a float."""

TABLE_SIZE = 2**13
"""Values of the series that are looked up instead of added."""


def _series(n: FloatArray) -> FloatArray:
    square = n**-2
    found = np.full_like(n, SERIES[-1])
    for term in SERIES[-2::-1]:
        found = found * square + term
    return found / n


def _make_table() -> FloatArray:
    """Return ln n! less Stirling's formula for n below `TABLE_SIZE`."""
    small = [
        math.lgamma(n + 1) - (n + 0.5) * math.log(n) + n - math.log(2 * math.pi) / 2
        for n in range(1, SERIES_FROM)
    ]
    large = _series(np.arange(SERIES_FROM, TABLE_SIZE, dtype=float))
    return np.concatenate([[0.0], small, large])


TABLE = _make_table()


def binomial(counts: Numbers, respondents: Numbers, chance: Numbers) -> FloatArray:
    """Return P(count) for a binomial distribution, accurate far into its tails.

    Arguments are broadcast; 0 for impossible counts, NaN for chances outside of [0, 1].
    Loader 2000, Fast and Accurate Computation of Binomial Probabilities.

    >>> print(binomial(2, 4, 0.5))
    0.375
    """
    x, n = np.asarray(counts, dtype=float), np.asarray(respondents, dtype=float)
    p = np.asarray(chance, dtype=float)
    q, rest = 1 - p, n - x
    with np.errstate(all="ignore"):
        # At the ends, where x or n - x is 0, Stirling's formula has no logarithm.
        scale = n / (2 * math.pi * x * rest)
        exponent = (
            _remainder(n)
            - _remainder(x)
            - _remainder(rest)
            - _deviance(x, n * p)
            - _deviance(rest, n * q)
        )
        found = np.exp(exponent) * np.sqrt(scale)
    is_inside = (x > 0) & (rest > 0)
    if not is_inside.all() or not found.all():
        ends = np.where(x == 0, scipy.special.xlog1py(n, -p), scipy.special.xlogy(n, p))
        is_end = (x == 0) | (rest == 0)
        found = np.where(is_inside & (p > 0) & (q > 0), found, np.exp(ends) * is_end)
    return found


def likely_binomial(
    respondents: int, chance: float, *, left_out: float
) -> tuple[IntArray, FloatArray]:
    """Return `likely_counts` and their probabilities, which sum to 1."""
    counts = likely_counts(respondents, chance, left_out=left_out)
    if chance in (0.0, 1.0):
        return counts, (counts == respondents * chance).astype(float)
    # P(k) / P(k - 1) = (n - k + 1) / k * p / q, multiplied outwards from the mode
    k = counts[1:].astype(float)
    ratios = (respondents - k + 1) / k * (chance / (1 - chance))
    mode = min(max(math.floor((respondents + 1) * chance) - int(counts[0]), 0), k.size)
    relative = np.ones(counts.size)
    np.cumprod(ratios[mode:], out=relative[mode + 1 :])
    relative[:mode] = np.cumprod(1 / ratios[:mode][::-1])[::-1]
    return counts, relative / relative.sum()


def _remainder(n: FloatArray) -> FloatArray:
    """Return ln n! less Stirling's formula for whole numbers n."""
    few = TABLE.take(n.astype(np.intp), mode="clip")
    if n.max(initial=0) < TABLE_SIZE:
        return few
    return np.where(n < TABLE_SIZE, few, _series(n))


def _deviance(x: FloatArray, mean: FloatArray) -> FloatArray:
    """Return x ln(x / mean) + mean - x, accurate where x is close to the mean."""
    apart = x - mean
    return x * np.log1p(apart / mean) - apart
