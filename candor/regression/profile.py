"""The likelihood of one coefficient, all others at their best.

Arguments are checked by the callers.
"""

import math
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from candor.binary import FloatArray
from candor.regression.patterns import not_converged
from candor.regression.search import Problem, maximum_from, uphill

SAME_MAXIMUM = 1e-4
"""By which a profile may rise above the maximum before this is none."""

PROFILE_EXACT = 1e-6
"""How exactly the end of an interval meets its chi-squared."""

PROFILE_STEPS = 60

MOST_GROWTH = 2.0
"""How many times as far from the estimate the next point may be."""

FARTHEST = 40.0
"""Log odds, of a column with standard deviation 1, beyond which an interval has no end.
"""

FLAT = 100.0
"""Such log odds that a deviance would have to go on as steeply as it does to reach its
limit: where it has an end of its own it flattens as fast as an exponential."""


@dataclass(frozen=True, kw_only=True)
class Point:
    """The highest place of one value of the coefficient.

    Attributes
    ----------
    value : float
        Of the coefficient.
    place : array of float
        Shape (coordinates,).
    followed : array of float
        Shape (coordinates,): how the highest place moves as the value grows by 1.
    deviance : float
        2 [l(likeliest) - l(likeliest with this value)].
    slope : float
        Its derivative by the value.
    """

    value: float
    place: FloatArray
    followed: FloatArray
    deviance: float
    slope: float


@dataclass(frozen=True, kw_only=True)
class Profile:
    """The largest log likelihood for each value of one coefficient.

    Attributes
    ----------
    problem : Problem
    row : array of float
        Shape (coordinates,): the coefficient is row @ coordinates.
    held : Problem
        On the places where the coefficient is 0.
    free : array of float
        Shape (coordinates, coordinates - 1): ways on which it stays.
    alone : array of float
        Shape (coordinates,): the way on which it grows by 1 and no other does.
    moves : list of arrays
        What the shortest way on which it grows by 1 adds to each linear predictor.
    likeliest : Point
    """

    problem: Problem
    row: FloatArray
    held: Problem
    free: FloatArray
    alone: FloatArray
    moves: list[FloatArray]
    likeliest: Point
    standard_error: float
    best: float

    @classmethod
    def of(
        cls,
        row: FloatArray,
        problem: Problem,
        *,
        alone: FloatArray,
        place: FloatArray,
        spread: FloatArray,
        best: float,
    ) -> Self:
        """Return the profile of the coefficient row @ coordinates.

        Parameters
        ----------
        row, problem, alone
            As attributes.
        place : array of float
            Where it is likeliest, shape (coordinates,).
        spread : array of float
            Covariance of the coordinates.
        best : float
            The largest log likelihood.
        """
        along = row / (row @ row)
        # The other columns of an orthonormal basis that begins with the row
        free = np.linalg.qr(row[:, None], mode="complete")[0][:, 1:]
        variance = float(row @ spread @ row)
        likeliest = Point(
            value=float(row @ place),
            place=place,
            followed=spread @ row / variance,
            deviance=0.0,
            slope=0.0,
        )
        return cls(
            problem=problem,
            row=row,
            held=problem.within(free, np.zeros(len(row))),
            free=free,
            alone=alone,
            moves=[design @ along for design in problem.designs],
            likeliest=likeliest,
            standard_error=math.sqrt(variance),
            best=best,
        )

    def at(self, value: float, near: Point | None = None) -> Point:
        """Return the highest place of a value, sought from a point nearby.

        Raises
        ------
        NoFitError
            Where it is higher than the one that was the highest.
        """
        near = near or self.likeliest
        move = value - near.value
        offsets = [
            offset + value * added
            for offset, added in zip(self.held.offsets, self.moves, strict=True)
        ]
        held = replace(self.held, offsets=offsets)
        # The others follow on a straight line, or far out they stay.
        starts = [near.place + move * way for way in (near.followed, self.alone)]
        start = max(
            (self.free.T @ each for each in starts),
            key=lambda each: held.log_likelihood(held.derivatives(each)),
        )
        found = maximum_from(held, start)
        if found.log_likelihood > self.best + SAME_MAXIMUM:
            raise not_converged()
        derived = held.derivatives(found.place)
        everywhere = replace(self.problem, offsets=offsets)
        way = uphill(everywhere.observed(derived), self.row)
        if way is None:
            way = self.alone
        along = self.row / (self.row @ self.row)
        return Point(
            value=value,
            place=value * along + self.free @ found.place,
            followed=way / (self.row @ way),
            deviance=max(2 * (self.best - found.log_likelihood), 0.0),
            slope=-2 * float(everywhere.gradient(derived) @ along),
        )

    def end(self, limit: float, *, side: int) -> float:
        """Return where the deviance reaches the limit, on the side -1 or 1."""
        # Newton's method on the root of the deviance, which is nearly a straight line.
        wanted = math.sqrt(limit)
        middle = self.likeliest.value
        farthest = FARTHEST * float(np.linalg.norm(self.row))
        inside, outside, near = 0.0, math.inf, self.likeliest
        tried = wanted * self.standard_error
        for _step in range(PROFILE_STEPS):
            point = self.at(middle + side * tried, near)
            root = math.sqrt(point.deviance)
            if abs(point.deviance - limit) < PROFILE_EXACT:
                break
            if point.deviance < limit:
                inside, near = tried, point
                rest = FLAT * side * point.slope * float(np.linalg.norm(self.row))
                if tried >= farthest or rest < limit - point.deviance:
                    return side * math.inf
            else:
                outside = tried
            rise = side * point.slope / (2 * root) if root else 0.0
            step = (wanted - root) / rise if rise > 0 else math.inf
            tried = min(tried + step, MOST_GROWTH * tried, farthest)
            if not inside < tried < outside:
                tried = (inside + outside) / 2
            if outside - inside < PROFILE_EXACT * self.standard_error:
                break
        return middle + side * tried
