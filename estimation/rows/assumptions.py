"""Results under assumptions on forged reports, a census or non-compliance."""

from collections.abc import Iterable
from dataclasses import dataclass

from candor.census import CensusInterval, census_interval
from candor.compliance import Band, Sensitivity, sensitivity
from candor.intervals import DEFAULT_METHOD, Interval
from candor.intervals.one_sided import ONE_SIDED_METHODS
from candor.poisoning import forgery_proof_interval
from estimation.rows.row import DisplayStatus, Kind, Row
from estimation.rows.shares import QuestionResult


@dataclass(frozen=True, kw_only=True)
class Supposed:
    is_census: bool = False
    """Whether the respondents are the whole population, not a sample."""
    forged: int = 0
    """How many reports may be forged."""
    ignoring: int = 0
    """Largest percentage of respondents who do not follow the instructions."""


NOTHING_SUPPOSED = Supposed()

MAX_IGNORING = 50
"""If more respondents do not follow the instructions, no share is worth estimating."""

BANDED = {Kind.SHARE, Kind.MEAN}
"""Kinds of rows for which a band is computed."""


def find_census_interval(result: QuestionResult, row: Row) -> CensusInterval:
    return census_interval(
        result.mechanism,
        dict(result.report_counts),
        answer=row.estimand,
        confidence_level=result.level_of_each,
    )


def find_forgery_interval(result: QuestionResult, row: Row, forged: int) -> Interval:
    # A Bayesian interval has no guarantee for each count of the range.
    method = result.method if result.method in ONE_SIDED_METHODS else DEFAULT_METHOD
    return forgery_proof_interval(
        result.mechanism,
        dict(result.report_counts),
        forged=min(forged, result.respondents),
        answer=row.estimand,
        confidence_level=result.level_of_each,
        method=method,
    )


@dataclass(frozen=True)
class NonCompliance:
    """An estimate if some respondents send one report regardless of their answer."""

    row: Row
    report: int | None
    """Index of the report; None if it may be any of them."""
    each: tuple[Sensitivity, ...]

    def band(self, percent: int) -> Band:
        bands = [each.band(percent / 100) for each in self.each]
        ends = [
            min(band.lowest for band in bands),
            max(band.highest for band in bands),
            min(band.low for band in bands),
            max(band.high for band in bands),
        ]
        if self.row.scale:
            last = self.each[0].estimand.high
            ends = [self.row.scale.at(end / last) for end in ends]
        return Band(percent / 100, *ends)

    def tipping_point(self, limit: float) -> float | None:
        """Return the smallest part of 1 at which the interval contains a limit.

        The limit is a part of the range of the row. For a mean without a dichotomy the
        result is None, because each step would take many profile intervals.
        """
        if not self.each[0].has_dichotomy:
            return None
        found = [each.tipping_point(each.estimand.between(limit)) for each in self.each]
        return min((each for each in found if each is not None), default=None)


def find_non_compliance(
    result: QuestionResult, rows: Iterable[Row]
) -> list[NonCompliance]:
    """Return how estimates of a question depend on respondents who do not comply.

    For a yes/no question they send "no". They may send any report if no report is the
    safe one: if reports have other names than answers, or if there are more than two.
    The list is empty for direct questions, noisy counts and too few reports. It has no
    entry for means among those who answered.
    """
    mechanism = result.mechanism
    if result.noisy or result.is_of_few or not mechanism.is_scrambled:
        return []
    names_answers = mechanism.reports == mechanism.answers
    report = 1 if names_answers and len(mechanism.answers) == 2 else None
    reports = mechanism.reports if report is None else (mechanism.reports[report],)
    found = []
    for row in rows:
        if row.display_status is not DisplayStatus.ESTIMATED or row.kind not in BANDED:
            continue
        each = [
            sensitivity(
                mechanism,
                dict(result.report_counts),
                estimand=row.estimand,
                safe_report=sent,
                confidence_level=row.confidence_level,
                method=result.method,
            )
            for sent in reports
        ]
        different = {one.reduced: one for one in each}.values()
        found.append(NonCompliance(row, report, tuple(different)))
    return found
