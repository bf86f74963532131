"""Results of each question (shares, means, bounds) and of the survey."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

from candor.estimands import MEAN, Estimand, name_estimand
from candor.intervals import (
    DEFAULT_CONFIDENCE_LEVEL,
    DEFAULT_METHOD,
)
from candor.mechanisms import Mechanism
from candor.planning.margins import compute_achieved_margin, is_margin_of_mean
from candor.poisoning import forged_weight
from candor.releases.noise import Noise
from candor.releases.shares import ParticipantCount
from candor.sample import MISFIT, Sample, design_fit
from candor.skipped_scales import MeanAmongAnswered
from estimation.rows.asked import make_asked_rows
from estimation.rows.counts import (
    CACHED_QUESTIONS,
    ReportCounts,
    SurveyCounts,
    read_one_way,
)
from estimation.rows.row import (
    Kind,
    Row,
    first_of_two,
    make_mean_of_question,
    make_row,
    make_share_rows,
)
from respondents.least_responses import least_responses
from surveys.design import Design, DesignQuestion
from surveys.kinds.tick_list import join_texts
from surveys.models import Survey

MIN_RESPONDENTS = 30
"""With 30 respondents a coin flip's 95 % interval is 55 points wide on average over
evenly spread shares (computed over all counts): it can hardly tell few from many."""


IGNORING_BY_HAND = 10
"""Percentage assumed not to follow the instructions when scrambling by hand."""


class MarginOfMean(float):
    """A margin as a fraction of the length of a scale."""


@dataclass(frozen=True, kw_only=True)
class NoisyCounts:
    counts: tuple[int, ...]
    """In the order of the table's columns; may be below 0."""
    noise: Noise
    """The noise of each count."""
    took_part: ParticipantCount


@dataclass(frozen=True, kw_only=True)
class QuestionResult:
    number: int
    text: str
    tick_list: str = ""
    """Question of the tick list that this is an item of; empty otherwise."""
    mechanism: Mechanism
    rows: tuple[Row, ...]
    """One for each answer; empty if reports identify no shares."""
    mean: Row | None = None
    bounds: tuple[Row, ...] = ()
    """Bounds of all other answers, if the last one is "Prefer not to answer"."""
    among_answered: tuple[Row, ...] = ()
    """Shares among those who answered."""
    hidden_answer: str = ""
    """Declared answer of those who were not shown the question; empty without any."""
    among_asked: tuple[Row, ...] = ()
    """Shares or mean among those who were shown a question with a condition."""
    pair: tuple[Row, ...] = ()
    """Shares of the two questions of a linked pair."""
    simultaneous: bool = False
    """Whether the confidence level holds for all answers jointly."""
    report_counts: ReportCounts = ()
    """Count of each report, in the order of the columns of the table."""
    respondents: int
    missing: int
    design_fit: float
    method: str
    confidence_level: float
    is_randomised_by_server: bool = False
    """Whether the server randomises, so that forgers cannot choose a report."""
    may_be_by_hand: bool = True
    """Whether respondents may have scrambled by hand, as in an imported study."""
    noisy: NoisyCounts | None = None
    """Released counts with noise, if any; `respondents` is then an estimate."""

    @property
    def full_text(self) -> str:
        return join_texts(self.tick_list, self.text)

    @property
    def exact_respondents(self) -> int | None:
        """Number of people with a report; None if the counts have noise.

        Thresholds use this number, because a count with noise may lie on either side of
        a threshold by chance.
        """
        return None if self.noisy else self.respondents

    @property
    def is_of_few(self) -> bool:
        exact = self.exact_respondents
        return exact is not None and exact < MIN_RESPONDENTS

    @property
    def headlines(self) -> tuple[Row, ...]:
        """The mean of a scale, or the shares; one of two, which mirror each other."""
        if self.mean and self.mean.kind is Kind.MEAN_AMONG_ANSWERED:
            return (self.mean, self.rows[-1])
        return (self.mean,) if self.mean else self.headline_shares

    @property
    def headline_shares(self) -> tuple[Row, ...]:
        if self.is_reduced:
            return self.rows[-1:]
        return first_of_two(self.rows)

    @property
    def is_reduced(self) -> bool:
        """Whether its answers are the ends of a scale, to which answers are rounded."""
        return self.mechanism.can_be_skipped and len(self.rows) == 3

    @property
    def reports(self) -> list[tuple[Row, str, int]]:
        """The row of each answer, its report, and the count of that report.

        A released count may be below 0. The intervals are computed from it, so files
        contain it as it is.
        """
        reports = dict(self.report_counts)
        counts = self.noisy.counts if self.noisy else reports.values()
        return list(zip(self.rows, reports, counts, strict=False))

    @property
    def level_of_each(self) -> float:
        if not self.simultaneous:
            return self.confidence_level
        return level_of_each(self.confidence_level, len(self.mechanism.answers))

    @property
    def has_identical_reports(self) -> bool:
        """Whether all reports have the same score for an answer, and so no spread."""
        if self.noisy or not self.rows:
            return False
        sample = Sample.of(self.mechanism, dict(self.report_counts))
        return any(sample.is_identical(row.estimand) for row in self.rows)

    @cached_property
    def fits_design(self) -> bool:
        return self.design_fit >= MISFIT

    @cached_property
    def margin(self) -> float | None:
        return margin_if_enough(
            self.mechanism, dict(self.report_counts), self.confidence_level
        )

    @cached_property
    def poisoning_radius(self) -> float:
        """Largest shift of a share by one forged report; NaN without reports.

        It is an average over the report that the person would have sent honestly. Twice
        as many forged reports shift the share up to twice as far.
        """
        if not self.respondents:
            return math.nan
        is_chosen = not self.is_randomised_by_server
        weight = forged_weight(self.mechanism) if is_chosen else 1
        return float(weight / self.respondents)


@dataclass(frozen=True, kw_only=True)
class SurveyResults:
    survey: Survey
    design: Design
    questions: tuple[QuestionResult, ...]
    respondents: int
    """Number of sealed responses, whether or not each question was asked."""
    left_out: tuple[QuestionResult, ...] = ()
    """Questions that a public page does not show. Their planned tests count. If counts
    have noise, these questions have no reports, because none were released."""
    least_reports: int = 0
    """On a public page, the smallest number of reports to a question or pair whose
    results are used; 0 on researchers' pages."""
    ignoring: int = 0
    """Largest percentage assumed not to follow the instructions."""
    survey_counts: SurveyCounts | None = field(default=None, compare=False, repr=False)
    """Counts that the results were computed from; None for counts with noise."""


def margin_if_enough(
    mechanism: Mechanism, report_counts: Mapping[str, int], confidence_level: float
) -> float | None:
    """Return the margin reached, for the home page, the monitor and results.

    None below MIN_RESPONDENTS reports; infinite if the reports do not fit the design,
    because then no share is known.
    """
    if sum(report_counts.values()) < MIN_RESPONDENTS:
        return None
    if not fits_design(mechanism, report_counts):
        return math.inf
    margin = compute_achieved_margin(
        mechanism, report_counts, confidence_level=confidence_level
    )
    return MarginOfMean(margin) if is_margin_of_mean(mechanism) else margin


def shown_from(survey: Survey, respondents: int) -> int:
    return max(MIN_RESPONDENTS, first_shown(survey, respondents))


def first_shown(survey: Survey, respondents: int) -> int:
    """Return the smallest number of respondents for which results are shown."""
    least = least_responses(survey)
    if not survey.is_open or respondents:
        return least
    batches = max(1, math.ceil(least / survey.step))
    return batches * survey.step + survey.held_back


def fits_design(mechanism: Mechanism, report_counts: Mapping[str, int]) -> bool:
    counts = [report_counts.get(report, 0) for report in mechanism.reports]
    return design_fit(mechanism, counts) >= MISFIT


def find_widest(margins: Iterable[float | None]) -> float | None:
    found = list(margins)
    known = [margin for margin in found if margin is not None]
    return max(known) if known and len(known) == len(found) else None


def get_results(
    survey: Survey,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
    method: str = DEFAULT_METHOD,
    simultaneous: bool = False,
    ignoring: int | None = None,
) -> SurveyResults:
    survey_counts = read_one_way(survey)
    return survey_results(
        survey_counts, confidence_level, method, simultaneous, ignoring
    )


def level_of_each(confidence_level: float, answers: int) -> float:
    """Return the level of each of several simultaneous intervals (Bonferroni).

    Two answers need one interval, because they mirror each other.
    """
    if answers == 2:
        return confidence_level
    return 1 - (1 - confidence_level) / answers


def compute_item_level(confidence_level: float, items: int) -> float:
    return 1 - (1 - confidence_level) / items


def survey_results(
    survey_counts: SurveyCounts,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
    method: str = DEFAULT_METHOD,
    simultaneous: bool = False,
    ignoring: int | None = None,
) -> SurveyResults:
    """Return the results of the questions that were read.

    Parameters
    ----------
    survey_counts : SurveyCounts
        From `read_one_way` or `read_contingency_table`.
    confidence_level : float
        In (0, 1).
    method : str
        One of `candor.intervals.METHODS`.
    simultaneous : bool
        Whether the level holds for the intervals of all answers jointly.
    ignoring : int, optional
        Percentage of respondents assumed not to follow the instructions, in [0, 50];
        by default that of `supposed_ignoring`.

    Raises
    ------
    ValueError
        If the level or method is invalid.
    """
    return SurveyResults(
        survey=survey_counts.survey,
        design=survey_counts.design,
        questions=tuple(
            add_asked_rows(
                question_result(
                    question,
                    tuple(report_counts.items()),
                    number=number,
                    missing=survey_counts.respondents - sum(report_counts.values()),
                    confidence_level=confidence_level,
                    method=method,
                    simultaneous=simultaneous,
                    declined=question.declined,
                    is_randomised_by_server=survey_counts.survey.mode
                    == Survey.Mode.SERVER,
                    may_be_by_hand=survey_counts.survey.mode == Survey.Mode.HAND,
                ),
                survey_counts,
            )
            for number, question, report_counts in survey_counts.by_question()
        ),
        respondents=survey_counts.respondents,
        ignoring=supposed_ignoring(survey_counts.survey)
        if ignoring is None
        else ignoring,
        survey_counts=survey_counts,
    )


def supposed_ignoring(survey: Survey) -> int:
    return IGNORING_BY_HAND if survey.mode == Survey.Mode.HAND else 0


def add_asked_rows(
    result: QuestionResult, survey_counts: SurveyCounts
) -> QuestionResult:
    if not result.hidden_answer:
        return result
    question = survey_counts.design.questions[result.number - 1]
    hidden = question.choices[question.hidden_answer]
    return replace(
        result,
        # Forms of field studies leave hidden questions without a report.
        hidden_answer="" if survey_counts.survey.is_imported else hidden,
        among_asked=make_asked_rows(
            survey_counts, result.number, result.level_of_each, result.method
        ),
    )


@lru_cache(maxsize=CACHED_QUESTIONS)
def question_result(
    question: DesignQuestion,
    report_counts: ReportCounts,
    *,
    number: int = 1,
    missing: int = 0,
    confidence_level: float,
    method: str,
    simultaneous: bool = False,
    declined: int | None = None,
    is_randomised_by_server: bool = False,
    may_be_by_hand: bool = True,
) -> QuestionResult:
    each = confidence_level
    if simultaneous:
        each = level_of_each(confidence_level, len(question.mechanism.answers))
    sample = Sample.of(question.mechanism, dict(report_counts))
    rows = make_share_rows(sample, question.choices, each, method)
    mean = make_mean_of_question(sample, question, confidence_level, method)
    return QuestionResult(
        number=number,
        text=question.text,
        tick_list=question.tick_list,
        mechanism=question.mechanism,
        hidden_answer=question.choices[question.hidden_answer]
        if question.shown_if
        else "",
        rows=rows,
        mean=mean,
        bounds=find_mean_bounds(mean, sample, confidence_level, method)
        if mean and mean.kind is Kind.MEAN_AMONG_ANSWERED
        else make_bounds_rows(rows, sample, confidence_level, method, declined),
        among_answered=()
        if mean
        else make_answered_rows(rows, sample, each, method, declined),
        pair=make_pair_rows(question, sample, confidence_level, method),
        simultaneous=simultaneous,
        report_counts=report_counts,
        respondents=sum(count for _, count in report_counts),
        missing=missing,
        design_fit=sample.design_fit,
        method=method,
        confidence_level=confidence_level,
        is_randomised_by_server=is_randomised_by_server,
        may_be_by_hand=may_be_by_hand,
    )


def make_bounds_rows(
    rows: Iterable[Row],
    sample: Sample,
    confidence_level: float,
    method: str,
    declined: int | None,
) -> tuple[Row, ...]:
    mechanism = sample.mechanism
    if declined is None or not mechanism.is_scrambled or len(mechanism.answers) < 3:
        return ()
    no_answer = mechanism.answers[declined]
    found = []
    for row in rows:
        if row.estimand == no_answer:
            continue
        low, high = sample.bounds(row.estimand, no_answer, confidence_level, method)
        found.append(
            replace(
                row,
                kind=Kind.BOUNDS,
                upper_estimate=row.estimate + sample.shares[no_answer],
                low=low,
                high=high,
                confidence_level=confidence_level,
            )
        )
    return tuple(found)


def find_mean_bounds(
    mean: Row, sample: Sample, confidence_level: float, method: str
) -> tuple[Row, ...]:
    if mean.scale is None or not sample.n:
        return ()
    found = MeanAmongAnswered(sample.mechanism)
    last = found.last
    least, most, ends = sample.find_mean_bounds(confidence_level, method)
    low, high, least, most = (
        mean.scale.at(each / last) for each in (*ends, least, most)
    )
    return (
        replace(
            mean,
            kind=Kind.BOUNDS_OF_MEAN,
            estimand=MEAN,
            estimate=least,
            upper_estimate=most,
            low=low,
            high=high,
            method=sample.method(found.total, method),
            find_interval=None,
        ),
    )


def make_answered_rows(
    rows: Iterable[Row],
    sample: Sample,
    confidence_level: float,
    method: str,
    declined: int | None,
) -> tuple[Row, ...]:
    """Return the shares among those who answered; of two answers only the first."""
    mechanism = sample.mechanism
    if declined is None or len(mechanism.answers) < 3:
        return ()
    no_answer = mechanism.answers[declined]
    found = []
    for row in rows:
        if row.estimand == no_answer:
            continue
        share, (low, high) = sample.share_among_answered(
            row.estimand, no_answer, confidence_level, method
        )
        found.append(
            replace(
                row,
                kind=Kind.AMONG_ANSWERED,
                estimate=share,
                raw=math.nan,
                standard_error=math.nan,
                low=low,
                high=high,
                confidence_level=confidence_level,
                method=sample.scored_method if mechanism.is_scrambled else method,
            )
        )
    return first_of_two(tuple(found))


def make_pair_rows(
    question: DesignQuestion, sample: Sample, confidence_level: float, method: str
) -> tuple[Row, ...]:
    """Return the share of yes to each of two questions that were scrambled as one.

    The two answers with yes to a question are a set, and a set has a dichotomy. The
    count of its reports is binomial, so its interval is exact.
    """
    answers = question.mechanism.answers
    found = []
    for answer_set in question.kind.list_answer_sets():
        estimand = Estimand.make_share(*answer_set.answers, answers=len(answers))
        row = make_row(
            sample,
            name_estimand(question.mechanism, estimand),
            estimand,
            confidence_level,
            method,
            label=question.choices[answer_set.labelled],
            kind=Kind.SET,
        )
        found.append(row)
    return tuple(found)
