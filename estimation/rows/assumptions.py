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
    """That the respondents are all of the group, not some of a larger one."""
    forged: int = 0
    """How many reports may be forged."""
    ignoring: int = 0
    """At most how many percent of respondents do not follow the instructions."""


NOTHING_SUPPOSED = Supposed()

MAX_IGNORING = 50
"""Where more do not follow the instructions, no share is worth estimating."""

BANDED = {Kind.SHARE, Kind.MEAN}
"""Kinds of rows that have a band."""


def find_census_interval(result: QuestionResult, row: Row) -> CensusInterval:
    return census_interval(
        result.mechanism,
        dict(result.report_counts),
        answer=row.estimand,
        confidence_level=result.level_of_each,
    )


def despite_forged(result: QuestionResult, row: Row, forged: int) -> Interval:
    # A Bayesian interval promises nothing of every count between.
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
    """An estimate, if some respondents send one report whatever their answer is."""

    row: Row
    report: int | None
    """The place of the report; None where it may be any of them."""
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

        The limit is a part of the range of the row. Of a mean without a dichotomy it is
        not searched for: each step would be many profile intervals.
        """
        if not self.each[0].has_dichotomy:
            return None
        found = [each.tipping_point(each.estimand.between(limit)) for each in self.each]
        return min((each for each in found if each is not None), default=None)


def find_non_compliance(
    result: QuestionResult, rows: Iterable[Row]
) -> list[NonCompliance]:
    """Return how estimates of it depend on respondents who do not comply.

    Of a yes/no question they send "no". Where no report is the safe one, because
    reports are not called like answers or there are more than two, it may be any.
    None of answers that are not scrambled, of noisy counts, of too few reports and of
    means among those who answered.
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
