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
"""Places of its answers with a yes."""


class Epsilon(Family):
    """The best table for yes/no at a wanted epsilon, which it never exceeds."""

    label = gettext_noop("Any epsilon")
    source = "Kairouz, Oh & Viswanath 2016, JMLR 17(17):1-51 (optimal for two answers)"
    parameters = (EPSILON,)

    def weights(self, *, epsilon: Fraction) -> Weights:
        return symmetric(epsilon, answers=2)


class KAry(SymmetricFamily):
    """The truth with the largest chance; every other answer with one smaller chance."""

    label = gettext_noop("Several answers, any epsilon")


class Grid(SymmetricFamily):
    """The true point with the largest chance; every other with one smaller chance."""

    label = gettext_noop("Scale, sent as one of its points")
    is_scale = True
    parameters = (EPSILON, POINTS)


class GridSkip(Grid):
    """The true point or none with the largest chance; every other with one smaller."""

    label = gettext_noop("Scale that can be skipped, sent as one of its points")
    without_skip = "grid"

    def weights(self, *, epsilon: Fraction, **number: Fraction) -> Weights:
        (points,) = number.values()
        return symmetric(epsilon, answers=int(points) + 1)


class LinkedPair(SymmetricFamily):
    """Yes to both, to the first alone, to the second alone, or to neither."""

    label = gettext_noop("Linked pair: two questions as one answer of four")
    parameters = (EPSILON, replace(CHOICES, low=3, high=4, example="4"))
