"""Joint shares of the answers to two questions, from pairs of reports.

The two answers were randomised independently. So the table of the pair is the Kronecker
product of the two tables, and the scores of the pair are products of their scores.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Self

import numpy as np
import numpy.typing as npt

from candor.binary import DIRECT, FloatArray, keep_inside
from candor.dichotomies import find_answer_dichotomy
from candor.estimands import (
    Estimand,
    compute_chances,
    find_largest_variance,
    score_values,
    scores,
)
from candor.homogeneity import exact_test, run_independence_test
from candor.intervals import (
    DEFAULT_CONFIDENCE_LEVEL,
    DEFAULT_METHOD,
    share_interval,
)
from candor.likelihood import find_maximum_likelihood_shares
from candor.mechanisms import Mechanism
from candor.profile_likelihood import PairShare, find_profile_interval
from candor.validation import (
    CONFIDENCE_LEVEL,
    check_counts,
    check_square,
)

PairCounts = Mapping[tuple[str, str], int]

MAX_CELLS = 100
"""Ten answers by ten: larger tables cannot be read."""


@dataclass(frozen=True)
class JointSample:
    """Pairs of reports to two questions.

    `counts` has shape (reports to the first, reports to the second); both mechanisms
    have as many reports as answers.
    """

    first: Mechanism
    second: Mechanism
    counts: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, first: Mechanism, second: Mechanism, counts: PairCounts) -> Self:
        """Return the sample with these counts by pair of reports, checked.

        Both mechanisms have as many reports as answers, and together at most
        `MAX_CELLS` pairs of answers. Pairs that are left out count 0.
        """
        check_square(first, name="first")
        check_square(second, name="second")
        cells = len(first.answers) * len(second.answers)
        if cells > MAX_CELLS:
            raise ValueError(
                f"first and second must have at most {MAX_CELLS} pairs of answers; "
                f"got {cells}"
            )
        pairs = list(product(first.reports, second.reports))
        checked = np.array(check_counts(counts, pairs), dtype=object)
        rows = checked.reshape(len(first.reports), len(second.reports)).tolist()
        return cls(first, second, tuple(map(tuple, rows)))

    @property
    def n(self) -> int:
        return sum(map(sum, self.counts))

    @cached_property
    def raw(self) -> FloatArray:
        """Unbiased joint shares, shape (answers, answers); NaN without reports.

        They may lie outside [0, 1].
        """
        n, (numerators, denominator) = self.n, self._scores(power=1)
        if n == 0:
            return np.full(numerators.shape, math.nan)
        # P^-1 applied to the observed shares, P the Kronecker product of both tables:
        # van den Hout & van der Heijden 2002, International Statistical Review 70:269
        return (numerators / (n * denominator)).astype(np.float64)

    @cached_property
    def standard_errors(self) -> FloatArray:
        """Estimated standard deviation of each raw share; NaN for n below 2.

        If all pairs of reports have the same score, it is the standard error at the
        maximum-likelihood share, as for one question.
        """
        n, (sums, denominator) = self.n, self._scores(power=1)
        if n < 2:
            return np.full(sums.shape, math.nan)
        squares, _ = self._scores(power=2)
        # [sum over reports of (C/n) s^2 - raw^2] / (n - 1), s the scores of the pair
        variances = (n * squares - sums**2) / (n**2 * (n - 1) * denominator**2)
        errors = np.sqrt(variances.astype(np.float64))
        for cell in np.argwhere(errors == 0).tolist():
            errors[tuple(cell)] = self._error_at_estimate(*cell)
        return errors

    def _error_at_estimate(self, row: int, column: int) -> float:
        moments = [
            compute_chances(each.weights)
            @ score_values(
                each.weights, Estimand.make_share(place, answers=len(each.answers))
            )
            ** 2
            for each, place in ((self.first, row), (self.second, column))
        ]
        has_both = np.zeros(self.shares.shape, dtype=int)
        has_both[row, column] = 1
        variance = find_largest_variance(
            np.outer(*moments).ravel(),
            has_both.ravel().tolist(),
            keep_inside(float(self.shares[row, column]), self.n),
        )
        return math.sqrt(variance / self.n)

    @cached_property
    def shares(self) -> FloatArray:
        """Maximum-likelihood joint shares, shape (answers, answers), with sum 1.

        They equal `raw` if no raw share is negative. NaN without reports.
        """
        if self.n == 0 or self.raw.min() >= 0:
            return self.raw
        # Products of two totals of up to 2**32, for which an int64 is too small.
        first, second = (
            np.array(each.weights, dtype=object) for each in (self.first, self.second)
        )
        pair = np.kron(first, second).tolist()
        found = find_maximum_likelihood_shares(pair, np.ravel(self.counts).tolist())
        return np.array(found).reshape(self.raw.shape)

    @property
    def groups(self) -> FloatArray:
        return self.shares.sum(axis=0)

    @property
    def within(self) -> FloatArray:
        """Shares of the first answers among respondents with each second answer.

        Columns sum to 1; NaN if the share of the second answer is 0.
        """
        groups = self.groups
        return self.shares / np.where(groups > 0, groups, math.nan)

    def intervals(
        self,
        kind: PairShare,
        confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
        method: str = DEFAULT_METHOD,
    ) -> tuple[FloatArray, FloatArray]:
        """Return the ends of an interval for each share, both of shape `raw.shape`.

        If both questions are direct, pairs of answers are counted, and the interval is
        that of a direct question by `method`. Otherwise both questions are dichotomised
        into "this answer" and "another", so that four combinations remain for any
        table, and intervals are by `find_profile_interval`. `ValueError` for a table
        without dichotomies.
        """
        level = CONFIDENCE_LEVEL.check("confidence_level", confidence_level)
        if self.n == 0:
            return np.zeros(self.raw.shape), np.ones(self.raw.shape)
        if not (self.first.is_scrambled or self.second.is_scrambled):
            return self._exact_intervals(kind, level, method)
        return self.profile_intervals(kind, level)

    def profile_intervals(
        self, kind: PairShare, confidence_level: float
    ) -> tuple[FloatArray, FloatArray]:
        """Return the intervals by profile likelihood, for n of 1 or more."""
        rows, row_chances = dichotomise(self.first)
        columns, column_chances = dichotomise(self.second)
        # Combinations of reports, then of answers, in the order of `PairShare`.
        counts = np.einsum("irm,mn,jsn->ijsr", rows, self.counts, columns)
        tables = np.einsum("jbs,iar->ijbasr", column_chances, row_chances)
        low, high = find_profile_interval(
            tables.reshape(-1, 4, 4),
            counts.reshape(-1, 4),
            kind,
            confidence_level=confidence_level,
        )
        return low.reshape(self.raw.shape), high.reshape(self.raw.shape)

    def _exact_intervals(
        self, kind: PairShare, level: float, method: str
    ) -> tuple[FloatArray, FloatArray]:
        """Return the intervals of counted pairs of answers.

        The count of a pair is binomial, given the total or the size of its group.
        """
        rows, columns = (
            dichotomise(each)[0][:, 0] for each in (self.first, self.second)
        )
        counts = rows @ np.array(self.counts) @ columns.T
        wholes = np.broadcast_to(
            self.n if kind is PairShare.JOINT else counts.sum(axis=0),
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

    def counts_within(self, place: int) -> dict[str, int]:
        """Return the counts of the first reports within a group.

        The group consists of respondents whose second report counts for the answer in
        row `place`.
        """
        dichotomy = find_answer_dichotomy(self.second, place)
        counts = map(dichotomy.count, self.counts)
        return dict(zip(self.first.reports, counts, strict=True))

    @cached_property
    def _independence(self) -> tuple[float, bool] | None:
        tested = run_independence_test(self.counts)
        answers = len(self.first.answers), len(self.second.answers)
        if tested is None or self.second.is_scrambled or answers != (2, 2):
            return tested
        # Two known groups are compared by Fisher's test, so use the same test here.
        return exact_test(self.counts), True

    @property
    def independence(self) -> float | None:
        """P-value of "the two answers are independent".

        Answers that are randomised separately are independent if and only if their
        reports are. None if all reports to one of the questions are the same.
        """
        return self._independence and self._independence[0]

    @property
    def is_tested_exactly(self) -> bool:
        """Whether `independence` is from an exact test instead of Pearson's."""
        return self._independence is not None and self._independence[1]

    def _scores(self, *, power: int) -> tuple[npt.NDArray[np.object_], int]:
        """Return sums of powers of scores over respondents, and their denominator."""
        rows, row_denominator = scores(self.first.weights)
        columns, column_denominator = scores(self.second.weights)
        counts = np.array(self.counts, dtype=object)
        sums = (rows**power).T @ counts @ columns**power
        return sums, row_denominator * column_denominator


def dichotomise(mechanism: Mechanism) -> tuple[FloatArray, FloatArray]:
    """Return which reports count for each answer, and the chances of these reports.

    The first array, shape (answers, 2, reports), is 1 for the reports that count for
    the answer, then for the others. The second, shape (answers, 2, 2), has the chances
    of both sets, given the answer and given another one.
    """
    reports = range(len(mechanism.reports))
    found = [
        find_answer_dichotomy(mechanism, place)
        for place, _ in enumerate(mechanism.answers)
    ]
    counted = np.array([np.isin(reports, each.counted) for each in found], dtype=float)
    chances = np.array([each.weights for each in found]) / mechanism.total
    return np.stack([counted, 1 - counted], axis=1), chances
