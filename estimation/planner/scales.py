"""What the planner says of a scale: figures of its mean, in its own units."""

from decimal import Context

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from estimation.maths.planning.means import MeanPlan
from estimation.planner.facts import Fact, odds
from estimation.planner.figures import Figure
from estimation.planner.inputs import Assumptions
from surveys.mechanisms import families
from surveys.words.numbers import (
    HALF_THE_SCALE,
    grouped,
    people,
    tells_nothing,
    value_of,
)
from surveys.words.tables import TableInWords


def precision_of_mean(
    table: TableInWords, plan: MeanPlan, assumed: Assumptions
) -> tuple[Figure, Figure]:
    """Return margin and people needed of the mean of a scale, in its units."""
    told = _("with %s, an example") if assumed.respondents is None else _("with %s")
    for_margin = _("for %s, an example") if assumed.margin is None else _("for %s")
    asked, reached = planned_of(plan)
    return (
        Figure(
            name=_("Margin of error"),
            term="margin-of-error",
            number=plus_or_minus(table, reached),
            note=f"{of_the_mean(table)}, {told % people(asked)}",
        ),
        Figure(
            name=_("People needed"),
            number="∞" if plan.size is None else grouped(plan.size.respondents),
            note=for_margin % plus_or_minus(table, assumed.wanted),
        ),
    )


def planned_of(plan: MeanPlan) -> tuple[int, float]:
    """Return how many are asked, and their margin in parts of the scale."""
    if plan.precision is None:
        raise ValueError("plan must have a planned number of respondents")
    return plan.precision.respondents, plan.precision.margin / (plan.points - 1)


def facts_of_scale(table: TableInWords, plan: MeanPlan) -> list[Fact]:
    """Return which way of scrambling is more precise, and what else there is to say."""
    planned, reached = planned_of(plan)
    told = {way.family: families()[way.family].label for way in plan.ways}
    ways = [
        _("“%(way)s”: %(margin)s")
        % {
            "way": _(told[way.family]),
            "margin": plus_or_minus(table, (way.margin or 0) / (plan.points - 1)),
        }
        for way in plan.ways
    ]
    best = (
        _("So many points are sent as High or Low only: %(margin)s with %(people)s.")
        % {"margin": plus_or_minus(table, reached), "people": people(planned)}
        if len(ways) == 1
        else _(
            "At this epsilon “%(best)s” is the most precise for a mean of %(points)s "
            "points. With %(people)s, if all values are equally common: %(ways)s."
        )
        % {
            "best": _(told[plan.best]),
            "points": len(table.choices),
            "people": people(planned),
            "ways": "; ".join(ways),
        }
    )
    shares = (
        _("The results have the share of every value too.")
        if table.mechanism.tells_shares
        else _("The results have the mean alone, not the share of any value.")
    )
    return [
        Fact(_("What one report tells."), odds(table)),
        Fact(_("Which of the two."), best),
        Fact(_("What the results tell."), shares),
    ]


def plus_or_minus(table: TableInWords, part: float) -> str:
    """Return a margin, given as a part of a scale, in its units to two digits."""
    if part >= HALF_THE_SCALE:
        return tells_nothing()
    scale = table.scale
    width = float(scale.high - scale.low) if scale else 1.0
    shown = f"{Context(prec=2).create_decimal_from_float(part * width):f}"
    return f"±\N{NO-BREAK SPACE}{number_format(shown)}"


def of_the_mean(table: TableInWords) -> str:
    """Return of what a margin in units is, such as "of the mean on 0 to 10"."""
    if not table.scale:
        return ""
    low, high = value_of(table.scale.low), value_of(table.scale.high)
    return _("of the mean on %(low)s to %(high)s") % {"low": low, "high": high}
