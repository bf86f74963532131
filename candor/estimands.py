"""What is estimated: a linear function of the shares of the answers."""

from dataclasses import dataclass
from typing import Self

from candor.mechanisms.table import identity


@dataclass(frozen=True)
class Estimand:
    """The sum over the answers of a coefficient times the answer's share.

    Attributes
    ----------
    coefficients : tuple of int
        One for each answer. Of a set of answers they are 1, of all others 0; of the
        mean of a scale they are the values of the scale; of a difference 1 and -1.
    """

    coefficients: tuple[int, ...]

    @classmethod
    def share_of(cls, *places: int, answers: int) -> Self:
        """Return the share of the answers in these rows of the table together."""
        return cls(tuple(int(place in places) for place in range(answers)))

    def between(self, part: float) -> float:
        """Return what lies this part of the way from the least value to the largest."""
        low, high = min(self.coefficients), max(self.coefficients)
        return low + (high - low) * part


def every_share(answers: int) -> tuple[Estimand, ...]:
    """Return the share of each answer by itself."""
    return tuple(map(Estimand, identity(answers)))


def mean_of_points(points: int) -> Estimand:
    """Return the mean of the points 0 to K of a scale of so many."""
    return Estimand(tuple(range(points)))
