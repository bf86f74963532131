"""What the planner says of a scale: figures of its mean, in its own units."""

from decimal import Context

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from candor.mechanisms import load_families
from candor.planning.results import Plan
from estimation.pages.planner.facts import (
    Fact,
    odds,
    people_in_groups,
    power_of_groups,
    to_invite,
)
from estimation.pages.planner.figures import Figure
from estimation.pages.planner.forms import Assumptions
from surveys.models.question import format_scale_value
from surveys.text.numbers import (
    HALF_THE_SCALE,
    format_integer,
    format_people,
    format_percent,
    format_scale_estimate,
    say_too_imprecise,
)
from surveys.text.tables import TableDescription


def precision_of_mean(
    table: TableDescription, plan: Plan, assumed: Assumptions
) -> tuple[Figure, Figure]:
    """Return margin and people needed of the mean of a scale, in its units."""
    told = _("with %s, an example") if assumed.respondents is None else _("with %s")
    for_margin = _("for %s, an example") if assumed.margin is None else _("for %s")
    asked, reached = get_planned(plan)
    return (
        Figure(
            name=_("Margin of error"),
            term="margin-of-error",
            number=plus_or_minus(table, reached),
            note=f"{describe_mean(table)}, {told % format_people(asked)}",
        ),
        Figure(
            name=_("People needed"),
            number="∞" if plan.size is None else format_integer(plan.size.respondents),
            note=for_margin % plus_or_minus(table, assumed.wanted),
        ),
    )


def get_planned(plan: Plan) -> tuple[int, float]:
    """Return how many are asked, and their margin in parts of the scale."""
    if plan.precision is None:
        raise ValueError("plan must have a planned number of respondents")
    return plan.precision.respondents, plan.precision.margin / plan.assumed.length


def facts_of_scale(table: TableDescription, plan: Plan) -> list[Fact]:
    """Return which way of scrambling is more precise, and what else there is to say."""
    planned, reached = get_planned(plan)
    told = {way.family: load_families()[way.family].label for way in plan.alternatives}
    ways = [
        _("“%(way)s”: %(margin)s")
        % {
            "way": _(told[way.family]),
            "margin": plus_or_minus(table, (way.margin or 0) / plan.assumed.length),
        }
        for way in plan.alternatives
    ]
    best = (
        _(
            "So many points are sent as High or Low only: %(margin)s with %(people)s, "
            "%(supposed)s."
        )
        if len(ways) == 1
        else _(
            "At this epsilon “%(best)s” is the most precise for a mean of %(points)s "
            "points. With %(people)s, %(supposed)s: %(ways)s."
        )
    ) % {
        "best": _(told[plan.assumed.most_precise]),
        "margin": plus_or_minus(table, reached),
        "points": len(table.choices),
        "people": format_people(planned),
        "supposed": supposed(table, plan),
        "ways": "; ".join(ways),
    }
    shares = (
        _("The results have the share of every value too.")
        if table.mechanism.tells_shares
        else _("The results have the mean alone, not the share of any value.")
    )

    def margin(reached: float) -> str:
        return plus_or_minus(table, reached / plan.assumed.length)

    told_of = [
        (_("What one report tells."), odds(table)),
        (_("Which of the two."), best),
        (_("Two groups."), needed_to_tell_apart(table, plan)),
        (_("How many to invite."), to_invite(plan, wanted=margin, reached=margin)),
        (_("What the results tell."), shares),
    ]
    return [Fact(title, text) for title, text in told_of if text]


def needed_to_tell_apart(table: TableDescription, plan: Plan) -> str:
    """Return how many respondents two groups need for their means to be told apart."""
    sizes = plan.groups
    if sizes is None:
        return ""
    (mean, other), last = sizes.values, plan.assumed.length
    means = {
        "difference": in_units(table, (mean - other) / last, digits=4),
        "mean": value_at(table, mean / last),
        "other": value_at(table, other / last),
        "chance": format_percent(sizes.power, trimmed=True),
        "alpha": format_percent(sizes.alpha, trimmed=True),
        "people": people_in_groups(sizes),
    }
    if sizes.sds is None:
        told = _(
            "To show that the means of two groups differ by %(difference)s, if they "
            "are %(mean)s and %(other)s, it takes %(people)s: then %(chance)s of such "
            "surveys show it, by Fisher's exact test at %(alpha)s."
        )
    else:
        told = _(
            "To show that the means of two groups differ by %(difference)s, if they "
            "are %(mean)s and %(other)s with %(spread)s, it takes %(people)s: then "
            "%(chance)s of such surveys show it, by Welch's t test at %(alpha)s."
        )
        sds = [in_units(table, sd / last) for sd in sizes.sds]
        means["spread"] = (
            _("a standard deviation of %s in each") % sds[0]
            if sds[0] == sds[1]
            else _("standard deviations of %(first)s and %(second)s")
            % {"first": sds[0], "second": sds[1]}
        )
    told %= means
    return f"{told} {power_of_groups(plan.group_test)}".strip()


def supposed(table: TableDescription, plan: Plan) -> str:
    """Return of which answers the figures are."""
    answers = plan.assumed.answers
    if answers.is_default:
        return _("if all values are equally common")
    last = plan.assumed.length
    told = _("if the mean is %(mean)s and the standard deviation %(sd)s")
    return told % {
        "mean": value_at(table, answers.mean / last),
        "sd": in_units(table, answers.sd / last),
    }


def plus_or_minus(table: TableDescription, part: float) -> str:
    """Return a margin, given as a part of a scale, in its units to two digits."""
    if part >= HALF_THE_SCALE:
        return say_too_imprecise()
    return f"±\N{NO-BREAK SPACE}{in_units(table, part)}"


def in_units(table: TableDescription, part: float, *, digits: int = 2) -> str:
    """Return a length, given as a part of a scale, in its units to so many digits."""
    scale = table.scale
    width = float(scale.high - scale.low) if scale else 1.0
    number = Context(prec=digits).create_decimal_from_float(part * width)
    return number_format(f"{number.normalize():f}")


def value_at(table: TableDescription, part: float) -> str:
    """Return the value so far along a scale, as well as it is known."""
    if not table.scale:
        return in_units(table, part)
    value = table.scale.at(part)
    return format_scale_estimate(value, low=value, high=value)


def describe_mean(table: TableDescription) -> str:
    """Return of what a margin in units is, such as "of the mean on 0 to 10"."""
    if not table.scale:
        return ""
    return _("of the mean on %(low)s to %(high)s") % format_ends(table)


def format_ends(table: TableDescription) -> dict[str, str]:
    """Return the lowest and the highest value of a scale."""
    if not table.scale:
        return {"low": "0", "high": "1"}
    return {
        "low": format_scale_value(table.scale.low),
        "high": format_scale_value(table.scale.high),
    }
