"""A number on a scale, sent as one of its points: k-ary randomised response."""

from fractions import Fraction

from candor.mechanisms.by_hand import gettext_noop
from candor.mechanisms.family import POINTS, Family
from candor.mechanisms.symmetric import EPSILON, symmetric
from candor.mechanisms.table import Weights


class Grid(Family):
    """The true point with the largest chance; every other with one smaller chance."""

    label = gettext_noop("Scale, sent as one of its points")
    source = "Kairouz, Bonawitz & Ramage 2016, ICML, PMLR 48:2436-2444 (k-RR)"
    answers = ()
    reports = ()
    is_scale = True
    parameters = (EPSILON, POINTS)

    def weights(self, *, epsilon: Fraction, points: Fraction) -> Weights:
        return symmetric(epsilon, answers=int(points))
