"""Numbers and ranges as the command prints them."""

import math
import re
from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal

WITHIN = (
    r"in (?P<opens>[\[(])(?P<low>-?[\d.e+-]+), (?P<high>-?[\d.e+-]+)(?P<closes>[\])])"
)
SPAN = re.compile(WITHIN)
SPANS = {
    "[]": "from %(low)s to %(high)s",
    "()": "above %(low)s and below %(high)s",
    "(]": "above %(low)s and at most %(high)s",
    "[)": "from %(low)s to below %(high)s",
}
"""By whether the ends belong to the range."""

HALF_THE_SCALE = 0.5
"""A margin or standard error of this size leaves every share possible."""

STEPS_IN_INTERVAL = 10
"""An interval at least this many steps wide loses little by rounding to whole steps."""

MOST_DECIMALS = 2

ROUNDING_ERROR = 1e-11
"""What floating point may add to a share that is a round number."""


def without_brackets(message: str) -> str:
    """Return the message with "above 0 and below 1" in place of "in (0, 1)"."""
    return SPAN.sub(
        lambda found: SPANS[found["opens"] + found["closes"]] % found.groupdict(),
        message,
    )


def grouped(number: int) -> str:
    """Return a whole number with separators: "1,000"."""
    return f"{number:,}"


def listed(parts: Sequence[str]) -> str:
    """Return "a, b and c"."""
    *others, last = parts
    return f"{', '.join(others)} and {last}" if others else last


def percent(
    share: float,
    decimals: int = MOST_DECIMALS,
    *,
    rounding: str = ROUND_HALF_EVEN,
    trimmed: bool = False,
) -> str:
    """Return "23.45 %" for 0.2345, and a dash for NaN.

    The space does not break. `trimmed` leaves out zeros at the end.
    """
    if math.isnan(share):
        return "\N{EN DASH}"
    step = Decimal(1).scaleb(-decimals)
    number = (100 * Decimal(repr(share))).quantize(step, rounding)
    if trimmed:
        number = Decimal(f"{number.normalize():f}")
    sign = "" if number >= 0 else "\N{MINUS SIGN}"
    return f"{sign}{abs(number):f}\N{NO-BREAK SPACE}%"


def percent_apart(share: float, *, trimmed: bool = False) -> str:
    """Return `percent` with enough digits to differ from 0 % and from 100 %."""
    decimals = MOST_DECIMALS
    if min(abs(share), abs(1 - share)) > ROUNDING_ERROR:
        hundred = 100 * Decimal(repr(share))
        while round(hundred, decimals) in (0, 100):
            decimals += 1
    return percent(share, decimals, trimmed=trimmed)


def decimals_for(low: float, high: float) -> int:
    """Return how many decimals of a percentage an interval of this width deserves."""
    points = 100 * (high - low + ROUNDING_ERROR)
    for decimals in range(MOST_DECIMALS):
        if points * 10**decimals >= STEPS_IN_INTERVAL:
            return decimals
    return MOST_DECIMALS


def limits(low: float, high: float) -> tuple[str, str]:
    """Return both ends of an interval in percent, rounded outwards."""
    decimals = decimals_for(low, high)
    return (
        percent(low + ROUNDING_ERROR, decimals if low else 0, rounding=ROUND_FLOOR),
        percent(
            high - ROUNDING_ERROR, decimals if high < 1 else 0, rounding=ROUND_CEILING
        ),
    )


def points(difference: float) -> str:
    """Return a difference of shares in percentage points: "6.21" for 0.0621."""
    # The shortest decimal that is this float: 0.015 must not be rounded up to 1.6.
    exact = 100 * Decimal(repr(float(difference)))
    return str(exact.quantize(Decimal("0.01"), ROUND_HALF_EVEN))


def rounded_up(number: float, decimals: int = 2) -> str:
    """Return a number such as an epsilon, never smaller than it is."""
    if math.isinf(number):
        return "∞"
    step = Decimal(1).scaleb(-decimals)
    return str(Decimal(repr(float(number))).quantize(step, ROUND_CEILING))
