"""From a mechanism and a tally of reports to the shares of true answers."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from estimation.maths.intervals import (
    DEFAULT_CONFIDENCE_LEVEL,
    DEFAULT_METHOD,
    Interval,
    is_whole,
    share_interval,
)
from estimation.maths.scores import likeliest, scores
from estimation.maths.yes_no import BinomialDesign, FloatArray
from surveys.mechanisms import Mechanism

Tally = Mapping[str, int]


@dataclass(frozen=True)
class ShareEstimate:
    """The shares of the answers behind a tally of reports.

    Attributes
    ----------
    mechanism : Mechanism
        The table by which answers became reports, with as many reports as answers.
    tally : mapping of str to int
        How many respondents sent each report, every report of the table named.
    """

    mechanism: Mechanism
    tally: Tally = field(hash=False)

    @property
    def respondents(self) -> int:
        """How many reports there are: n."""
        return sum(self.tally.values())

    @property
    def counts(self) -> tuple[int, ...]:
        """The tally in the order of the table's columns."""
        return tuple(self.tally[report] for report in self.mechanism.reports)

    @cached_property
    def raw(self) -> dict[str, float]:
        """Unbiased estimate of each share; may leave [0, 1]; NaN without reports."""
        if self.respondents == 0:
            return dict.fromkeys(self.mechanism.answers, math.nan)
        # The mean score of the reports, in whole numbers until the last step. With two
        # answers it is (x/n - b) / (a - b): Warner 1965, Journal of the American
        # Statistical Association 60:63.
        _, denominator = scores(self.mechanism.weights)
        means = self._sums_of_scores() / (self.respondents * denominator)
        return dict(zip(self.mechanism.answers, means, strict=True))

    @cached_property
    def shares(self) -> dict[str, float]:
        """Likeliest shares: `raw` where none of them is negative, else at an edge.

        With two answers that edge is the nearest of 0 and 1; `simplex.likeliest` finds
        it for more. NaN without reports.
        """
        if self.respondents == 0 or min(self.raw.values()) >= 0:
            return self.raw
        if len(self.raw) == 2:
            return {answer: min(max(raw, 0.0), 1.0) for answer, raw in self.raw.items()}
        found = likeliest(self.mechanism.weights, self.counts)
        return dict(zip(self.mechanism.answers, found, strict=True))

    @cached_property
    def covariance(self) -> FloatArray:
        """Estimated covariance of the `raw` shares, shape (answers, answers).

        Unbiased; NaN for fewer than two reports, which show no spread.
        """
        size, n = len(self.mechanism.answers), self.respondents
        if n < 2:
            return np.full((size, size), math.nan)
        # [sum over reports of (C/n) s_a s_b - raw_a raw_b] / (n - 1), s the scores
        numerators, denominator = scores(self.mechanism.weights)
        products = (numerators.T * np.array(self.counts, dtype=object)) @ numerators
        sums = self._sums_of_scores()
        centred = n * products - np.outer(sums, sums)
        return (centred / (n**2 * (n - 1) * denominator**2)).astype(np.float64)

    @cached_property
    def standard_errors(self) -> dict[str, float]:
        """Estimated standard deviation of each `raw` share.

        NaN for fewer than two reports, which show no spread. 0 where all reports are
        the same: the formula's answer, and no sign of certainty; the interval tells.
        """
        variances = map(float, self.covariance.diagonal())
        return dict(zip(self.mechanism.answers, map(math.sqrt, variances), strict=True))

    def interval(
        self,
        answer: str,
        confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
        method: str = DEFAULT_METHOD,
    ) -> Interval:
        """Return an interval for the share of `answer`, within [0, 1].

        One report speaks for the answer, or against it, and all other answers send it
        with the same chance. So its count is binomial whatever the other shares are,
        and the interval is that of a question with two answers. It is about this share
        alone: of k intervals together, more than one may miss.

        Parameters
        ----------
        answer : str
            One of the mechanism's answers.
        confidence_level : float
            In (0, 1).
        method : str
            A key of `estimation.maths.intervals.METHODS`.

        Returns
        -------
        Interval
            (low, high); all of [0, 1] without reports.

        Raises
        ------
        TypeError, ValueError
            For a bad argument, naming it, its range and the value; for a table in
            which the other answers send the report with different chances.
        """
        if answer not in self.mechanism.answers:
            allowed = ", ".join(self.mechanism.answers)
            raise ValueError(f"answer must be one of {allowed}; got {answer!r}")
        place = self.mechanism.answers.index(answer)
        # The other one of two shares is what is left, to the last digit.
        is_mirrored = len(self.mechanism.answers) == 2 and place == 1
        count, design = self._counted(0 if is_mirrored else place)
        low, high = share_interval(
            count, design, confidence_level=confidence_level, method=method
        )
        return Interval(1 - high, 1 - low) if is_mirrored else Interval(low, high)

    @cached_property
    def design_fit(self) -> float:
        """How well the best shares explain the scarcest report, a p-value in (0, 1].

        For each report: the chance of so few of them when nobody's answer is one that
        makes it likelier. The smallest of these chances counts, times as many as may
        be so at once: one less than there are answers (Bonferroni). Near 0, no shares
        explain the reports: people did not do as the design says. 1 without reports.
        """
        tails = []
        for count, column in zip(self.counts, self._columns(), strict=True):
            lowest, highest = min(column), max(column)
            design = self._design(given_it=highest, given_others=lowest)
            tails.append(design.at_most(count, design.p_yes_given_no))
        return min(1.0, (len(tails) - 1) * min(tails))

    def _counted(self, place: int) -> tuple[int, BinomialDesign]:
        """Return how many reports speak for the answer in this row, and their law."""
        column = self._columns()[place]
        truth, others = column[place], {*column[:place], *column[place + 1 :]}
        if len(others) > 1:
            report = self.mechanism.reports[place]
            raise ValueError(
                "mechanism must let all other answers send the report of an answer "
                f"with one chance; report {report!r} has {sorted(others)} of "
                f"{self.mechanism.total}"
            )
        (other,), total = others, self.mechanism.total
        if truth > other:
            count = self.counts[place]
            return count, self._design(given_it=truth, given_others=other)
        count = self.respondents - self.counts[place]
        return count, self._design(given_it=total - truth, given_others=total - other)

    def _design(self, *, given_it: int, given_others: int) -> BinomialDesign:
        return BinomialDesign(
            respondents=self.respondents,
            p_yes_given_yes=given_it / self.mechanism.total,
            p_yes_given_no=given_others / self.mechanism.total,
        )

    def _columns(self) -> list[tuple[int, ...]]:
        """Return the table by reports. No column of a sound one is constant."""
        return list(zip(*self.mechanism.weights, strict=True))

    def _sums_of_scores(self) -> npt.NDArray[np.object_]:
        """Return the numerators of `raw`, one whole number for each answer."""
        numerators, _ = scores(self.mechanism.weights)
        return np.array(self.counts, dtype=object) @ numerators


def estimate_shares(mechanism: Mechanism, tally: Tally) -> ShareEstimate:
    """Return the shares of the answers behind a tally of reports.

    Parameters
    ----------
    mechanism : Mechanism
        As many reports as answers, two or more of each.
    tally : mapping of str to int
        How many respondents sent each report, 0 or more; reports left out count 0.

    Raises
    ------
    TypeError
        Where an argument or a count is of the wrong type.
    ValueError
        For a table that is not square, an unknown report, and a negative count.

    References
    ----------
    Warner 1965, Journal of the American Statistical Association 60:63; Chaudhuri &
    Mukerjee 1988, Randomized Response, chapter 1; van den Hout & van der Heijden 2002,
    International Statistical Review 70:269 (several answers).

    Examples
    --------
    The study of partial plagiarism in Jann, Jerke & Krumpal 2012 (Public Opinion
    Quarterly 76:32): crosswise, innocuous trait 1/4, 198 of 310 report "same".

    >>> from surveys.mechanisms import build
    >>> crosswise = build("crosswise", prevalence="1/4")
    >>> result = estimate_shares(crosswise, {"same": 198, "different": 112})
    >>> print(f"{result.shares['yes']:.5f} ({result.standard_errors['yes']:.5f})")
    0.22258 (0.05466)
    """
    if not isinstance(mechanism, Mechanism):
        raise TypeError(f"mechanism must be a Mechanism; got {mechanism!r}")
    answers, reports = len(mechanism.answers), len(mechanism.reports)
    if answers != reports:
        raise ValueError(
            f"mechanism must have as many reports as answers; got {answers} answers "
            f"and {reports} reports"
        )
    return ShareEstimate(mechanism, _checked_tally(tally, mechanism.reports))


def _checked_tally(tally: Tally, reports: tuple[str, ...]) -> dict[str, int]:
    if not isinstance(tally, Mapping):
        raise TypeError(f"tally must map reports to counts; got {tally!r}")
    for report, count in tally.items():
        if report not in reports:
            allowed = ", ".join(reports)
            raise ValueError(
                f"a report in tally must be one of {allowed}; got {report!r}"
            )
        if not is_whole(count):
            raise TypeError(
                f"tally[{report!r}] must be a whole number, 0 or more; got {count!r}"
            )
        if count < 0:
            raise ValueError(f"tally[{report!r}] must be 0 or more; got {count!r}")
    return {report: int(tally.get(report, 0)) for report in reports}
