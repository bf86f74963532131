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
"""Weight of an untrue report. It is halved until the row fits 2**32 (with two answers,
this happens above epsilon 8.3)."""


def find_whole_weights(
    epsilon: Fraction, *, fits: Callable[[int, int], bool]
) -> tuple[int, int]:
    """Return two whole-number weights with a ratio of e**epsilon, rounded down.

    `fits(odds, scale)` returns whether a table is possible with these odds, rounded
    down, and `scale` as the second weight, which is halved until it is.
    """
    # Round down at every step, so that the real odds do not exceed e**epsilon.
    with localcontext(prec=LOGARITHM_DIGITS, rounding=ROUND_FLOOR):
        exponent = Decimal(epsilon.numerator) / Decimal(epsilon.denominator)
        # exp rounds to nearest in any context, so take the next smaller number.
        odds = exponent.exp().next_minus()
        scale = FINEST_SCALE
        while not fits(math.floor(odds), scale):
            scale //= 2
        return max(scale, math.floor(scale * odds)), scale


def symmetric(epsilon: Fraction, *, answers: int) -> Weights:
    """Return the table that sends the true report e**epsilon times as often as others.

    Epsilon, in (0, 10], is never exceeded, as the odds are rounded down. Kairouz, Oh &
    Viswanath 2016; Kairouz, Bonawitz & Ramage 2016, ICML, PMLR 48:2436 (k-RR).
    """
    truth, scale = find_whole_weights(
        epsilon, fits=lambda odds, scale: scale * (odds + answers) <= MAX_TOTAL
    )
    return tuple(
        tuple(truth if report == answer else scale for report in range(answers))
        for answer in range(answers)
    )


class SymmetricFamily(Family):
    """A family that sends the true report most often, and all others equally often."""

    source = "Kairouz, Bonawitz & Ramage 2016, ICML, PMLR 48:2436-2444 (k-RR)"
    answers = ()
    reports = ()
    parameters = (EPSILON, CHOICES)

    def weights(self, *, epsilon: Fraction, **number: Fraction) -> Weights:
        (answers,) = number.values()
        return symmetric(epsilon, answers=int(answers) + bool(self.without_skip))
