"""Parameters of families, which are parsed as exact numbers."""

import numbers
import re
from collections.abc import Collection
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

MAX_TOTAL = 2**32
"""Largest sum of a row of weights, so that one 32-bit word decides a report."""

MAX_SHOWN_LENGTH = 60
"""Characters of a rejected value in an error message."""

SIMPLE_DENOMINATOR = 2**16
"""A number such as 0.8333333333333334 is read as a fraction if one with a denominator
up to this equals the same double."""

MAX_DIGITS = 1_000
"""Digits of a numerator or denominator. Any double has fewer than 350, and Python does
not print whole numbers of more than 4,300."""

MAX_TEXT_LENGTH = 2 * MAX_DIGITS + len("-/")

# Exponents are bounded: otherwise "1e999999999" would be computed digit by digit.
NUMBER = re.compile(r"[+-]?(\d+/\d+|(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?)", re.ASCII)


class ParameterError(ValueError):
    """Raised for an invalid parameter; names the parameter, its range and the value."""

    def __init__(self, parameter: str, *, allowed: str, value: object) -> None:
        self.parameter = parameter
        self.allowed = allowed
        self.value = value
        super().__init__(f"{parameter} must be {allowed}; got {shown(value)}")


def shown(value: object) -> str:
    """Return `value` as text for an error message, quoted and of limited length."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return "nothing"
    try:
        text = str(value) if isinstance(value, numbers.Number) else repr(value)
    except ValueError:
        return "a number too long to show"
    return text if len(text) <= MAX_SHOWN_LENGTH else f"{text[:MAX_SHOWN_LENGTH]}..."


def check_choice(name: str, value: object, allowed: Collection[str]) -> None:
    """Raise `TypeError` unless `value` is text, `ValueError` unless it is allowed."""
    message = f"{name} must be one of {', '.join(allowed)}; got {shown(value)}"
    if not isinstance(value, str):
        raise TypeError(message)
    if value not in allowed:
        raise ValueError(message)


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """A number in the interval (`low`, `high`) or (`low`, `high`].

    `name` is the keyword of `build`: outcome first, condition second. `label` and
    `example` are for the form field. If `counts_answers`, it is the number of answers:
    a form counts the answers instead of having a field.
    """

    name: str
    label: str
    low: int = 0
    high: int = 1
    includes_high: bool = False
    example: str = ""
    counts_answers: bool = False

    @property
    def allowed(self) -> str:
        """The range as text for error messages."""
        if self.counts_answers:
            last = self.high if self.includes_high else self.high - 1
            return (
                f"a whole number from {self.low + 1} to {last}, such as {self.example}"
            )
        closing = "]" if self.includes_high else ")"
        return f"a number in ({self.low}, {self.high}{closing}, such as {self.example}"

    def parse(self, value: object) -> Fraction:
        """Return `value` as an exact fraction in the range, or raise `ParameterError`.

        "1/6", "0.25", 0.25 and 0.8333333333333334 (read as 5/6) are all numbers.
        """
        number = exact(value)
        if number is None or not self.low < number:
            raise ParameterError(self.name, allowed=self.allowed, value=value)
        if number > self.high or (number == self.high and not self.includes_high):
            raise ParameterError(self.name, allowed=self.allowed, value=value)
        if self.counts_answers and number.denominator != 1:
            raise ParameterError(self.name, allowed=self.allowed, value=value)
        return number


def exact(value: object) -> Fraction | None:
    """Return `value` as a fraction, or None if it is not a number."""
    number = None
    if isinstance(value, bool):
        return None
    if isinstance(value, numbers.Rational):
        number = Fraction(int(value.numerator), int(value.denominator))
    elif isinstance(value, str | Decimal | numbers.Real):
        # str gives the shortest text for a float, so 0.1 means 1/10.
        number = read(str(value).strip())
    if number and max(abs(number.numerator), number.denominator) >= 10**MAX_DIGITS:
        return None
    return number


def read(text: str) -> Fraction | None:
    """Return the number written as `text`, or None if it is not a number."""
    if len(text) > MAX_TEXT_LENGTH or not NUMBER.fullmatch(text):
        return None
    try:
        number = Fraction(text)
        return number if "/" in text else find_simplest(number)
    except (ZeroDivisionError, OverflowError):
        return None


def find_simplest(decimal: Fraction) -> Fraction:
    """Return the short fraction equal to a long decimal as a float, or `decimal`."""
    if decimal.denominator <= MAX_TOTAL:
        return decimal
    candidate = decimal.limit_denominator(SIMPLE_DENOMINATOR)
    return candidate if float(candidate) == float(decimal) else decimal
