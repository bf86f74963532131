"""Parse numbers as people type them.

Files and commands stay strict: what a program writes has one form.
"""

import math
import re

from candor.files.table import THOUSANDS, use_decimal_point
from candor.mechanisms.parameters import MAX_TEXT_LENGTH, exact

LOGARITHM = re.compile(r"ln *(?:\((?P<inside>[^()]+)\)|(?P<bare>[^()]+))", re.I)

LOGARITHM_DECIMALS = 4
"""Logarithms are rounded down, so that an epsilon is never exceeded: ln 3 gives the
1.0986 of "Coin flip" (surveys/kinds/kind.py)."""


def normalise_number(text: str) -> str:
    """Return a number with a point, "ln 3" as its value; other text as it is."""
    typed = text.strip()
    if len(typed) > MAX_TEXT_LENGTH:
        return typed
    if found := LOGARITHM.fullmatch(typed):
        return compute_logarithm(found["inside"] or found["bare"]) or typed
    return use_decimal_point(typed)


def compute_logarithm(text: str) -> str | None:
    """Return the natural logarithm, rounded down; None if there is none."""
    number = exact(use_decimal_point(text))
    if number is None or number <= 0:
        return None
    # Either part of a fraction may be beyond the range of floats.
    value = math.log(number.numerator) - math.log(number.denominator)
    scale = 10**LOGARITHM_DECIMALS
    return f"{math.floor(value * scale) / scale:.{LOGARITHM_DECIMALS}f}"


def normalise_integer(text: str) -> str:
    """Return "1,000", "1.000" and "1 000" as 1000; other text as it is."""
    typed = text.strip()
    return re.sub(r"\D", "", typed) if THOUSANDS.fullmatch(typed) else text
