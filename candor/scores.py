"""Scores of reports: numbers whose mean is an unbiased estimate of an estimand."""

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from candor.binary import FloatArray
from candor.estimands import Estimand, every_share
from candor.mechanisms.table import Weights, eliminated, identifies

CACHED_TABLES = 256

CACHED_ESTIMANDS = 2048
"""Twenty tables of a hundred answers."""


@lru_cache(maxsize=CACHED_TABLES)
def scores(
    weights: Weights, *estimands: Estimand
) -> tuple[npt.NDArray[np.object_], int]:
    """Return the score of each report for each estimand, in whole numbers.

    Given an answer, the mean score of its reports is the answer's coefficient. Where
    several numbers do that, as may be with more reports than answers, these vary least
    when all answers have equal shares. With as many reports as answers they are the
    inverse of the table of chances (van den Hout & van der Heijden 2002, International
    Statistical Review 70:269).

    Estimands that are left out are the share of every answer. Returns numerators, shape
    (reports, estimands), of Python's whole numbers, and their denominator. `ValueError`
    where the table does not identify an estimand.
    """
    wanted = [each.coefficients for each in estimands or every_share(len(weights))]
    if not identifies(weights, *wanted):
        lost = next(each for each in wanted if not identifies(weights, each))
        raise ValueError(
            "mechanism must identify the sum of the shares of its answers times "
            f"{lost}; no numbers for its reports do"
        )
    table = np.array(weights, dtype=object)
    sent = table.sum(axis=0).tolist()
    # Least squares: s = D^-1 P' y with (P D^-1 P') y = c, D the chances of the reports
    # under equal shares. An impossible report scores 0.
    common = math.lcm(*filter(None, sent))
    scaled = table * [common // each if each else 0 for each in sent]
    normal = np.hstack([scaled @ table.T, np.array(wanted, dtype=object).T])
    rows, leading = eliminated(normal.tolist(), columns=len(weights))
    solved = np.zeros((len(weights), len(wanted)), dtype=object)
    for place, row in zip(leading, rows, strict=False):
        solved[place] = row[len(weights) :]
    numerators = sum(weights[0]) * scaled.T @ solved
    # A table of sums of squares leads with numbers above 0.
    denominator = rows[0][leading[0]]
    divisor = math.gcd(denominator, *numerators.flat)
    return numerators // divisor, denominator // divisor


@lru_cache(maxsize=CACHED_ESTIMANDS)
def score_numerators(
    weights: Weights, estimand: Estimand
) -> tuple[npt.NDArray[np.object_], int]:
    """Return the scores for one estimand, shape (reports,), and their denominator."""
    if len(weights[0]) < len(weights):
        numerators, denominator = scores(weights, estimand)
        return numerators[:, 0], denominator
    # Scores are linear in the estimand: the table is inverted once for all of them.
    numerators, denominator = scores(weights)
    return numerators @ np.array(estimand.coefficients, dtype=object), denominator


def score_values(weights: Weights, estimand: Estimand) -> FloatArray:
    """Return the score of each report, in the unit of the estimand."""
    numerators, denominator = score_numerators(weights, estimand)
    return (numerators / denominator).astype(np.float64)


def score_variance(
    weights: Weights, shares: Sequence[float], estimand: Estimand
) -> float:
    """Return n times the variance of the raw estimate, in the unit of the estimand.

    Sampling and randomisation together: sum of lam_r s_r^2 - t^2. The mean of a scale
    of 0 to 10 by one bit at epsilon 1, all points equally common, as a part of the
    scale:

    >>> from candor.estimands import mean_of_points
    >>> from candor.mechanisms import build
    >>> table, mean = build("one_bit", epsilon=1, points=11), mean_of_points(11)
    >>> variance = score_variance(table.weights, [1 / 11] * 11, mean)
    >>> print(f"{variance / mean.span**2:.2f}")
    1.17
    """
    score = score_values(weights, estimand)
    sent = np.array(shares) @ compute_chances(weights)
    return float(sent @ score**2) - float(sent @ score) ** 2


def largest_variance(
    moments: FloatArray, coefficients: Sequence[int], value: float
) -> float:
    """Return the largest variance of a score among all shares with a given estimand.

    It is reached with two answers: one whose coefficient is not above the value, and
    one whose coefficient is not below it. Where the estimand is a dichotomy, all shares
    have this variance. `moments` are the mean squared scores of the reports of each
    answer.
    """
    c = np.array(coefficients, dtype=np.float64)
    low, high = c <= value, c >= value
    below, above = c[low][:, None], c[high][None, :]
    apart = above - below
    part = np.divide(value - below, apart, where=apart > 0, out=np.zeros_like(apart))
    mixed = (1 - part) * moments[low][:, None] + part * moments[high][None, :]
    return float(mixed.max()) - value**2


def compute_chances(weights: Weights) -> FloatArray:
    """Return the table as probabilities: shape (answers, reports), rows sum to 1."""
    return np.array(weights, dtype=np.float64) / sum(weights[0])
