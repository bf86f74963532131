"""Sentences of the planner on a question, one for each topic."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from functools import partial

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from candor.intervals import NEARLY_EVERYTHING
from candor.mechanisms import load_families
from candor.mechanisms.odds import times_rounded_up
from candor.mechanisms.scale import Scale
from candor.planning.groups import GroupSizes, GroupTest
from candor.planning.results import Plan
from surveys.numbers import (
    HALF_THE_SCALE,
    NOISE,
    format_integer,
    format_margin,
    format_people,
    format_percent,
    format_points,
    format_reached_margin,
    format_rounded_up,
    format_scale_estimate,
    say_too_imprecise,
)
from surveys.text.tables import TableDescription


@dataclass(frozen=True)
class Fact:
    """What else there is to say, and what it is about."""

    title: str
    text: str


def list_facts(table: TableDescription, plan: Plan | None) -> list[Fact]:
    """Return what else there is to say of a question; nothing of what has no figure."""
    if plan and table.scale:
        margin = partial(show_margin_in_points, table.scale, plan)
        texts = [
            (_("Protection."), odds(table)),
            (_("Mechanism."), compare_families(table, table.scale, plan)),
            (_("Two groups."), needed_to_tell_apart(plan, table.scale)),
            (_("Invitations."), to_invite(plan, wanted=margin, reached=margin)),
            (
                _("Results."),
                _("Results also have the share of each value.")
                if table.mechanism.tells_shares
                else _("Results have the mean but no share of a value."),
            ),
        ]
    elif plan:
        texts = [
            (_("Protection."), f"{suspicion(plan)} {odds(table)}"),
            (_("The test."), needed_to_show(plan, answer=table.choices[0])),
            (_("Two groups."), needed_to_tell_apart(plan)),
            (_("The interval."), interval(plan)),
            (
                _("Invitations."),
                to_invite(
                    plan,
                    wanted=partial(format_margin, trimmed=True),
                    reached=format_reached_margin,
                ),
            ),
            (_("Asked directly."), asked_directly(plan)),
            (_("The strongest protection."), strongest(plan)),
            (_("Forgers."), forgers(plan)),
            (_("Limits."), limits(table)),
        ]
    else:
        text = _("For this mechanism, precision and sample size cannot be planned.")
        texts = [(_("Limits."), text)]
    return [Fact(title, text) for title, text in texts if text]


def suspicion(plan: Plan) -> str:
    """Return how far one report can move a suspicion, never too little."""
    reading = plan.posterior
    after = [report.posterior for report in reading.reports]
    known = [posterior for posterior in after if posterior is not None]
    # Of several answers the report of another one is bounded, not known.
    highest, lowest = (
        max(known, default=reading.highest),
        min([*known, reading.lowest] if len(after) == 1 else known, default=0.0),
    )
    prior = format_percent(reading.prior, trimmed=True)
    if highest >= 1 > reading.prior:
        return _("A suspicion of %(prior)s can become certainty.") % {"prior": prior}
    return _(
        "A suspicion of %(prior)s becomes at most %(highest)s, and at least %(lowest)s."
    ) % {
        "prior": prior,
        "highest": format_percent(
            highest - NOISE, 1, rounding=ROUND_CEILING, trimmed=True
        ),
        "lowest": format_percent(lowest + NOISE, 1, rounding=ROUND_FLOOR, trimmed=True),
    }


def odds(table: TableDescription) -> str:
    """Return how far one report shifts the odds of an answer, or which is proof."""
    ratio = table.mechanism.worst_ratio
    if table.proofs:
        return " ".join(table.proofs)
    if ratio is None:
        return _("Nothing limits what one report reveals.")
    shifted = number_format(times_rounded_up(ratio))
    return _("One report shifts the odds of an answer %s times at most.") % shifted


def needed_to_show(plan: Plan, *, answer: str) -> str:
    """Return how many respondents it takes to show that a share lies beyond a bound."""
    size = plan.sample_size
    if size is None:
        return ""
    claim = (
        _(
            "To show that more than %(against)s say %(answer)s, if the true share is "
            "%(share)s, with power %(chance)s: %(people)s."
        )
        if size.direction == "above"
        else _(
            "To show that fewer than %(against)s say %(answer)s, if the true share "
            "is %(share)s, with power %(chance)s: %(people)s."
        )
    )
    text = claim % {
        "share": format_percent(size.share, trimmed=True),
        "against": format_percent(size.against, trimmed=True),
        "answer": answer,
        "chance": format_percent(size.power, trimmed=True),
        "people": _("more people than any survey has")
        if size.safe is None
        else format_people(size.safe),
    }
    shown = (
        _("It is shown where the %(level)s interval of the results lies above it.")
        if size.direction == "above"
        else _("It is shown where the %(level)s interval of the results lies below it.")
    ) % {"level": format_percent(plan.confidence_level, trimmed=True)}
    text = f"{text} {shown}"
    if plan.test is None:
        return text
    power = _("With %(people)s it is %(power)s.") % {
        "people": format_people(plan.test.respondents),
        "power": format_percent(plan.test.power, 0, rounding=ROUND_FLOOR),
    }
    return f"{text} {power}"


def needed_to_tell_apart(plan: Plan, scale: Scale | None = None) -> str:
    """Return how many respondents two groups need to show that they differ."""
    sizes = plan.groups
    if sizes is None:
        return ""
    (value, other), last = sizes.values, plan.assumed.length
    found = {
        "chance": format_percent(sizes.power, trimmed=True),
        "alpha": format_percent(sizes.alpha, trimmed=True),
        "people": people_in_groups(sizes),
    }
    if scale is None:
        text = _(
            "To show %(share)s against %(other)s in two groups with power "
            "%(chance)s, by Fisher's exact test at %(alpha)s: %(people)s."
        )
        found["share"] = format_percent(value, trimmed=True)
        found["other"] = format_percent(other, trimmed=True)
    else:
        text = _(
            "To show a difference of %(difference)s between the means %(mean)s and "
            "%(other)s with power %(chance)s, by Fisher's exact test at %(alpha)s: "
            "%(people)s."
        )
        found["difference"] = in_units(scale, (value - other) / last, digits=4)
        found["mean"] = value_at(scale, value / last)
        found["other"] = value_at(scale, other / last)
    if scale and sizes.sds:
        text = _(
            "To show a difference of %(difference)s between the means %(mean)s and "
            "%(other)s with %(spread)s, with power %(chance)s, by Welch's t test at "
            "%(alpha)s: %(people)s."
        )
        first, second = (in_units(scale, sd / last) for sd in sizes.sds)
        found["spread"] = (
            _("a standard deviation of %s in each") % first
            if first == second
            else _("standard deviations of %(first)s and %(second)s")
            % {"first": first, "second": second}
        )
    return f"{text % found} {power_of_groups(plan.group_test)}".strip()


def people_in_groups(sizes: GroupSizes) -> str:
    """Return how many people each of two groups needs, as a sentence names them."""
    if sizes.respondents is None or sizes.others is None:
        return _("more people than any survey has")
    first = format_people(sizes.respondents)
    if not sizes.is_exact:
        first = _("about %s") % first
    if sizes.respondents == sizes.others:
        return _("%s in each") % first
    return _("%(people)s in the first and %(others)s in the second") % {
        "people": first,
        "others": format_integer(sizes.others),
    }


def power_of_groups(test: GroupTest | None) -> str:
    """Return what the planned number brings, shared out over two groups."""
    if test is None:
        return ""
    text = (
        _("With %(people)s, half of them in each, it is %(power)s.")
        if abs(test.respondents - test.others) < 2
        else _("With %(people)s, %(first)s and %(second)s of them, it is %(power)s.")
    )
    return text % {
        "people": format_people(test.respondents + test.others),
        "first": format_integer(test.respondents),
        "second": format_integer(test.others),
        "power": format_percent(test.power, 0, rounding=ROUND_FLOOR),
    }


def interval(plan: Plan) -> str:
    """Return the mean half width of the exact interval of the planned number."""
    if plan.precision is None or plan.precision.expected_half_width is None:
        return ""
    half_width = plan.precision.expected_half_width
    if 2 * half_width >= NEARLY_EVERYTHING:
        return _("Expect results too imprecise to interpret.")
    return _("Expect %s around the estimate.") % format_margin(half_width)


def to_invite(
    plan: Plan, *, wanted: Callable[[float], str], reached: Callable[[float], str]
) -> str:
    """Return how many to invite, where not all answer or count equally.

    `wanted` and `reached` write the margin that was typed, and one that was worked out.
    """
    work = plan.fieldwork
    if work.is_plain or plan.size is None or work.size is None:
        return ""
    sentence = _(
        "%(margin)s takes %(people)s at a design effect of %(effect)s. At a response "
        "rate of %(rate)s, invite %(invited)s."
    ) % {
        "margin": wanted(plan.size.margin),
        "people": format_people(work.size.respondents),
        "effect": number_format(f"{work.design_effect:.3g}"),
        "rate": format_percent(work.response_rate, trimmed=True),
        "invited": format_people(work.size.invited),
    }
    if work.planned is None or work.margin is None:
        return sentence
    planned = _("For %(people)s to answer, invite %(invited)s: then %(margin)s.") % {
        "people": format_people(work.planned.respondents),
        "invited": format_people(work.planned.invited),
        "margin": reached(work.margin),
    }
    return f"{sentence} {planned}"


def asked_directly(plan: Plan) -> str:
    """Return how precise as many honest answers to a direct question would be."""
    if plan.size is None or plan.precision is None:
        return ""
    return _(
        "With honest answers to a direct question: %(needed)s for %(wanted)s, or "
        "%(margin)s with %(people)s."
    ) % {
        "needed": format_people(plan.size.direct_respondents),
        "wanted": format_margin(plan.size.margin, trimmed=True),
        "margin": format_reached_margin(plan.precision.direct_margin),
        "people": format_people(plan.precision.respondents),
    }


def strongest(plan: Plan) -> str:
    """Return which epsilon would do for the planned number and the wanted margin."""
    found = plan.smallest_epsilon
    if found is None:
        return ""
    words = {
        "people": format_people(found.respondents),
        "margin": format_margin(found.margin, trimmed=True),
        "direct": format_reached_margin(found.direct_margin),
    }
    if found.direct_margin > found.margin:
        text = _(
            "Not even a direct question reaches %(margin)s with %(people)s: it has "
            "%(direct)s."
        )
    elif found.epsilon is None:
        text = _("No mechanism that protects reaches %(margin)s with %(people)s.")
    else:
        words["epsilon"] = format_rounded_up(found.epsilon)
        text = _("With %(people)s, %(margin)s needs epsilon %(epsilon)s or more.")
    return text % words


def forgers(plan: Plan) -> str:
    """Return how far one forged report can move the share, never too little."""
    if plan.poisoning is None:
        return ""
    if plan.poisoning.radius >= 1:
        return _("One forged report can shift the result anywhere.")
    moved = format_points(
        plan.poisoning.radius - NOISE, decimals=2, rounding=ROUND_CEILING
    )
    shown = (_("%s points") % moved).replace(" ", "\N{NO-BREAK SPACE}")
    return _("One forged report can shift the result by %s.") % shown


def limits(table: TableDescription) -> str:
    """Return of what the figures are where there are several answers."""
    if len(table.choices) == 2:
        return ""
    return _("The figures hold for each answer by itself, at the assumed share.")


def compare_families(table: TableDescription, scale: Scale, plan: Plan) -> str:
    """Return which way of scrambling a scale is the most precise."""
    if plan.precision is None:
        return ""
    found = {way.family: load_families()[way.family].label for way in plan.alternatives}
    ways = [
        _("“%(way)s”: %(margin)s")
        % {
            "way": _(found[way.family]),
            "margin": show_margin_in_points(scale, plan, way.margin or 0.0),
        }
        for way in plan.alternatives
    ]
    text = (
        _(
            "So many points are sent as High or Low only: %(margin)s with %(people)s, "
            "%(supposed)s."
        )
        if len(ways) == 1
        else _(
            "At this epsilon “%(best)s” is the most precise for a mean of %(points)s "
            "points. With %(people)s, %(supposed)s: %(ways)s."
        )
    )
    return text % {
        "best": _(found[plan.assumed.most_precise]),
        "margin": show_margin_in_points(scale, plan, plan.precision.margin),
        "points": len(table.choices),
        "people": format_people(plan.precision.respondents),
        "supposed": supposed(scale, plan),
        "ways": "; ".join(ways),
    }


def supposed(scale: Scale, plan: Plan) -> str:
    """Return of which answers the figures are."""
    answers = plan.assumed.answers
    if answers.is_default:
        return _("if all values are equally common")
    last = plan.assumed.length
    text = _("if the mean is %(mean)s and the standard deviation %(sd)s")
    return text % {
        "mean": value_at(scale, answers.mean / last),
        "sd": in_units(scale, answers.sd / last),
    }


def show_margin_on_scale(scale: Scale, part: float) -> str:
    """Return a margin, given as a part of a scale, in its units to two digits."""
    if part >= HALF_THE_SCALE:
        return say_too_imprecise()
    return f"±\N{NO-BREAK SPACE}{in_units(scale, part)}"


def show_margin_in_points(scale: Scale, plan: Plan, margin: float) -> str:
    """Return a margin, given in the points of a plan, in the units of a scale."""
    return show_margin_on_scale(scale, margin / plan.assumed.length)


def in_units(scale: Scale, part: float, *, digits: int = 2) -> str:
    """Return a length, given as a part of a scale, in its units to so many digits."""
    length = part * float(scale.high - scale.low)
    number = Context(prec=digits).create_decimal_from_float(length)
    return number_format(f"{number.normalize():f}")


def value_at(scale: Scale, part: float) -> str:
    """Return the value so far along a scale, as well as it is known."""
    value = scale.at(part)
    return format_scale_estimate(value, low=value, high=value)
