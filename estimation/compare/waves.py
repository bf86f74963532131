"""The same question in two surveys: which surveys, and which of their questions."""

from collections.abc import Sequence

from surveys.design import DesignQuestion
from surveys.models import Survey, Visitor

MOST_SURVEYS = 100
"""The newest: more than anybody looks through in a list."""


def counterpart(
    question: DesignQuestion, number: int, others: Sequence[DesignQuestion]
) -> int | None:
    """Return the number of the question of another survey that asks the same.

    The one with the same wording and choices; else that of the same number, if it has
    the same choices. None where there is none.
    """
    for place, other in enumerate(others, start=1):
        if (other.text, other.choices) == (question.text, question.choices):
            return place
    if number <= len(others) and others[number - 1].choices == question.choices:
        return number
    return None


def surveys_alike(
    user: Visitor, survey: Survey, questions: Sequence[DesignQuestion]
) -> list[Survey]:
    """Return the surveys that `user` may see and that share choices with these.

    Opened ones with reports, the newest first; made-up reports stay among themselves.
    """
    sought = {question.choices for question in questions}
    seen = (
        Survey.objects.for_user(user)
        .listed()
        .exclude(pk=survey.pk)
        .exclude(state=Survey.State.DRAFT)
        .filter(purged_on=None, is_simulated=survey.is_simulated)
        .prefetch_related("questions__choices")
    )
    return [
        other
        for other in seen[:MOST_SURVEYS]
        if any(
            tuple(choice.label for choice in question.choices.all()) in sought
            for question in other.questions.all()
        )
    ]
