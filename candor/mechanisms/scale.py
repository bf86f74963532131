"""What the points of a scale stand for: values one step apart, in exact numbers."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Self

from candor.mechanisms.parameters import exact

LARGEST = 10**9
"""Of a value, whatever its sign: beyond, people count in other units."""


class ScaleError(ValueError):
    """Values that make no scale."""


@dataclass(frozen=True)
class Scale:
    """The values of the answers 0 to K of a question.

    Attributes
    ----------
    low, high : Fraction
        What the first and the last answer stand for, low < high.
    points : int
        How many answers there are, 2 or more: K + 1.

    Raises
    ------
    ScaleError
        Where the ends are out of order or too large.
    """

    low: Fraction
    high: Fraction
    points: int

    def __post_init__(self) -> None:
        if not -LARGEST <= self.low < self.high <= LARGEST or self.points < 2:
            raise ScaleError(
                f"a scale must go up, between -{LARGEST} and {LARGEST}; got "
                f"{self.low} to {self.high}"
            )

    @property
    def step(self) -> Fraction:
        """How far apart two neighbours are."""
        return (self.high - self.low) / (self.points - 1)

    @property
    def values(self) -> list[Fraction]:
        """What every point stands for."""
        return [self.low + self.step * point for point in range(self.points)]

    def at(self, part: float) -> float:
        """Return the value so far along the way from the lowest to the highest."""
        return float(self.low) + float(self.high - self.low) * part

    def as_dict(self) -> dict[str, str]:
        """Return what is stored with a question: plain JSON."""
        return {"low": str(self.low), "high": str(self.high)}

    @classmethod
    def of(cls, stored: Mapping[str, object] | None, points: int) -> Self:
        """Return the scale that `as_dict` described; without one, 0 to K.

        Raises
        ------
        ScaleError
            For ends that are no numbers, or make no scale.
        """
        given = stored or {"low": 0, "high": points - 1}
        ends = exact(given.get("low")), exact(given.get("high"))
        if ends[0] is None or ends[1] is None:
            raise ScaleError(f"a scale needs two numbers, low and high; got {given}")
        return cls(ends[0], ends[1], points)
