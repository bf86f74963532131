"""Estimands: linear functions of the shares of the answers."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from candor.mechanisms import Mechanism, load_families
from candor.mechanisms.parameters import shown
from candor.mechanisms.table import identity
from candor.validation import is_whole

MEAN = "mean"
"""Name of the mean of a scale in tables of estimates."""


@dataclass(frozen=True)
class Estimand:
    """The sum over the answers of a coefficient times the answer's share.

    Attributes
    ----------
    coefficients : tuple of int
        One for each answer. For a set of answers they are 1, and 0 for all others; for
        the mean of a scale they are the values of its points; for a difference 1 and
        -1.

    Examples
    --------
    The share of the first two of three answers together:

    >>> Estimand.make_share(0, 1, answers=3)
    Estimand(coefficients=(1, 1, 0))
    """

    coefficients: tuple[int, ...]

    @classmethod
    def make_share(cls, *places: int, answers: int) -> Self:
        """Return the share of the answers in these rows of the table together."""
        return cls(tuple(int(place in places) for place in range(answers)))

    @property
    def low(self) -> int:
        """The smallest possible value."""
        return min(self.coefficients)

    @property
    def high(self) -> int:
        """The largest possible value."""
        return max(self.coefficients)

    @property
    def span(self) -> int:
        """The distance from the smallest value to the largest."""
        return self.high - self.low

    def of(self, shares: Iterable[float]) -> float:
        """Return the value at these shares of the answers."""
        return sum(
            c * share for c, share in zip(self.coefficients, shares, strict=True)
        )

    def between(self, part: float) -> float:
        """Return what lies this part of the way from the smallest value to the largest.

        `part` is in [0, 1].
        """
        return self.low + self.span * part

    def clipped(self, value: float) -> float:
        """Return the nearest possible value."""
        return min(max(value, float(self.low)), float(self.high))


def every_share(answers: int) -> tuple[Estimand, ...]:
    """Return the share of each answer by itself."""
    return tuple(map(Estimand, identity(answers)))


def mean_of_points(points: int) -> Estimand:
    """Return the mean of the points 0 to K of a scale with so many points."""
    return Estimand(tuple(range(points)))


def is_scale(mechanism: Mechanism) -> bool:
    """Return whether the answers are the points of a scale, which has a mean."""
    family = load_families().get(mechanism.family)
    return not mechanism.tells_shares or (family is not None and family.is_scale)


def named_estimands(mechanism: Mechanism) -> dict[str, Estimand]:
    """Return what a table of estimates shows: every answer, of a scale the mean first.

    Where reports identify the mean alone, it is the only one.
    """
    answers = mechanism.answers
    found = {MEAN: mean_of_points(len(answers))} if is_scale(mechanism) else {}
    if mechanism.tells_shares:
        found |= dict(zip(answers, every_share(len(answers)), strict=True))
    return found


def find_estimand(mechanism: Mechanism, estimand: Estimand | str) -> Estimand:
    """Return the estimand with this name, or a checked one.

    `TypeError` or `ValueError` for another name, "mean" without a scale, and
    coefficients that are not whole numbers, one for each answer, and not all the same.
    """
    answers = mechanism.answers
    if isinstance(estimand, str):
        if estimand in answers:
            return Estimand.make_share(answers.index(estimand), answers=len(answers))
        if estimand == MEAN and is_scale(mechanism):
            return mean_of_points(len(answers))
        if estimand == MEAN:
            raise ValueError(
                "estimand 'mean' needs the points of a scale, as the families one_bit "
                f"and grid have them; got family {mechanism.family!r} with answers "
                f"{', '.join(answers)}"
            )
        raise ValueError(
            f"estimand must be one of {', '.join(answers)}; got {shown(estimand)}"
        )
    if not isinstance(estimand, Estimand):
        raise TypeError(
            f"estimand must be an answer or an Estimand; got {shown(estimand)}"
        )
    coefficients = estimand.coefficients
    if not all(map(is_whole, coefficients)):
        raise TypeError(
            f"estimand must have whole numbers as coefficients; got {coefficients!r}"
        )
    if len(coefficients) != len(answers) or not estimand.span:
        raise ValueError(
            f"estimand must have a coefficient for each of {len(answers)} answers, not "
            f"all the same; got {coefficients!r}"
        )
    return estimand


def wanted_estimands(
    mechanism: Mechanism, estimand: Estimand | str | None
) -> dict[str, Estimand]:
    """Return by name what a table of estimates shows: one estimand, or all."""
    if estimand is None:
        return named_estimands(mechanism)
    found = find_estimand(mechanism, estimand)
    return {
        estimand
        if isinstance(estimand, str)
        else name_estimand(mechanism, found): found
    }


def name_estimand(mechanism: Mechanism, estimand: Estimand) -> str:
    """Return the name of an estimand in a table of estimates."""
    for name, each in named_estimands(mechanism).items():
        if each == estimand:
            return name
    pairs = [
        (coefficient, answer)
        for coefficient, answer in zip(
            estimand.coefficients, mechanism.answers, strict=True
        )
        if coefficient
    ]
    if all(coefficient == 1 for coefficient, _answer in pairs):
        return " or ".join(answer for _coefficient, answer in pairs)
    terms = (f"{coefficient} {answer}" for coefficient, answer in pairs)
    return " + ".join(terms).replace("+ -", "- ")
