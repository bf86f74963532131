"""Epsilon of a table: the logarithm of its worst ratio, rounded up."""

import math
from collections.abc import Sequence
from decimal import ROUND_CEILING, Decimal, localcontext
from fractions import Fraction

MAX_EPSILON = 10
"""At larger epsilons odds can shift more than 22,000 times: no protection."""

LOGARITHM_DIGITS = 50
"""Digits of logarithms: far more than a float has, so that rounding up is exact."""


def worst_ratio(weights: Sequence[Sequence[int]]) -> Fraction | None:
    """Return the largest ratio of two weights in a column; None if one is 0."""
    columns = [column for column in zip(*weights, strict=True) if any(column)]
    if any(min(column) == 0 for column in columns):
        return None
    return max(Fraction(max(column), min(column)) for column in columns)


def shows_answers(weights: Sequence[Sequence[int]]) -> bool:
    """Return whether each report comes from only one answer: nothing is scrambled."""
    return all(sum(w > 0 for w in column) <= 1 for column in zip(*weights, strict=True))


def compute_epsilon(ratio: Fraction | None) -> float:
    """Return ln(ratio) as the smallest float not below it; infinity for None."""
    if ratio is None:
        return math.inf
    exact = compute_logarithm(ratio)
    nearest = float(exact)
    return nearest if Decimal(nearest) >= exact else math.nextafter(nearest, math.inf)


def epsilon_rounded_up(ratio: Fraction | None) -> str:
    """Return ln(ratio) rounded up to two decimals."""
    if ratio is None:
        return "∞"
    return str(
        compute_logarithm(ratio).quantize(Decimal("0.01"), rounding=ROUND_CEILING)
    )


def compute_logarithm(ratio: Fraction) -> Decimal:
    """Return ln(ratio) to `LOGARITHM_DIGITS` digits."""
    with localcontext(prec=LOGARITHM_DIGITS):
        return (Decimal(ratio.numerator) / Decimal(ratio.denominator)).ln()
