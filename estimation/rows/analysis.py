"""Whether what is shown is what was planned before a survey opened."""

from enum import StrEnum

from estimation.rows.planned import planned_interval
from estimation.rows.shares import SurveyResults
from surveys.models import Survey


class Analysis(StrEnum):
    """How an analysis stands to the plan of its survey; the values are those of files.

    Without any plan nothing is called planned or exploratory.
    """

    NO_PLAN = ""
    PLANNED = "planned"
    EXPLORATORY = "exploratory"


def choose_analysis(
    survey: Survey,
    *,
    confidence_level: float,
    method: str | None = None,
    pair: tuple[int, int] | None = None,
) -> Analysis:
    """Return how shares of the questions, or a comparison of two, stand to the plan.

    Pages, files and commands all ask here. What no plan can name, such as weighted
    shares, a regression or another survey, is `unplanned`.

    Parameters
    ----------
    survey : Survey
        Opened, or as an archive has it.
    confidence_level : float
        Of the intervals that are shown.
    method : str, optional
        Their method; None where it has no influence.
    pair : tuple of int, optional
        Numbers of the two questions that are compared, the one that makes the groups
        last.
    """
    if not survey.has_analysis_plan:
        return Analysis.NO_PLAN
    planned = planned_interval(survey)
    is_planned = (
        confidence_level == planned["confidence_level"]
        and method in (None, planned["method"])
        and (pair is None or pair in survey.pairs)
    )
    return Analysis.PLANNED if is_planned else Analysis.EXPLORATORY


def unplanned(survey: Survey) -> Analysis:
    """Return how an analysis stands to the plan that no plan can name."""
    return Analysis.EXPLORATORY if survey.has_analysis_plan else Analysis.NO_PLAN


def analysis_of_results(results: SurveyResults) -> Analysis:
    """Return how the intervals of these results stand to the plan."""
    found = {
        choose_analysis(
            results.survey,
            confidence_level=each.level_of_each,
            # With noise on the counts, one method allows for it.
            method=None if each.noisy else each.method,
        )
        for each in results.questions
    }
    return found.pop() if len(found) == 1 else unplanned(results.survey)
