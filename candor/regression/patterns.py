"""What a regression is given: patterns of predictors, and counts of reports."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
import numpy.typing as npt

from candor.binary import FloatArray, IntArray
from candor.regression.chances import (
    Law,
    Model,
    ScrambledOutcome,
    ScrambledPredictor,
)

COLLINEAR = 1e-9
"""A column of length 1 that the others leave less of is a sum of them: products of
years of four digits keep a thousand times as much."""

SHARES_IN_A_SUM = 1e-3
"""Part that a column must have in a sum that is 0 to be named as one of it."""


LARGEST = 1e100
"""Squares of squares of it are no numbers any more."""


class Obstacle(Enum):
    """Why there are no numbers."""

    TOO_FEW = "too few rows"
    COLLINEAR = "collinear columns"
    BOUNDARY = "a share at its edge"
    SEPARATED = "separated columns"
    NOT_CONVERGED = "no convergence"


class NoFitError(ValueError):
    """Raised where no coefficients can be relied on; says why, and names columns."""

    def __init__(self, obstacle: Obstacle, told: str, names: Sequence[str] = ()):
        super().__init__(told)
        self.obstacle, self.names = obstacle, tuple(names)


def not_converged() -> NoFitError:
    """Return what to say where the search found no place that is likeliest."""
    return NoFitError(
        Obstacle.NOT_CONVERGED,
        "the search found no coefficients that make the reports likeliest",
    )


@dataclass(frozen=True, kw_only=True)
class Scrambled:
    """A predictor of yes and no that was randomised too.

    Attributes
    ----------
    predictors : array of float
        Shape (patterns, parameters): the predictors where its answer is yes.
    p_yes_given_yes, p_yes_given_no : float
        The chances of its yes report, 0 <= p_yes_given_no < p_yes_given_yes <= 1.
    """

    predictors: npt.ArrayLike
    p_yes_given_yes: float
    p_yes_given_no: float


@dataclass(frozen=True, kw_only=True)
class Patterns:
    """Checked arrays of one regression.

    Attributes
    ----------
    names : tuple of str
        Of the parameters.
    designs : tuple of arrays
        Shape (patterns, parameters): the predictors of the outcome; with a scrambled
        predictor first where its answer is yes, then where it is no.
    background : array or None
        Shape (patterns, M): what the share of yes to the scrambled predictor depends
        on.
    counts : array of float
        Shape (R, patterns).
    model : Model
    span : float
        Mean of (a - b)^2 over respondents.
    lowest, highest : float
        Mean of b and of a: shares of yes reports where nobody and everybody has yes.
    """

    names: tuple[str, ...]
    designs: tuple[FloatArray, ...]
    background: FloatArray | None
    counts: FloatArray
    model: Model
    span: float
    lowest: float
    highest: float

    @property
    def people(self) -> FloatArray:
        """How many respondents have each pattern, shape (patterns,)."""
        return self.counts.sum(axis=0)


def check_patterns(
    predictors: npt.ArrayLike,
    counts: npt.ArrayLike,
    *,
    p_yes_given_yes: npt.ArrayLike,
    p_yes_given_no: npt.ArrayLike,
    names: Sequence[str],
    scrambled: Scrambled | None,
    respondents: int | None = None,
) -> Patterns:
    """Return the arguments of `fit_logistic` as arrays, or raise what is wrong."""
    design = matrix("predictors", predictors)
    size, parameters = design.shape
    if not parameters or len(names) != parameters or len(set(names)) != parameters:
        raise ValueError(
            f"names must be {parameters} different names, one for each of one column "
            f"of predictors or more; got {list(names)}"
        )
    kinds = 2 if scrambled is None else 4
    found = matrix("counts", counts)
    if found.shape != (size, kinds) or found.min(initial=0) < 0:
        raise ValueError(
            f"counts must have shape ({size}, {kinds}) and be 0 or more; got shape "
            f"{found.shape}"
        )
    law = check_law("p_yes", p_yes_given_yes, p_yes_given_no, size=size)
    sent = found.sum(axis=1)
    # Weights have a mean of 1, but their sum is no whole number.
    n = round(sent.sum()) if respondents is None else respondents
    if n <= parameters:
        raise NoFitError(
            Obstacle.TOO_FEW,
            f"there must be more respondents than the {parameters} coefficients; got "
            f"{n}",
        )
    # Patterns that nobody has say nothing, and must not hide that columns are alike.
    kept = sent > 0
    law = Law(law.given_yes[kept], law.given_no[kept])
    designs, background, model = [design[kept]], None, ScrambledOutcome(law)
    checked: Model = model
    if scrambled is not None:
        having = matrix("scrambled.predictors", scrambled.predictors)
        if having.shape != design.shape:
            raise ValueError(
                f"scrambled.predictors must have shape {design.shape}; got "
                f"{having.shape}"
            )
        designs.insert(0, having[kept])
        background = design[kept][:, design[kept].any(axis=0)]
        chances = check_law(
            "scrambled.p_yes",
            scrambled.p_yes_given_yes,
            scrambled.p_yes_given_no,
            size=int(kept.sum()),
        )
        checked = ScrambledPredictor(law, chances)
    spans = (law.given_yes - law.given_no) ** 2
    return Patterns(
        names=tuple(names),
        designs=tuple(designs),
        background=background,
        counts=found[kept].T.copy(),
        model=checked,
        span=float(np.average(spans, weights=sent[kept])),
        lowest=float(np.average(law.given_no, weights=sent[kept])),
        highest=float(np.average(law.given_yes, weights=sent[kept])),
    )


def matrix(name: str, values: npt.ArrayLike) -> FloatArray:
    """Return an array of finite numbers with rows and columns."""
    try:
        found = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{name} must hold numbers; {error}") from error
    if found.ndim != 2 or not np.isfinite(found).all():
        raise ValueError(
            f"{name} must have rows and columns of finite numbers; got shape "
            f"{found.shape}"
        )
    largest = np.abs(found).max(axis=0, initial=0)
    if np.any((largest > LARGEST) | ((largest > 0) & (largest < 1 / LARGEST))):
        raise ValueError(
            f"{name} must hold columns of 0 or of numbers from {1 / LARGEST:g} to "
            f"{LARGEST:g}; got {largest.max():g}: take another unit"
        )
    return found


def check_law(
    name: str, given_yes: npt.ArrayLike, given_no: npt.ArrayLike, *, size: int
) -> Law:
    """Return the chances a and b of every pattern."""
    a, b = np.asarray(given_yes, np.float64), np.asarray(given_no, np.float64)
    if {a.shape, b.shape} - {(), (size,)} or not np.all((b >= 0) & (b < a) & (a <= 1)):
        raise ValueError(
            f"{name}_given_yes and {name}_given_no must be numbers, or one for each of "
            f"{size} patterns, with 0 <= {name}_given_no < {name}_given_yes <= 1"
        )
    return Law(np.broadcast_to(a, size), np.broadcast_to(b, size))


def basis_of(
    designs: Sequence[FloatArray], people: FloatArray, names: Sequence[str]
) -> FloatArray:
    """Return coordinates in which predictors vary by 1, and not together.

    Parameters
    ----------
    designs : sequence of arrays
        Shape (patterns, parameters) each, taken as equally likely.
    people : array of float
        Shape (patterns,), above 0.
    names : sequence of str
        Of the parameters.

    Returns
    -------
    array of float
        Shape (parameters, parameters): design @ basis has columns whose mean product
        over respondents is 0, and whose mean square is 1.

    Raises
    ------
    NoFitError
        Where columns are collinear.
    """
    shares = np.sqrt(people / people.sum() / len(designs))
    stacked = np.vstack([design * shares[:, None] for design in designs])
    # The largest first, so that squares of huge or tiny numbers stay numbers
    lengths = nonzero(np.abs(stacked).max(axis=0))
    lengths = lengths * nonzero(np.linalg.norm(stacked / lengths, axis=0))
    triangle = np.linalg.qr(stacked / lengths, mode="r")
    _, sizes, axes = np.linalg.svd(triangle)
    if len(sizes) < len(lengths) or sizes[-1] < COLLINEAR * sizes[0]:
        alike = [
            name
            for name, part in zip(names, np.abs(axes[-1]), strict=True)
            if part > SHARES_IN_A_SUM
        ]
        raise NoFitError(
            Obstacle.COLLINEAR,
            "columns must not be sums of each other, or without any variation beside "
            f"a constant; these are: {', '.join(alike)}",
            alike,
        )
    return np.linalg.inv(triangle) / lengths[:, None]


def nonzero(lengths: FloatArray) -> FloatArray:
    """Return the lengths, 1 where a column has none."""
    return np.where(lengths > 0, lengths, 1.0)


def count_rows(columns: Sequence[npt.ArrayLike]) -> tuple[IntArray, IntArray]:
    """Return which rows are the first of their kind, and the kind of every row.

    Parameters
    ----------
    columns : sequence of arrays
        Each with one entry for every row; numbers or texts.

    Returns
    -------
    first, kinds : array of int
        Row numbers, shape (kinds,); and for every row its place among them.
    """
    kinds = np.zeros(len(np.asarray(columns[0])), dtype=np.int64)
    first = kinds[:1]
    for column in columns:
        found, codes = np.unique(np.asarray(column), return_inverse=True)
        _, first, kinds = np.unique(
            kinds * len(found) + codes, return_index=True, return_inverse=True
        )
    return first, kinds
