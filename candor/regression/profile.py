"""The profile likelihood of one coefficient: the others at their maximum.

Arguments are checked by the callers.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from candor.binary import FloatArray
from candor.regression.likelihood import Likelihood, climb_from, newton_step
from candor.regression.patterns import not_converged

SAME_MAXIMUM = 1e-4
"""A profile that is higher than the maximum by more shows that it was none."""

EXACT = 1e-6
"""How exactly the end of an interval meets its chi-squared."""

MAX_STEPS = 60

MAX_GROWTH = 2.0
"""How many times as far from the estimate the next point may be."""

FARTHEST = 40.0
"""Log odds, of a column with standard deviation 1, beyond which an interval has no end.
"""

FLAT = 100.0
"""Log odds over which a deviance would have to keep its slope to reach its limit: where
it has an end of its own it flattens exponentially."""


@dataclass(frozen=True, kw_only=True)
class Point:
    """The maximum for one value of the coefficient.

    `followed` is how the place moves as the value grows by 1, `deviance` is 2
    [l(maximum) - l(maximum with this value)] and `slope` its derivative by the value.
    """

    value: float
    place: FloatArray
    followed: FloatArray
    deviance: float = 0.0
    slope: float = 0.0


class Profile:
    """The largest log likelihood for each value of the coefficient row @ coordinates.

    `alone` is the direction in which it grows by 1 and no other does, `place` the
    maximum, `covariance` that of the coordinates, and `best` the largest log
    likelihood.
    """

    def __init__(
        self,
        row: FloatArray,
        likelihood: Likelihood,
        *,
        alone: FloatArray,
        place: FloatArray,
        covariance: FloatArray,
        best: float,
    ) -> None:
        self.row, self.likelihood, self.alone, self.best = row, likelihood, alone, best
        # The shortest way on which it grows by 1, and an orthonormal basis of the ways
        # on which it stays
        self.along = row / (row @ row)
        self.free = np.linalg.qr(row[:, None], mode="complete")[0][:, 1:]
        self.moves = [design @ self.along for design in likelihood.designs]
        self.held = likelihood.within(self.free, np.zeros(len(row)))
        variance = float(row @ covariance @ row)
        self.standard_error = math.sqrt(variance)
        followed = covariance @ row / variance
        self.maximum = Point(value=float(row @ place), place=place, followed=followed)

    def at(self, value: float, near: Point | None = None) -> Point:
        """Return the maximum for a value, searched from a point nearby.

        `NoFitError` where it is higher than the maximum of all values.
        """
        near = near or self.maximum
        offsets = [
            offset + value * added
            for offset, added in zip(self.held.offsets, self.moves, strict=True)
        ]
        held = replace(self.held, offsets=offsets)
        # The others follow on a straight line; far out they stay.
        start = max(
            (
                self.free.T @ (near.place + (value - near.value) * way)
                for way in (near.followed, self.alone)
            ),
            key=lambda each: held.value(held.derivatives(each)),
        )
        found = climb_from(start, held)
        if found.log_likelihood > self.best + SAME_MAXIMUM:
            raise not_converged()
        derived = held.derivatives(found.place)
        everywhere = replace(self.likelihood, offsets=offsets)
        way = newton_step(everywhere.observed(derived), self.row)
        if way is None:
            way = self.alone
        return Point(
            value=value,
            place=value * self.along + self.free @ found.place,
            followed=way / (self.row @ way),
            deviance=max(2 * (self.best - found.log_likelihood), 0.0),
            slope=-2 * float(everywhere.gradient(derived) @ self.along),
        )

    def end(self, limit: float, *, side: int) -> float:
        """Return where the deviance reaches the limit, on the side -1 or 1."""
        # Newton's method on the root of the deviance, which is nearly a straight line.
        # A safeguarded search, since the deviance may flatten below the limit.
        target = math.sqrt(limit)
        length = float(np.linalg.norm(self.row))
        inside, outside, near = 0.0, math.inf, self.maximum
        tried = target * self.standard_error
        for _step in range(MAX_STEPS):
            point = self.at(self.maximum.value + side * tried, near)
            root = math.sqrt(point.deviance)
            if abs(point.deviance - limit) < EXACT:
                break
            if point.deviance < limit:
                inside, near = tried, point
                possible = FLAT * side * point.slope * length
                if tried >= FARTHEST * length or possible < limit - point.deviance:
                    return side * math.inf
            else:
                outside = tried
            rise = side * point.slope / (2 * root) if root else 0.0
            step = (target - root) / rise if rise > 0 else math.inf
            tried = min(tried + step, MAX_GROWTH * tried, FARTHEST * length)
            if not inside < tried < outside:
                tried = (inside + outside) / 2
            if outside - inside < EXACT * self.standard_error:
                break
        return self.maximum.value + side * tried
