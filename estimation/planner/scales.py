"""What the planner says of a scale: figures of its mean, in its own units."""

import math
from decimal import Context
from fractions import Fraction

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from estimation.maths.planning.scales import ScalePlan
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


def margin_of_mean(
    table: TableInWords, plan: ScalePlan, assumed: Assumptions, *, asked: int
) -> Figure:
    """Return what those who are asked bring, in the units of the scale."""
    told = _("with %s, an example") if assumed.respondents is None else _("with %s")
    reached = plan.margin(asked)
    return Figure(
        name=_("Margin of error"),
        term="margin-of-error",
        number=tells_nothing()
        if reached >= HALF_THE_SCALE
        else f"±\N{NO-BREAK SPACE}{in_units(table, reached)}",
        note=f"{of_the_mean(table)}, {told % people(asked)}",
    )


def people_needed(
    table: TableInWords, plan: ScalePlan, assumed: Assumptions, *, chance: Fraction
) -> Figure:
    """Return how many respondents the wanted margin needs, asked it or not."""
    told = _("for %s, an example") if assumed.margin is None else _("for %s")
    return Figure(
        name=_("People needed"),
        number=grouped(math.ceil(plan.needed(assumed.wanted) / chance)),
        note=told % f"±\N{NO-BREAK SPACE}{in_units(table, assumed.wanted)}",
    )


def facts_of_scale(table: TableInWords, plan: ScalePlan, planned: int) -> list[Fact]:
    """Return which way of scrambling is more precise, and what else there is to say."""
    told = {name: families()[name].label for name in plan.variances}
    ways = [
        _("“%(way)s”: ± %(margin)s")
        % {
            "way": _(told[name]),
            "margin": in_units(table, plan.margin(planned, family=name)),
        }
        for name in plan.variances
    ]
    best = (
        _("So many points are sent as High or Low only: ± %(margin)s with %(people)s.")
        % {"margin": in_units(table, plan.margin(planned)), "people": people(planned)}
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


def in_units(table: TableInWords, part: float) -> str:
    """Return a part of a scale in its units, to two digits."""
    scale = table.scale
    width = float(scale.high - scale.low) if scale else 1.0
    return number_format(f"{Context(prec=2).create_decimal_from_float(part * width):f}")


def of_the_mean(table: TableInWords) -> str:
    """Return of what a margin in units is, such as "of the mean on 0 to 10"."""
    if not table.scale:
        return ""
    low, high = value_of(table.scale.low), value_of(table.scale.high)
    return _("of the mean on %(low)s to %(high)s") % {"low": low, "high": high}
