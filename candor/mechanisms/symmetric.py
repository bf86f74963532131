"""Tables that treat all answers equally: k-ary randomised response at any epsilon."""

import math
from collections.abc import Callable
from decimal import ROUND_FLOOR, Decimal, localcontext
from fractions import Fraction

from candor.mechanisms.epsilon import LOGARITHM_DIGITS, MAX_EPSILON
from candor.mechanisms.family import CHOICES, Family
from candor.mechanisms.parameters import MAX_TOTAL, Parameter
from candor.mechanisms.table import Weights

EPSILON = Parameter(
    name="epsilon", label="Epsilon", high=MAX_EPSILON, includes_high=True, example="1"
)

FINEST_SCALE = 2**20
"""Weight of an untrue report; halved until the row fits 2**32 (with two answers, above
epsilon 8.3)."""


def odds_in_whole_weights(
    epsilon: Fraction, *, fits: Callable[[int, int], bool]
) -> tuple[int, int]:
    """Return two whole weights with a ratio of e**epsilon, rounded down.

    `fits` returns whether a table takes these odds, rounded down, at this scale: the
    second weight, which is halved until it does.
    """
    # Rounded down at every step: the real odds stay at or below e**epsilon.
    with localcontext(prec=LOGARITHM_DIGITS, rounding=ROUND_FLOOR):
        exponent = Decimal(epsilon.numerator) / Decimal(epsilon.denominator)
        # exp rounds to nearest in any context, hence the step down.
        odds = exponent.exp().next_minus()
        scale = FINEST_SCALE
        while not fits(math.floor(odds), scale):
            scale //= 2
        return max(scale, math.floor(scale * odds)), scale


def symmetric(epsilon: Fraction, *, answers: int) -> Weights:
    """Return the table that reports the truth e**epsilon times as often as any other.

    Epsilon, in (0, 10], is never exceeded: the odds are rounded down. Kairouz, Oh &
    Viswanath 2016; Kairouz, Bonawitz & Ramage 2016, ICML, PMLR 48:2436 (k-RR).
    """
    truth, scale = odds_in_whole_weights(
        epsilon, fits=lambda odds, scale: scale * (odds + answers) <= MAX_TOTAL
    )
    return tuple(
        tuple(truth if report == answer else scale for report in range(answers))
        for answer in range(answers)
    )


def is_symmetric(weights: Weights) -> bool:
    """Return whether a table treats all answers equally, as `symmetric` makes it."""
    truth, *others = weights[0]
    size = range(len(weights))
    return len(others) + 1 == len(weights) and all(
        weights[answer][report] == (truth if report == answer else others[0])
        for answer in size
        for report in size
    )


class SymmetricFamily(Family):
    """The truth with the largest chance; every other answer with one smaller chance."""

    source = "Kairouz, Bonawitz & Ramage 2016, ICML, PMLR 48:2436-2444 (k-RR)"
    answers = ()
    reports = ()
    parameters = (EPSILON, CHOICES)

    def weights(self, *, epsilon: Fraction, **number: Fraction) -> Weights:
        (answers,) = number.values()
        return symmetric(epsilon, answers=int(answers))
