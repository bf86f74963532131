"""The coefficients that make reports likeliest, and whether there are any.

Arguments are checked by the callers.
"""

import math

import numpy as np
import scipy

from candor.binary import FloatArray
from candor.regression.far_out import far_out
from candor.regression.patterns import (
    NoFitError,
    Obstacle,
    Patterns,
    basis_of,
    not_converged,
)
from candor.regression.search import (
    LONGEST_STEP,
    Found,
    Problem,
    columns,
    maximum_from,
    uphill,
)
from candor.tolerance import is_at_most, is_below

RUNS_AWAY = 8.0
"""Log odds, of a column with standard deviation 1: odds of 3000 to 1 in a survey are no
estimate, nor is what may be wrong by so much."""

EVEN = 30.0
"""From here on no second maximum was met in simulated surveys in which nobody pulled
much."""

MUCH = 0.1
"""Part of what is known of a place that hangs on one respondent: of 4,000 with a few
numbers far from all others the maximum nearby may be the second."""

TOO_FEW = 1.0
"""Below this n min(pi, 1 - pi) (a - b)^2 for each coefficient there are no numbers."""

AHEAD = 3.0
"""A start beyond the maximum, where the first guess is before it."""

PART_OF_RUN = 0.1
"""Part that a column must have in a direction that runs off to be named for it."""


def coordinates(patterns: Patterns) -> tuple[FloatArray, Problem]:
    """Return a basis, and the problem in its coordinates.

    The basis has shape (parameters, coordinates), those of the outcome first and then
    those of the background.
    """
    people, size = patterns.people, len(patterns.names)
    basis = basis_of(patterns.designs, people, patterns.names)
    designs = [design @ basis for design in patterns.designs]
    if patterns.background is not None:
        background = patterns.background
        own = basis_of([background], people, [""] * background.shape[1])
        more = len(own)
        basis = np.block(
            [[basis, np.zeros((size, more))], [np.zeros((more, size)), own]]
        )
        filled = np.zeros((len(people), more))
        designs = [
            np.hstack([np.zeros((len(people), size)), background @ own]),
            *(np.hstack([design, filled]) for design in designs),
        ]
    designs = [columns(design) for design in designs]
    offsets = [0.0] * len(designs)
    return basis, Problem(patterns.model, patterns.counts, designs, offsets)


def highest(problem: Problem, patterns: Patterns, basis: FloatArray) -> Found:
    """Return the highest maximum of those that are found.

    The search begins at shares of one half. Where the log likelihood did not bend down
    all the way, few respondents make it uneven, or one of them pulls as much as many,
    there may be others: it begins again on either side, and far out.
    """
    nowhere = np.zeros(problem.designs[0].shape[1])
    found = maximum_from(problem, nowhere)
    told = information(problem, found.place, patterns)
    is_even = found.is_smooth and told > EVEN and pull(problem, patterns) < MUCH
    if is_even or is_concave(problem, patterns):
        return found
    derived = problem.derivatives(nowhere)
    # For two coins that is the regression of the scores by least squares.
    guess = uphill(problem.expected(derived), problem.gradient(derived))
    others = [] if guess is None else [AHEAD * guess, -guess]
    found = max(
        [found, *(maximum_from(problem, shorter(start)) for start in others)],
        key=lambda each: each.log_likelihood,
    )
    if is_below(told, TOO_FEW):
        return found
    own = np.asarray(np.linalg.inv(basis)[:, : len(patterns.names)], dtype=np.float64)
    return max(
        [found, *far_out(problem, found, own)], key=lambda each: each.log_likelihood
    )


def is_concave(problem: Problem, patterns: Patterns) -> bool:
    """Return whether nothing was scrambled: then there is one maximum at most."""
    is_direct = patterns.lowest == 0 and patterns.highest == 1
    return is_direct and len(problem.designs) == 1


def pull(problem: Problem, patterns: Patterns) -> float:
    """Return the largest part that one respondent has in what is known of a place."""
    # The leverage of a row of columns whose mean square is 1
    rows = [(design**2).sum(axis=1) for design in problem.designs]
    return float(np.max(rows) / patterns.people.sum())


def information(problem: Problem, place: FloatArray, patterns: Patterns) -> float:
    """Return n min(pi, 1 - pi) (a - b)^2 for each coefficient."""
    people = patterns.people
    share = average_share(problem, place, people)
    told = float(people.sum()) * min(share, 1 - share) * patterns.span
    return told / len(patterns.names)


def shorter(step: FloatArray) -> FloatArray:
    """Return the step, no longer than one step may be."""
    return step / max(1.0, float(np.linalg.norm(step)) / LONGEST_STEP)


def average_share(problem: Problem, place: FloatArray, people: FloatArray) -> float:
    """Return the mean share of yes to the outcome."""
    *having, yes, no = [
        scipy.special.expit(each) for each in problem.predictors(place)[:3]
    ] * (2 if len(problem.designs) == 1 else 1)
    part = having[0] if having else 1.0
    return float(np.average(part * yes + (1 - part) * no, weights=people))


def check_maximum(
    found: Found,
    observed: FloatArray,
    problem: Problem,
    patterns: Patterns,
    basis: FloatArray,
) -> None:
    """Raise what makes this no maximum that could be told."""
    people = patterns.people
    sizes, axes = np.linalg.eigh(observed)
    outcomes = problem.predictors(found.place)
    farthest = max(math.sqrt(np.average(each**2, weights=people)) for each in outcomes)
    if sizes[0] * RUNS_AWAY**2 > 1 and farthest < RUNS_AWAY:
        if not found.is_maximum:
            raise not_converged()
        return
    yes, no = (patterns.counts[first::2].sum() / people.sum() for first in (0, 1))
    if is_at_most(yes, patterns.lowest) or is_at_most(no, 1 - patterns.highest):
        raise NoFitError(
            Obstacle.BOUNDARY,
            f"{yes:.4g} is the part of yes reports, and finite coefficients explain "
            f"parts above {patterns.lowest:.4g} and below {patterns.highest:.4g}; none "
            "can be estimated",
        )
    # Where it ran to, or the direction of which least is known: what moves along it?
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
        "no finite coefficients make the reports likeliest, or hardly any limit is set "
        f"to them: {', '.join(names)}",
        names,
    )
