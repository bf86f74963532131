"""Estimates from counts of one question, in the form in which the command prints them.

The only module of the command that calls the estimators.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from candor.binary import keep_inside
from candor.dichotomies import dichotomy_of_answer
from candor.differences import Difference, difference
from candor.estimands import Estimand, every_share
from candor.intervals import NEARLY_EVERYTHING
from candor.mean_differences import MeanDifference, mean_difference
from candor.means import MeanEstimate, estimate_mean, variance_of_mean
from candor.mechanisms import Mechanism, load_families
from candor.poisoning import forged_weight
from candor.shares import ShareEstimate, design_fit, estimate_shares

DESIGN_FIT_ALARM = 0.01
"""Reports whose fit has a smaller p-value do not fit the design."""

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
    def shares(self) -> ShareEstimate:
        """The estimated shares."""
        return estimate_shares(self.mechanism, self.counts)

    @cached_property
    def scale(self) -> MeanEstimate | None:
        """The estimated mean of a scale."""
        if not load_families()[self.mechanism.family].is_scale:
            return None
        return estimate_mean(self.mechanism, self.counts)

    @cached_property
    def rows(self) -> list[Row]:
        """One row for each answer; none where only the mean can be estimated."""
        if not self.mechanism.tells_shares:
            return []
        return [self.row(place) for place in range(len(self.mechanism.answers))]

    def row(self, place: int) -> Row:
        """Return the estimate of one answer."""
        answer, report = self.mechanism.answers[place], self.mechanism.reports[place]
        found = self.shares
        error = found.standard_errors[answer]
        if error == 0:
            # All reports are the same: the error of a share half a report inside.
            channel = dichotomy_of_answer(self.mechanism, place).law
            share = keep_inside(found.shares[answer], self.respondents)
            error = math.sqrt(channel.variance(share) / self.respondents)
        low, high = found.interval(answer, self.confidence_level, self.method)
        return Row(
            answer=answer,
            report=report,
            count=self.counts[report],
            raw=found.raw[answer],
            share=found.shares[answer],
            standard_error=error,
            low=low,
            high=high,
        )

    @cached_property
    def mean(self) -> Row | None:
        """The mean of a scale in points, 0 to K; None for all other mechanisms."""
        found = self.scale
        if found is None:
            return None
        error, last = found.standard_error, found.last
        if error == 0:
            part = keep_inside(found.estimate / last, self.respondents)
            ends = [0.0] * len(self.mechanism.answers)
            ends[0], ends[-1] = 1 - part, part
            spread = variance_of_mean(self.mechanism.weights, ends)
            error = math.sqrt(spread / self.respondents) * last
        low, high = found.interval(self.confidence_level, self.method)
        return Row(
            answer="mean",
            report="",
            count=self.respondents,
            raw=found.raw,
            share=found.estimate,
            standard_error=error,
            low=low,
            high=high,
        )

    @property
    def mean_method(self) -> str:
        """The method by which the interval of the mean was found."""
        return self.scale.method(self.method) if self.scale else self.method

    @cached_property
    def pair(self) -> list[Single]:
        """The two questions of a linked pair, each by itself."""
        if self.mechanism.family != LINKED_PAIR:
            return []
        answers, singles = self.mechanism.answers, []
        shares = list(self.shares.shares.values())
        for other in (FIRST, SECOND):
            estimand = Estimand.share_of(BOTH, other, answers=len(answers))
            low, high = self.shares.interval_of(
                estimand, self.confidence_level, self.method
            )
            share = shares[BOTH] + shares[other]
            single = Single(
                choices=(answers[BOTH], answers[other]),
                raw=self.shares.raw_of(estimand),
                share=share,
                low=min(low, share),
                high=max(high, share),
            )
            singles.append(single)
        return singles

    @cached_property
    def fit(self) -> float:
        """The p-value of the hypothesis that some shares explain the reports."""
        return design_fit(self.mechanism, list(self.counts.values()))

    @property
    def fits_design(self) -> bool:
        """Whether some shares explain the reports."""
        return self.fit >= DESIGN_FIT_ALARM

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
        last = self.scale.last if self.scale and row is self.mean else 1
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
            difference(
                self.shares, other.shares, share, confidence_level=self.confidence_level
            )
            for share in every_share(len(self.rows))
        ]

    def mean_difference(self, other: "Result") -> MeanDifference | None:
        """Return the difference of the means of a scale."""
        if not (self.scale and other.scale):
            return None
        return mean_difference(
            self.scale, other.scale, confidence_level=self.confidence_level
        )
