"""The results of a survey: numbers alone, and how they are worked out.

Texts, cautions and charts are made of them in `panels`.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from estimation.maths.intervals import DEFAULT_CONFIDENCE_LEVEL, DEFAULT_METHOD
from estimation.maths.poisoning import forged_weight
from estimation.maths.shares import estimate_shares
from estimation.results.tallies import Tallies, read_tallies
from surveys.design import Design, DesignQuestion
from surveys.mechanisms import Mechanism
from surveys.mechanisms.mechanism import total_ratio
from surveys.models import Survey

MIN_RESPONDENTS = 30
"""With 30 respondents a coin flip's 95 % interval is 55 points wide on average over
evenly spread shares (computed over all counts): it can hardly tell few from many."""

CACHED_QUESTIONS = 512
"""A few pages of results; a question is some hundred bytes."""


@dataclass(frozen=True, kw_only=True)
class AnswerResult:
    """The numbers of one answer, those of `ShareEstimate`."""

    answer: str
    label: str
    """The answer as the survey words it."""
    report: str
    """The report that stands for the answer: its column is the answer's row."""
    count: int
    raw: float
    share: float
    standard_error: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class QuestionResult:
    """What is known about one question."""

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


@dataclass(frozen=True, kw_only=True)
class SurveyResults:
    """The results of an opened survey, of all its questions or of some."""

    survey: Survey
    design: Design
    questions: tuple[QuestionResult, ...]
    respondents: int
    """Sealed responses, whether or not each question was asked."""

    @property
    def total_ratio(self) -> Fraction | None:
        """The worst ratio of all reports of one respondent together, None for none."""
        return total_ratio([question.mechanism for question in self.design.questions])


def get_results(
    survey: Survey,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
    method: str = DEFAULT_METHOD,
) -> SurveyResults:
    """Return the results of an opened survey, sealing first where a batch is due.

    The other parameters are those of `survey_results`.
    """
    return survey_results(read_tallies(survey), confidence_level, method)


def survey_results(
    tallies: Tallies,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
    method: str = DEFAULT_METHOD,
) -> SurveyResults:
    """Return the results of the questions that were read.

    Parameters
    ----------
    tallies : Tallies
    confidence_level : float
        In (0, 1).
    method : str
        One of `estimation.maths.intervals.METHODS`.

    Raises
    ------
    ValueError
        For a level or method that the intervals refuse.
    """
    return SurveyResults(
        survey=tallies.survey,
        design=tallies.design,
        questions=tuple(
            question_result(
                question,
                tally,
                number=number,
                missing=tallies.respondents - sum(tally.values()),
                confidence_level=confidence_level,
                method=method,
                is_randomised_by_server=tallies.survey.mode == Survey.Mode.SERVER,
            )
            for number, question, tally in tallies.by_question()
        ),
        respondents=tallies.respondents,
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
        As in `survey_results`.
    is_randomised_by_server : bool
        Whether the survey is of mode server.
    """
    rows, design_fit = answer_results(
        question, tuple(tally.items()), confidence_level, method
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
) -> tuple[tuple[AnswerResult, ...], float]:
    """Return each answer's numbers, and the fit of the design.

    Remembered, because a page and each of its charts ask for the same.
    """
    estimate = estimate_shares(question.mechanism, dict(tally))
    rows = []
    for answer, label, report in zip(
        question.mechanism.answers,
        question.choices,
        question.mechanism.reports,
        strict=True,
    ):
        low, high = estimate.interval(answer, confidence_level, method)
        rows.append(
            AnswerResult(
                answer=answer,
                label=label,
                report=report,
                count=estimate.tally[report],
                raw=estimate.raw[answer],
                share=estimate.shares[answer],
                standard_error=estimate.standard_errors[answer],
                low=low,
                high=high,
            )
        )
    return tuple(rows), estimate.design_fit
