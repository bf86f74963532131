"""The power of Welch's t-test between the mean scores of two groups.

It is the test by which results compare means that no single count determines
(`candor.differences`). Means are in points of the scale, 0 to K.
"""

import math

import numpy as np
import scipy

from candor.differences import AT_EACH_END
from candor.estimands import mean_of_points
from candor.mechanisms.table import Weights
from candor.planning.assumptions import ScaleAnswers
from candor.scores import score_values

NODES, NODE_WEIGHTS = np.polynomial.legendre.leggauss(200)
"""Of an integral over a normal density: many more than ten digits need, because the
other group's density may be ten times as steep."""

DENSITY_ENDS = 9
"""Standard deviations to either side, beyond which a normal density is negligible."""


def welch_power(
    n: int,
    m: int,
    *,
    weights: Weights,
    groups: tuple[ScaleAnswers, ScaleAnswers],
    alpha: float,
) -> float:
    """Return the probability that Welch's t finds the first mean to be the higher."""
    # Mean scores are taken as normal, their estimated variances as their expectations.
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
    # Mean scores are cut off at 0 and K, so P(M > apart) where the second is at 0,
    low = max(0.0, other - DENSITY_ENDS * there)
    high = min(largest - apart, other + DENSITY_ENDS * there)
    found = scipy.special.ndtr(-other / there)
    found *= scipy.special.ndtr((mean - apart) / here)
    if low >= high:
        return float(found)
    # and the integral of P(M > apart + y) over it, as far as M may reach.
    second = low + (high - low) * (NODES + 1) / 2
    density = np.exp(-(((second - other) / there) ** 2) / 2)
    above = scipy.special.ndtr((mean - apart - second) / here)
    scale = (high - low) / 2 / (there * math.sqrt(2 * math.pi))
    return min(1.0, float(found + scale * (NODE_WEIGHTS @ (density * above))))


def _variances(weights: Weights, n: int, group: ScaleAnswers) -> tuple[float, float]:
    """Return the variance of a mean score, and the expectation of its estimate."""
    score = score_values(weights, mean_of_points(len(weights)))
    ends = np.array([score.min(), score.max()])
    second, variance = group.mean_square_of_scores(weights), group.variance(weights)
    # The sum of squares about the mean of n reports and of one at each end:
    # E[sum of s^2] - E[(sum of s)^2] / (n + 2)
    added, squared = AT_EACH_END * ends.sum(), AT_EACH_END * ends**2
    total = n * variance + (n * group.mean + added) ** 2
    squares = n * second + squared.sum() - total / (n + 2 * AT_EACH_END)
    return variance / n, float(squares) / n**2
