"""Results of made-up reports, without a detour over respondents."""

from estimation.results.tallies import get_results, question_result
from respondents.models import SealedPattern
from surveys.design import DesignQuestion
from surveys.mechanisms import build

YES_OR_NO = ("Yes", "No")


def result_of(
    *counts,
    family="coin",
    labels=YES_OR_NO,
    method="feldman-cousins",
    level=0.95,
    **parameters,
):
    """One question's result for these counts of reports, in the table's order."""
    mechanism = build(family, **parameters)
    question = DesignQuestion(
        text="Sensitive question?",
        innocuous_question="",
        choices=labels,
        mechanism=mechanism,
    )
    tally = dict(zip(mechanism.reports, counts, strict=True))
    return question_result(question, tally, confidence_level=level, method=method)


def seal(survey, counts):
    """Count these patterns as sealed; return the survey's results."""
    SealedPattern.objects.add(survey, counts)
    return get_results(survey)
