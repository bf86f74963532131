"""Sentences on the origin and protection of a public page's numbers."""

import math
from fractions import Fraction
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from candor.mechanisms.odds import Exposure
from estimation.models import Publication
from estimation.rows.released import (
    CountRelease,
    needs_release,
    newest,
    refuse_release,
    spent,
)
from surveys.numbers import format_integer, format_percent, format_rounded_up
from surveys.text.protection import Protection

NEVER_PROOF = gettext_noop("No scrambled answer proves what a person said.")

STORED = {
    Exposure.WEAK_HINT: NEVER_PROOF,
    Exposure.HINT: NEVER_PROOF,
    Exposure.STRONG_HINT: NEVER_PROOF,
    Exposure.NEAR_PROOF: gettext_noop("Some scrambled answers come close to proof."),
    Exposure.SOMETIMES_SHOWN: gettext_noop("Some scrambled answers show the real one."),
    Exposure.NEARLY_SHOWN: gettext_noop("A scrambled answer is nearly the real one."),
    Exposure.RARE_EXCEPTIONS: gettext_noop(
        "A scrambled answer is the real one, with rare exceptions."
    ),
}
"""What one scrambled answer reveals, by the table with the weakest protection. Direct
answers are marked at their questions."""

STORED_OF_SOME = {
    Exposure.NEARLY_SHOWN: gettext_noop(
        "To some questions, a scrambled answer is nearly the real one."
    ),
    Exposure.RARE_EXCEPTIONS: gettext_noop(
        "To some questions, a scrambled answer is the real one, with rare exceptions."
    ),
}
"""Texts for surveys in which other tables protect better."""


WITH_NOISE = gettext_noop("exact, with the noise")


def describe_noise(spent: Fraction) -> str:
    return _(
        "The numbers of people contain random noise and need not add up; the intervals "
        "allow for it. They change the odds of a guess about one person by a factor of "
        "%(factor)s at most (epsilon %(epsilon)s)."
    ) % {
        "factor": format_rounded_up(math.exp(spent), 1),
        "epsilon": format_rounded_up(float(spent)),
    }


def respondents_between(low: int, high: int, level: float) -> str:
    text = _("The %(level)s interval for this number is %(low)s to %(high)s.")
    return text % {
        "level": format_percent(level, trimmed=True),
        "low": format_integer(low),
        "high": format_integer(high),
    }


def stored(protection: Protection) -> str:
    worst = protection.worst.exposure
    exposures = {t.exposure for t in protection.tables if t.mechanism.is_scrambled}
    return (
        STORED[worst]
        if exposures == {worst}
        else STORED_OF_SOME.get(worst, STORED[worst])
    )


def where_from(protection: Protection, *, is_imported: bool) -> list[str]:
    if not protection.scrambled:
        if is_imported:
            return [_("The study says that its answers were not scrambled.")]
        return [
            _(
                "This survey did not scramble answers: they were stored as they were "
                "given."
            )
        ]
    if is_imported:
        sentences = [_("The study says that its answers were scrambled by chance.")]
    else:
        sentences = [
            _("Answers were scrambled by chance before they were stored."),
            _(stored(protection)),
            *protection.composition_warning,
        ]
    if protection.unscrambled:
        sentences.insert(1, _("Exceptions are marked “Not protected”."))
    text = _(
        "Chance treats all people equally, so the shares of the whole group can still "
        "be estimated, with wider intervals."
    )
    return [*sentences, text]


def describe_cost(publication: Publication) -> dict[str, Any]:
    """Return the privacy cost of releases with noise; empty for exact counts."""
    if publication.release_epsilon is None or not publication.questions:
        return {}
    ledger = publication.survey.read_ledger()
    before, epsilon = spent(publication), Fraction(publication.release_epsilon)
    planned = CountRelease(
        epsilon=epsilon,
        respondents=0,
        noisy_counts=dict.fromkeys(publication.questions, ()),
    )
    return {
        "releases": len(publication.releases),
        "has_page": newest(publication) is not None,
        "spent": format_rounded_up(float(before)),
        "epsilon": format_rounded_up(float(epsilon)),
        "together": format_rounded_up(float(before + epsilon)),
        "is_due": needs_release(publication),
        "of_panel": ledger.describe(float(epsilon)) if ledger else "",
        "is_refused": bool(
            refuse_release(publication.survey, publication.release_epsilon)
        ),
        "of_people": number_format(planned.noise_of_respondents.standard_deviation, 1),
        "of_reports": number_format(planned.noise_of_reports.standard_deviation, 1),
    }
