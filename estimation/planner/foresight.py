"""How precise a draft will be with its planned number of responses."""

from estimation.maths.planning.plan import make_plan
from surveys.mechanisms import ParameterError
from surveys.models import Survey


def expected_margin(survey: Survey) -> float | None:
    """Return the margin of error of the least precise question, as a share.

    For a share of one half, where it is widest. None where no number is planned, or a
    question has no table that can be planned for.
    """
    if survey.target is None:
        return None
    margins = []
    for question in survey.questions.all():
        try:
            plan = make_plan(
                question.mechanism, respondents=survey.target, with_pile=False
            )
        except (ParameterError, ValueError):
            return None
        if plan.precision is None:
            return None
        margins.append(plan.precision.margin)
    return max(margins, default=None)
