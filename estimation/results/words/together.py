"""What is said of all questions of a survey together."""

import math

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from estimation.results.result import SurveyResults, shown_from
from surveys.words.numbers import (
    HALF_THE_SCALE,
    epsilon,
    margin_of,
    percent,
)
from surveys.words.tables import name_questions


def margin(reached: float | None) -> str:
    """Return such as "± 6.2 points": home, monitor and results say the same."""
    if reached is None:
        return "\N{EM DASH}"
    if math.isinf(reached):
        return _("does not fit the design")
    return margin_of(reached)


def precision(results: SurveyResults) -> str:
    """Return the margin of the least precise question, and at which level."""
    widest = results.widest_margin
    if widest is None:
        least = shown_from(results.survey, results.respondents)
        return _("Shown from %s responses to every question on") % least
    if widest >= HALF_THE_SCALE:
        return margin(widest)
    level = percent(results.questions[0].confidence_level, trimmed=True)
    return _("%(margin)s at %(level)s") % {"margin": margin(widest), "level": level}


def total_of_scrambled(results: SurveyResults) -> str:
    """Say of which answers the total epsilon is.

    Empty where it is of all or none, and where it has no bound: so has that of all.
    """
    together = results.together
    if not (together.scrambled and together.unscrambled) or together.ratio is None:
        return ""
    told = ngettext(
        "Epsilon of the scrambled answers together is at most %(epsilon)s, whatever "
        "the direct answers are; %(named)s is not scrambled.",
        "Epsilon of the scrambled answers together is at most %(epsilon)s, whatever "
        "the direct answers are; %(named)s are not scrambled.",
        len(together.unscrambled),
    )
    return told % {
        "epsilon": epsilon(together.ratio),
        "named": name_questions(together.unscrambled),
    }


def draws(results: SurveyResults) -> str:
    """Say what it means that questions were drawn for each respondent."""
    known = _(
        "Questions drawn are known of those who were asked; whoever was not is missing "
        "by chance alone."
    )
    if results.survey.is_imported:
        known = _(
            "Questions drawn are known of those who were asked; that whoever was not "
            "is missing by chance alone cannot be checked here."
        )
    if results.together.ratio is None:  # no epsilon to count
        return known
    counted = _(
        "Total epsilon counts so many of each group, those that give away most."
    )
    return f"{counted} {known}"


def left_out_of_overview(results: SurveyResults) -> str:
    """Say which questions a chart of shares leaves out; empty where it has all."""
    numbers = [each.number for each in results.questions if each.mean]
    if not numbers:
        return ""
    told = ngettext(
        "The mean of %s is not in this chart of shares: it has a scale of its own.",
        "The means of %s are not in this chart of shares: they have scales of their "
        "own.",
        len(numbers),
    )
    return told % name_questions(numbers)
