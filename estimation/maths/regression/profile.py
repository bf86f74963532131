"""The likelihood of one coefficient, all others at their best.

Arguments are checked by the callers.
"""

import math
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from estimation.maths.regression.patterns import not_converged
from estimation.maths.regression.search import Problem, maximum_from
from estimation.maths.yes_no import FloatArray

SAME_MAXIMUM = 1e-4
"""By which a profile may rise above the maximum before this is none."""

PROFILE_EXACT = 1e-6
"""How exactly the end of an interval meets its chi-squared."""

PROFILE_STEPS = 60

MOST_FOLLOWED = 3.0
"""Standard errors for which the other coefficients are taken to follow one."""

FARTHEST = 40.0
"""Log odds from the estimate beyond which an interval has no end."""


@dataclass(frozen=True, kw_only=True)
class Profile:
    """The largest log likelihood for each value of one coefficient.

    Attributes
    ----------
    held : Problem
        On the places where the coefficient is 0.
    along : array of float
        Shape (coordinates,): the shortest way on which the coefficient grows by 1.
    free : array of float
        Shape (coordinates, coordinates - 1): ways on which it stays.
    followed : array of float
        Shape (coordinates,): how all coordinates follow as it grows by 1.
    moves : list of arrays
        What `along` adds to each linear predictor, shape (patterns,).
    """

    problem: Problem
    held: Problem
    along: FloatArray
    free: FloatArray
    followed: FloatArray
    moves: list[FloatArray]
    place: FloatArray
    estimate: float
    standard_error: float
    best: float

    @classmethod
    def of(
        cls,
        row: FloatArray,
        problem: Problem,
        *,
        place: FloatArray,
        spread: FloatArray,
        best: float,
    ) -> Self:
        """Return the profile of the coefficient row @ coordinates.

        Parameters
        ----------
        row : array of float
            Shape (coordinates,).
        problem : Problem
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
        return cls(
            problem=problem,
            held=problem.within(free, np.zeros(len(row))),
            along=along,
            free=free,
            followed=spread @ row / variance,
            moves=[design @ along for design in problem.designs],
            place=place,
            estimate=float(row @ place),
            standard_error=math.sqrt(variance),
            best=best,
        )

    def deviance(self, value: float) -> tuple[float, float]:
        """Return 2 [l(likeliest) - l(likeliest with this value)], and its slope.

        Raises
        ------
        NoFitError
            Where the likeliest was none.
        """
        # Far out the others no longer follow on a straight line.
        reach = MOST_FOLLOWED * self.standard_error
        moved = min(max(value - self.estimate, -reach), reach)
        start = self.place + moved * self.followed
        held = replace(
            self.held,
            offsets=[
                offset + value * move
                for offset, move in zip(self.held.offsets, self.moves, strict=True)
            ],
        )
        found = maximum_from(held, self.free.T @ start)
        if found.log_likelihood > self.best + SAME_MAXIMUM:
            raise not_converged()
        derived = held.derivatives(found.place)
        slope = replace(self.problem, offsets=held.offsets).gradient(derived)
        deviance = max(2 * (self.best - found.log_likelihood), 0.0)
        return deviance, -2 * float(slope @ self.along)

    def end(self, limit: float, *, side: int) -> float:
        """Return where the deviance reaches the limit, on the side -1 or 1."""
        # Newton's method on the root of the deviance, which is nearly a straight line.
        wanted = math.sqrt(limit)
        farthest = FARTHEST / float(np.linalg.norm(self.along))
        inside, outside = 0.0, math.inf
        tried = wanted * self.standard_error
        for _step in range(PROFILE_STEPS):
            deviance, slope = self.deviance(self.estimate + side * tried)
            root = math.sqrt(deviance)
            if abs(deviance - limit) < PROFILE_EXACT:
                break
            if deviance < limit:
                inside = tried
                if tried >= farthest:
                    return side * math.inf
            else:
                outside = tried
            rise = side * slope / (2 * root) if root else 0.0
            step = (wanted - root) / rise if rise > 0 else math.inf
            tried = min(tried + step, 3 * tried, farthest)
            if not inside < tried < outside:
                tried = (inside + outside) / 2
            if outside - inside < PROFILE_EXACT * self.standard_error:
                break
        return self.estimate + side * tried
