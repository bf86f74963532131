"""The log likelihood of reports, and its maximum from one start by Newton's method.

There are two models: a randomised outcome, alone or with a randomised predictor. The
last axis of arrays of probabilities is the pattern of predictors.

scipy's trust-region methods find the same maxima, but take 1.1 to 2.7 times as long
("trust-exact"; 1.0 to 1.7 for "trust-ncg"; 26 data sets of 11 kinds). If columns are
years and their squares, they leave the end of an interval inaccurate: the gradient
cannot get as small as they require, while the Newton decrement allows for rounding.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import scipy

from candor.binary import FloatArray, IntArray


class Channel(NamedTuple):
    """P(yes report | yes) and P(yes report | no) of each pattern: a and b."""

    given_yes: FloatArray
    given_no: FloatArray


class Derivatives(NamedTuple):
    """Probabilities of R kinds of reports, and derivatives by K linear predictors.

    Shapes (R, patterns), (K, R, patterns) and (K, K, R, patterns).
    """

    chances: FloatArray
    first: FloatArray
    second: FloatArray


def compute_report_chances(channel: Channel, predictor: FloatArray) -> FloatArray:
    """Return P(yes report), P(no report) and two derivatives, shape (3, 2, n)."""
    a, b = channel
    share, rest = scipy.special.expit(predictor), scipy.special.expit(-predictor)
    found = np.empty((3, 2, *share.shape))
    # lam = b + (a - b) s and 1 - lam, as sums of nonnegative numbers
    found[0, 0] = b * rest + a * share
    found[0, 1] = (1 - b) * rest + (1 - a) * share
    # d lam / d eta = (a - b) s (1 - s), and once more times (1 - 2 s)
    found[1, 0] = (a - b) * share * rest
    found[2, 0] = found[1, 0] * (rest - share)
    np.negative(found[1:, 0], out=found[1:, 1])
    return found


class ScrambledOutcome:
    """Reports to one yes/no question: yes first, then no.

    The share of yes is logistic in one linear predictor (Maddala 1983, Limited-
    Dependent and Qualitative Variables; van den Hout, van der Heijden & Gilchrist 2007,
    Computational Statistics & Data Analysis 51:6060).
    """

    def __init__(self, outcome: Channel) -> None:
        self.outcome = outcome

    def derivatives(self, predictors: Sequence[FloatArray]) -> Derivatives:
        chances, first, second = compute_report_chances(self.outcome, predictors[0])
        return Derivatives(chances, first[None], second[None, None])


class ScrambledPredictor:
    """Reports to a predictor and to the outcome: yes-yes, yes-no, no-yes, no-no.

    The predictor's report comes first. The likelihood sums over its unknown answer x
    (Blair, Imai & Zhou 2015, Journal of the American Statistical Association 110:1304):

        P(x*, y*) = sum over x of P(x* | x) P(x) P(y* | x).

    P(x = yes) is logistic in the first linear predictor. The outcome's share is
    logistic in the second one if x is yes, and in the third one if x is no.
    """

    def __init__(self, outcome: Channel, predictor: Channel) -> None:
        self.outcome, self.predictor = outcome, predictor
        a, b = predictor
        # By x (yes, no), then by x*
        self.seen = np.stack([np.stack([a, 1 - a]), np.stack([b, 1 - b])])

    def derivatives(self, predictors: Sequence[FloatArray]) -> Derivatives:
        having, *outcomes = predictors
        share, rest = scipy.special.expit(having), scipy.special.expit(-having)
        # By answer x: the order of the derivative by its predictor, pair, pattern
        (yes, yes_first, yes_second), (no, no_first, no_second) = (
            (
                (part * seen)[None, :, None]
                * compute_report_chances(self.outcome, predictor)[:, None]
            ).reshape(3, 4, -1)
            for part, seen, predictor in zip(
                (share, rest), self.seen, outcomes, strict=True
            )
        )
        # The logarithm of q has the derivative 1 - q, that of 1 - q has -q.
        moved = yes * rest - no * share
        first = np.stack([moved, yes_first, no_first])
        second = np.zeros((3, *first.shape))
        second[0, 0] = moved * (rest - share)
        second[0, 1] = second[1, 0] = yes_first * rest
        second[0, 2] = second[2, 0] = -no_first * share
        second[1, 1], second[2, 2] = yes_second, no_second
        return Derivatives(yes + no, first, second)


Model = ScrambledOutcome | ScrambledPredictor

MAX_STEPS = 60
"""Five to ten are usual; a search that needs more diverges to infinity."""

DECREMENT = 1e-10
"""A step that is expected to raise the log likelihood by less than this is the last. It
starts within 1e-5 standard errors, and Newton's method squares that."""

ROUNDING = 1e-14
"""Rounding error of a log likelihood, as a part of it."""

MAX_STEP_LENGTH = 4.0
"""Coordinates are scaled so that this is about four in typical log odds."""

MAX_HALVINGS = 40

FLATTEST = 1e-12
"""Added to the information, as a part of it. If a coefficient diverges to infinity, its
information is rounding error, and a step along it could have any length."""

ONE_PROCESSOR = 2**17
"""Multiplications per product. OpenBLAS uses one processor below 2**18."""

TINY = 1e-300
"""Keeps quotients and logarithms finite where a report is impossible."""


@dataclass(frozen=True)
class Likelihood:
    """A log likelihood, and the coordinates in which its maximum is searched.

    `counts` has shape (R, patterns). For each linear predictor of the model, `designs`
    has an array of shape (patterns, coordinates), and `offsets` the offset.
    """

    model: Model
    counts: FloatArray
    designs: Sequence[FloatArray]
    offsets: Sequence[FloatArray | float]

    def predictors(self, place: FloatArray) -> list[FloatArray]:
        return [
            np.einsum("ij,j->i", design, place) + offset
            for design, offset in zip(self.designs, self.offsets, strict=True)
        ]

    def derivatives(self, place: FloatArray) -> Derivatives:
        return self.model.derivatives(self.predictors(place))

    def value(self, derived: Derivatives) -> float:
        return float(np.vdot(self.counts, np.log(np.maximum(derived.chances, TINY))))

    def by_pattern(self, derived: Derivatives) -> FloatArray:
        """Return the log likelihood of each pattern, shape (patterns,)."""
        logarithms = np.log(np.maximum(derived.chances, TINY))
        return (self.counts * logarithms).sum(axis=0)

    def within(self, basis: FloatArray, start: FloatArray) -> "Likelihood":
        """Return the likelihood as a function of x at the places start + basis @ x."""
        designs = [np.asfortranarray(design @ basis) for design in self.designs]
        return Likelihood(self.model, self.counts, designs, self.predictors(start))

    def gradient(self, derived: Derivatives) -> FloatArray:
        ratios = self.counts / np.maximum(derived.chances, TINY)
        parts = [
            np.einsum("i,ij->j", (ratios * part).sum(axis=0), design)
            for part, design in zip(derived.first, self.designs, strict=True)
        ]
        return np.sum(parts, axis=0)

    def cluster_gradients(self, derived: Derivatives, clusters: IntArray) -> FloatArray:
        """Return the gradient of each cluster, shape (clusters, coordinates)."""
        ratios = self.counts / np.maximum(derived.chances, TINY)
        found = np.zeros((clusters.max() + 1, self.designs[0].shape[1]))
        for part, design in zip(derived.first, self.designs, strict=True):
            np.add.at(found, clusters, (ratios * part).sum(axis=0)[:, None] * design)
        return found

    def observed(self, derived: Derivatives) -> FloatArray:
        """Return the observed information: the negative second derivative."""
        chances = np.maximum(derived.chances, TINY)
        ratios, relative = self.counts / chances, derived.first / chances
        return self._sum_information(
            [
                [
                    (ratios * (first * other - second)).sum(axis=0)
                    for other, second in zip(relative, row, strict=True)
                ]
                for first, row in zip(derived.first, derived.second, strict=True)
            ]
        )

    def expected(self, derived: Derivatives) -> FloatArray:
        """Return the expected (Fisher) information."""
        respondents = self.counts.sum(axis=0)
        relative = derived.first / np.maximum(derived.chances, TINY)
        return self._sum_information(
            [
                [respondents * (first * other).sum(axis=0) for other in relative]
                for first in derived.first
            ]
        )

    def squared_scores(self, derived: Derivatives, squares: FloatArray) -> FloatArray:
        """Return the sum of squared gradients of reports, for the sandwich."""
        relative = derived.first / np.maximum(derived.chances, TINY)
        return self._sum_information(
            [
                [(squares * left * right).sum(axis=0) for right in relative]
                for left in relative
            ]
        )

    def _sum_information(self, weights: Sequence[Sequence[FloatArray]]) -> FloatArray:
        parts = [
            compute_weighted_product(left, weight, right)
            for left, row in zip(self.designs, weights, strict=True)
            for right, weight in zip(self.designs, row, strict=True)
        ]
        return np.sum(parts, axis=0)


@dataclass(frozen=True)
class Maximum:
    """The place where a search ended.

    `is_maximum`: whether it converged to a place with positive definite information.
    `is_smooth`: whether the information was positive definite at every step.
    """

    place: FloatArray
    log_likelihood: float
    is_maximum: bool
    is_smooth: bool


def climb_from(start: FloatArray, likelihood: Likelihood) -> Maximum:
    """Return the maximum that Newton's method reaches from a start.

    If the observed information is not positive definite, the step is one of Fisher
    scoring. Steps are halved until the log likelihood does not fall. At the start, all
    reports that were sent must have positive probability.
    """
    place, derived, is_smooth = start, likelihood.derivatives(start), True
    value = likelihood.value(derived)
    for _step in range(MAX_STEPS if start.size else 0):
        gradient = likelihood.gradient(derived)
        step = solve_step(likelihood.observed(derived), gradient)
        is_newton = step is not None
        if step is None:
            step, is_smooth = solve_step(likelihood.expected(derived), gradient), False
        if step is None:
            break
        slack = DECREMENT + ROUNDING * abs(value)
        if gradient @ step < slack:
            return Maximum(place + step, value, is_newton, is_smooth)
        step *= min(1.0, MAX_STEP_LENGTH / float(np.linalg.norm(step)))
        for _halving in range(MAX_HALVINGS):
            derived = likelihood.derivatives(place + step)
            reached = likelihood.value(derived)
            if reached >= value - slack:
                break
            step /= 2
        else:
            break
        place, value = place + step, reached
    return Maximum(place, value, is_maximum=not start.size, is_smooth=is_smooth)


def solve_step(information: FloatArray, gradient: FloatArray) -> FloatArray | None:
    """Return information^-1 gradient; None if information is not positive definite."""
    least = FLATTEST * np.trace(information)
    try:
        root = np.linalg.cholesky(information + least * np.eye(len(gradient)))
    except np.linalg.LinAlgError:
        return None
    return np.linalg.solve(root.T, np.linalg.solve(root, gradient))


def compute_weighted_product(
    left: FloatArray, weight: FloatArray, right: FloatArray
) -> FloatArray:
    """Return left' diag(weight) right, computed in blocks of rows on one processor.

    Libraries of linear algebra distribute larger products over all processors. Narrow
    products like these do not get faster, but wait for the slowest processor: they took
    ten times as long on a busy machine.
    """
    rows = max(1, ONE_PROCESSOR // (left.shape[1] * right.shape[1]))
    product = np.zeros((left.shape[1], right.shape[1]))
    for start in range(0, len(weight), rows):
        block = slice(start, start + rows)
        product += (left[block].T * weight[block]) @ right[block]
    return product
