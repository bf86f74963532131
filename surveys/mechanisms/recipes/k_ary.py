"""Randomised response with several answers, "Prefer not to answer" among them."""

from fractions import Fraction

from surveys.mechanisms.by_hand import for_researchers, gettext_noop
from surveys.mechanisms.family import Family
from surveys.mechanisms.parameters import Parameter
from surveys.mechanisms.symmetric import EPSILON, symmetric
from surveys.mechanisms.table import Weights

MAX_CHOICES = 20
"""Nobody weighs a longer list. From about 1.4 (e**epsilon + 1) answers on, a short list
of answers would teach more than a single one (subset selection: Ye & Barg 2018, IEEE
Transactions on Information Theory 64:5662)."""


class KAry(Family):
    """The truth with the largest chance; every other answer with one smaller chance."""

    label = gettext_noop("Several answers, any epsilon")
    source = "Kairouz, Bonawitz & Ramage 2016, ICML, PMLR 48:2436-2444 (k-RR)"
    answers = ()
    reports = ()
    parameters = (
        EPSILON,
        Parameter(
            name="choices",
            label=for_researchers("Number of answers"),
            low=1,
            high=MAX_CHOICES,
            includes_high=True,
            counts_answers=True,
            example="3",
        ),
    )

    def weights(self, *, epsilon: Fraction, choices: Fraction) -> Weights:
        return symmetric(epsilon, answers=int(choices))
