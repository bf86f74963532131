"""Where reports are likeliest: Fisher scoring and Newton's method, with safeguards."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from candor.binary import FloatArray
from candor.regression.chances import Derivatives, Model

MOST_STEPS = 60
"""Five to ten are needed; who needs more runs off to where there is no maximum."""

DECREMENT = 1e-10
"""The step that promises to raise the log likelihood by less is the last: it starts
within a hundred-thousandth of a standard error, and Newton's squares that."""

ROUNDING = 1e-14
"""What rounding may take from a log likelihood, as a part of it."""

LONGEST_STEP = 4.0
"""Coordinates are scaled so that this is about four in a typical log odds."""

MOST_HALVINGS = 40

ONE_PROCESSOR = 2**17
"""Multiplications that OpenBLAS leaves to one processor: below 2**18."""

TINY = 1e-300
"""Keeps quotients and logarithms finite where a report is impossible: nobody sent it,
or the place is far worse than the one before."""


@dataclass(frozen=True)
class Problem:
    """A likelihood, and the coordinates in which it is searched.

    Attributes
    ----------
    model : Model
    counts : array of float
        Shape (R, patterns): how many sent each kind of reports, 0 or more.
    designs : sequence of arrays
        One of shape (patterns, coordinates) for each linear predictor of the model.
    offsets : sequence of arrays
        What is added to each linear predictor, shape (patterns,).
    """

    model: Model
    counts: FloatArray
    designs: Sequence[FloatArray]
    offsets: Sequence[FloatArray | float]

    def predictors(self, place: FloatArray) -> list[FloatArray]:
        """Return the linear predictors there, each of shape (patterns,)."""
        return [
            np.einsum("ij,j->i", design, place) + offset
            for design, offset in zip(self.designs, self.offsets, strict=True)
        ]

    def derivatives(self, place: FloatArray) -> Derivatives:
        """Return how likely reports are there, and how that changes."""
        return self.model.derivatives(self.predictors(place))

    def log_likelihood(self, derived: Derivatives) -> float:
        """Return the sum of counts times logarithms of their chances."""
        logarithms = np.log(np.maximum(derived.chances, TINY))
        return float(np.vdot(self.counts, logarithms))

    def each(self, derived: Derivatives) -> FloatArray:
        """Return the part of each pattern in the log likelihood, shape (patterns,)."""
        logarithms = np.log(np.maximum(derived.chances, TINY))
        return (self.counts * logarithms).sum(axis=0)

    def within(self, basis: FloatArray, start: FloatArray) -> "Problem":
        """Return the same on the places start + basis @ x."""
        designs = [columns(design @ basis) for design in self.designs]
        return Problem(self.model, self.counts, designs, self.predictors(start))

    def gradient(self, derived: Derivatives) -> FloatArray:
        """Return the slope of the log likelihood, shape (coordinates,)."""
        ratios = self.counts / np.maximum(derived.chances, TINY)
        parts = [
            np.einsum("i,ij->j", (ratios * part).sum(axis=0), design)
            for part, design in zip(derived.first, self.designs, strict=True)
        ]
        return np.sum(parts, axis=0)

    def observed(self, derived: Derivatives) -> FloatArray:
        """Return the observed information, minus the second derivative."""
        chances = np.maximum(derived.chances, TINY)
        ratios, relative = self.counts / chances, derived.first / chances
        return self._information(
            [
                [
                    (ratios * (first * other - second)).sum(axis=0)
                    for other, second in zip(relative, row, strict=True)
                ]
                for first, row in zip(derived.first, derived.second, strict=True)
            ]
        )

    def expected(self, derived: Derivatives) -> FloatArray:
        """Return the information that reports have on average."""
        people = self.counts.sum(axis=0)
        relative = derived.first / np.maximum(derived.chances, TINY)
        return self._information(
            [
                [people * (first * other).sum(axis=0) for other in relative]
                for first in derived.first
            ]
        )

    def squared_scores(self, derived: Derivatives, squares: FloatArray) -> FloatArray:
        """Return the sum of squared gradients of single reports, for the sandwich.

        `squares` are sums of squared weights, of the shape of the counts.
        """
        relative = derived.first / np.maximum(derived.chances, TINY)
        return self._information(
            [
                [(squares * left * right).sum(axis=0) for right in relative]
                for left in relative
            ]
        )

    def _information(self, weights: Sequence[Sequence[FloatArray]]) -> FloatArray:
        parts = [
            weighted_product(left, weight, right)
            for left, row in zip(self.designs, weights, strict=True)
            for right, weight in zip(self.designs, row, strict=True)
        ]
        return np.sum(parts, axis=0)


@dataclass(frozen=True)
class Found:
    """Where a search ended.

    Attributes
    ----------
    place : array of float
        Shape (coordinates,).
    log_likelihood : float
    is_maximum : bool
        Whether the search came to a stop where the log likelihood bends down in all
        directions.
    is_smooth : bool
        Whether it bent down in all directions on the whole way.
    """

    place: FloatArray
    log_likelihood: float
    is_maximum: bool
    is_smooth: bool


def maximum_from(problem: Problem, start: FloatArray) -> Found:
    """Return the maximum that is reached from here.

    Newton's step where the log likelihood bends down, else that of Fisher scoring;
    halved until the log likelihood does not fall.

    Parameters
    ----------
    problem : Problem
    start : array of float
        Shape (coordinates,), where all reports that were sent are possible.
    """
    place, derived, is_smooth = start, problem.derivatives(start), True
    value = problem.log_likelihood(derived)
    for _step in range(MOST_STEPS if start.size else 0):
        gradient = problem.gradient(derived)
        step = uphill(problem.observed(derived), gradient)
        is_newton = step is not None
        if step is None:
            step, is_smooth = uphill(problem.expected(derived), gradient), False
        if step is None:
            break
        slack = DECREMENT + ROUNDING * abs(value)
        if gradient @ step < slack:
            return Found(place + step, value, is_newton, is_smooth)
        step *= min(1.0, LONGEST_STEP / float(np.linalg.norm(step)))
        for _halving in range(MOST_HALVINGS):
            derived = problem.derivatives(place + step)
            reached = problem.log_likelihood(derived)
            if reached >= value - slack:
                break
            step /= 2
        else:
            break
        place, value = place + step, reached
    return Found(place, value, is_maximum=not start.size, is_smooth=is_smooth)


def weighted_product(
    left: FloatArray, weight: FloatArray, right: FloatArray
) -> FloatArray:
    """Return left' diag(weight) right, in blocks of rows that one processor takes.

    Libraries of linear algebra share larger products among all processors. Products as
    narrow as these gain nothing by it, and wait for the slowest: ten times as long on a
    machine that has other work.
    """
    rows = max(1, ONE_PROCESSOR // (left.shape[1] * right.shape[1]))
    product = np.zeros((left.shape[1], right.shape[1]))
    for start in range(0, len(weight), rows):
        block = slice(start, start + rows)
        product += (left[block].T * weight[block]) @ right[block]
    return product


def columns(design: FloatArray) -> FloatArray:
    """Return the array with each column in one piece of memory, as products want it."""
    return np.asfortranarray(design)


def uphill(information: FloatArray, gradient: FloatArray) -> FloatArray | None:
    """Return information^-1 gradient; None where the information is not positive."""
    try:
        root = np.linalg.cholesky(information)
    except np.linalg.LinAlgError:
        return None
    return np.linalg.solve(root.T, np.linalg.solve(root, gradient))
