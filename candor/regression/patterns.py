"""Checked arguments of a regression: patterns of predictors and counts of reports."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
import numpy.typing as npt

from candor.binary import FloatArray, IntArray
from candor.mechanisms.parameters import shown
from candor.regression.likelihood import (
    Channel,
    Model,
    ScrambledOutcome,
    ScrambledPredictor,
)
from candor.tolerance import is_at_most
from candor.validation import (
    MAX_RESPONDENTS,
    check_label,
    check_sequence,
    check_whole,
)

COLLINEAR = 1e-9
"""Columns are collinear if one of length 1 has a smaller residual on the others.
Products of four-digit years have a residual a thousand times as large."""

SHARES_IN_A_SUM = 1e-3
"""Smallest coefficient in a sum that is 0 with which a column is named as collinear."""

LARGEST = 1e100
"""Fourth powers of larger numbers, and of numbers below the inverse, are no floats."""

MAX_COUNT = 1e15
"""Whole numbers up to this one have an exact float, and so have their sums."""

ONE_OUTCOME = ("yes", "no")
TWO_ANSWERS = ("yes-yes", "yes-no", "no-yes", "no-no")
"""Columns of the counts; with two answers the predictor's report comes first."""


class Obstacle(Enum):
    """Why a regression has no estimates."""

    TOO_FEW = "too few rows"
    COLLINEAR = "collinear columns"
    BOUNDARY = "a share at its edge"
    SEPARATED = "separated columns"
    NOT_CONVERGED = "no convergence"
    CLUSTERS = "clusters that leave no variance"


class NoFitError(ValueError):
    """Raised if no coefficients are reliable.

    Attributes
    ----------
    obstacle : Obstacle
    names : tuple of str
        The columns that cause the obstacle.
    """

    def __init__(self, obstacle: Obstacle, message: str, names: Sequence[str] = ()):
        super().__init__(message)
        self.obstacle, self.names = obstacle, tuple(names)


def make_convergence_error() -> NoFitError:
    """Return the error for a search that found no maximum."""
    return NoFitError(
        Obstacle.NOT_CONVERGED,
        "the search found no maximum-likelihood coefficients",
    )


@dataclass(frozen=True, kw_only=True)
class Scrambled:
    """A yes/no predictor that was randomised, too.

    Attributes
    ----------
    predictors : array of float
        Shape (patterns, parameters): the predictors if its answer is yes.
    p_yes_given_yes, p_yes_given_no : float
        P(yes report | yes) and P(yes report | no), with
        0 <= p_yes_given_no < p_yes_given_yes <= 1.
    """

    predictors: npt.ArrayLike
    p_yes_given_yes: float
    p_yes_given_no: float


@dataclass(frozen=True, kw_only=True)
class Patterns:
    """Checked arrays of one regression.

    `designs` have shape (patterns, parameters): the predictors of the outcome. With a
    scrambled predictor there are two designs, for its answers yes and no. `background`,
    shape (patterns, M), has the columns that explain the share of yes to the scrambled
    predictor. `counts` has shape (R, patterns); weighted counts sum to `respondents`,
    and `squares` are sums of squared weights. `effective` is the effective sample size.
    `span`, `lowest` and `highest` are the means over respondents of (a - b)^2, b and a.
    `clusters` has the number of the cluster of each pattern, from 0.
    """

    names: tuple[str, ...]
    designs: tuple[FloatArray, ...]
    background: FloatArray | None
    counts: FloatArray
    squares: FloatArray | None
    model: Model
    respondents: int
    effective: float
    span: float
    lowest: float
    highest: float
    clusters: IntArray | None = None

    @property
    def people(self) -> FloatArray:
        """Number of respondents with each pattern, shape (patterns,)."""
        return self.counts.sum(axis=0)

    @property
    def cluster_count(self) -> int | None:
        """Number of clusters with respondents; None without clusters."""
        return None if self.clusters is None else int(self.clusters.max()) + 1


def check_patterns(
    predictors: npt.ArrayLike,
    counts: npt.ArrayLike,
    *,
    p_yes_given_yes: npt.ArrayLike,
    p_yes_given_no: npt.ArrayLike,
    names: Sequence[str],
    scrambled: Scrambled | None,
    squared_weights: npt.ArrayLike | None = None,
    respondents: int | None = None,
    clusters: Sequence[Hashable] | IntArray | None = None,
) -> Patterns:
    """Return the arguments of `fit_logistic` as arrays; raise for invalid ones."""
    given: object = names
    is_list = isinstance(given, Sequence) and not isinstance(given, str)
    if not is_list or not all(isinstance(each, str) for each in names):
        raise TypeError(f"names must be a sequence of texts; got {shown(names)}")
    if scrambled is not None and not isinstance(scrambled, Scrambled):
        raise TypeError(f"scrambled must be a Scrambled; got {shown(scrambled)}")
    design = convert_to_matrix("predictors", predictors)
    size, parameters = design.shape
    if not parameters or len(names) != parameters or len(set(names)) != parameters:
        raise ValueError(
            f"names must be {parameters} different names, one for each of one column "
            f"of predictors or more; got {list(names)}"
        )
    design = check_predictors("predictors", design, names, size=size)
    kinds = ONE_OUTCOME if scrambled is None else TWO_ANSWERS
    found = check_counts("counts", counts, kinds, size=size)
    channel = check_channel("p_yes", p_yes_given_yes, p_yes_given_no, size=size)
    squares = None
    if respondents is not None:
        check_whole("respondents", respondents, low=0, high=MAX_RESPONDENTS)
    n = round(found.sum()) if respondents is None else respondents
    effective = float(found.sum())
    if squared_weights is not None:
        if respondents is None:
            raise ValueError(
                "respondents must be the number of rows where squared_weights are "
                "given; got nothing"
            )
        squares = check_counts(
            "squared_weights", squared_weights, kinds, size=size, high=LARGEST
        )
        found, squares, effective = scale_weights(found, squares, n)
    sent = found.sum(axis=1)
    if n <= parameters or not sent.any():
        raise NoFitError(
            Obstacle.TOO_FEW,
            f"there must be more respondents than the {parameters} coefficients; got "
            f"{n}",
        )
    # Patterns without respondents could hide collinear columns.
    kept = sent > 0
    channel = Channel(channel.given_yes[kept], channel.given_no[kept])
    designs, background = [design[kept]], None
    model: Model = ScrambledOutcome(channel)
    if scrambled is not None:
        having = check_predictors(
            "scrambled.predictors", scrambled.predictors, names, size=size
        )
        designs.insert(0, having[kept])
        background = design[kept][:, design[kept].any(axis=0)]
        given = scrambled.p_yes_given_yes, scrambled.p_yes_given_no
        hidden = check_channel("scrambled.p_yes", *given, size=int(kept.sum()))
        model = ScrambledPredictor(channel, hidden)
    codes = None
    if clusters is not None:
        codes = number_clusters(clusters, kept, coefficients=parameters)
    spans = (channel.given_yes - channel.given_no) ** 2
    return Patterns(
        names=tuple(names),
        designs=tuple(designs),
        background=background,
        counts=found[kept].T.copy(),
        squares=None if squares is None else squares[kept].T,
        model=model,
        respondents=n,
        effective=effective,
        span=float(np.average(spans, weights=sent[kept])),
        lowest=float(np.average(channel.given_no, weights=sent[kept])),
        highest=float(np.average(channel.given_yes, weights=sent[kept])),
        clusters=codes,
    )


def number_clusters(
    labels: Sequence[Hashable] | IntArray,
    kept: npt.NDArray[np.bool_],
    *,
    coefficients: int,
) -> IntArray:
    """Return the number of the cluster, from 0, of each pattern in `kept`."""
    # `tolist` would turn the missing value NaT into None or a whole number.
    is_array = isinstance(labels, np.ndarray) and labels.ndim > 0
    given: Any = list(labels) if is_array else labels
    check_sequence("clusters", given, of="labels")
    if len(given) != len(kept):
        raise ValueError(
            f"clusters must have one label for each of {len(kept)} patterns; got "
            f"{len(given)}"
        )
    if not all(isinstance(label, Hashable) for label in given):
        raise TypeError(f"clusters must be hashable labels; got {shown(given)}")
    for place, label in enumerate(given):
        check_label(f"clusters[{place}]", label)
    numbers: dict[Hashable, int] = {}
    codes = [
        numbers.setdefault(label, len(numbers))
        for label, is_kept in zip(given, kept, strict=True)
        if is_kept
    ]
    if len(numbers) <= coefficients:
        raise NoFitError(
            Obstacle.CLUSTERS,
            f"there must be more clusters than the {coefficients} coefficients, and 2 "
            f"or more; got {len(numbers)}",
        )
    return np.array(codes)


def scale_weights(
    sums: FloatArray, squares: FloatArray, respondents: int
) -> tuple[FloatArray, FloatArray, float]:
    """Return both sums, scaled to a mean weight of 1, and the effective sample size."""
    if not np.array_equal(sums > 0, squares > 0):
        row, column = np.argwhere((sums > 0) != (squares > 0))[0]
        raise ValueError(
            f"squared_weights[{row}, {column}] must be above 0 where counts are, and "
            f"only there; got {squares[row, column]:g}"
        )
    # (sum w)^2 / sum w^2 (Kish 1965), which a common factor of weights does not change
    effective = float((sums.sum() / max(squares.sum(), 1 / LARGEST)) * sums.sum())
    # By the Cauchy-Schwarz inequality, with equality for equal weights.
    if not is_at_most(effective, respondents):
        raise ValueError(
            "squared_weights must be sums of squares of the weights that counts sum: "
            f"their effective sample size is at most {respondents}; got {effective:g}"
        )
    factor = respondents / max(sums.sum(), 1 / LARGEST)
    return sums * factor, squares * factor**2, effective


def convert_to_floats(name: str, values: npt.ArrayLike) -> FloatArray:
    """Return an array of floats, or raise `TypeError`."""
    try:
        found = np.asarray(values)
        if found.dtype.kind not in "biufO":
            raise TypeError(f"got {shown(values)}")
        return found.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{name} must hold numbers; {error}") from error


def convert_to_matrix(name: str, values: npt.ArrayLike) -> FloatArray:
    """Return a two-dimensional array of floats."""
    found = convert_to_floats(name, values)
    if found.ndim != 2:
        raise ValueError(
            f"{name} must have rows and columns; got the shape {found.shape}"
        )
    return found


def refuse_first(
    message: str, bad: npt.NDArray[np.bool_], found: FloatArray, columns: Sequence[str]
) -> None:
    """Raise `ValueError` with the place and the value of the first bad number."""
    if bad.any():
        row, column = np.argwhere(bad)[0]
        raise ValueError(
            f"{message}; got {found[row, column]:g} in row {row}, column "
            f"{columns[column]!r}"
        )


def check_predictors(
    name: str, values: npt.ArrayLike, columns: Sequence[str], *, size: int
) -> FloatArray:
    """Return finite predictors of shape (size, columns)."""
    found = convert_to_matrix(name, values)
    if found.shape != (size, len(columns)):
        raise ValueError(
            f"{name} must have shape ({size}, {len(columns)}); got {found.shape}"
        )
    refuse_first(f"{name} must be finite numbers", ~np.isfinite(found), found, columns)
    largest = np.abs(found).max(axis=0, initial=0)
    is_extreme = (largest > LARGEST) | ((largest > 0) & (largest < 1 / LARGEST))
    refuse_first(
        f"{name} must be 0 or from {1 / LARGEST:g} to {LARGEST:g} in every column, "
        "take another unit",
        is_extreme & (np.abs(found) == largest),
        found,
        columns,
    )
    return found


def check_counts(
    name: str,
    values: npt.ArrayLike,
    kinds: Sequence[str],
    *,
    size: int,
    high: float = MAX_COUNT,
) -> FloatArray:
    """Return counts of shape (size, kinds), each in [0, high]."""
    found = convert_to_matrix(name, values)
    if found.shape != (size, len(kinds)):
        raise ValueError(
            f"{name} must have shape ({size}, {len(kinds)}), with columns "
            f"{', '.join(kinds)}; got {found.shape}"
        )
    is_sound = (found >= 0) & (found <= high)
    refuse_first(f"{name} must be numbers in [0, {high:g}]", ~is_sound, found, kinds)
    return found


def check_channel(
    name: str, given_yes: npt.ArrayLike, given_no: npt.ArrayLike, *, size: int
) -> Channel:
    """Return a and b of every pattern, with 0 <= b < a <= 1."""
    a, b = (
        convert_to_floats(f"{name}_{suffix}", given)
        for suffix, given in (("given_yes", given_yes), ("given_no", given_no))
    )
    if {a.shape, b.shape} - {(), (size,)}:
        raise ValueError(
            f"{name}_given_yes and {name}_given_no must be numbers, or one for each of "
            f"{size} patterns; got the shapes {a.shape} and {b.shape}"
        )
    a, b = np.broadcast_to(a, size), np.broadcast_to(b, size)
    bad = ~((b >= 0) & (b < a) & (a <= 1))
    if bad.any():
        row = int(np.argmax(bad))
        raise ValueError(
            f"{name}_given_yes and {name}_given_no must have 0 <= {name}_given_no < "
            f"{name}_given_yes <= 1; got {a[row]:g} and {b[row]:g} in row {row}"
        )
    return Channel(a, b)


def make_basis(
    designs: Sequence[FloatArray], people: FloatArray, names: Sequence[str]
) -> FloatArray:
    """Return coordinates in which predictors are uncorrelated with mean square 1.

    The predictors are the columns of design @ basis; means are over respondents, with
    equal weights for all designs. `NoFitError` if columns are collinear.
    """
    shares = np.sqrt(people / people.sum() / len(designs))
    stacked = np.vstack([design * shares[:, None] for design in designs])
    # First divide by the largest, so that squares do not overflow or underflow.
    lengths = _replace_zeros(np.abs(stacked).max(axis=0))
    lengths = lengths * _replace_zeros(np.linalg.norm(stacked / lengths, axis=0))
    triangle = np.linalg.qr(stacked / lengths, mode="r")
    _, sizes, axes = np.linalg.svd(triangle)
    if len(sizes) < len(lengths) or sizes[-1] < COLLINEAR * sizes[0]:
        collinear = [
            name
            for name, part in zip(names, np.abs(axes[-1]), strict=True)
            if part > SHARES_IN_A_SUM
        ]
        raise NoFitError(
            Obstacle.COLLINEAR,
            "columns must not be sums of each other, or without any variation beside "
            f"a constant; these are: {', '.join(collinear)}",
            collinear,
        )
    return np.linalg.inv(triangle) / lengths[:, None]


def _replace_zeros(lengths: FloatArray) -> FloatArray:
    return np.where(lengths > 0, lengths, 1.0)


def count_rows(columns: Sequence[npt.ArrayLike]) -> tuple[IntArray, IntArray]:
    """Return the first row of each group of equal rows, and the group of each row."""
    kinds = np.zeros(len(np.asarray(columns[0])), dtype=np.int64)
    first = kinds[:1]
    for column in columns:
        found, codes = np.unique(np.asarray(column), return_inverse=True)
        _, first, kinds = np.unique(
            kinds * len(found) + codes, return_index=True, return_inverse=True
        )
    return first, kinds
