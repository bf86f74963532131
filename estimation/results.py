"""The one meeting point of database and maths: page, chart and CSV all read this."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from estimation import cautions, perspective, wording
from estimation.charts import DRAWINGS, Drawing
from estimation.interval_chart import Bar, height_of
from estimation.intervals import DEFAULT_CONFIDENCE_LEVEL, DEFAULT_METHOD, METHODS
from estimation.poisoning import forged_weight
from estimation.shares import estimate_shares
from respondents.models import Response, SealedPattern, tallies
from surveys.design import DesignQuestion, load_design
from surveys.mechanisms import Mechanism
from surveys.mechanisms.base import epsilon_rounded_up, total_ratio
from surveys.models import Survey
from surveys.wording import report_labels


@dataclass(frozen=True, kw_only=True)
class AnswerResult:
    """The numbers of one answer, those of `ShareEstimate`, in the question's words."""

    answer: str
    label: str
    report: str
    """The report that stands for the answer: its column is the answer's row."""
    report_label: str
    count: int
    raw: float
    share: float
    standard_error: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class QuestionResult:
    """What is known about one question: numbers, and the texts made from them."""

    number: int
    text: str
    mechanism: Mechanism
    rows: tuple[AnswerResult, ...]
    respondents: int
    missing: int
    design_fit: float
    method: str
    confidence_level: float
    is_randomised_by_server: bool = False
    """Whether senders send answers, so that forgers cannot choose a report."""

    @property
    def rows_told(self) -> tuple[AnswerResult, ...]:
        """Rows to talk about and to draw: of two answers, one mirrors the other."""
        return self.rows[:1] if len(self.rows) == 2 else self.rows

    @property
    def sentence(self) -> str:
        """The interval and the best estimate of the first answer."""
        return self.sentences[0]

    @property
    def sentences(self) -> list[str]:
        """Interval and best estimate, one sentence for each answer to talk about."""
        return wording.sentences(self)

    @property
    def interval_name(self) -> str:
        """Such as "95 % confidence interval"."""
        return wording.interval_name(self)

    @property
    def method_name(self) -> str:
        """What people call the method."""
        return METHODS[self.method]

    @property
    def mechanism_line(self) -> str:
        """Family, realised chances and epsilon, from the stored table."""
        return wording.mechanism_line(self)

    @property
    def poisoning_radius(self) -> float:
        """How far one forged report can move the share of any answer; NaN without any.

        On average over what the same person would have reported honestly. Twice as
        many forged reports move it up to twice as far.
        """
        if not self.respondents:
            return math.nan
        is_chosen = not self.is_randomised_by_server
        weight = forged_weight(self.mechanism) if is_chosen else 1
        return float(weight / self.respondents)

    @property
    def forged_line(self) -> str:
        """What forged reports could do to the shares."""
        return perspective.forged_line(self)

    @property
    def direct_line(self) -> str:
        """What honest answers to a direct question would have told."""
        return perspective.direct_line(self)

    @property
    def radius_in_points(self) -> str:
        """The poisoning radius in percentage points."""
        return perspective.radius_in_points(self)

    @property
    def cautions(self) -> list[cautions.Caution]:
        """What to know before relying on the numbers."""
        return cautions.for_question(self)

    @property
    def alternative_text(self) -> str:
        """What the chart shows, in words and numbers."""
        return wording.alternative_text(self)

    @property
    def bars(self) -> tuple[Bar, ...]:
        """What the chart draws, from top to bottom."""
        return tuple(
            Bar(
                low=row.low,
                high=row.high,
                share=row.share,
                raw=row.raw,
                interval_label=wording.interval_label(row),
                estimate_label=wording.estimate_label(row),
                name=row.label if len(self.rows_told) > 1 else "",
            )
            for row in self.rows_told
        )

    @property
    def drawings(self) -> list[Drawing]:
        """Every drawing of the chart, in the order in which a browser takes one."""
        height = height_of(len(self.rows_told))
        return [replace(drawing, points=height) for drawing in DRAWINGS]


@dataclass(frozen=True, kw_only=True)
class SurveyResults:
    """The results of one opened survey."""

    survey: Survey
    questions: tuple[QuestionResult, ...]
    respondents: int
    """Sealed responses, whether or not each question was asked."""

    @property
    def mode(self) -> str:
        """Where answers are scrambled, in a few words."""
        return _(wording.MODES[self.survey.mode])

    @property
    def total_epsilon(self) -> str:
        """Epsilon of all reports of one respondent together, rounded up."""
        mechanisms = [question.mechanism for question in self.questions]
        return epsilon_rounded_up(total_ratio(mechanisms))

    @property
    def cautions(self) -> list[cautions.Caution]:
        """What to know about the survey before relying on any number."""
        return cautions.for_survey(self)


def get_results(
    survey: Survey,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
    method: str = DEFAULT_METHOD,
) -> SurveyResults:
    """Return the results of an opened survey, sealing first where a batch is due.

    Parameters
    ----------
    survey : Survey
        Open or closed.
    confidence_level : float
        In (0, 1).
    method : str
        A key of `estimation.intervals.METHODS`.

    Raises
    ------
    ValueError
        For a level or method that the intervals refuse.
    """
    if survey.is_open:
        Response.objects.seal_if_due(survey)
    return read_results(survey, confidence_level, method)


def read_results(
    survey: Survey,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
    method: str = DEFAULT_METHOD,
) -> SurveyResults:
    """Return the results of what is sealed already.

    Parameters are those of `get_results`. A chart asks for these: sealing between page
    and chart would let them disagree.
    """
    design = load_design(survey.pk, survey.design_digest)
    counts = SealedPattern.objects.counts(survey)
    respondents = sum(counts.values())
    tallied = zip(design.questions, tallies(design.questions, counts), strict=True)
    return SurveyResults(
        survey=survey,
        questions=tuple(
            question_result(
                question,
                tally,
                number=number,
                missing=respondents - sum(tally.values()),
                confidence_level=confidence_level,
                method=method,
                is_randomised_by_server=survey.mode == Survey.Mode.SERVER,
            )
            for number, (question, tally) in enumerate(tallied, start=1)
        ),
        respondents=respondents,
    )


def question_result(
    question: DesignQuestion,
    tally: Mapping[str, int],
    *,
    number: int = 1,
    missing: int = 0,
    confidence_level: float,
    method: str,
    is_randomised_by_server: bool = False,
) -> QuestionResult:
    """Return what {report: count} says about one question.

    Parameters
    ----------
    question : DesignQuestion
        Text, choices and mechanism.
    tally : mapping of str to int
        Every report of the mechanism, in the order of its columns.
    number, missing : int
        The question's place, and how many respondents have no report for it.
    confidence_level, method
        As in `get_results`.
    is_randomised_by_server : bool
        Whether the survey is of mode server.
    """
    estimate = estimate_shares(question.mechanism, tally)
    rows = []
    for answer, label, report, report_label in zip(
        question.mechanism.answers,
        question.choices,
        question.mechanism.reports,
        report_labels(question.mechanism, question.choices),
        strict=True,
    ):
        low, high = estimate.interval(answer, confidence_level, method)
        rows.append(
            AnswerResult(
                answer=answer,
                label=label,
                report=report,
                report_label=report_label,
                count=tally[report],
                raw=estimate.raw[answer],
                share=estimate.shares[answer],
                standard_error=estimate.standard_errors[answer],
                low=low,
                high=high,
            )
        )
    return QuestionResult(
        number=number,
        text=question.text,
        mechanism=question.mechanism,
        rows=tuple(rows),
        respondents=estimate.respondents,
        missing=missing,
        design_fit=estimate.design_fit,
        method=method,
        confidence_level=confidence_level,
        is_randomised_by_server=is_randomised_by_server,
    )
