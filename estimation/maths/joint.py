"""From the reports to two questions, taken together, to shares of true answers.

Each answer was randomised by itself, so the table of the pair is the Kronecker product
of the two tables. It is never written out: whatever it is applied to goes through one
table after the other, in whole numbers of any size.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy.stats import chi2_contingency

from estimation.maths.checked import CONFIDENCE_LEVEL
from estimation.maths.intervals import DEFAULT_CONFIDENCE_LEVEL, is_whole
from estimation.maths.likelihood import likeliest_mixture
from estimation.maths.profile import Target, profile_interval
from estimation.maths.scores import scores
from estimation.maths.yes_no import FloatArray
from surveys.mechanisms import Mechanism

PairTally = Mapping[tuple[str, str], int]

MOST_CELLS = 100
"""Ten answers by ten: more shares than anybody could read."""

LEAST_EXPECTED = 5
"""Expected counts below make Pearson's test too ready to see something (Cochran 1954,
Biometrics 10:417)."""

AT_EDGE = 1e-6
"""Adjusted shares below are shares of 0 that the search for the maximum left behind."""


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
        pair = np.kron(chances(self.first), chances(self.second)).astype(np.float64)
        counts = np.array(self.counts, dtype=np.float64).reshape(1, -1)
        found, _ = likeliest_mixture(pair[None], counts)
        kept = np.where(found[0] < AT_EDGE, 0.0, found[0])
        return (kept / kept.sum()).reshape(self.raw.shape)

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
        self, target: Target, confidence_level: float = DEFAULT_CONFIDENCE_LEVEL
    ) -> tuple[FloatArray, FloatArray]:
        """Return the ends of an interval for each share, both of shape `raw.shape`.

        Both questions are folded to "this answer" and "another": all other answers
        send its report with one chance, so that four combinations remain whatever the
        tables are, and the intervals of `profile_interval` hold for each by itself.

        Parameters
        ----------
        target : Target
            Joint shares, or shares of the first answers within each second answer.
        confidence_level : float
            In (0, 1).

        Raises
        ------
        TypeError, ValueError
            For a bad confidence level; for a table whose other answers send a report
            with different chances.
        """
        level = CONFIDENCE_LEVEL.check("confidence_level", confidence_level)
        shape = self.raw.shape
        if self.respondents == 0:
            return np.zeros(shape), np.ones(shape)
        folded = [
            (fold(self.first, row), fold(self.second, column))
            for row in range(shape[0])
            for column in range(shape[1])
        ]
        # Combinations of answers and of reports in the order (a, b), (not a, b) ...
        tables = np.array([np.kron(second, first) for first, second in folded])
        counts = np.array(
            [
                self._folded_counts(row, column)
                for row in range(shape[0])
                for column in range(shape[1])
            ]
        )
        low, high = profile_interval(tables, counts, target, confidence_level=level)
        return low.reshape(shape), high.reshape(shape)

    @cached_property
    def independence(self) -> float | None:
        """P-value of "the two answers have nothing to do with each other".

        Answers that are randomised apart are independent just where their reports are,
        so Pearson's test of the reports is a test of the answers. None where too few
        reports are expected somewhere for it.
        """
        table = np.array(self.counts)
        table = table[table.any(axis=1)][:, table.any(axis=0)]
        if min(table.shape) < 2:
            return None
        found = chi2_contingency(table, correction=False)
        if found.expected_freq.min() < LEAST_EXPECTED:
            return None
        return float(found.pvalue)

    def _scores(self, *, power: int) -> tuple[npt.NDArray[np.object_], int]:
        """Return sums over respondents of scores to a power, and their denominator."""
        rows, row_denominator = scores(self.first.weights)
        columns, column_denominator = scores(self.second.weights)
        counts = np.array(self.counts, dtype=object)
        sums = (rows**power).T @ counts @ columns**power
        return sums, row_denominator * column_denominator

    def _folded_counts(self, row: int, column: int) -> list[int]:
        """Return counts of (a, b), (not a, b), (a, not b), (not a, not b)."""
        both = self.counts[row][column]
        in_row = sum(self.counts[row])
        in_column = sum(each[column] for each in self.counts)
        neither = self.respondents - in_row - in_column + both
        return [both, in_column - both, in_row - both, neither]


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
        Where an argument or a count is of the wrong type.
    ValueError
        For a table that is not square, too many pairs, an unknown report, and a
        negative count.

    Examples
    --------
    Two coins for both questions, 800 respondents:

    >>> from surveys.mechanisms import build
    >>> coin, counts = build("coin"), {("yes", "yes"): 310, ("yes", "no"): 190}
    >>> counts |= {("no", "yes"): 170, ("no", "no"): 130}
    >>> print(estimate_joint(coin, coin, counts).raw.round(3).tolist())
    [[0.575, 0.175], [0.125, 0.125]]
    """
    for name, mechanism in (("first", first), ("second", second)):
        if not isinstance(mechanism, Mechanism):
            raise TypeError(f"{name} must be a Mechanism; got {mechanism!r}")
        answers, reports = len(mechanism.answers), len(mechanism.reports)
        if answers != reports:
            raise ValueError(
                f"{name} must have as many reports as answers; got {answers} answers "
                f"and {reports} reports"
            )
    cells = len(first.answers) * len(second.answers)
    if cells > MOST_CELLS:
        raise ValueError(
            f"first and second must have at most {MOST_CELLS} pairs of answers; "
            f"got {cells}"
        )
    pairs = [(row, column) for row in first.reports for column in second.reports]
    for pair, count in tally.items():
        if pair not in pairs:
            raise ValueError(f"tally has an unknown pair of reports: {pair!r}")
        if not is_whole(count):
            raise TypeError(f"tally[{pair!r}] must be a whole number; got {count!r}")
        if count < 0:
            raise ValueError(f"tally[{pair!r}] must be 0 or more; got {count!r}")
    return JointEstimate(
        first,
        second,
        tuple(
            tuple(int(tally.get((row, column), 0)) for column in second.reports)
            for row in first.reports
        ),
    )


def chances(mechanism: Mechanism) -> FloatArray:
    """Return the table as chances, shape (answers, reports), rows sum to 1."""
    return np.array(mechanism.weights, dtype=np.float64) / mechanism.total


def fold(mechanism: Mechanism, place: int) -> FloatArray:
    """Return the table of one answer against all others, shape (2, 2).

    Raises
    ------
    ValueError
        Where the others send the report of this answer with different chances.
    """
    column = [row[place] for row in mechanism.weights]
    truth, others = column[place], {*column[:place], *column[place + 1 :]}
    if len(others) > 1:
        raise ValueError(
            "mechanism must let all other answers send the report of an answer with "
            f"one chance; report {mechanism.reports[place]!r} has {sorted(others)} of "
            f"{mechanism.total}"
        )
    (other,), total = others, mechanism.total
    return np.array([[truth, total - truth], [other, total - other]]) / total
