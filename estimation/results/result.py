"""The result of one question: its numbers, and the texts and charts made from them."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from django.utils.translation import get_language

from estimation.charts.intervals import Bar, height_of
from estimation.charts.style import DRAWINGS, Drawing
from estimation.maths.intervals import METHODS
from estimation.maths.poisoning import forged_weight
from estimation.maths.shares import estimate_shares
from estimation.results import cautions, perspective
from estimation.results import words as wording
from surveys.design import DesignQuestion
from surveys.mechanisms import Mechanism
from surveys.words.tables import report_labels

CACHED_QUESTIONS = 512
"""A few pages of results; a question is some hundred bytes."""


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

    @property
    def bar(self) -> Bar:
        """What charts draw for it, with its numbers as people read them."""
        return wording.bar(self)


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
        bars = tuple(row.bar for row in self.rows_told)
        # A single bar has its answer in the heading.
        return bars if len(bars) > 1 else (replace(bars[0], name=""),)

    @property
    def chart_file(self) -> str:
        """The name of its chart below the address of a public page."""
        return f"{self.number}.svg"

    @property
    def drawings(self) -> list[Drawing]:
        """Every drawing of the chart, in the order in which a browser takes one."""
        height = height_of(len(self.rows_told))
        return [replace(drawing, points=height) for drawing in DRAWINGS]


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
    rows, design_fit = answer_results(
        question, tuple(tally.items()), confidence_level, method, get_language()
    )
    return QuestionResult(
        number=number,
        text=question.text,
        mechanism=question.mechanism,
        rows=rows,
        respondents=sum(tally.values()),
        missing=missing,
        design_fit=design_fit,
        method=method,
        confidence_level=confidence_level,
        is_randomised_by_server=is_randomised_by_server,
    )


@lru_cache(maxsize=CACHED_QUESTIONS)
def answer_results(
    question: DesignQuestion,
    tally: tuple[tuple[str, int], ...],
    confidence_level: float,
    method: str,
    language: str | None,  # of the labels of reports
) -> tuple[tuple[AnswerResult, ...], float]:
    """Return each answer's numbers, and the fit of the design.

    Remembered, because a page and each of its charts ask for the same.
    """
    estimate = estimate_shares(question.mechanism, dict(tally))
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
                count=estimate.tally[report],
                raw=estimate.raw[answer],
                share=estimate.shares[answer],
                standard_error=estimate.standard_errors[answer],
                low=low,
                high=high,
            )
        )
    return tuple(rows), estimate.design_fit
