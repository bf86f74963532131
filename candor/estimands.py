"""Estimands, which are linear functions of the shares of the answers, and their scores.

The mean score of all reports is an unbiased estimate of the estimand.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

import numpy as np
import numpy.typing as npt

from candor.binary import FloatArray
from candor.mechanisms import Mechanism, load_families
from candor.mechanisms.parameters import shown
from candor.mechanisms.table import Weights, eliminate_rows, identifies, identity
from candor.validation import is_whole

MEAN = "mean"
"""The name of the mean of a scale in tables of estimates."""


@dataclass(frozen=True)
class Estimand:
    """The sum over the answers of a coefficient times the answer's share.

    Attributes
    ----------
    coefficients : tuple of int
        One for each answer. For a set of answers: 1, and 0 for all others. For the mean
        of a scale: the values of its points. For a difference: 1 and -1.

    Examples
    --------
    The share of the first two of three answers together:

    >>> Estimand.make_share(0, 1, answers=3)
    Estimand(coefficients=(1, 1, 0))
    """

    coefficients: tuple[int, ...]

    @classmethod
    def make_share(cls, *places: int, answers: int) -> Self:
        """Return the total share of the answers in these rows of the table."""
        return cls(tuple(int(place in places) for place in range(answers)))

    @property
    def low(self) -> int:
        """The smallest possible value."""
        return min(self.coefficients)

    @property
    def high(self) -> int:
        """The largest possible value."""
        return max(self.coefficients)

    @property
    def span(self) -> int:
        """The length of the range."""
        return self.high - self.low

    def of(self, shares: Iterable[float]) -> float:
        """Return the value for shares of the answers, in the order of the table."""
        return sum(
            c * share for c, share in zip(self.coefficients, shares, strict=True)
        )

    def between(self, part: float) -> float:
        """Return the value at `part`, in [0, 1], of the range from the smallest."""
        return self.low + self.span * part

    def clipped(self, value: float) -> float:
        """Return `value` clipped to the range."""
        return min(max(value, float(self.low)), float(self.high))


def every_share(answers: int) -> tuple[Estimand, ...]:
    """Return the share of each answer as an estimand."""
    return tuple(map(Estimand, identity(answers)))


def mean_of_points(points: int) -> Estimand:
    """Return the mean of a scale with this number of points, 0 to K."""
    return Estimand(tuple(range(points)))


def is_scale(mechanism: Mechanism) -> bool:
    """Return whether all answers are points of a scale, so that it has a mean."""
    if mechanism.can_be_skipped:
        return False
    family = load_families().get(mechanism.family)
    return not mechanism.identifies_shares or (family is not None and family.is_scale)


def list_named_estimands(mechanism: Mechanism) -> dict[str, Estimand]:
    """Return the estimands of a table of estimates by name.

    They are the mean of a scale, if it is one, and the share of each answer, if reports
    identify shares.
    """
    answers = mechanism.answers
    named = {MEAN: mean_of_points(len(answers))} if is_scale(mechanism) else {}
    if mechanism.identifies_shares:
        named |= dict(zip(answers, every_share(len(answers)), strict=True))
    return named


def find_estimand(mechanism: Mechanism, estimand: Estimand | str) -> Estimand:
    """Return the estimand with this name, or the given estimand, checked.

    `TypeError` or `ValueError` for an unknown name, for "mean" without a scale, and
    unless coefficients are one whole number for each answer, not all the same.
    """
    answers = mechanism.answers
    if isinstance(estimand, str):
        if estimand in answers:
            return Estimand.make_share(answers.index(estimand), answers=len(answers))
        if estimand == MEAN and is_scale(mechanism):
            return mean_of_points(len(answers))
        if estimand == MEAN and mechanism.can_be_skipped:
            raise ValueError(
                "estimand 'mean' needs a point as every answer; some skip this scale, "
                "so only the mean among those who answered can be estimated"
            )
        if estimand == MEAN:
            raise ValueError(
                "estimand 'mean' needs the points of a scale, as the families one_bit "
                f"and grid have them; got family {mechanism.family!r} with answers "
                f"{', '.join(answers)}"
            )
        raise ValueError(
            f"estimand must be one of {', '.join(answers)}; got {shown(estimand)}"
        )
    if not isinstance(estimand, Estimand):
        raise TypeError(
            f"estimand must be an answer or an Estimand; got {shown(estimand)}"
        )
    coefficients = estimand.coefficients
    if not all(map(is_whole, coefficients)):
        raise TypeError(
            f"estimand must have whole numbers as coefficients; got {coefficients!r}"
        )
    if len(coefficients) != len(answers) or not estimand.span:
        raise ValueError(
            f"estimand must have a coefficient for each of {len(answers)} answers, not "
            f"all the same; got {coefficients!r}"
        )
    return estimand


def select_estimands(
    mechanism: Mechanism, estimand: Estimand | str | None
) -> dict[str, Estimand]:
    """Return the estimands of a table by name: the given one, or all."""
    if estimand is None:
        return list_named_estimands(mechanism)
    found = find_estimand(mechanism, estimand)
    return {
        estimand
        if isinstance(estimand, str)
        else name_estimand(mechanism, found): found
    }


def name_estimand(mechanism: Mechanism, estimand: Estimand) -> str:
    """Return the name of an estimand in a table of estimates."""
    for name, each in list_named_estimands(mechanism).items():
        if each == estimand:
            return name
    pairs = [
        (coefficient, answer)
        for coefficient, answer in zip(
            estimand.coefficients, mechanism.answers, strict=True
        )
        if coefficient
    ]
    if all(coefficient == 1 for coefficient, _answer in pairs):
        return " or ".join(answer for _coefficient, answer in pairs)
    terms = (f"{coefficient} {answer}" for coefficient, answer in pairs)
    return " + ".join(terms).replace("+ -", "- ")


CACHED_TABLES = 256

CACHED_ESTIMANDS = 2048
"""Enough for twenty tables of a hundred answers."""


@lru_cache(maxsize=CACHED_TABLES)
def scores(
    weights: Weights, *estimands: Estimand
) -> tuple[npt.NDArray[np.object_], int]:
    """Return the score of each report for each estimand, in whole numbers.

    Given an answer, the mean score of its reports is the answer's coefficient. With
    more reports than answers, several scores may satisfy this; the returned ones have
    the smallest variance if all answers have equal shares. With as many reports as
    answers, they are the inverse of the table of chances (van den Hout & van der
    Heijden 2002, International Statistical Review 70:269).

    Without `estimands`, they are the shares of all answers. Returns numerators as
    Python ints, shape (reports, estimands), and their denominator. `ValueError` if the
    table does not identify an estimand.
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
    # Least squares: s = D^-1 P' y with (P D^-1 P') y = c, where D is the diagonal of
    # the chances of reports under equal shares. An impossible report scores 0.
    common = math.lcm(*filter(None, sent))
    scaled = table * [common // each if each else 0 for each in sent]
    normal = np.hstack([scaled @ table.T, np.array(wanted, dtype=object).T])
    rows, leading = eliminate_rows(normal.tolist(), columns=len(weights))
    solved = np.zeros((len(weights), len(wanted)), dtype=object)
    for place, row in zip(leading, rows, strict=False):
        solved[place] = row[len(weights) :]
    numerators = sum(weights[0]) * scaled.T @ solved
    # The leading numbers of a matrix of sums of squares are positive.
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
    # Scores are linear in the estimand: the table is inverted only once.
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

    It includes sampling and randomisation: sum of lam_r s_r^2 - t^2. For the mean of a
    scale from 0 to 10 by one bit at epsilon 1, with equally common points and as a part
    of the scale:

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


def find_largest_variance(
    moments: FloatArray, coefficients: Sequence[int], value: float
) -> float:
    """Return the largest variance of a score among all shares with this value.

    Two answers reach it: one whose coefficient is at most the value of the estimand,
    and one whose coefficient is at least the value. If the estimand has a dichotomy,
    all shares with the value have this variance. `moments` are the mean squared scores
    of the reports of each answer.
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
