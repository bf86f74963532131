"""The power of the tests that results use to compare two groups.

Fisher's exact test compares reports. Both groups are asked with the same table, so
their shares are equal if and only if their probabilities of a report are equal
(docs/reference/statistics.md). Welch's t-test compares mean scores if no single count
determines them (`candor.differences`); means are in points of the scale, 0 to K.
"""

import math

import numpy as np
import scipy

from candor.binary import FloatArray, IntArray, binomial, find_likely_counts
from candor.differences import AT_EACH_END
from candor.estimands import mean_of_points, score_values
from candor.intervals.one_sided import find_first
from candor.mechanisms.table import Weights
from candor.planning.assumptions import ScaleAnswers
from candor.tolerance import is_at_most

MAX_EXACT_GROUP = 30_000
"""Up to this size the power is exact and takes 0.05 seconds for two such groups. Above,
it is approximate: at this size within .002 of the exact power for equal groups and .02
if one is three times as large (probabilities from .02 to .95)."""

LEFT_OUT = 1e-10
"""Probability of the counts that are omitted on either side."""

TIED = 1 + 1e-7
"""Probabilities within this factor count as equal, as in scipy and R, because equal
probabilities differ by rounding."""


def compute_fisher_power(
    n: int, m: int, *, first: float, second: float, alpha: float
) -> float:
    """Return the probability that the test finds the difference in its true direction.

    `first` and `second` are the probabilities of the report; alpha is two-sided.
    """
    # Use the report that is more probable in the first group.
    if first < second:
        first, second = 1 - first, 1 - second
    power = _exact_power if is_exact(n, m) else _approximate_power
    return power(n, m, first, second, alpha)


def is_exact(n: int, m: int) -> bool:
    """Return whether the power for these group sizes is computed exactly."""
    return max(n, m) <= MAX_EXACT_GROUP


def _exact_power(n: int, m: int, first: float, second: float, alpha: float) -> float:
    here = find_likely_counts(n, first, left_out=LEFT_OUT)
    there = find_likely_counts(m, second, left_out=LEFT_OUT)
    totals = np.arange(here[0] + there[0], here[-1] + there[-1] + 1)
    critical = critical_counts(n, m, totals, alpha=alpha)
    rejected = here[:, None] >= critical[np.add.outer(here, there) - totals[0]]
    chances = binomial(here, n, first), binomial(there, m, second)
    return float(chances[0] @ (rejected @ chances[1]))


def critical_counts(n: int, m: int, totals: IntArray, *, alpha: float) -> IntArray:
    """Return the smallest count in the first group that the test rejects, by total.

    If it rejects no count, the result is the largest possible count plus 1.
    """
    # A p-value is the sum of the hypergeometric probabilities of all counts that are at
    # most as probable (Fisher 1935); these are the critical counts of the upper side.
    both = n + m
    mode = np.floor((totals + 1) * (n + 1) / (both + 2)).astype(np.int64)
    # sqrt[t (N - t) n m / (N^2 (N - 1))], the hypergeometric standard deviation
    spread = totals * (both - totals) * (n / both) * (m / both) / max(1, both - 1)
    reach = math.ceil(7 * math.sqrt(spread.max()) + 12)
    chances = _hypergeometric(
        mode[:, None] + np.arange(-reach, reach + 1), n, m, totals
    )
    up_to = np.cumsum(chances, axis=1)
    from_on = np.cumsum(chances[:, ::-1], axis=1)[:, ::-1]
    rows, center = np.arange(len(totals)), np.full(len(totals), reach)

    def p_value(column: IntArray) -> FloatArray:
        own = chances[rows, column] * TIED
        likelier = find_first(
            lambda each: chances[rows, each] > own, center * 0 - 1, center
        )
        return from_on[rows, column] + np.where(
            likelier == 0, 0.0, up_to[rows, likelier - 1]
        )

    # The mode is never rejected.
    rejected = find_first(
        lambda each: is_at_most(p_value(each), alpha), center, center * 2 + 1
    )
    return np.minimum(mode - reach + rejected, np.minimum(n, totals) + 1)


def _hypergeometric(counts: IntArray, n: int, m: int, totals: IntArray) -> FloatArray:
    """Return P(count in first group | total of the row), shape (totals, counts)."""
    least, most = np.maximum(0, totals - m), np.minimum(n, totals)
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


def _approximate_power(
    n: int, m: int, first: float, second: float, alpha: float
) -> float:
    # Casagrande, Pike & Smith 1978, Biometrics 34:483; for unequal groups Fleiss,
    # Levin & Paik 2003
    pooled = (n * first + m * second) / (n + m)
    under_null = math.sqrt(pooled * (1 - pooled) * (1 / n + 1 / m))
    spread = math.sqrt(first * (1 - first) / n + second * (1 - second) / m)
    correction = (1 / n + 1 / m) / 2
    distance = first - second - correction + scipy.special.ndtri(alpha / 2) * under_null
    if spread == 0:
        return float(distance > 0)
    return float(scipy.special.ndtr(distance / spread))


NODES, NODE_WEIGHTS = np.polynomial.legendre.leggauss(200)
"""For an integral over a normal density: many more nodes than ten digits need, because
the other group's density may be ten times as steep."""

DENSITY_ENDS = 9
"""Standard deviations beyond which a normal density is negligible."""


def compute_welch_power(
    n: int,
    m: int,
    *,
    weights: Weights,
    groups: tuple[ScaleAnswers, ScaleAnswers],
    alpha: float,
) -> float:
    """Return the probability that Welch's test finds that the first mean is higher."""
    # Assumes normal mean scores, and estimated variances equal to their expectations.
    if min(n, m) < 2:
        return 0.0
    largest = groups[0].points - 1
    spread, expected = np.array(
        [_variances(weights, n, groups[0]), _variances(weights, m, groups[1])]
    ).T
    total = float(expected.sum())
    # Welch's degrees of freedom, as in mean_differences
    freedom = total**2 / float((expected**2 / (np.array([n, m]) - 1)).sum())
    quantile = float(scipy.special.stdtrit(freedom, 1 - alpha / 2))
    apart = quantile * math.sqrt(total)
    if apart >= largest:
        return 0.0
    (mean, other), (here, there) = (each.mean for each in groups), np.sqrt(spread)
    # Mean scores are clipped to [0, K]. First P(M > apart) if the second one is 0,
    low = max(0.0, other - DENSITY_ENDS * there)
    high = min(largest - apart, other + DENSITY_ENDS * there)
    found = scipy.special.ndtr(-other / there)
    found *= scipy.special.ndtr((mean - apart) / here)
    if low >= high:
        return float(found)
    # then the integral of P(M > apart + y) over the values y of the second one.
    second = low + (high - low) * (NODES + 1) / 2
    density = np.exp(-(((second - other) / there) ** 2) / 2)
    above = scipy.special.ndtr((mean - apart - second) / here)
    scale = (high - low) / 2 / (there * math.sqrt(2 * math.pi))
    return min(1.0, float(found + scale * (NODE_WEIGHTS @ (density * above))))


def _variances(weights: Weights, n: int, group: ScaleAnswers) -> tuple[float, float]:
    """Return the variance of a mean score, and the expectation of its estimate."""
    score = score_values(weights, mean_of_points(len(weights)))
    ends = np.array([score.min(), score.max()])
    second, variance = group.mean_squared_score(weights), group.variance(weights)
    # The sum of squares about the mean of n reports and of one at each end:
    # E[sum of s^2] - E[(sum of s)^2] / (n + 2)
    added, squared = AT_EACH_END * ends.sum(), AT_EACH_END * ends**2
    total = n * variance + (n * group.mean + added) ** 2
    squares = n * second + squared.sum() - total / (n + 2 * AT_EACH_END)
    return variance / n, float(squares) / n**2
