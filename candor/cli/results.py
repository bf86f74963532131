"""Estimates from counts of one question, in the form in which the command prints them.

The only module of the command that calls the estimators.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from candor.differences import Difference
from candor.estimands import Estimand, every_share, is_scale, mean_of_points
from candor.intervals import NEARLY_EVERYTHING
from candor.mechanisms import Mechanism
from candor.poisoning import forged_weight
from candor.sample import MISFIT as MISFIT_ALARM
from candor.sample import Sample

FEW_RESPONDENTS = 30
"""With fewer the interval of a share hardly tells few from many."""

LINKED_PAIR = "linked_pair"
BOTH, FIRST, SECOND = range(3)
"""The family of two questions asked as one, and the places of its answers with yes."""

NO_REPORTS, MISFIT = "no reports", "does not fit the design"
TELLS_NOTHING, ESTIMATED = "tells nothing", "estimate"


@dataclass(frozen=True, kw_only=True)
class Row:
    """The estimate of one answer, or of the mean of a scale in points."""

    answer: str
    report: str
    count: int
    raw: float
    share: float
    standard_error: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class Single:
    """The share of yes to one of the two questions of a linked pair."""

    choices: tuple[str, str]
    raw: float
    share: float
    low: float
    high: float


@dataclass(frozen=True)
class Result:
    """What counts of reports to one question show.

    Attributes
    ----------
    mechanism : Mechanism
    counts : mapping of str to int
        {report: count}, every report named.
    confidence_level : float
        In (0, 1).
    method : str
        A key of `candor.intervals.METHODS`.
    """

    mechanism: Mechanism
    counts: Mapping[str, int]
    confidence_level: float
    method: str

    @property
    def respondents(self) -> int:
        """The number of reports."""
        return sum(self.counts.values())

    @cached_property
    def sample(self) -> Sample:
        """The counts, once they are checked."""
        return Sample.of(self.mechanism, self.counts)

    @cached_property
    def scale(self) -> Estimand | None:
        """The mean of a scale; None for all other mechanisms."""
        is_of_points = is_scale(self.mechanism)
        return mean_of_points(len(self.mechanism.answers)) if is_of_points else None

    @cached_property
    def rows(self) -> list[Row]:
        """One row for each answer; none where only the mean can be estimated."""
        if not self.mechanism.tells_shares:
            return []
        return [self.row(place) for place in range(len(self.mechanism.answers))]

    def row(self, place: int) -> Row:
        """Return the estimate of one answer."""
        answer, report = self.mechanism.answers[place], self.mechanism.reports[place]
        return self._row(answer, report, self.counts[report], answer)

    @cached_property
    def mean(self) -> Row | None:
        """The mean of a scale in points, 0 to K; None for all other mechanisms."""
        if self.scale is None:
            return None
        return self._row("mean", "", self.respondents, self.scale)

    def _row(self, name: str, report: str, count: int, estimand: Estimand | str) -> Row:
        low, high = self.sample.interval(estimand, self.confidence_level, self.method)
        return Row(
            answer=name,
            report=report,
            count=count,
            raw=self.sample.raw(estimand),
            share=self.sample.estimate(estimand),
            standard_error=self.sample.standard_error(estimand),
            low=low,
            high=high,
        )

    @property
    def mean_method(self) -> str:
        """The method by which the interval of the mean was found."""
        return (
            self.sample.method(self.scale, self.method) if self.scale else self.method
        )

    @cached_property
    def pair(self) -> list[Single]:
        """The two questions of a linked pair, each by itself."""
        if self.mechanism.family != LINKED_PAIR:
            return []
        answers, singles = self.mechanism.answers, []
        for other in (FIRST, SECOND):
            estimand = Estimand.share_of(BOTH, other, answers=len(answers))
            low, high = self.sample.interval(
                estimand, self.confidence_level, self.method
            )
            single = Single(
                choices=(answers[BOTH], answers[other]),
                raw=self.sample.raw(estimand),
                share=self.sample.estimate(estimand),
                low=low,
                high=high,
            )
            singles.append(single)
        return singles

    @cached_property
    def fit(self) -> float:
        """The p-value of the hypothesis that some shares explain the reports."""
        return self.sample.design_fit

    @property
    def fits_design(self) -> bool:
        """Whether some shares explain the reports."""
        return self.fit >= MISFIT_ALARM

    @property
    def main_rows(self) -> list[Row]:
        """The mean of a scale; else the shares, of two answers the first."""
        if self.mean:
            return [self.mean]
        return self.rows[:1] if len(self.rows) == 2 else self.rows

    def status(self, row: Row) -> str:
        """Return whether the figures of a row can be interpreted."""
        if not self.respondents:
            return NO_REPORTS
        if not self.fits_design:
            return MISFIT
        last = self.scale.span if self.scale and row is self.mean else 1
        is_everything = (row.high - row.low) / last >= NEARLY_EVERYTHING
        return TELLS_NOTHING if self.respondents == 1 or is_everything else ESTIMATED

    @property
    def poisoning_radius(self) -> float:
        """How far one forged report can shift a share; NaN without reports."""
        if not self.respondents:
            return math.nan
        return float(forged_weight(self.mechanism) / self.respondents)

    def differences(self, other: "Result") -> list[Difference]:
        """Return the difference of each share from that of a second group."""
        if not self.rows:
            return []
        return [
            Difference(self.sample, other.sample, share, self.confidence_level)
            for share in every_share(len(self.rows))
        ]

    def mean_difference(self, other: "Result") -> Difference | None:
        """Return the difference of the means of a scale."""
        if not (self.scale and other.scale):
            return None
        return Difference(self.sample, other.sample, self.scale, self.confidence_level)
