"""The planner's panel of the whole survey."""

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from django.utils import translation
from django.utils.formats import number_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from candor.mechanisms import Mechanism, load_families
from candor.mechanisms.composition import compose
from candor.mechanisms.draws import DrawnGroup, select_usable_groups
from candor.mechanisms.epsilon import MAX_EPSILON
from candor.mechanisms.odds import HINT_RATIO, NEAR_PROOF_RATIO
from candor.planning.assumptions import ScaleAnswers, assume
from candor.planning.budget import Kind, Sharings, divide_budget
from candor.planning.margins import MarginCurve, make_margin_curve
from estimation.pages.planner.forms import Assumptions
from estimation.pages.planner.question import (
    KeyFigure,
    QuestionPanel,
    Read,
    make_precision_figures,
    question_panel,
)
from estimation.presentation.charts.margins import Plot, make_plot
from surveys.models import Survey
from surveys.models.draws import write_group
from surveys.models.epsilon import advise_on_limit
from surveys.numbers import format_integer, format_percent, format_reached_margin
from surveys.text.explanations import TotalProtection
from surveys.text.protection import describe_scrambling
from surveys.text.tables import format_question_numbers


@dataclass(frozen=True)
class Meter:
    tier: int
    """From 1 (a hint) to 3 (near proof)."""
    pin: float
    """Position in [0, 296] on a drawing of width 300."""


@dataclass(frozen=True)
class Remedy:
    title: str
    sentence: str
    draws: str


@dataclass(frozen=True, kw_only=True)
class SurveyPanel:
    epsilon: str
    verdict: dict[str, str]
    meter: Meter
    remedy: Remedy | None
    facts: tuple[KeyFigure, ...]
    margin: str
    over_limit: str
    plot: Plot | None
    advice: tuple[str, ...]
    read: Read
    status: str


def survey_panel(
    questions: Sequence[QuestionPanel], assumed: Assumptions
) -> SurveyPanel:
    by_number = {
        number: question.table.mechanism
        for question in questions
        for number in question.table.numbers
    }
    mechanisms = [mechanism for _number, mechanism in sorted(by_number.items())]
    # If draws name a question that is missing or about to be deleted, all questions
    # count, and the checklist reports it.
    is_whole = sorted(by_number) == list(range(1, len(by_number) + 1))
    groups = select_usable_groups(assumed.draws, len(by_number)) if is_whole else ()
    protection = TotalProtection(compose(mechanisms, groups))
    worst = find_least_precise(questions)
    precision = (
        worst.precision if worst else make_precision_figures(None, None, assumed)
    )
    which = ""
    if worst and len(questions) > 1:
        which = format_question_numbers(worst.table.numbers)
    verdict = {"level": "note", "short": _("no question yet")}
    if mechanisms:
        verdict = {"level": protection.level, "short": protection.short}
    remedy = None
    if is_whole and worst and not groups:
        remedy = find_remedy(questions, mechanisms, protection, worst, assumed)
    margin, _needed = precision
    return SurveyPanel(
        epsilon=protection.epsilon,
        verdict=verdict,
        meter=make_meter(protection),
        remedy=remedy,
        facts=tuple(list_facts(precision, assumed, which)),
        margin=" ".join(filter(None, [margin.number, margin.unit])),
        over_limit=advise_on_limit(protection.numbers),
        plot=make_question_plot(worst, assumed) if worst else None,
        advice=tuple(
            how_many_to_ask(found, group, assumed)
            for group, found in list_divisions(mechanisms, groups, assumed)
        ),
        read=preview_wording(questions, assumed),
        status=summarise(protection.epsilon, margin),
    )


METER_WIDTH, PIN_WIDTH = 300, 4

TIERS = (0.0, math.log(HINT_RATIO), math.log(NEAR_PROOF_RATIO), MAX_EPSILON)
"""Total epsilon at the edges of the three tiers of the meter."""


def make_meter(protection: TotalProtection) -> Meter:
    epsilon = min(MAX_EPSILON, protection.numbers.epsilon)
    if protection.protects_nothing or protection.is_infinite:
        epsilon = MAX_EPSILON
    tier = next(
        (number for number, edge in enumerate(TIERS[1:], 1) if epsilon < edge), 3
    )
    low, high = TIERS[tier - 1 : tier + 1]
    part = (tier - 1 + (epsilon - low) / (high - low)) / (len(TIERS) - 1)
    return Meter(tier, round(part * (METER_WIDTH - PIN_WIDTH), 1))


def list_facts(
    precision: tuple[KeyFigure, KeyFigure], assumed: Assumptions, which: str
) -> Iterator[KeyFigure]:
    margin, needed = precision
    shown = " ".join(filter(None, [margin.number, margin.unit]))
    yield KeyFigure(name=_("Widest margin"), number=shown, note=which)
    if needed.note:
        yield needed
    if assumed.respondents is not None:
        planned = format_integer(assumed.respondents)
        yield KeyFigure(name=_("People planned"), number=planned)


OF = pgettext_lazy("2 of 3", "of")


def find_remedy(
    questions: Sequence[QuestionPanel],
    mechanisms: Sequence[Mechanism],
    protection: TotalProtection,
    worst: QuestionPanel,
    assumed: Assumptions,
) -> Remedy | None:
    numbers = tuple(
        number
        for number, mechanism in enumerate(mechanisms, start=1)
        if mechanism.is_protected
    )
    if protection.exposure.is_hint or protection.is_infinite or len(numbers) < 2:
        return None

    def protect(asked: int) -> tuple[DrawnGroup, TotalProtection]:
        group = DrawnGroup(asked=asked, questions=numbers)
        return group, TotalProtection(compose(mechanisms, [group]))

    # The total never decreases with another question.
    hints = bisect_left(
        range(1, len(numbers)),
        True,
        key=lambda asked: not protect(asked)[1].exposure.is_hint,
    )
    group, after = protect(max(hints, 1))
    then = replace(assumed, draws=(group,))
    worst_then = find_least_precise(
        [question_panel(each.table, then) for each in questions]
    )
    if worst_then is None:
        return None
    title = _("Ask each person %(asked)s of %(questions)s") % {
        "asked": group.asked,
        "questions": format_question_numbers(group.questions),
    }
    text = _("ε %(epsilon)s, %(verdict)s. People needed: %(needed)s.")
    return Remedy(
        title,
        text
        % {
            "epsilon": after.epsilon,
            "verdict": after.short,
            "needed": worst_then.precision[1].number,
        },
        # As the field reads it in either language.
        write_group(group).replace("of", str(OF)),
    )


def find_least_precise(questions: Sequence[QuestionPanel]) -> QuestionPanel | None:
    for question in sorted(questions, key=lambda each: -each.margin):
        if question.plan:
            return question
    return None


def preview_wording(questions: Sequence[QuestionPanel], assumed: Assumptions) -> Read:
    tables = [question.table for question in questions]
    unscrambled = sorted(
        number
        for each in tables
        if not each.mechanism.is_scrambled
        for number in each.numbers
    )
    lines: list[str] = []
    with translation.override(assumed.language):
        if any(table.mechanism.is_scrambled for table in tables):
            lines = describe_scrambling(Survey.Mode(assumed.mode), unscrambled)
        return Read(assumed.language, tuple(lines))


def make_question_plot(question: QuestionPanel, assumed: Assumptions) -> Plot:
    mechanism = question.table.mechanism
    family = load_families()[mechanism.family]
    name = f"{question.table.title}: {_(family.label)}"
    caption = (
        _("Margins in %% of the scale, %(level)s confidence")
        if family.is_scale
        else _("Margins in percentage points, %(level)s confidence")
    ) % {"level": format_percent(assumed.confidence_level, trimmed=True)}
    is_example = assumed.respondents is None
    if question.chance < 1:
        name, caption = (_("%s, of those asked") % each for each in (name, caption))
        assumed = replace(assumed, respondents=question.asked)
    curve = make_curve(mechanism, assumed)
    return make_plot(curve, name=name, caption=caption, is_example=is_example)


def make_curve(mechanism: Mechanism, assumed: Assumptions) -> MarginCurve:
    given = assumed.estimand_arguments(mechanism)
    return make_margin_curve(
        assume(mechanism, **given, confidence_level=assumed.confidence_level),
        respondents=assumed.planned,
        margin=assumed.wanted,
    )


def summarise(epsilon: str, margin: KeyFigure) -> str:
    shown = _("Total epsilon %s.") % epsilon
    if not margin.note:
        return shown
    precise = " ".join(filter(None, [margin.number, margin.unit, margin.note]))
    return " ".join([shown, _("Margin of error %s.") % precise])


def list_divisions(
    mechanisms: Sequence[Mechanism],
    groups: Sequence[DrawnGroup],
    assumed: Assumptions,
) -> Iterator[tuple[DrawnGroup, Sharings | None]]:
    """Yield each group of questions, with the ways to ask fewer or more of them."""
    in_groups = {number for group in groups for number in group.questions}
    always = tuple(
        number
        for number, mechanism in enumerate(mechanisms, start=1)
        if number not in in_groups and mechanism.is_protected
    )
    for group in (*groups, DrawnGroup(asked=len(always), questions=always)):
        of_group = [mechanisms[number - 1] for number in group.questions]
        if not all(each.is_protected for each in of_group):
            yield group, None
        elif len(of_group) > 1:
            drawn = DrawnGroup(
                asked=group.asked, questions=tuple(range(1, len(of_group) + 1))
            )
            budget = compose(of_group, [drawn]).epsilon
            found = divide_budget(
                budget,
                questions=len(of_group),
                share=assumed.share,
                kinds=frozenset(make_kind(each, assumed) for each in of_group),
            )
            # Asking all questions is mentioned only if it is not the best choice.
            if group.left_out or found.best.asked < len(of_group):
                yield group, found


def make_kind(mechanism: Mechanism, assumed: Assumptions) -> Kind:
    count = len(mechanism.answers)
    if not load_families()[mechanism.family].is_scale:
        return Kind(answers=count)
    given = assumed.estimand_arguments(mechanism)
    return Kind(answers=count, scale=ScaleAnswers.of(mechanism.points, **given))


def how_many_to_ask(
    found: Sharings | None, group: DrawnGroup, assumed: Assumptions
) -> str:
    questions = format_question_numbers(group.questions)
    if found is None:
        text = _(
            "%(questions)s: no best number per person, as one epsilon has no bound."
        )
        return capfirst(text % {"questions": questions})
    count, now, best = len(group.questions), found.ways[group.asked - 1], found.best
    margin, better = (
        format_reached_margin(
            way.margins(assumed.confidence_level).margin(assumed.planned)
        )
        for way in (now, best)
    )
    values = {
        "questions": questions,
        "count": count,
        "now": now.asked,
        "margin": margin,
        "best": best.asked,
        "epsilon": number_format(math.floor(best.epsilon_each * 100) / 100, 2),
        "better": better,
    }
    text = _(
        "%(questions)s: %(margin)s with %(now)s of %(count)s per person. Best at this "
        "total epsilon: %(better)s with %(best)s, each at epsilon %(epsilon)s."
    )
    parts = [capfirst(text % values)]
    if len(found.kinds) > 1:
        parts.append(_("Margins are of the least precise question."))
    if any(kind.scale for kind in found.kinds):
        parts.append(_("Margins of means are in % of the scale."))
    return " ".join(parts)
