"""The one meeting point of database and maths: page, chart and CSV all read this."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from estimation.charts.overview import Group, drawings_of
from estimation.charts.style import Drawing
from estimation.maths.intervals import DEFAULT_CONFIDENCE_LEVEL, DEFAULT_METHOD
from estimation.results import cautions
from estimation.results import words as wording
from estimation.results.result import AnswerResult, QuestionResult, question_result
from respondents.models import Response, SealedPattern, tallies
from surveys.design import load_design
from surveys.mechanisms.mechanism import total_ratio
from surveys.mechanisms.privacy import epsilon_rounded_up
from surveys.models import Survey

__all__ = [
    "AnswerResult",
    "QuestionResult",
    "SurveyResults",
    "get_results",
    "question_result",
    "read_results",
]


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
    def overview(self) -> tuple[Group, ...]:
        """What the chart of all questions draws: those that have reports."""
        return tuple(
            Group(
                heading=f"{question.number}. {question.text}",
                bars=tuple(row.bar for row in question.rows_told),
            )
            for question in self.questions
            if question.respondents
        )

    @property
    def overview_drawings(self) -> list[Drawing]:
        """Every drawing of the chart of all questions, as `QuestionResult.drawings`."""
        return drawings_of(self.overview)

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
        A key of `estimation.maths.intervals.METHODS`.

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
