"""Scales on which each respondent reports only High or Low."""

from dataclasses import replace
from fractions import Fraction
from typing import ClassVar

from candor.mechanisms.by_hand import gettext_noop
from candor.mechanisms.family import POINTS, Family
from candor.mechanisms.mechanism import SKIPPED
from candor.mechanisms.parameters import MAX_TOTAL
from candor.mechanisms.symmetric import EPSILON, find_whole_weights
from candor.mechanisms.table import Weights

MAX_POINTS = 101
"""0 to 100, which is finer than any list from which people choose."""


class OneBit(Family):
    """Report High or Low. The probability of High grows evenly with the point."""

    label = gettext_noop("Scale, sent as High or Low")
    source = "Ding, Kulkarni & Yekhanin 2017, NeurIPS 30:3571-3580 (1BitMean)"
    answers = ()
    reports: ClassVar[tuple[str, ...]] = ("high", "low")
    is_scale = True
    parameters = (EPSILON, replace(POINTS, high=MAX_POINTS, example="11"))

    def weights(self, *, epsilon: Fraction, points: Fraction) -> Weights:
        # With k reports, P(high | v) = [1 + (E - 1) v / K] / (E + k - 1), and reports
        # other than high and low have 1 / (E + k - 1): times K (E + k - 1).
        steps, reports = int(points) - 1, len(self.reports)
        most, least = find_whole_weights(
            epsilon,
            fits=lambda odds, scale: steps * scale * (odds + reports) <= MAX_TOTAL,
        )
        rise, others = most - least, (steps * least,) * (reports - 2)
        return tuple(
            (steps * least + point * rise, steps * most - point * rise, *others)
            for point in range(steps + 1)
        )


class OneBitSkip(OneBit):
    """Report High, Low or Skipped, by k-ary randomised response.

    A point is first rounded to one of the ends. The probability of the high end grows
    evenly with the point.
    """

    label = gettext_noop("Scale that can be skipped, sent as High or Low")
    reports = ("high", "low", SKIPPED)
    without_skip = "one_bit"

    def weights(self, *, epsilon: Fraction, points: Fraction) -> Weights:
        rows = super().weights(epsilon=epsilon, points=points)
        # The lowest point is always "low" before it is randomised.
        least, most, _skipped = rows[0]
        return (*rows, (least, least, most))
