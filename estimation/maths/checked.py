"""Arguments of the planning functions: checked at the edge, refused by name."""

import numbers
from dataclasses import dataclass

from estimation.maths.intervals import is_whole
from surveys.mechanisms import Mechanism
from surveys.mechanisms.parameters import shown

MAX_RESPONDENTS = 10**9
"""More than any survey asks. Beyond, a planned number is given as None."""


@dataclass(frozen=True, kw_only=True)
class Range:
    """Numbers between two bounds.

    Attributes
    ----------
    low, high : float
        The bounds; they belong to the range unless `open_low` or `open_high`.
    open_low, open_high : bool
    example : str
        A sound value, which errors name.
    """

    low: float
    high: float
    open_low: bool = False
    open_high: bool = False
    example: str

    @property
    def allowed(self) -> str:
        """The range in interval notation, with the example."""
        opening, closing = "[("[self.open_low], "])"[self.open_high]
        return (
            f"a number in {opening}{self.low:g}, {self.high:g}{closing}, "
            f"such as {self.example}"
        )

    def check(self, name: str, value: float) -> float:
        """Return `value` as a float within the range.

        Raises
        ------
        TypeError
            Where it is no number.
        ValueError
            Where it is out of range or NaN.
        """
        message = f"{name} must be {self.allowed}; got {shown(value)}"
        if not is_number(value):
            raise TypeError(message)
        # Compared before it becomes a float, which a huge whole number cannot.
        if not self.low <= value <= self.high:
            raise ValueError(message)
        number = float(value)
        is_open_end = (self.open_low and number == self.low) or (
            self.open_high and number == self.high
        )
        if is_open_end:
            raise ValueError(message)
        return number


def is_number(value: object) -> bool:
    """Return whether `value` is a real number of Python or numpy, and no truth."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


SHARE = Range(low=0, high=1, example="0.1")
CONFIDENCE_LEVEL = Range(low=0, high=1, open_low=True, open_high=True, example="0.95")
MARGIN = Range(low=1e-6, high=1, open_high=True, example="0.05")
"""A millionth is finer than any survey; it keeps the numbers of respondents finite."""


def check_whole(name: str, value: int, *, low: int, high: int) -> int:
    """Return `value` as an int in [low, high].

    Raises
    ------
    TypeError
        Where it is no whole number.
    ValueError
        Where it is out of range.
    """
    message = f"{name} must be a whole number in [{low}, {high}]; got {shown(value)}"
    if not is_whole(value):
        raise TypeError(message)
    if not low <= value <= high:
        raise ValueError(message)
    return int(value)


def check_respondents(value: int, *, name: str = "respondents") -> int:
    """Return a number of respondents in [1, `MAX_RESPONDENTS`], or raise."""
    return check_whole(name, value, low=1, high=MAX_RESPONDENTS)


def check_two_by_two(mechanism: Mechanism) -> None:
    """Raise `TypeError` for no mechanism, `ValueError` for one that is not 2 x 2."""
    if not isinstance(mechanism, Mechanism):
        raise TypeError(f"mechanism must be a Mechanism; got {mechanism!r}")
    shape = (len(mechanism.answers), len(mechanism.reports))
    if shape != (2, 2):
        raise ValueError(
            f"mechanism must have 2 answers and 2 reports to be planned with; got "
            f"{shape[0]} answers and {shape[1]} reports"
        )
