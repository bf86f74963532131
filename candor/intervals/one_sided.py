"""One-sided tests that agree with the exact intervals.

The interval at level 1 - alpha lies above a bound if and only if the p-value of "the
share is the bound or less" is at most alpha. So the test of a planned share and the
interval that is shown never contradict each other.

Functions take arrays, because planning computes thousands of sample sizes at once.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

from candor.binary import BinaryChannel, FloatArray, IntArray, at_most, more_than
from candor.intervals.likelihood_ratio import ROUNDING
from candor.tolerance import is_at_most

TIES = 3
"""Number of pieces of the p-value next to the bound that are searched. The largest was
among the first two in all cases tried (compared with the intervals, for 10 to 2,000
respondents)."""

SMALLEST = np.finfo(float).tiny
"""Replaces a chance of 0 before its logarithm is taken."""


@dataclass(frozen=True, kw_only=True)
class OneSidedTest:
    """Test of "the chance of the counted report is `bound` or less".

    `bound` is in [b, a), and `method` a key of `ONE_SIDED_METHODS`.
    """

    channel: BinaryChannel
    bound: float
    method: str

    def p_values(self, counts: npt.ArrayLike, respondents: npt.ArrayLike) -> FloatArray:
        """Return the smallest alpha at which the interval excludes the bound.

        It is the largest p(x, lam) over all lam up to the bound. The counts that rank
        no higher than x are {0..t} and {x..n}. t decreases with lam, so that p
        decreases between two ties. Its maximum is at one of the ties or at the bound.
        """
        x, n = (
            np.asarray(each, dtype=np.int64)
            for each in np.broadcast_arrays(counts, respondents)
        )
        tied = self._tied(x, n)
        largest = more_than(x - 1, n, self.bound) + _up_to(tied, n, self.bound)
        for step in range(TIES):
            rank = tied - step
            tie = self._tie(x, np.maximum(rank, 0), n)
            chance = np.clip(tie, self.channel.p_yes_given_no, self.bound)
            p = more_than(x - 1, n, chance) + _up_to(rank, n, chance)
            largest = np.where(rank >= 0, np.maximum(largest, p), largest)
        # If no count ranks higher than x, the two tails contain all counts.
        return np.where(tied < x - 1, np.minimum(largest, 1.0), 1.0)

    def critical_counts(self, respondents: IntArray, *, alpha: float) -> IntArray:
        """Return the largest count, at most n, at which the test does not reject.

        `alpha` is in (0, 1). The search starts at the count that a test by one tail
        needs, because no smaller count is rejected.
        """
        n = np.asarray(respondents, dtype=np.int64)

        def rejects(x: IntArray) -> npt.NDArray[np.bool_]:
            return (x > n) | is_at_most(self.p_values(np.minimum(x, n), n), alpha)

        # Each tail has half of alpha if neither end of the range is near.
        start = np.floor(n * self.bound).astype(np.int64)
        half = alpha / 2
        high = find_first(
            lambda x: more_than(x - 1, n, self.bound) <= half, start, n + 1
        )
        step = np.ones_like(n)
        while (short := ~rejects(high)).any():
            high = np.where(short, np.minimum(n + 1, high + step), high)
            step = np.where(short, 2 * step, step)
        low, step = high - 1, np.ones_like(n)
        while (is_late := (low > start) & rejects(low)).any():
            low = np.where(is_late, np.maximum(start, low - step), low)
            step = np.where(is_late, 2 * step, step)
        return find_first(rejects, low, high) - 1

    def _tied(self, x: IntArray, n: IntArray) -> IntArray:
        """Return the largest count below those that rank higher than x, or -1.

        ln R(y; lam) is concave in y, so that all counts between it and x rank higher.
        It is x - 1 if none ranks higher.
        """
        own = self._rank(x, n)
        slack = ROUNDING * (1 + np.abs(self._weight(x, n)))

        def ranks_higher(y: IntArray) -> npt.NDArray[np.bool_]:
            error = slack + ROUNDING * np.abs(self._weight(y, n))
            return self._rank(y, n) > own + error

        # It is about as far below the bound as x is above.
        top = np.floor(n * self.bound).astype(np.int64)
        low = np.clip(2 * top - x, -1, x - 1)
        step = np.full_like(n, 2)
        while (is_high := (low >= 0) & ranks_higher(np.maximum(low, 0))).any():
            low = np.where(is_high, np.maximum(low - step, -1), low)
            step = np.where(is_high, 2 * step, step)
        high, step = np.minimum(low + 2, x), np.full_like(n, 2)
        while (is_low := (high < x) & ~ranks_higher(high)).any():
            low = np.where(is_low, high, low)
            high = np.where(is_low, np.minimum(high + step, x), high)
            step = np.where(is_low, 2 * step, step)
        return find_first(ranks_higher, low, high) - 1

    def _rank(self, y: IntArray, n: IntArray) -> FloatArray:
        # At a bound of 0 counts above 0 are impossible; rank as for a bound above it.
        bound = max(self.bound, SMALLEST)
        likelihood = scipy.special.xlogy(y, bound) + scipy.special.xlog1py(
            n - y, -bound
        )
        return likelihood - self._weight(y, n)

    def _weight(self, y: IntArray, n: IntArray) -> FloatArray:
        return ONE_SIDED_METHODS[self.method](y, n, self.channel)

    def _tie(self, x: IntArray, y: IntArray, n: IntArray) -> FloatArray:
        """Return the chance at which x and y have the same rank."""
        # logit(tie) = [d(x) - d(y)] / (x - y)
        rise = self._weight(x, n) - self._weight(y, n)
        return scipy.special.expit(rise / np.maximum(x - y, 1))


def compute_log_peaks(y: IntArray, n: IntArray, channel: BinaryChannel) -> FloatArray:
    """Return ln of the largest likelihood over [b, a], without the coefficient."""
    peak = np.clip(y / n, channel.p_yes_given_no, channel.p_yes_given_yes)
    likelihood = scipy.special.xlogy(y, peak) + scipy.special.xlog1py(n - y, -peak)
    return np.asarray(likelihood, dtype=np.float64)


def compute_log_means(y: IntArray, n: IntArray, channel: BinaryChannel) -> FloatArray:
    """Return ln of the integral of the likelihood, without the coefficient."""
    least, most = channel.p_yes_given_no, channel.p_yes_given_yes
    above, below = y + 1.0, n - y + 1.0
    # Use the tail that is farther from the count, because it is more precise.
    mass = np.where(
        y < n * (least + most) / 2,
        scipy.special.betaincc(above, below, least)
        - scipy.special.betaincc(above, below, most),
        scipy.special.betainc(above, below, most)
        - scipy.special.betainc(above, below, least),
    )
    evidence = scipy.special.betaln(above, below) + np.log(np.maximum(mass, SMALLEST))
    return np.asarray(evidence, dtype=np.float64)


ONE_SIDED_METHODS: dict[
    str, Callable[[IntArray, IntArray, BinaryChannel], FloatArray]
] = {
    "feldman-cousins": compute_log_peaks,
    "pratt": compute_log_means,
}
"""Log weights of the intervals that invert an exact test and are never empty."""


def _up_to(count: IntArray, n: IntArray, chance: float | FloatArray) -> FloatArray:
    """Return P(X <= count), 0 for counts below 0."""
    return np.where(count < 0, 0.0, at_most(np.maximum(count, 0), n, chance))


def find_first(
    claim: Callable[[IntArray], npt.NDArray[np.bool_]], low: IntArray, high: IntArray
) -> IntArray:
    """Return the first whole numbers above `low` from which on `claim` is true.

    They are `high` if it is true nowhere below.
    """
    low, high = np.minimum(low, high - 1), high
    while (high - low > 1).any():
        middle = (low + high) // 2
        holds = claim(middle)
        is_open = high - low > 1
        high = np.where(holds & is_open, middle, high)
        low = np.where(~holds & is_open, middle, low)
    return high
