"""The maximum of the likelihood over all starts, and the profile of one coefficient.

Callers check the arguments.
"""

import math
from dataclasses import dataclass, replace

import numpy as np
import scipy

from candor.binary import FloatArray
from candor.regression.far_out import search_far_out
from candor.regression.likelihood import (
    MAX_STEP_LENGTH,
    Likelihood,
    Maximum,
    climb_from,
    solve_step,
)
from candor.regression.patterns import (
    NoFitError,
    Obstacle,
    Patterns,
    make_basis,
    make_convergence_error,
)
from candor.tolerance import is_at_most, is_below

RUNS_AWAY = 8.0
"""Log odds for a column with standard deviation 1. Odds of 3000 to 1 in a survey are no
estimate, and neither is a value with an error of this size."""

ENOUGH = 30.0
"""From this n min(pi, 1 - pi) (a - b)^2 per coefficient on, simulated surveys without
high leverage had one maximum."""

HIGH_LEVERAGE = 0.1
"""Leverage of one respondent. If a few of 4,000 respondents have extreme values, the
nearest maximum may not be the highest."""

TOO_FEW = 1.0
"""Below this n min(pi, 1 - pi) (a - b)^2 per coefficient there are no estimates."""

AHEAD = 3.0
"""Multiple of the first guess: a start beyond the maximum."""

PART_OF_RUN = 0.1
"""Smallest part of a column in a diverging direction with which the column is named."""


def make_coordinates(patterns: Patterns) -> tuple[FloatArray, Likelihood]:
    """Return a basis, and the likelihood in its coordinates.

    The basis has shape (parameters, coordinates), with the outcome before the
    background on both axes.
    """
    people, size = patterns.people, len(patterns.names)
    basis = make_basis(patterns.designs, people, patterns.names)
    designs = [design @ basis for design in patterns.designs]
    if patterns.background is not None:
        background = patterns.background
        own = make_basis([background], people, [""] * background.shape[1])
        more = len(own)
        basis = np.block(
            [[basis, np.zeros((size, more))], [np.zeros((more, size)), own]]
        )
        filled = np.zeros((len(people), more))
        designs = [
            np.hstack([np.zeros((len(people), size)), background @ own]),
            *(np.hstack([design, filled]) for design in designs),
        ]
    designs = [np.asfortranarray(design) for design in designs]
    offsets = [0.0] * len(designs)
    return basis, Likelihood(patterns.model, patterns.counts, designs, offsets)


def find_maximum(
    likelihood: Likelihood, patterns: Patterns, basis: FloatArray
) -> Maximum:
    """Return the highest maximum that is found.

    The search starts at shares of one half. There may be other maxima if the
    information was not positive definite at every step, if there are few respondents,
    or if one has high leverage. Then it also starts on either side, and far out.
    """
    origin = np.zeros(likelihood.designs[0].shape[1])
    found = climb_from(origin, likelihood)
    # Without scrambling the log likelihood is concave.
    is_direct = patterns.lowest == 0 and patterns.highest == 1
    if is_direct and len(likelihood.designs) == 1:
        return found
    known = compute_information(likelihood, found.place, patterns)
    leverage = find_largest_leverage(likelihood, patterns)
    if found.is_smooth and known > ENOUGH and leverage < HIGH_LEVERAGE:
        return found
    derived = likelihood.derivatives(origin)
    # For two coins this is the least-squares regression of the scores.
    guess = solve_step(likelihood.expected(derived), likelihood.gradient(derived))
    steps = [] if guess is None else [AHEAD * guess, -guess]
    starts = [
        step / max(1.0, float(np.linalg.norm(step)) / MAX_STEP_LENGTH) for step in steps
    ]
    found = max(
        [found, *(climb_from(start, likelihood) for start in starts)],
        key=lambda each: each.log_likelihood,
    )
    if is_below(known, TOO_FEW):
        return found
    own = np.asarray(np.linalg.inv(basis)[:, : len(patterns.names)], dtype=np.float64)
    return max(
        [found, *search_far_out(likelihood, found, own)],
        key=lambda each: each.log_likelihood,
    )


def find_largest_leverage(likelihood: Likelihood, patterns: Patterns) -> float:
    """Return the largest leverage of one respondent on a linear predictor."""
    # The mean square of the columns is 1.
    rows = [(design**2).sum(axis=1) for design in likelihood.designs]
    return float(np.max(rows) / patterns.people.sum())


def compute_information(
    likelihood: Likelihood, place: FloatArray, patterns: Patterns
) -> float:
    """Return n min(pi, 1 - pi) (a - b)^2 for each coefficient, n the effective size."""
    share = compute_average_share(likelihood, place, patterns.people)
    total = patterns.effective * min(share, 1 - share) * patterns.span
    return total / len(patterns.names)


def compute_average_share(
    likelihood: Likelihood, place: FloatArray, people: FloatArray
) -> float:
    """Return the mean share of yes to the outcome."""
    shares = [scipy.special.expit(each) for each in likelihood.predictors(place)]
    if len(shares) == 1:
        return float(np.average(shares[0], weights=people))
    having, yes, no = shares
    return float(np.average(having * yes + (1 - having) * no, weights=people))


def check_maximum(
    found: Maximum,
    observed: FloatArray,
    likelihood: Likelihood,
    patterns: Patterns,
    basis: FloatArray,
) -> None:
    """Raise `NoFitError` if this maximum is not a usable estimate."""
    people = patterns.people
    sizes, axes = np.linalg.eigh(observed)
    outcomes = likelihood.predictors(found.place)
    farthest = max(math.sqrt(np.average(each**2, weights=people)) for each in outcomes)
    if sizes[0] * RUNS_AWAY**2 > 1 and farthest < RUNS_AWAY:
        if not found.is_maximum:
            raise make_convergence_error()
        return
    yes, no = (patterns.counts[first::2].sum() / people.sum() for first in (0, 1))
    if is_at_most(yes, patterns.lowest) or is_at_most(no, 1 - patterns.highest):
        raise NoFitError(
            Obstacle.BOUNDARY,
            f"{yes:.4g} is the part of yes reports, and finite coefficients explain "
            f"parts above {patterns.lowest:.4g} and below {patterns.highest:.4g}; none "
            "can be estimated",
        )
    # Name the columns in the diverging direction, or in that of least information.
    way = found.place if farthest >= RUNS_AWAY else axes[:, 0]
    along = (basis @ way)[: len(patterns.names)]
    designs = np.stack(patterns.designs)
    varies = np.ptp(designs, axis=(0, 1)) > 0
    parts = varies * np.abs(along) * np.abs(designs).max(axis=(0, 1))
    names = [
        name
        for name, part in zip(patterns.names, parts, strict=True)
        if part > PART_OF_RUN * parts.max()
    ] or list(patterns.names)
    raise NoFitError(
        Obstacle.SEPARATED,
        "no finite coefficients have maximum likelihood, or hardly any limit is set "
        f"to them: {', '.join(names)}",
        names,
    )


SAME_MAXIMUM = 1e-4
"""If a profile exceeds the maximum by more, the maximum is not the highest."""

EXACT = 1e-6
"""Tolerance of the deviance at the end of an interval."""

MAX_STEPS = 60

MAX_GROWTH = 2.0
"""Largest factor by which the distance from the estimate grows in one step."""

FARTHEST = 40.0
"""Log odds, for a column with standard deviation 1, beyond which an interval is
unbounded."""

FLAT = 100.0
"""An interval is unbounded if the deviance, at its present slope, would reach the limit
only beyond this many log odds: a bounded deviance flattens exponentially."""


@dataclass(frozen=True, kw_only=True)
class Point:
    """The maximum for one value of the coefficient.

    `followed` is the change of the place per unit of the value, `deviance` is 2
    [l(maximum) - l(maximum with this value)], and `slope` its derivative by the value.
    """

    value: float
    place: FloatArray
    followed: FloatArray
    deviance: float = 0.0
    slope: float = 0.0


class Profile:
    """The largest log likelihood for each value of the coefficient row @ coordinates.

    `alone` is the direction in which this coefficient grows by 1 and all others are
    constant. `place` is the maximum, `covariance` that of the coordinates, and `best`
    the largest log likelihood.
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
        # The shortest direction in which the coefficient grows by 1, and an orthonormal
        # basis of the directions in which it is constant
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

        `NoFitError` if it is higher than the maximum of all values.
        """
        near = near or self.maximum
        offsets = [
            offset + value * added
            for offset, added in zip(self.held.offsets, self.moves, strict=True)
        ]
        held = replace(self.held, offsets=offsets)
        # The other coefficients follow on a straight line; far out they are constant.
        start = max(
            (
                self.free.T @ (near.place + (value - near.value) * way)
                for way in (near.followed, self.alone)
            ),
            key=lambda each: held.value(held.derivatives(each)),
        )
        found = climb_from(start, held)
        if found.log_likelihood > self.best + SAME_MAXIMUM:
            raise make_convergence_error()
        derived = held.derivatives(found.place)
        everywhere = replace(self.likelihood, offsets=offsets)
        way = solve_step(everywhere.observed(derived), self.row)
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
        # Newton's method on the root of the deviance, which is nearly linear, with
        # safeguards because the deviance may flatten below the limit.
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
