"""What is supposed of a scale before anybody answers: its mean, and how answers spread.

The tables of a scale treat all points alike, so that the variance of a mean score
follows from these two, whatever the shape of the answers.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

import numpy as np

from candor.estimands import mean_of_points
from candor.mechanisms.table import Weights
from candor.scores import score_values
from candor.validation import Range

ROUNDING = 1e-9
"""As a part of the scale: so much an end that was worked out may be off."""

CACHED_TABLES = 256


@dataclass(frozen=True, kw_only=True)
class AssumedMean:
    """Answers on a scale of the points 0 to K; `of` checks them.

    Attributes
    ----------
    points : int
        K + 1, 2 or more.
    mean : float
        In [0, K].
    sd : float
        Standard deviation of the answers, in points.
    """

    points: int
    mean: float
    sd: float

    @classmethod
    def of(
        cls, points: int, *, mean: float | None = None, sd: float | None = None
    ) -> Self:
        """Return what is supposed, once it is checked.

        Parameters
        ----------
        points : int
            K + 1, 2 or more.
        mean : float, optional
            In [0, K]; left out, the middle.
        sd : float, optional
            In [0, largest that this mean allows]. Answers are points, so that around a
            mean between two of them they spread somewhat: less is taken as that. Left
            out, that of all points equally common, or the largest.

        Examples
        --------
        >>> AssumedMean.of(11)
        AssumedMean(points=11, mean=5.0, sd=3.1622776601683795)
        >>> AssumedMean.of(11, mean=9.5).sd, AssumedMean.of(11, mean=9.5, sd=0).sd
        (2.179449471770337, 0.5)
        """
        last = points - 1
        middle = last / 2
        here = middle
        if mean is not None:
            allowed = Range(low=0, high=last, example=f"{middle:g}")
            here = allowed.check("mean", mean)
        if sd is None:
            # Of all points equally common: K (K + 2) / 12
            spread = math.sqrt(last * (last + 2) / 12)
            spread = min(spread, largest_sd(here, last=last))
        else:
            spread = check_sd(sd, here, last=last)
        # Between two points, the nearest on either side: f (1 - f)
        beyond = here % 1
        least = math.sqrt(beyond * (1 - beyond))
        return cls(points=points, mean=here, sd=max(spread, least))

    @property
    def last(self) -> int:
        """The largest value: K."""
        return self.points - 1

    @property
    def is_usual(self) -> bool:
        """Whether nothing is supposed but that all points are equally common."""
        return self == type(self).of(self.points)

    def square_of_scores(self, weights: Weights) -> float:
        """Return the mean square of the scores of reports, in points."""
        square, slope, constant = squares_given(weights)
        return square * (self.sd**2 + self.mean**2) + slope * self.mean + constant

    def variance(self, weights: Weights) -> float:
        """Return n times the variance of the raw mean, in points."""
        return max(self.square_of_scores(weights) - self.mean**2, 0.0)


def check_sd(sd: float, *means: float, last: float) -> float:
    """Return a standard deviation that answers around all of these means may have."""
    most = largest_sd(*means, last=last)
    room = Range(low=0, high=most + ROUNDING * last, example=f"{most / 2:.2g}")
    return min(room.check("sd", sd), most)


def largest_sd(*means: float, last: float) -> float:
    """Return the largest standard deviation that all of these means allow.

    With some of the answers at one end and all others at the other: sqrt(m (K - m)).
    """
    return math.sqrt(max(0.0, min(mean * (last - mean) for mean in means)))


@lru_cache(maxsize=CACHED_TABLES)
def squares_given(weights: Weights) -> tuple[float, float, float]:
    """Return a, b, c of the mean square of the score given a point: a v^2 + b v + c.

    So it is where a report is sent for each point by the same chance or one that is a
    line in it, and once more for the point itself: in every table of a scale.
    """
    given = (
        np.array(weights, dtype=np.float64)
        @ score_values(weights, mean_of_points(len(weights))) ** 2
    )
    first, middle, last = (given / sum(weights[0]))[[0, 1, -1]]
    k = len(weights) - 1
    if k == 1:
        return 0.0, float(last - first), float(first)
    # Through 0, 1 and K.
    square = ((last - first) / k - (middle - first)) / (k - 1)
    return float(square), float(middle - first - square), float(first)
