"""Symmetric randomised response at any epsilon."""

import math
from decimal import ROUND_FLOOR, Decimal, localcontext
from fractions import Fraction

from surveys.mechanisms.base import LOGARITHM_DIGITS, MAX_EPSILON, Family
from surveys.mechanisms.parameters import MAX_TOTAL, Parameter
from surveys.mechanisms.table import Weights

FINEST_SCALE = 2**20
"""Weight of the untrue report; halved until the row fits 2**32 (above epsilon 8.3)."""


class Epsilon(Family):
    """The best table for yes/no at a wanted epsilon, which it never exceeds."""

    label = "Any epsilon"
    source = "Kairouz, Oh & Viswanath 2016, JMLR 17(17):1-51 (optimal for two answers)"
    parameters = (
        Parameter(
            name="epsilon",
            label="Epsilon",
            high=MAX_EPSILON,
            includes_high=True,
            example="1",
        ),
    )

    def weights(self, *, epsilon: Fraction) -> Weights:
        # Rounded down at every step: the real odds stay at or below e**epsilon.
        with localcontext(prec=LOGARITHM_DIGITS, rounding=ROUND_FLOOR):
            exponent = Decimal(epsilon.numerator) / Decimal(epsilon.denominator)
            # exp rounds to nearest in any context, hence the step down.
            odds = exponent.exp().next_minus()
            scale = FINEST_SCALE
            while scale * (math.floor(odds) + 2) > MAX_TOTAL:
                scale //= 2
            truth = max(scale, math.floor(scale * odds))
        return ((truth, scale), (scale, truth))
