"""Mechanisms for any epsilon, which treat all answers equally."""

from dataclasses import replace
from fractions import Fraction

from candor.mechanisms.by_hand import gettext_noop
from candor.mechanisms.family import CHOICES, POINTS, Family
from candor.mechanisms.symmetric import EPSILON, SymmetricFamily, symmetric
from candor.mechanisms.table import Weights

LINKED_PAIR = "linked_pair"
"""The identifier of `LinkedPair`."""

BOTH, FIRST, SECOND = range(3)
"""Rows of its answers that contain a yes."""


class Epsilon(Family):
    """The optimal table for two answers at an epsilon, which it never exceeds."""

    label = gettext_noop("Any epsilon")
    source = "Kairouz, Oh & Viswanath 2016, JMLR 17(17):1-51 (optimal for two answers)"
    parameters = (EPSILON,)

    def weights(self, *, epsilon: Fraction) -> Weights:
        return symmetric(epsilon, answers=2)


class KAry(SymmetricFamily):
    """Report the truth most often, and all other answers equally often."""

    label = gettext_noop("Several answers, any epsilon")


class Grid(SymmetricFamily):
    """Report the true point most often, and all other points equally often."""

    label = gettext_noop("Scale, sent as one of its points")
    is_scale = True
    parameters = (EPSILON, POINTS)


class GridSkip(Grid):
    """The same as `Grid`, with "skipped" as one more answer."""

    label = gettext_noop("Scale that can be skipped, sent as one of its points")
    without_skip = "grid"


class LinkedPair(SymmetricFamily):
    """Two questions in one: yes to both, only the first, only the second, or none."""

    label = gettext_noop("Linked pair: two questions as one answer of four")
    parameters = (EPSILON, replace(CHOICES, low=3, high=4, example="4"))
