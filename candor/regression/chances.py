"""Probabilities of reports, and their derivatives by the linear predictors.

There are two models: a randomised outcome, and with it a randomised predictor. The last
axis of all arrays is the pattern of predictors. Arguments are checked by the callers.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
import scipy

from candor.binary import FloatArray


class Channel(NamedTuple):
    """P(yes report | yes) and P(yes report | no) of each pattern: a and b."""

    given_yes: FloatArray
    given_no: FloatArray


class Derivatives(NamedTuple):
    """Probabilities of R kinds of reports, derived by K linear predictors.

    Shapes (R, patterns), (K, R, patterns) and (K, K, R, patterns).
    """

    chances: FloatArray
    first: FloatArray
    second: FloatArray


class Model(Protocol):
    """A model of the probability of reports."""

    def derivatives(self, predictors: Sequence[FloatArray]) -> Derivatives:
        """Return the probability of each kind of report, and its derivatives."""


def report_chances(channel: Channel, predictor: FloatArray) -> FloatArray:
    """Return P(yes report) and P(no report) with two derivatives, shape (3, 2, n)."""
    a, b = channel
    share, rest = scipy.special.expit(predictor), scipy.special.expit(-predictor)
    found = np.empty((3, 2, *share.shape))
    # lam = b + (a - b) s and 1 - lam, as sums of numbers of at least 0
    found[0, 0] = b * rest + a * share
    found[0, 1] = (1 - b) * rest + (1 - a) * share
    # d lam / d eta = (a - b) s (1 - s), and once more times (1 - 2 s)
    found[1, 0] = (a - b) * share * rest
    found[2, 0] = found[1, 0] * (rest - share)
    np.negative(found[1:, 0], out=found[1:, 1])
    return found


class ScrambledOutcome:
    """Reports to one question of yes and no: yes first, then no.

    The share of yes is logistic in one linear predictor (Maddala 1983, Limited-
    Dependent and Qualitative Variables; van den Hout, van der Heijden & Gilchrist 2007,
    Computational Statistics & Data Analysis 51:6060).
    """

    def __init__(self, outcome: Channel) -> None:
        self.outcome = outcome

    def derivatives(self, predictors: Sequence[FloatArray]) -> Derivatives:
        chances, first, second = report_chances(self.outcome, predictors[0])
        return Derivatives(chances, first[None], second[None, None])


class ScrambledPredictor:
    """Reports to a predictor and to the outcome: yes-yes, yes-no, no-yes, no-no.

    The predictor's report comes first. Its answer x is unknown, so it is summed over
    (Blair, Imai & Zhou 2015, Journal of the American Statistical Association 110:1304):

        P(x*, y*) = sum over x of P(x* | x) P(x) P(y* | x),

    P(x = yes) logistic in the first linear predictor, the outcome's share in the second
    where x is yes and in the third where it is no.
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
                * report_chances(self.outcome, predictor)[:, None]
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
