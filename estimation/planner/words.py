"""What the planner says of one question, and of all of them, in plain words."""

import math
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from fractions import Fraction
from typing import Protocol

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from estimation.maths.intervals import NEARLY_EVERYTHING
from estimation.maths.planning.budget import Sharings
from estimation.maths.planning.plan import Plan
from estimation.maths.planning.scales import ScalePlan
from surveys.mechanisms import families
from surveys.mechanisms.draw import DrawnGroup
from surveys.mechanisms.odds import Exposure, times_rounded_up
from surveys.words.explanations import TotalProtection
from surveys.words.numbers import (
    HALF_THE_SCALE,
    NOISE,
    grouped,
    margin_of,
    people,
    percent,
    plus_or_minus,
    points,
    rounded_up,
    tells_nothing,
    times,
    value_of,
)
from surveys.words.tables import TableInWords, name_questions

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


@dataclass(frozen=True)
class Fact:
    """What else there is to say, and what it is about."""

    title: str
    text: str


@dataclass(frozen=True)
class Verdict:
    """How grave it is what all reports of one person give away together."""

    level: str
    title: str
    sentence: str


def privacy(table: TableInWords) -> Figure:
    """Return epsilon, and what it means."""
    return Figure(
        name=_("Privacy: epsilon"),
        term="epsilon",
        number=table.epsilon,
        note=_(VERDICTS[table.exposure]),
    )


class Planned(Protocol):
    """What is assumed of a survey: see `inputs.Assumptions`."""

    @property
    def respondents(self) -> int | None: ...
    @property
    def margin(self) -> float | None: ...
    @property
    def planned(self) -> int: ...
    @property
    def wanted(self) -> float: ...


def of_scale(
    table: TableInWords, plan: ScalePlan, assumed: Planned
) -> tuple[Figure, Figure, Figure]:
    """Return margin, people needed and price of the mean of a scale, in its units."""
    told = _("with %s, an example") if assumed.respondents is None else _("with %s")
    reached = plan.margin(assumed.planned)
    needed = plan.needed(assumed.wanted)
    for_margin = _("for %s, an example") if assumed.margin is None else _("for %s")
    return (
        Figure(
            name=_("Margin of error"),
            term="margin-of-error",
            number=tells_nothing()
            if reached >= HALF_THE_SCALE
            else f"±\N{NO-BREAK SPACE}{in_units(table, reached)}",
            note=f"{of_the_mean(table)}, {told % people(assumed.planned)}",
        ),
        Figure(
            name=_("People needed"),
            number="∞" if needed is None else grouped(needed),
            note=for_margin % f"±\N{NO-BREAK SPACE}{in_units(table, assumed.wanted)}",
        ),
        Figure(
            name=_("Price of protection"),
            term="price-of-protection",
            number=times(plan.cost_of_privacy),
            unit=_("times"),
            note=_("as many people as a direct question"),
        ),
    )


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


def line(table: TableInWords, margin: float) -> str:
    """Return the figures of a folded question; a margin of 0 is none."""
    if table.scale:
        told = _("epsilon %s") % table.epsilon
        return f"{told} · ±\N{NO-BREAK SPACE}{in_units(table, margin)}"
    told = _("epsilon %s") % table.epsilon if table.is_protected else _("not scrambled")
    return f"{told} · {plus_or_minus(margin)}" if margin else told


def margin_of_error(plan: Plan | None, *, is_example: bool) -> Figure:
    """Return what the planned number of respondents brings."""
    named = Figure(name=_("Margin of error"), term="margin-of-error")
    if plan is None or plan.precision is None:
        return named
    told = _("with %s, an example") if is_example else _("with %s")
    noted = replace(named, note=told % people(plan.precision.respondents))
    if plan.precision.margin >= HALF_THE_SCALE:
        return replace(noted, number=tells_nothing())
    return replace(
        noted,
        number=f"±\N{NO-BREAK SPACE}{points(plan.precision.margin)}",
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
        number=grouped(plan.size.respondents),
        note=told % plus_or_minus(plan.size.margin, trimmed=True),
    )


def drawn(chance: Fraction, asked: int) -> list[Fact]:
    """Say of whom the figures are, where only some respondents are asked."""
    if chance == 1:
        return []
    told = _(
        "Each respondent is asked it with a chance of %(part)s of %(whole)s, so about "
        "%(asked)s are. Margin, test and groups are of those; people needed are all "
        "respondents."
    ) % {
        "part": chance.numerator,
        "whole": chance.denominator,
        "asked": grouped(asked),
    }
    return [Fact(_("The draw."), told)]


def how_many_to_ask(found: Sharings, group: DrawnGroup, respondents: int) -> str:
    """Compare asking each respondent so many of these questions with what is best."""
    count, now, best = len(group.questions), found.ways[group.asked - 1], found.best
    words = {
        "questions": name_questions(group.questions),
        "count": count,
        "now": now.asked,
        "margin": margin_of(found.margin(now, respondents)),
        "best": best.asked,
        "epsilon": number_format(math.floor(best.epsilon_each * 100) / 100, 2),
        "better": margin_of(found.margin(best, respondents)),
    }
    if best.asked == now.asked:
        text = _(
            "Asking each respondent %(now)s of %(count)s, %(questions)s, is the most "
            "precise way to spend their epsilon: the best tables give %(margin)s."
        )
    else:
        text = _(
            "%(questions)s: with the same epsilon in all, each respondent could be "
            "asked %(best)s of the %(count)s instead of %(now)s, with epsilon "
            "%(epsilon)s for each answer. The best tables then give %(better)s instead "
            "of %(margin)s."
        )
    told = text % words
    parts = [f"{told[:1].upper()}{told[1:]}"]
    if len(found.kinds) > 1:
        parts.append(_("These are the margins of the least precise of them."))
    if any(kind.is_scale for kind in found.kinds):
        parts.append(_("Those of a mean are in hundredths of the length of its scale."))
    return " ".join(parts)


def nothing_to_share_out(group: DrawnGroup) -> str:
    """Say why it is not compared how many of these questions to ask."""
    told = _(
        "How many of %(questions)s to ask each respondent is not compared: the epsilon "
        "of one of them has no bound, so there is none to share out."
    )
    return told % {"questions": name_questions(group.questions)}


def price(plan: Plan | None) -> Figure:
    """Return how many times the respondents of a direct question are needed."""
    name = _("Price of protection")
    note = _("as many people as a direct question")
    named = Figure(name=name, note=note, term="price-of-protection")
    if plan is None:
        return named
    return replace(named, number=times(plan.cost_of_privacy), unit=_("times"))


def facts(table: TableInWords, plan: Plan | None) -> list[Fact]:
    """Return what else there is to say of a question; nothing of what has no figure."""
    told = (
        []
        if plan is None
        else [
            (_("What one report tells."), f"{suspicion(plan)} {odds(table)}"),
            (_("The test."), needed_to_show(plan, answer=table.choices[0])),
            (_("Two groups."), needed_to_tell_apart(plan)),
            (_("The interval."), interval(plan)),
            (_("How many to invite."), to_invite(plan)),
            (_("Asked directly."), asked_directly(plan)),
            (_("The strongest protection."), strongest(plan)),
            (_("Forgers."), forgers(plan)),
        ]
    )
    told.append((_("What cannot be said."), limits(table, plan)))
    return [Fact(title, text) for title, text in told if text]


def to_invite(plan: Plan) -> str:
    """Return how many to invite, where not all answer or count alike."""
    work = plan.fieldwork
    if work.is_plain or plan.size is None or work.size is None:
        return ""
    told = _(
        "A margin of %(margin)s takes %(people)s where weights have a design effect of "
        "%(effect)s; if %(rate)s of those invited answer, invite %(invited)s."
    ) % {
        "margin": plus_or_minus(plan.size.margin, trimmed=True),
        "people": people(work.size.respondents),
        "effect": number_format(f"{work.design_effect:g}"),
        "rate": percent(work.response_rate, trimmed=True),
        "invited": people(work.size.invited),
    }
    if work.planned is None or work.margin is None:
        return told
    planned = _("For %(people)s to answer, invite %(invited)s: then %(margin)s.") % {
        "people": people(work.planned.respondents),
        "invited": people(work.planned.invited),
        "margin": margin_of(work.margin),
    }
    return f"{told} {planned}"


def suspicion(plan: Plan) -> str:
    """Return how far one report can move a suspicion, never told too small."""
    reading = plan.reading
    after = [report.posterior for report in reading.reports]
    known = [posterior for posterior in after if not math.isnan(posterior)]
    # Of several answers the report of another one is bounded, not known.
    highest, lowest = (
        max(known, default=reading.highest),
        min([*known, reading.lowest] if len(after) == 1 else known, default=0.0),
    )
    prior = percent(reading.prior, trimmed=True)
    if highest >= 1 > reading.prior:
        return _("A suspicion of %(prior)s can become certainty.") % {"prior": prior}
    return _(
        "A suspicion of %(prior)s becomes at most %(highest)s, and at least %(lowest)s."
    ) % {
        "prior": prior,
        "highest": percent(highest - NOISE, 1, rounding=ROUND_CEILING, trimmed=True),
        "lowest": percent(lowest + NOISE, 1, rounding=ROUND_FLOOR, trimmed=True),
    }


def odds(table: TableInWords) -> str:
    """Return how far one report shifts the odds of an answer."""
    ratio = table.mechanism.worst_ratio
    if ratio is None:
        return _("Nothing limits what one report tells.")
    shifted = number_format(times_rounded_up(ratio))
    return _("One report shifts the odds of an answer %s times at most.") % shifted


def needed_to_show(plan: Plan, *, answer: str) -> str:
    """Return how many respondents it takes to show that a share lies beyond a bound."""
    size = plan.sample_size
    if size is None:
        return ""
    claim = (
        _(
            "To show that more than %(against)s say %(answer)s, if in truth %(share)s "
            "do, it takes %(people)s: then %(chance)s of such surveys show it."
        )
        if size.direction == "above"
        else _(
            "To show that fewer than %(against)s say %(answer)s, if in truth %(share)s "
            "do, it takes %(people)s: then %(chance)s of such surveys show it."
        )
    )
    told = claim % {
        "share": percent(size.share, trimmed=True),
        "against": percent(size.against, trimmed=True),
        "answer": answer,
        "chance": percent(size.power, trimmed=True),
        "people": _("more people than any survey has")
        if size.safe is None
        else people(size.safe),
    }
    shown = (
        _("It is shown where the %(level)s interval of the results lies above it.")
        if size.direction == "above"
        else _("It is shown where the %(level)s interval of the results lies below it.")
    ) % {"level": percent(plan.confidence_level, trimmed=True)}
    told = f"{told} {shown}"
    if plan.test is None:
        return told
    power = _("With %(people)s it is %(power)s.") % {
        "people": people(plan.test.respondents),
        "power": percent(plan.test.power, 0, rounding=ROUND_FLOOR),
    }
    return f"{told} {power}"


def needed_to_tell_apart(plan: Plan) -> str:
    """Return how many respondents two groups need for their shares to be told apart."""
    sizes = plan.groups
    if sizes is None:
        return ""
    told = _(
        "To show a difference between two groups, %(share)s against %(other)s, it "
        "takes %(people)s in each: then %(chance)s of such surveys show it, by "
        "Fisher's exact test at %(alpha)s."
    ) % {
        "share": percent(sizes.share, trimmed=True),
        "other": percent(sizes.other_share, trimmed=True),
        "chance": percent(sizes.power, trimmed=True),
        "alpha": percent(sizes.alpha, trimmed=True),
        "people": _("more people than any survey has")
        if sizes.respondents is None
        else people(sizes.respondents),
    }
    if plan.group_test is None:
        return told
    power = _("With %(people)s, half of them in each, it is %(power)s.") % {
        "people": people(plan.group_test.respondents + plan.group_test.others),
        "power": percent(plan.group_test.power, 0, rounding=ROUND_FLOOR),
    }
    return f"{told} {power}"


def interval(plan: Plan) -> str:
    """Return the mean half width of the exact interval of the planned number."""
    if plan.precision is None or plan.precision.expected_half_width is None:
        return ""
    half_width = plan.precision.expected_half_width
    if 2 * half_width >= NEARLY_EVERYTHING:
        return _("On average the results page will show next to nothing.")
    return _(
        "On average the results page will show %s around its estimate."
    ) % plus_or_minus(half_width)


def asked_directly(plan: Plan) -> str:
    """Return how precise as many honest answers to a direct question would be."""
    if plan.size is None or plan.precision is None:
        return ""
    return _(
        "With honest answers to a direct question: %(needed)s for %(wanted)s, or "
        "%(margin)s with %(people)s."
    ) % {
        "needed": people(plan.size.direct_respondents),
        "wanted": plus_or_minus(plan.size.margin, trimmed=True),
        "margin": margin_of(plan.precision.direct_margin),
        "people": people(plan.precision.respondents),
    }


def strongest(plan: Plan) -> str:
    """Return which epsilon would do for the planned number and the wanted margin."""
    found = plan.smallest_epsilon
    if found is None:
        return ""
    words = {
        "people": people(found.respondents),
        "margin": plus_or_minus(found.margin, trimmed=True),
        "direct": margin_of(found.direct_margin),
    }
    if found.direct_margin > found.margin:
        text = _(
            "Not even a direct question reaches %(margin)s with %(people)s: it has "
            "%(direct)s."
        )
    elif found.epsilon is None:
        text = _("No mechanism that protects reaches %(margin)s with %(people)s.")
    else:
        words["epsilon"] = rounded_up(found.epsilon)
        text = _(
            "With %(people)s, %(margin)s can be had with epsilon %(epsilon)s, not with "
            "less."
        )
    return text % words


def forgers(plan: Plan) -> str:
    """Return how far one forged report can move the share, never told too small."""
    if plan.poisoning is None:
        return ""
    if plan.poisoning.radius >= 1:
        return _("One forged report can move the result from end to end.")
    moved = points(plan.poisoning.radius - NOISE, decimals=2, rounding=ROUND_CEILING)
    shown = (_("%s points") % moved).replace(" ", "\N{NO-BREAK SPACE}")
    return _("One forged report can move the result by %s.") % shown


def limits(table: TableInWords, plan: Plan | None) -> str:
    """Return which figures cannot be given, and of what the others are."""
    if plan is None:
        return _(
            "For this mechanism only its protection can be given. Its precision and "
            "the respondents that it needs cannot be worked out before the survey."
        )
    if len(table.choices) == 2:
        return ""
    return _(
        "Of several answers, the figures are those of one answer, whichever it is, at "
        "the assumed share. How precise a difference between two answers will be, or "
        "all of them at once, cannot be said here."
    )


def total(protection: TotalProtection) -> Figure:
    """Return epsilon of all reports of one person together, and of which."""
    scrambled, unscrambled = (
        protection.numbers.scrambled,
        protection.numbers.unscrambled,
    )
    note = ngettext("%s question", "%s questions", len(scrambled))
    if unscrambled and scrambled:
        note = ngettext(
            "%s scrambled question", "%s scrambled questions", len(scrambled)
        )
    return Figure(
        name=_("Total epsilon of one person"),
        number=protection.epsilon,
        note=note % (len(scrambled) or len(unscrambled)),
    )


def verdict(protection: TotalProtection) -> Verdict:
    """Return what all reports of one person give away together, and how grave it is."""
    if not (protection.numbers.scrambled or protection.numbers.unscrambled):
        return Verdict(
            "note",
            _("No question yet."),
            _("Add a question to see what all of them protect together."),
        )
    return Verdict(protection.level, protection.title, protection.sentence)


def status(epsilon: Figure, margin: Figure) -> str:
    """Return the figures of the whole survey in a breath, for who cannot see them."""
    told = _("Total epsilon %s.") % epsilon.number
    if not margin.note:
        return told
    precise = " ".join(filter(None, [margin.number, margin.unit, margin.note]))
    return " ".join([told, _("Margin of error %s.") % precise])
