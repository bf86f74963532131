"""Parse numbers as people type them.

Files and commands stay strict: what a program writes has one form.
"""

import math
import re

from candor.files.table import THOUSANDS, with_point
from candor.mechanisms.parameters import LONGEST_TEXT, exact

LOGARITHM = re.compile(r"ln *(?:\((?P<inside>[^()]+)\)|(?P<bare>[^()]+))", re.I)

LOGARITHM_DECIMALS = 4
"""Rounded down, so that an epsilon is never exceeded: ln 3 is the 1.0986 of "Coin flip"
(surveys/kinds/kind.py)."""


def normalise_number(text: str) -> str:
    """Return a number with a point, of "ln 3" its value; anything else as it is."""
    typed = text.strip()
    if len(typed) > LONGEST_TEXT:
        return typed
    if found := LOGARITHM.fullmatch(typed):
        return compute_logarithm(found["inside"] or found["bare"]) or typed
    return with_point(typed)


def compute_logarithm(text: str) -> str | None:
    """Return the natural logarithm, rounded down; None of what has none."""
    number = exact(with_point(text))
    if number is None or number <= 0:
        return None
    # Of a fraction, both parts of which may be beyond any float.
    value = math.log(number.numerator) - math.log(number.denominator)
    scale = 10**LOGARITHM_DECIMALS
    return f"{math.floor(value * scale) / scale:.{LOGARITHM_DECIMALS}f}"


def normalise_integer(text: str) -> str:
    """Return "1,000", "1.000" and "1 000" as 1000; anything else as it is."""
    typed = text.strip()
    return re.sub(r"\D", "", typed) if THOUSANDS.fullmatch(typed) else text
