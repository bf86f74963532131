"""The figures of the planner: a number in large type, and of what it is."""

from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from candor.mechanisms.odds import Exposure
from candor.planning.results import Plan
from surveys.text.explanations import TotalProtection
from surveys.text.numbers import (
    HALF_THE_SCALE,
    format_factor,
    format_integer,
    format_margin,
    format_people,
    format_points,
    say_too_imprecise,
)
from surveys.text.tables import TableDescription

VERDICTS = {
    Exposure.WEAK_HINT: gettext_noop("A weak hint, never proof"),
    Exposure.HINT: gettext_noop("A hint, never proof"),
    Exposure.STRONG_HINT: gettext_noop("A strong hint, but never proof"),
    Exposure.NEAR_PROOF: gettext_noop("Some reports are nearly proof"),
    Exposure.SOMETIMES_SHOWN: gettext_noop("Some reports show the answer"),
    Exposure.NEARLY_SHOWN: gettext_noop("It is nearly the answer"),
    Exposure.RARE_EXCEPTIONS: gettext_noop("It is the answer, with rare exceptions"),
    Exposure.SHOWN: gettext_noop("Not protected: it shows the answer"),
}


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A number in large type, and in small type of what it is."""

    name: str
    number: str = "\N{EN DASH}"
    unit: str = ""
    note: str = ""
    which: str = ""
    term: str = ""
    """Where the glossary explains the name."""


def privacy(table: TableDescription) -> Figure:
    """Return epsilon, and what it means."""
    return Figure(
        name=_("Privacy: epsilon"),
        term="epsilon",
        number=table.epsilon,
        note=_(VERDICTS[table.exposure]),
    )


def margin_of_error(plan: Plan | None, *, is_example: bool) -> Figure:
    """Return what the planned number of respondents brings."""
    named = Figure(name=_("Margin of error"), term="margin-of-error")
    if plan is None or plan.precision is None:
        return named
    told = _("with %s, an example") if is_example else _("with %s")
    noted = replace(named, note=told % format_people(plan.precision.respondents))
    if plan.precision.margin >= HALF_THE_SCALE:
        return replace(noted, number=say_too_imprecise())
    return replace(
        noted,
        number=f"±\N{NO-BREAK SPACE}{format_points(plan.precision.margin)}",
        unit=_("points"),
    )


def people_needed(plan: Plan | None, *, is_example: bool) -> Figure:
    """Return how many respondents the wanted margin needs."""
    name = _("People needed")
    if plan is None or plan.size is None:
        return Figure(name=name)
    told = _("for %s, an example") if is_example else _("for %s")
    return Figure(
        name=name,
        number=format_integer(plan.size.respondents),
        note=told % format_margin(plan.size.margin, trimmed=True),
    )


def price(cost: float | None) -> Figure:
    """Return how many times the respondents of a direct question are needed."""
    name = _("Price of protection")
    note = _("as many people as a direct question")
    named = Figure(name=name, note=note, term="price-of-protection")
    if cost is None:
        return named
    return replace(named, number=format_factor(cost), unit=_("times"))


def total(protection: TotalProtection) -> Figure:
    """Return epsilon of all reports of one person together, and of which."""
    scrambled, unscrambled = (
        protection.numbers.scrambled,
        protection.numbers.unscrambled,
    )
    count = len(scrambled) or len(unscrambled)
    note = ngettext("%s question", "%s questions", count)
    if unscrambled and scrambled:
        note = ngettext("%s scrambled question", "%s scrambled questions", count)
    return Figure(
        name=_("Total epsilon of one person"),
        number=protection.epsilon,
        note=note % count,
    )


def status(epsilon: Figure, margin: Figure) -> str:
    """Return the figures of the whole survey in a breath, for who cannot see them."""
    told = _("Total epsilon %s.") % epsilon.number
    if not margin.note:
        return told
    precise = " ".join(filter(None, [margin.number, margin.unit, margin.note]))
    return " ".join([told, _("Margin of error %s.") % precise])
