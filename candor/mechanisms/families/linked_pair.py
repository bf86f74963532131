"""Two questions of yes or no, scrambled together as one answer of four."""

from dataclasses import replace
from fractions import Fraction

from candor.mechanisms.by_hand import gettext_noop
from candor.mechanisms.family import CHOICES, Family
from candor.mechanisms.symmetric import EPSILON, symmetric
from candor.mechanisms.table import Weights

LINKED_PAIR = "linked_pair"
"""The name of the family."""

BOTH, FIRST, SECOND = range(3)
"""Places of the answers with a yes."""

FOUR = replace(CHOICES, low=3, high=4, example="4")


class LinkedPair(Family):
    """Yes to both, to the first alone, to the second alone, or to neither.

    The truth with the largest chance, every other answer with one smaller chance.
    """

    label = gettext_noop("Linked pair: two questions as one answer of four")
    source = "Kairouz, Bonawitz & Ramage 2016, ICML, PMLR 48:2436-2444 (k-RR)"
    answers = ()
    reports = ()
    parameters = (EPSILON, FOUR)

    def weights(self, *, epsilon: Fraction, choices: Fraction) -> Weights:
        return symmetric(epsilon, answers=int(choices))
