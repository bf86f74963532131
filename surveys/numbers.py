"""Format numbers for readers, never more precisely than they are known."""

import math
import re
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

from django.utils.formats import number_format
from django.utils.translation import get_language_bidi, ngettext
from django.utils.translation import gettext as _

from candor.mechanisms.epsilon import epsilon_rounded_up

STEPS_IN_INTERVAL = 10
"""An interval at least this many steps wide loses little by rounding to whole steps."""

MAX_DECIMALS = 2

NOISE = 1e-11
"""Floating-point error that a share which is a round number may have."""

AS_TYPED = 10
"""Significant digits of a typed number: all of them, without floating-point error."""

WHOLE_FROM = 10
"""Factors from this value on are shown without a decimal."""

FINE_BELOW = 0.01
"""Margins below one point are shown with two decimals."""

HALF_THE_SCALE = 0.5
"""A margin or standard error from this value on excludes no share, so that its number
is not shown."""

MAX_VALUE_LENGTH = 6
"""Maximum number of decimals of a value on a scale."""

TICK_PARTS = tuple(Fraction(quarter, 4) for quarter in range(5))
"""Positions of the labels on a chart's axis, as parts of its scale."""

PLAIN = re.compile(r"-?\d+(\.\d+)?", re.ASCII)
"""Decimal notation, neither fractions nor exponents."""

START_OF_LEFT_TO_RIGHT, END_OF_ISOLATE = "\u2066", "\u2069"


def format_integer(number: int) -> str:
    return number_format(number, force_grouping=True)


def format_written_number(number: str) -> str:
    """Return a number that the library wrote in the reader's format; "1/6" as it is."""
    if not PLAIN.fullmatch(number):
        return number
    shown = number_format(number.removeprefix("-"), force_grouping=True)
    return isolate_sign(f"\N{MINUS SIGN}{shown}") if number.startswith("-") else shown


def format_percent(
    share: float,
    decimals: int = MAX_DECIMALS,
    *,
    rounding: str = ROUND_HALF_EVEN,
    trimmed: bool = False,
) -> str:
    """Return "23.45 %" for 0.2345, a dash for NaN; the space never breaks a line.

    Parameters
    ----------
    share : float
        Any number.
    decimals : int
        Digits behind the point, 0 or more.
    rounding : str
        A mode of the module `decimal`.
    trimmed : bool
        Whether trailing zeros are omitted.
    """
    if math.isnan(share):
        return "\N{EN DASH}"
    step = Decimal(1).scaleb(-decimals)
    number = (100 * Decimal(repr(share))).quantize(step, rounding)
    if trimmed:
        number = Decimal(f"{number.normalize():f}")
    shown = f"{number_format(abs(number))}\N{NO-BREAK SPACE}%"
    return shown if number >= 0 else isolate_sign(f"\N{MINUS SIGN}{shown}")


def format_distinct_percent(
    share: float, decimals: int = MAX_DECIMALS, *, trimmed: bool = False
) -> str:
    """Return a percentage with enough decimals to differ from 0 % and 100 %."""
    if min(abs(share), abs(1 - share)) > NOISE:
        hundred = 100 * Decimal(repr(share))
        while round(hundred, decimals) in (0, 100):
            decimals += 1
    return format_percent(share, decimals, trimmed=trimmed)


def isolate_sign(signed: str) -> str:
    """Return a signed number that right-to-left text shows with the sign in front.

    Without isolation, such text shows the sign behind the number, as in "5-".
    """
    if not get_language_bidi():
        return signed
    return f"{START_OF_LEFT_TO_RIGHT}{signed}{END_OF_ISOLATE}"


def choose_decimals(low: float, high: float) -> int:
    """Return the number of decimals of a percentage that suits the interval's width."""
    points = 100 * (high - low + NOISE)
    for decimals in range(MAX_DECIMALS):
        if points * 10**decimals >= STEPS_IN_INTERVAL:
            return decimals
    return MAX_DECIMALS


def format_limits(low: float, high: float) -> tuple[str, str]:
    """Return both ends rounded outwards: the text must not claim more than is known.

    Parameters
    ----------
    low, high : float
        Shares, 0 <= low <= high <= 1.
    """
    decimals = choose_decimals(low, high)
    return (
        format_percent(low + NOISE, decimals if low else 0, rounding=ROUND_FLOOR),
        format_percent(
            high - NOISE, decimals if high < 1 else 0, rounding=ROUND_CEILING
        ),
    )


def format_scale_estimate(
    value: float, *, low: float, high: float, rounding: str = ROUND_HALF_EVEN
) -> str:
    """Return a value of a scale, as precise as its interval; a dash for NaN."""
    if math.isnan(value):
        return "\N{EN DASH}"
    width = high - low
    # As with shares, an interval has ten steps or more. Whole digits are not rounded.
    decimals = 0
    while (
        width * 10**decimals < STEPS_IN_INTERVAL - NOISE and decimals < MAX_VALUE_LENGTH
    ):
        decimals += 1
    step = Decimal(1).scaleb(-decimals)
    number = Decimal(repr(round(value, AS_TYPED))).quantize(step, rounding)
    if not width:  # a single value is shown as it is written
        number = Decimal(f"{number.normalize():f}")
    shown = number_format(abs(number), force_grouping=True)
    return shown if number >= 0 else isolate_sign(f"\N{MINUS SIGN}{shown}")


def format_points(
    difference: float,
    *,
    decimals: int | None = None,
    digits: int | None = None,
    rounding: str = ROUND_HALF_EVEN,
) -> str:
    """Return a difference of shares in percentage points: "6.2" for 0.0621.

    Parameters
    ----------
    difference : float
        Finite.
    decimals : int, optional
        Digits behind the point; by default one, and two below one percentage point.
    digits : int, optional
        Significant digits, in place of decimals; trailing zeros are omitted.
    rounding : str
        A mode of the module `decimal`.
    """
    # The shortest decimal that is this float: 0.015 must not be rounded up to 1.6.
    exact = 100 * Decimal(repr(float(difference)))
    if digits is not None:
        context = Context(prec=digits, rounding=rounding)
        return number_format(f"{context.create_decimal(exact).normalize():f}")
    if decimals is None:
        decimals = 1 if difference >= FINE_BELOW else 2
    return number_format(exact.quantize(Decimal(1).scaleb(-decimals), rounding))


def avoid_singular(shown: str) -> str:
    """Return a number that "points" can follow: "1.0" for one, else the number."""
    return number_format("1.0") if shown == "1" else shown


def format_margin(margin: float, *, trimmed: bool = False) -> str:
    """Return "± 6.2 points", trimmed as typed; the spaces never break a line."""
    number = avoid_singular(format_points(margin, digits=AS_TYPED if trimmed else None))
    shown = _("± %s points") % number
    return shown.replace(" ", "\N{NO-BREAK SPACE}")


def format_reached_margin(reached: float) -> str:
    return say_too_imprecise() if reached >= HALF_THE_SCALE else format_margin(reached)


def format_standard_error(standard_error: float) -> str:
    if standard_error >= HALF_THE_SCALE:
        return say_too_imprecise()
    return format_distinct_percent(standard_error)


def say_too_imprecise() -> str:
    return _("tells nothing")


def format_factor(factor: float) -> str:
    """Return "3.9", from ten on without a decimal."""
    if math.isinf(factor):
        return "∞"
    decimals = 1 if factor < WHOLE_FROM else 0
    return number_format(f"{factor:.{decimals}f}", force_grouping=True)


def format_responses(count: int) -> str:
    return ngettext("%s response", "%s responses", count) % format_integer(count)


def format_people(count: int) -> str:
    return ngettext("%s person", "%s people", count) % format_integer(count)


def format_epsilon(ratio: Fraction | None) -> str:
    return number_format(epsilon_rounded_up(ratio))


def format_p_value(p: float, *, smallest: float, digits: str) -> str:
    """Return "P = 0.03", or "P < 0.001" where it is smaller than `smallest`."""
    text = f"P = {number_format(format(p, digits))}"
    if p < smallest:
        text = f"P < {number_format(repr(smallest))}"
    return text.replace(" ", "\N{NO-BREAK SPACE}")


def format_rounded_up(number: float, decimals: int = 2) -> str:
    """Return a number, such as an epsilon, rounded up."""
    if math.isinf(number):
        return "∞"
    step = Decimal(1).scaleb(-decimals)
    return number_format(Decimal(repr(float(number))).quantize(step, ROUND_CEILING))
