"""Means of scales that can be skipped, among those who answered.

Respondents who skip have no point, so the mean of all respondents is not identified.
Two sums are identified: the points of the respondents who answered, and their number.
The mean among them is the ratio of the two.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from candor.binary import BinaryChannel, FloatArray
from candor.estimands import Estimand, score_values
from candor.intervals import Interval, share_interval
from candor.likelihood import AT_EDGE, profile_ratio
from candor.mechanisms import Mechanism

HALF_A_REPORT = 0.5
"""Smallest distance of a share from the ends of its range, as in `candor.binary`."""

FEW_AT_END = 5
"""With fewer reports, an end of a scale could have had none by chance."""


def find_counted_share_interval(
    mechanism: Mechanism,
    counts: Sequence[int],
    place: int,
    declined: int,
    *,
    answered: float,
    confidence_level: float,
) -> Interval:
    """Return the exact interval of the share of an answer among those who answered.

    The table is k-ary randomised response. Among the reports other than that of the
    answer `declined`, the number of those of the answer `place` is binomial, given the
    share `answered` in (0, 1] of those who answered, which is estimated.
    """
    truth, other = mechanism.weights[place][place], mechanism.weights[place][declined]
    part = (truth - other) * answered
    total = (len(counts) - 1) * other + part
    channel = BinaryChannel(
        p_yes_given_yes=(other + part) / total, p_yes_given_no=other / total
    )
    return share_interval(
        counts[place],
        channel.design(sum(counts) - counts[declined]),
        confidence_level=confidence_level,
    )


def list_points(mechanism: Mechanism) -> tuple[int, ...]:
    """Return the point of each answer except the last one, "skipped"."""
    if mechanism.answers == mechanism.reports and mechanism.reports[0] == "high":
        return (int(mechanism.parameters["points"]) - 1, 0)
    return tuple(range(mechanism.points))


@dataclass(frozen=True)
class MeanAmongAnswered:
    """The mean among those who answered: the ratio of two estimands of a scale.

    `mechanism` has as many reports as answers, as `reduce_to_ends` returns it.
    """

    mechanism: Mechanism

    @property
    def points(self) -> tuple[int, ...]:
        return list_points(self.mechanism)

    @property
    def last(self) -> int:
        """The highest point, K; the lowest one is 0."""
        return max(self.points)

    @property
    def total(self) -> Estimand:
        """The sum of the points of those who answered, per respondent."""
        return Estimand((*self.points, 0))

    @property
    def answered(self) -> Estimand:
        """The share of those who answered."""
        return Estimand((*(1 for _point in self.points), 0))

    @property
    def highest_total(self) -> Estimand:
        """The mean of all respondents if all who skipped were at the highest point."""
        return Estimand((*self.points, self.last))

    def clip(self, value: float) -> float:
        return float(min(max(value, 0.0), self.last))

    def find_scores(self) -> FloatArray:
        """Return the scores of both estimands, shape (2, reports)."""
        weights = self.mechanism.weights
        return np.array(
            [score_values(weights, self.total), score_values(weights, self.answered)]
        )

    def residual_score(self, mean: float) -> FloatArray:
        """Return the score of total - mean * answered, with mean 0 at the truth."""
        total, answered = self.find_scores()
        return total - mean * answered

    def divide(self, total: float, answered: float) -> float:
        """Return the ratio of two raw estimates; NaN unless the second is positive."""
        return total / answered if answered > 0 else math.nan

    def profile(
        self, counts: Sequence[float], *, drop: float
    ) -> tuple[float, Interval]:
        """Return the maximum-likelihood ratio and its profile-likelihood interval."""
        weights = np.array(self.mechanism.weights, dtype=np.float64)
        places = range(len(self.points))
        found, ends = profile_ratio(
            weights / self.mechanism.total,
            counts,
            places,
            Estimand(self.points),
            drop=drop,
        )
        # The search ends a little above a share of 0.
        is_at_end = found > self.last * (1 - AT_EDGE)
        return float(self.last) if is_at_end else found, ends

    def widen(self, ends: Interval, counts: Sequence[int], *, drop: float) -> Interval:
        """Return a profile interval that allows for unobserved answers at an end.

        If an end of the scale has few reports, the interval includes the one with half
        a report more there.
        """
        low, high = ends
        for point in (0, self.last):
            place = self.points.index(point)
            if counts[place] < FEW_AT_END:
                more: list[float] = [*counts]
                more[place] += HALF_A_REPORT
                _, found = self.profile(more, drop=drop)
                low = min(low, found.low) if point == 0 else low
                high = max(high, found.high) if point else high
        return Interval(low, high)

    def find_counted_interval(
        self, counts: Sequence[int], *, answered: float, confidence_level: float
    ) -> Interval:
        """Return the exact interval from the count of an end, for answers at the ends.

        See `find_counted_share_interval`.
        """
        low, high = find_counted_share_interval(
            self.mechanism,
            counts,
            self.points.index(self.last),
            len(counts) - 1,
            answered=answered,
            confidence_level=confidence_level,
        )
        return Interval(self.last * low, self.last * high)

    def find_fieller_interval(
        self, values: FloatArray, covariance: FloatArray, *, t: float
    ) -> Interval:
        """Return the interval of means that the test by `residual_score` accepts.

        `values` are the raw estimates of total and answered, and `covariance`, shape
        (2, 2), is their covariance. The interval is the whole scale if the share of
        those who answered may be 0.

        References
        ----------
        Fieller 1954, Journal of the Royal Statistical Society B 16:175.
        """
        # (N - m D)^2 <= t^2 (V_N - 2 m C + m^2 V_D), a quadratic in m
        matrix = np.outer(values, values) - t**2 * covariance
        constant, middle, square = matrix[0, 0], matrix[0, 1], matrix[1, 1]
        if values[1] <= 0 or square <= 0:
            return Interval(0.0, float(self.last))
        root = math.sqrt(max(middle**2 - square * constant, 0.0))
        low, high = (middle - root) / square, (middle + root) / square
        return Interval(self.clip(low), self.clip(high))
