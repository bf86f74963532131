"""Randomised response with several answers, "Prefer not to answer" among them."""

from fractions import Fraction

from candor.mechanisms.by_hand import gettext_noop
from candor.mechanisms.family import CHOICES, Family
from candor.mechanisms.symmetric import EPSILON, symmetric
from candor.mechanisms.table import Weights


class KAry(Family):
    """The truth with the largest chance; every other answer with one smaller chance."""

    label = gettext_noop("Several answers, any epsilon")
    source = "Kairouz, Bonawitz & Ramage 2016, ICML, PMLR 48:2436-2444 (k-RR)"
    answers = ()
    reports = ()
    parameters = (EPSILON, CHOICES)

    def weights(self, *, epsilon: Fraction, choices: Fraction) -> Weights:
        return symmetric(epsilon, answers=int(choices))
