"""Symmetric randomised response at any epsilon."""

import math
from decimal import ROUND_FLOOR, Decimal, localcontext
from fractions import Fraction

from surveys.mechanisms.base import (
    LOGARITHM_DIGITS,
    MAX_EPSILON,
    Family,
    Weights,
)
from surveys.mechanisms.parameters import MAX_TOTAL, Parameter

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
        with localcontext(prec=LOGARITHM_DIGITS):
            odds = (Decimal(epsilon.numerator) / Decimal(epsilon.denominator)).exp()
            scale = FINEST_SCALE
            while scale * (math.floor(odds) + 2) > MAX_TOTAL:
                scale //= 2
            # Rounded down: the real odds stay at or below e**epsilon.
            truth = int((scale * odds).to_integral_value(rounding=ROUND_FLOOR))
        return ((truth, scale), (scale, truth))
