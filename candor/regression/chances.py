"""How likely reports are, and how that changes with the linear predictors.

Two models: an outcome that was randomised, and with it a predictor that was too. All
arrays have one entry for each pattern last; arguments are checked by the callers.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
import scipy

from candor.binary import FloatArray


class Law(NamedTuple):
    """The chances a and b of each pattern: of a yes report, given yes and given no."""

    given_yes: FloatArray
    given_no: FloatArray


class Derivatives(NamedTuple):
    """The chances of R kinds of reports, and their derivatives.

    By K linear predictors; shapes (R, patterns), (K, R, patterns) and
    (K, K, R, patterns).
    """

    chances: FloatArray
    first: FloatArray
    second: FloatArray


class Model(Protocol):
    """What a search needs to know of a likelihood."""

    def derivatives(self, predictors: Sequence[FloatArray]) -> Derivatives:
        """Return how likely each kind of report is, and how that changes."""


def reported(law: Law, share: FloatArray, rest: FloatArray) -> FloatArray:
    """Return the chances of a yes and a no report, shape (2, patterns).

    `rest` is 1 - share, without the digits that a subtraction would lose.
    """
    # lam = b + (a - b) s and 1 - lam, as two sums of numbers of at least 0
    a, b = law
    found = np.empty((2, *share.shape))
    found[0] = b * rest + a * share
    found[1] = (1 - b) * rest + (1 - a) * share
    return found


def slopes(law: Law, predictor: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return `reported` of the logistic share, and its first and second derivative.

    As arrays of shape (2, patterns) and (2, 2, patterns), the order first.
    """
    share, rest = scipy.special.expit(predictor), scipy.special.expit(-predictor)
    # d lam / d eta = (a - b) s (1 - s), once more times (1 - 2 s)
    found = np.empty((2, 2, *share.shape))
    found[0, 0] = (law.given_yes - law.given_no) * share * rest
    found[1, 0] = found[0, 0] * (rest - share)
    np.negative(found[:, 0], out=found[:, 1])
    return reported(law, share, rest), found


class ScrambledOutcome:
    """Reports to one question of yes and no: yes first, then no.

    The share of yes is logistic in one linear predictor (Maddala 1983, Limited-
    Dependent and Qualitative Variables; van den Hout, van der Heijden & Gilchrist 2007,
    Computational Statistics & Data Analysis 51:6060).
    """

    def __init__(self, outcome: Law) -> None:
        self.outcome = outcome

    def derivatives(self, predictors: Sequence[FloatArray]) -> Derivatives:
        chances, (slope, bend) = slopes(self.outcome, predictors[0])
        return Derivatives(chances, slope[None], bend[None, None])


class ScrambledPredictor:
    """Reports to a predictor and to the outcome: yes-yes, yes-no, no-yes, no-no.

    The predictor's report comes first. Nobody knows its answer x, so both are summed
    over (Blair, Imai & Zhou 2015, Journal of the American Statistical Association
    110:1304):

        P(x*, y*) = sum over x of P(x* | x) P(x) P(y* | x),

    P(x = yes) logistic in the first linear predictor, the outcome's share in the second
    where x is yes and in the third where it is no.
    """

    def __init__(self, outcome: Law, predictor: Law) -> None:
        self.outcome, self.predictor = outcome, predictor
        a, b = predictor
        # By x (yes, no), then by x*
        self.seen = np.stack([np.stack([a, 1 - a]), np.stack([b, 1 - b])])

    def derivatives(self, predictors: Sequence[FloatArray]) -> Derivatives:
        having, *outcomes = predictors
        share, rest = scipy.special.expit(having), scipy.special.expit(-having)
        # By answer x: order of the derivative by the outcome's predictor, pair, pattern
        (yes, yes_slope, yes_bend), (no, no_slope, no_bend) = (
            self._pairs(part * seen, predictor)
            for part, seen, predictor in zip(
                (share, rest), self.seen, outcomes, strict=True
            )
        )
        # The logarithm of q has the slope 1 - q, that of 1 - q the slope -q.
        moved = yes * rest - no * share
        first = np.stack([moved, yes_slope, no_slope])
        second = np.zeros((3, *first.shape))
        second[0, 0] = moved * (rest - share)
        second[0, 1] = second[1, 0] = yes_slope * rest
        second[0, 2] = second[2, 0] = -no_slope * share
        second[1, 1], second[2, 2] = yes_bend, no_bend
        return Derivatives(yes + no, first, second)

    def _pairs(self, seen: FloatArray, predictor: FloatArray) -> FloatArray:
        """Return chances of pairs of reports and two derivatives, shape (3, 4, n).

        `seen` has the chances of both reports to the predictor, shape (2, patterns).
        """
        chances, derived = slopes(self.outcome, predictor)
        told = np.concatenate([chances[None], derived])
        return (seen[None, :, None] * told[:, None]).reshape(3, 4, -1)
