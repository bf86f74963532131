"""Scales of equidistant values, as exact fractions."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Self

from candor.mechanisms.mechanism import Mechanism
from candor.mechanisms.parameters import exact

LARGEST = 10**9
"""Largest absolute value of a point; larger values need another unit."""


class ScaleError(ValueError):
    """Raised for an invalid scale."""


@dataclass(frozen=True)
class Scale:
    """The values of the answers 0 to K of a question.

    `low` < `high` are the values of the first and the last answer. `points` is K + 1, 2
    or more.
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
        return (self.high - self.low) / (self.points - 1)

    @property
    def values(self) -> list[Fraction]:
        return [self.low + self.step * point for point in range(self.points)]

    def at(self, part: float) -> float:
        """Return the value at `part`, in [0, 1], of the range from low to high."""
        return float(self.low) + float(self.high - self.low) * part

    def to_dict(self) -> dict[str, str]:
        return {"low": str(self.low), "high": str(self.high)}

    @classmethod
    def of(cls, stored: Mapping[str, object] | None, points: int) -> Self:
        """Return the scale from the result of `to_dict`, or 0 to K for None."""
        given = stored or {"low": 0, "high": points - 1}
        ends = exact(given.get("low")), exact(given.get("high"))
        if ends[0] is None or ends[1] is None:
            raise ScaleError(f"a scale needs two numbers, low and high; got {given}")
        return cls(ends[0], ends[1], points)


def reduce_to_ends(mechanism: Mechanism) -> Mechanism:
    """Return the table of the ends of a scale whose reports are High and Low.

    Each point is randomly rounded to one of the ends, so it is a mixture of both. Then
    the share of the highest point among those who answered gives the mean. The answers
    get the names of the reports. Other mechanisms are returned unchanged.

    >>> from candor.mechanisms import build
    >>> reduce_to_ends(build("one_bit_skip", epsilon=1, points=11)).answers
    ('high', 'low', 'skipped')
    """
    if not mechanism.can_be_skipped or mechanism.reports[0] != "high":
        return mechanism
    if mechanism.answers == mechanism.reports:
        return mechanism
    lowest, *_between, highest, skipped = mechanism.weights
    return replace(
        mechanism, answers=mechanism.reports, weights=(highest, lowest, skipped)
    )
