"""A number on a scale, sent as one bit: "high" with a probability that grows."""

from dataclasses import replace
from fractions import Fraction

from candor.mechanisms.by_hand import gettext_noop
from candor.mechanisms.family import POINTS, Family
from candor.mechanisms.parameters import MAX_TOTAL
from candor.mechanisms.symmetric import EPSILON, odds_in_whole_weights
from candor.mechanisms.table import Weights

MAX_POINTS = 101
"""0 to 100: finer than any list that people choose from."""


class OneBit(Family):
    """High or Low, with a chance of High that grows evenly from point to point."""

    label = gettext_noop("Scale, sent as High or Low")
    source = "Ding, Kulkarni & Yekhanin 2017, NeurIPS 30:3571-3580 (1BitMean)"
    answers = ()
    reports = ("high", "low")
    is_scale = True
    parameters = (EPSILON, replace(POINTS, high=MAX_POINTS, example="11"))

    def weights(self, *, epsilon: Fraction, points: Fraction) -> Weights:
        # P(high | v) = [1 + (E - 1) v / K] / (E + 1), times K (E + 1) in whole weights
        steps = int(points) - 1
        most, least = odds_in_whole_weights(
            epsilon, fits=lambda odds, scale: steps * scale * (odds + 2) <= MAX_TOTAL
        )
        rise = most - least
        return tuple(
            (steps * least + point * rise, steps * most - point * rise)
            for point in range(steps + 1)
        )
