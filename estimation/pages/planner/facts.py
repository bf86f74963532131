"""Further figures and sentences of the planner on a question."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from functools import partial

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from candor.intervals import NEARLY_EVERYTHING
from candor.mechanisms import load_families
from candor.mechanisms.odds import round_up_times
from candor.mechanisms.scale import Scale
from candor.planning.groups import GroupSizes
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

NONE = pgettext_lazy("epsilon", "none")


@dataclass(frozen=True)
class Fact:
    label: str
    text: str


def list_facts(table: TableDescription, plan: Plan | None) -> list[Fact]:
    protection = (_("Protection"), odds(table))
    if plan and table.scale:
        margin = partial(show_margin_in_points, table.scale, plan)
        facts = [
            protection,
            (_("Mechanism"), compare_families(table.scale, plan)),
            (_("Two groups"), find_needed_for_groups(plan, table.scale)),
            (_("Invitations"), to_invite(plan, wanted=margin, reached=margin)),
            (
                _("Results"),
                _("mean and share of each value")
                if table.mechanism.identifies_shares
                else _("mean only"),
            ),
        ]
    elif plan:
        prior = format_percent(plan.posterior.prior, trimmed=True)
        facts = [
            (_("A suspicion of %s becomes") % prior, suspicion(plan)),
            protection,
            (_("Test"), needed_to_show(plan)),
            (_("Two groups"), find_needed_for_groups(plan)),
            (_("Expected half-width"), interval(plan)),
            (
                _("Invitations"),
                to_invite(
                    plan,
                    wanted=partial(format_margin, trimmed=True),
                    reached=format_reached_margin,
                ),
            ),
            (_("Direct question, answered honestly"), asked_directly(plan)),
            (_("Smallest epsilon"), strongest(plan)),
            (_("Shift by one forged report"), forgers(plan)),
            (_("Limits"), limits(table)),
        ]
    else:
        facts = [(_("Limits"), _("Precision and sample size cannot be planned."))]
    return [Fact(label, text) for label, text in facts if text]


def suspicion(plan: Plan) -> str:
    reading = plan.posterior
    after = [report.posterior for report in reading.reports]
    known = [posterior for posterior in after if posterior is not None]
    # With several answers, the posterior of the other reports is bounded, not known.
    highest, lowest = (
        max(known, default=reading.highest),
        min([*known, reading.lowest] if len(after) == 1 else known, default=0.0),
    )
    return _("%(low)s to %(high)s") % {
        "low": format_percent(lowest + NOISE, 1, rounding=ROUND_FLOOR, trimmed=True),
        "high": format_percent(
            highest - NOISE, 1, rounding=ROUND_CEILING, trimmed=True
        ),
    }


def odds(table: TableDescription) -> str:
    ratio = table.mechanism.worst_ratio
    if table.proofs:
        return " ".join(table.proofs)
    if ratio is None:
        return _("Nothing limits what one report reveals.")
    shifted = number_format(round_up_times(ratio))
    return _("One report shifts odds at most %s times.") % shifted


def needed_to_show(plan: Plan) -> str:
    size = plan.sample_size
    if size is None:
        return ""
    people = _("too many people") if size.safe is None else format_people(size.safe)
    parts = [against(size.share, size.against), f"{people} {for_power(size.power)}"]
    if plan.test:
        people = format_people(plan.test.respondents)
        parts.append(f"{reached_power(plan.test.power)} {_('with %s') % people}")
    return "; ".join(parts)


def against(share: float, other: float) -> str:
    return _("%(share)s against %(other)s") % {
        "share": format_percent(share, trimmed=True),
        "other": format_percent(other, trimmed=True),
    }


def for_power(wanted: float) -> str:
    return _("for %s") % (_("power %s") % format_percent(wanted, trimmed=True))


def reached_power(power: float) -> str:
    return _("power %s") % format_percent(power, 0, rounding=ROUND_FLOOR)


def find_needed_for_groups(plan: Plan, scale: Scale | None = None) -> str:
    sizes = plan.groups
    if sizes is None:
        return ""
    (value, other), last = sizes.values, plan.assumed.length
    test = _("Fisher's exact test at %s")
    if scale is None:
        parts = [against(value, other)]
    else:
        parts = [
            _("means %(first)s and %(second)s")
            % {
                "first": value_at(scale, value / last),
                "second": value_at(scale, other / last),
            }
        ]
    if scale and sizes.sds:
        test = _("Welch's t test at %s")
        first, second = (in_units(scale, sd / last) for sd in sizes.sds)
        values = {"first": first, "second": second}
        parts.append(_("standard deviations %(first)s and %(second)s") % values)
    parts += [
        test % format_percent(sizes.alpha, trimmed=True),
        f"{people_in_groups(sizes)} {for_power(sizes.power)}",
    ]
    if planned := plan.group_test:
        people = two_groups(planned.respondents, planned.others)
        parts.append(f"{reached_power(planned.power)} {_('with %s') % people}")
    return "; ".join(parts)


def people_in_groups(sizes: GroupSizes) -> str:
    if sizes.respondents is None or sizes.others is None:
        return _("too many people")
    people = two_groups(sizes.respondents, sizes.others)
    return people if sizes.is_exact else _("about %s") % people


def two_groups(first: int, second: int) -> str:
    return _("%(first)s and %(second)s people") % {
        "first": format_integer(first),
        "second": format_integer(second),
    }


def interval(plan: Plan) -> str:
    """Return the mean half-width of the exact interval for the planned number."""
    if plan.precision is None or plan.precision.expected_half_width is None:
        return ""
    half_width = plan.precision.expected_half_width
    if 2 * half_width >= NEARLY_EVERYTHING:
        return say_too_imprecise()
    return format_margin(half_width)


def to_invite(
    plan: Plan, *, wanted: Callable[[float], str], reached: Callable[[float], str]
) -> str:
    work = plan.fieldwork
    if work.is_plain or plan.size is None or work.size is None:
        return ""
    figures = [(work.size, wanted(plan.size.margin))]
    if work.planned and work.margin is not None:
        figures.append((work.planned, reached(work.margin)))
    texts = [
        _("%(invited)s for %(people)s and %(margin)s")
        % {
            "invited": format_integer(people.invited),
            "people": format_people(people.respondents),
            "margin": margin,
        }
        for people, margin in figures
    ]
    effect = _("design effect %s") % number_format(f"{work.design_effect:.3g}")
    return "; ".join([*texts, effect])


def asked_directly(plan: Plan) -> str:
    if plan.size is None or plan.precision is None:
        return ""
    needed = format_people(plan.size.direct_respondents)
    wanted = _("for %s") % format_margin(plan.size.margin, trimmed=True)
    margin = format_reached_margin(plan.precision.direct_margin)
    people = _("with %s") % format_people(plan.precision.respondents)
    return f"{needed} {wanted}; {margin} {people}"


def strongest(plan: Plan) -> str:
    """Return the epsilon that suffices for the planned number and wanted margin."""
    found = plan.smallest_epsilon
    if found is None:
        return ""
    if found.epsilon is None or found.direct_margin > found.margin:
        epsilon = str(NONE)
    else:
        epsilon = format_rounded_up(found.epsilon)
    wanted = _("for %s") % format_margin(found.margin, trimmed=True)
    return f"{epsilon} {wanted} {_('with %s') % format_people(found.respondents)}"


def forgers(plan: Plan) -> str:
    """Return how far one forged report can move the share, rounded up."""
    if plan.poisoning is None:
        return ""
    moved = format_points(
        min(1.0, plan.poisoning.radius) - NOISE, decimals=2, rounding=ROUND_CEILING
    )
    return (_("%s points") % moved).replace(" ", "\N{NO-BREAK SPACE}")


def limits(table: TableDescription) -> str:
    if len(table.choices) == 2:
        return ""
    return _("Figures are of one answer, at the expected share.")


def compare_families(scale: Scale, plan: Plan) -> str:
    if plan.precision is None:
        return ""
    ways = [
        _("“%(way)s”: %(margin)s")
        % {
            "way": _(load_families()[way.family].label),
            "margin": show_margin_in_points(scale, plan, way.margin or 0.0),
        }
        for way in plan.alternatives
    ]
    people = _("with %s") % format_people(plan.precision.respondents)
    return f"{'; '.join(ways)} {people}, {supposed(scale, plan)}"


def supposed(scale: Scale, plan: Plan) -> str:
    answers = plan.assumed.answers
    if answers.is_default:
        return _("if all values are equally common")
    last = plan.assumed.length
    return _("for mean %(mean)s and standard deviation %(sd)s") % {
        "mean": value_at(scale, answers.mean / last),
        "sd": in_units(scale, answers.sd / last),
    }


def show_margin_on_scale(scale: Scale, part: float) -> str:
    if part >= HALF_THE_SCALE:
        return say_too_imprecise()
    return f"±\N{NO-BREAK SPACE}{in_units(scale, part)}"


def show_margin_in_points(scale: Scale, plan: Plan, margin: float) -> str:
    return show_margin_on_scale(scale, margin / plan.assumed.length)


def in_units(scale: Scale, part: float, *, digits: int = 2) -> str:
    length = part * float(scale.high - scale.low)
    number = Context(prec=digits).create_decimal_from_float(length)
    return number_format(f"{number.normalize():f}")


def value_at(scale: Scale, part: float) -> str:
    value = scale.at(part)
    return format_scale_estimate(value, low=value, high=value)
