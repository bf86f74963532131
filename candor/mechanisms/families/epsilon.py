"""Symmetric randomised response at any epsilon."""

from fractions import Fraction

from candor.mechanisms.by_hand import gettext_noop
from candor.mechanisms.family import Family
from candor.mechanisms.symmetric import EPSILON, symmetric
from candor.mechanisms.table import Weights


class Epsilon(Family):
    """The best table for yes/no at a wanted epsilon, which it never exceeds."""

    label = gettext_noop("Any epsilon")
    source = "Kairouz, Oh & Viswanath 2016, JMLR 17(17):1-51 (optimal for two answers)"
    parameters = (EPSILON,)

    def weights(self, *, epsilon: Fraction) -> Weights:
        return symmetric(epsilon, answers=2)
