"""At which number of responses a survey closes by itself: it counts whole batches."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from surveys.models import Survey
from surveys.words.numbers import grouped


def when_it_closes(survey: Survey, sealed: int = 0) -> str:
    """Return with how many responses it closes; empty where it does not by itself.

    Parameters
    ----------
    survey : Survey
    sealed : int
        How many responses are sealed already.
    """
    number = survey.closes_at(sealed)
    if number is None or survey.target is None:
        return ""
    if number == survey.target:
        told = ngettext(
            "It closes at %s response.", "It closes at %s responses.", number
        )
        return told % grouped(number)
    return _(
        "It closes at %(number)s responses: in batches of %(batch)s, two at least, "
        "that is where the planned %(planned)s are reached."
    ) % {
        "number": grouped(number),
        "batch": grouped(survey.batch_size),
        "planned": grouped(survey.target),
    }
