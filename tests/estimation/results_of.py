"""Results of made-up counts of reports."""

from candor.mechanisms import build
from estimation.presentation.question import QuestionPanel
from estimation.presentation.survey import SurveyPanel
from estimation.rows.shares import get_results, question_result
from respondents.models import SealedPattern
from surveys.design import DesignQuestion

YES_OR_NO = ("Yes", "No")


def result_of(
    *counts,
    family="coin",
    labels=YES_OR_NO,
    method="feldman-cousins",
    level=0.95,
    **parameters,
):
    """Return one question's result for counts of reports in the table's order."""
    mechanism = build(family, **parameters)
    question = DesignQuestion(
        text="Sensitive question?",
        innocuous_question="",
        choices=labels,
        mechanism=mechanism,
    )
    report_counts = tuple(zip(mechanism.reports, counts, strict=True))
    return question_result(
        question, report_counts, confidence_level=level, method=method
    )


def panel_of(*counts, **options):
    """Return its presentation."""
    return QuestionPanel(result_of(*counts, **options))


def seal(survey, counts):
    """Store sealed patterns; return the survey's results."""
    SealedPattern.objects.add(survey, counts)
    return get_results(survey)


def seal_and_show(survey, counts):
    """Store sealed patterns; return the presented results of the survey."""
    return SurveyPanel(seal(survey, counts))
