"""Describe when a survey closes by itself: it counts whole batches."""

from surveys.models import Survey
from surveys.sentence import Sentence, make_plural_sentence, make_sentence


def describe_closing(survey: Survey, sealed: int = 0) -> str:
    """Return the number at which the survey closes, or an empty text."""
    return str(make_closing_sentence(survey, sealed) or "")


def make_closing_sentence(survey: Survey, sealed: int = 0) -> Sentence | None:
    """Return the sentence as data, for the log.

    Parameters
    ----------
    survey : Survey
    sealed : int
        How many responses are sealed already.
    """
    number = survey.closes_at(sealed)
    if number is None or survey.target is None:
        return None
    if number == survey.target:
        return make_plural_sentence(
            "It closes at %(count)s response.",
            "It closes at %(count)s responses.",
            count=number,
        )
    return make_sentence(
        "It closes at %(number)s responses: in batches of %(batch)s, two at least, "
        "that is where the planned %(planned)s are reached.",
        number=number,
        batch=survey.batch_size,
        planned=survey.target,
    )
