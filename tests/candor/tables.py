"""Tables shared by several tests of the maths."""

from itertools import combinations_with_replacement, product

import numpy as np
import scipy

from candor.estimands import Estimand, every_share
from candor.joint import JointSample
from candor.mechanisms import build
from candor.sample import Sample

# statistics.md: five answers at epsilon 1, computed with the real number e.
FIVE = build("k_ary", epsilon=1, choices=5).weights
COUNTS = (150, 95, 60, 55, 40)

# Two coins for each of two questions, taken as one question with four answers.
COIN = ((3, 1), (1, 3))
TWO_COINS = tuple(
    tuple(COIN[i // 2][j // 2] * COIN[i % 2][j % 2] for j in range(4)) for i in range(4)
)

# The report is one of the two other answers, with equal chances.
NEVER_TRUE = ((0, 1, 1), (1, 0, 1), (1, 1, 0))
UNEVEN = ((5, 3, 2), (1, 8, 1), (0, 4, 6))

# A scale from 0 to 4 sent as one bit: 1 with 1 + 2 v/4 of 4 chances.
SCALE = (0, 1, 2, 3, 4)
ONE_BIT = tuple((6 - value, 2 + value) for value in SCALE)


def sample_of(mechanism, *counts):
    """Return a sample with these counts of reports, in their order."""
    return Sample.of(mechanism, dict(zip(mechanism.reports, counts, strict=True)))


def joint_of(first, second, *counts):
    """Return a sample with these counts of pairs of reports, in their order."""
    pairs = product(first.reports, second.reports)
    return JointSample.of(first, second, dict(zip(pairs, counts, strict=True)))


def coverage(mechanism, shares, n, find_interval, truth, *, likely=0.0):
    """Return the chance that the interval of n reports covers the truth.

    Added up over all counts; those that are not `likely` count as missed.
    `find_interval` takes the counts.
    """
    chances = np.array(shares) @ np.array(mechanism.weights) / mechanism.total
    places = range(len(mechanism.reports))
    drawn = {
        tuple(map(each.count, places))
        for each in combinations_with_replacement(places, n)
    }
    counts = sorted(drawn)
    pmf = scipy.stats.multinomial(n, chances).pmf(counts)
    found = 0.0
    for each, chance in zip(counts, pmf, strict=True):
        if chance > likely:
            low, high = find_interval(each)
            found += chance * (low <= truth <= high)
    return found


def covariance_of(sample):
    """Return the estimated covariance of the raw shares, from variances alone."""
    size = len(sample.mechanism.answers)
    shares = [each.coefficients for each in every_share(size)]

    def variance(coefficients):
        return sample.spread_error(Estimand(tuple(coefficients))) ** 2

    found = np.empty((size, size))
    for row, one in enumerate(shares):
        for column, other in enumerate(shares):
            # Cov(a, b) = [V(a) + V(b) - V(a - b)] / 2
            apart = 0.0 if row == column else variance(np.subtract(one, other).tolist())
            found[row, column] = (variance(one) + variance(other) - apart) / 2
    return found
