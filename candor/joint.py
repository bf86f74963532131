"""From the reports to two questions, taken together, to shares of true answers.

Each answer was randomised by itself, so the table of the pair is the Kronecker product
of the two tables, and its scores are the products of theirs.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
import numpy.typing as npt

from candor.binary import DIRECT, FloatArray
from candor.dichotomies import dichotomy_of_answer
from candor.homogeneity import exact_test, independence_test
from candor.intervals import (
    DEFAULT_CONFIDENCE_LEVEL,
    DEFAULT_METHOD,
    share_interval,
)
from candor.likelihood import likeliest
from candor.mechanisms import Mechanism
from candor.profile_likelihood import PairShare, profile_interval
from candor.scores import scores
from candor.validation import CONFIDENCE_LEVEL, check_square, check_tally

PairTally = Mapping[tuple[str, str], int]

MOST_CELLS = 100
"""Ten answers by ten: more shares than anybody could read."""


@dataclass(frozen=True)
class JointEstimate:
    """The joint shares of the answers to two questions.

    Attributes
    ----------
    first, second : Mechanism
        The tables of both questions, with as many reports as answers.
    counts : tuple of tuples of int
        How many respondents sent each pair of reports, shape (reports to the first,
        reports to the second).
    """

    first: Mechanism
    second: Mechanism
    counts: tuple[tuple[int, ...], ...]

    @property
    def respondents(self) -> int:
        """How many sent a report to both questions: n."""
        return sum(map(sum, self.counts))

    @cached_property
    def raw(self) -> FloatArray:
        """Unbiased joint shares, shape (answers, answers); may leave [0, 1].

        NaN without reports.
        """
        n, (numerators, denominator) = self.respondents, self._scores(power=1)
        if n == 0:
            return np.full(numerators.shape, math.nan)
        # P^-1 applied to the observed shares, P the Kronecker product of both tables:
        # van den Hout & van der Heijden 2002, International Statistical Review 70:269
        return (numerators / (n * denominator)).astype(np.float64)

    @cached_property
    def standard_errors(self) -> FloatArray:
        """Estimated standard deviation of each raw share, shape (answers, answers).

        The variance is unbiased. NaN for fewer than two reports.
        """
        n, (sums, denominator) = self.respondents, self._scores(power=1)
        if n < 2:
            return np.full(sums.shape, math.nan)
        squares, _ = self._scores(power=2)
        # [sum over reports of (C/n) s^2 - raw^2] / (n - 1), s the scores of the pair
        variances = (n * squares - sums**2) / (n**2 * (n - 1) * denominator**2)
        return np.sqrt(variances.astype(np.float64))

    @cached_property
    def shares(self) -> FloatArray:
        """Likeliest joint shares, shape (answers, answers): at least 0, of sum 1.

        `raw` where none of them is negative. NaN without reports.
        """
        if self.respondents == 0 or self.raw.min() >= 0:
            return self.raw
        # Products of two totals of up to 2**32, for which an int64 is too small.
        first, second = (
            np.array(each.weights, dtype=object) for each in (self.first, self.second)
        )
        pair = np.kron(first, second).tolist()
        found = likeliest(pair, np.ravel(self.counts).tolist())
        return np.array(found).reshape(self.raw.shape)

    @property
    def groups(self) -> FloatArray:
        """Adjusted share of each answer to the second question, of those with both."""
        return self.shares.sum(axis=0)

    @property
    def within(self) -> FloatArray:
        """Adjusted shares of the first answers among those with a second answer.

        Shape (answers, answers), columns sum to 1; NaN where next to nobody has the
        second answer.
        """
        groups = self.groups
        return self.shares / np.where(groups > 0, groups, math.nan)

    def intervals(
        self,
        target: PairShare,
        confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
        method: str = DEFAULT_METHOD,
    ) -> tuple[FloatArray, FloatArray]:
        """Return the ends of an interval for each share, both of shape `raw.shape`.

        Where both questions are direct, pairs of answers are counted, and the interval
        is that of one direct question. Else both are folded to "this answer" and
        "another", so that four combinations remain whatever the tables are, and the
        intervals of `profile_interval` hold for each by itself.

        Parameters
        ----------
        target : PairShare
            Joint shares, or shares of the first answers within each second answer.
        confidence_level : float
            In (0, 1).
        method : str
            A key of `candor.intervals.METHODS`, for shares that are counted.

        Raises
        ------
        ValueError
            For a table whose other answers send a report with different chances.
        """
        level = CONFIDENCE_LEVEL.check("confidence_level", confidence_level)
        if self.respondents == 0:
            return np.zeros(self.raw.shape), np.ones(self.raw.shape)
        if not (self.first.is_scrambled or self.second.is_scrambled):
            return self._exact_intervals(target, level, method)
        return self.profile_intervals(target, level)

    def profile_intervals(
        self, target: PairShare, confidence_level: float
    ) -> tuple[FloatArray, FloatArray]:
        """Return the same by the profile likelihood, whatever the tables are.

        For one respondent or more, and a level that was checked.
        """
        rows, row_laws = folded(self.first)
        columns, column_laws = folded(self.second)
        # Combinations of reports, then of answers, in the order of `PairShare`.
        counts = np.einsum("irm,mn,jsn->ijsr", rows, self.counts, columns)
        tables = np.einsum("jbs,iar->ijbasr", column_laws, row_laws)
        low, high = profile_interval(
            tables.reshape(-1, 4, 4),
            counts.reshape(-1, 4),
            target,
            confidence_level=confidence_level,
        )
        return low.reshape(self.raw.shape), high.reshape(self.raw.shape)

    def _exact_intervals(
        self, target: PairShare, level: float, method: str
    ) -> tuple[FloatArray, FloatArray]:
        """Return the same where every pair of answers is counted.

        The count of a pair is binomial among all, and among those of its group.
        """
        rows, columns = (folded(each)[0][:, 0] for each in (self.first, self.second))
        counts = rows @ np.array(self.counts) @ columns.T
        wholes = np.broadcast_to(
            self.respondents if target is PairShare.JOINT else counts.sum(axis=0),
            counts.shape,
        )
        ends = [
            share_interval(
                round(count),
                DIRECT.design(round(whole)),
                confidence_level=level,
                method=method,
            )
            for count, whole in zip(counts.flat, wholes.flat, strict=True)
        ]
        low, high = np.array(ends).T.reshape(2, *counts.shape)
        return low, high

    def tally_within(self, place: int) -> dict[str, int]:
        """Return the reports to the first question, of some respondents.

        Of those whose report to the second speaks for the answer in this row.
        """
        fold = dichotomy_of_answer(self.second, place)
        counts = map(fold.count, self.counts)
        return dict(zip(self.first.reports, counts, strict=True))

    @cached_property
    def _independence(self) -> tuple[float, bool] | None:
        found = independence_test(self.counts)
        answers = len(self.first.answers), len(self.second.answers)
        if found is None or self.second.is_scrambled or answers != (2, 2):
            return found
        # Two known groups are compared by Fisher's test: it is the same hypothesis.
        return exact_test(self.counts), True

    @property
    def independence(self) -> float | None:
        """P-value of "the two answers have nothing to do with each other".

        Answers that are randomised apart are independent just where their reports are,
        so a test of the reports is a test of the answers. Of two answers in two known
        groups it is Fisher's exact test, as of the difference between the groups. None
        where all reports to one of the questions are alike.
        """
        return self._independence and self._independence[0]

    @property
    def is_tested_exactly(self) -> bool:
        """Whether that is the p-value of an exact test, and not of Pearson's."""
        return self._independence is not None and self._independence[1]

    def _scores(self, *, power: int) -> tuple[npt.NDArray[np.object_], int]:
        """Return sums over respondents of scores to a power, and their denominator."""
        rows, row_denominator = scores(self.first.weights)
        columns, column_denominator = scores(self.second.weights)
        counts = np.array(self.counts, dtype=object)
        sums = (rows**power).T @ counts @ columns**power
        return sums, row_denominator * column_denominator


def estimate_joint(
    first: Mechanism, second: Mechanism, tally: PairTally
) -> JointEstimate:
    """Return the joint shares of two questions' answers behind a tally of pairs.

    Parameters
    ----------
    first, second : Mechanism
        Each with as many reports as answers, by which the answers were randomised
        apart; `MOST_CELLS` pairs of answers at most.
    tally : mapping of (str, str) to int
        How many respondents sent each pair of reports, 0 or more; pairs left out
        count 0.

    Raises
    ------
    TypeError
        For what is no mechanism, and counts that are no whole numbers.
    ValueError
        For tables that are not square, more pairs than `MOST_CELLS`, pairs of unknown
        reports, and counts below 0.

    Examples
    --------
    Two coins for both questions, 800 respondents:

    >>> from candor.mechanisms import build
    >>> coin, counts = build("coin"), {("yes", "yes"): 310, ("yes", "no"): 190}
    >>> counts |= {("no", "yes"): 170, ("no", "no"): 130}
    >>> print(estimate_joint(coin, coin, counts).raw.round(3).tolist())
    [[0.575, 0.175], [0.125, 0.125]]
    """
    check_square(first, name="first")
    check_square(second, name="second")
    cells = len(first.answers) * len(second.answers)
    if cells > MOST_CELLS:
        raise ValueError(
            f"first and second must have at most {MOST_CELLS} pairs of answers; "
            f"got {cells}"
        )
    pairs = list(product(first.reports, second.reports))
    counts = np.array(check_tally(tally, pairs), dtype=object)
    rows = counts.reshape(len(first.reports), len(second.reports)).tolist()
    return JointEstimate(first, second, tuple(map(tuple, rows)))


def folded(mechanism: Mechanism) -> tuple[FloatArray, FloatArray]:
    """Return for each answer which reports speak for it, and the law of their count.

    Returns
    -------
    sides : array of float
        Shape (answers, 2, reports): 1 for reports that speak for it, and for the rest.
    chances : array of float
        Shape (answers, 2, 2): of both sides, given the answer and given another.
    """
    reports = range(len(mechanism.reports))
    folds = [
        dichotomy_of_answer(mechanism, place)
        for place, _ in enumerate(mechanism.answers)
    ]
    spoken = np.array([np.isin(reports, fold.counted) for fold in folds], dtype=float)
    chances = np.array([fold.weights for fold in folds]) / mechanism.total
    return np.stack([spoken, 1 - spoken], axis=1), chances
