"""What is said of draws: of whom figures are, and how many had better be asked."""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from candor.mechanisms import Mechanism, load_families
from candor.mechanisms.composition import compose
from candor.mechanisms.draws import DrawnGroup
from candor.planning.assumptions import ScaleAnswers
from candor.planning.budget import Kind, Sharings, divide_budget
from estimation.pages.planner.facts import Fact
from estimation.pages.planner.forms import Assumptions
from surveys.text.numbers import format_integer, format_reached_margin
from surveys.text.tables import format_question_numbers


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
        "asked": format_integer(asked),
    }
    return [Fact(_("The draw."), told)]


def advice(
    mechanisms: Sequence[Mechanism],
    groups: Sequence[DrawnGroup],
    assumed: Assumptions,
) -> tuple[str, ...]:
    """Return what is said of how many questions of each group to ask."""
    return tuple(
        how_many_to_ask(found, group, assumed) if found else nothing_to_share_out(group)
        for group, found in to_share_out(mechanisms, groups, assumed)
    )


def to_share_out(
    mechanisms: Sequence[Mechanism],
    groups: Sequence[DrawnGroup],
    assumed: Assumptions,
) -> Iterator[tuple[DrawnGroup, Sharings | None]]:
    """Yield of which questions fewer or more could be asked, with every way.

    Those of each group that is drawn, for the epsilon that it takes now; and all that
    are always asked, as a group of which all are. No way where epsilon has no bound.
    """
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
            # That everybody is asked everything is worth a word where it is not best.
            if group.left_out or found.best.asked < len(of_group):
                yield group, found


def make_kind(mechanism: Mechanism, assumed: Assumptions) -> Kind:
    """Return what its question asks for."""
    points = len(mechanism.answers)
    if not load_families()[mechanism.family].is_scale:
        return Kind(answers=points)
    answers = ScaleAnswers.of(points, **assumed.estimand_arguments(mechanism))
    return Kind(answers=points, scale=answers)


def how_many_to_ask(found: Sharings, group: DrawnGroup, assumed: Assumptions) -> str:
    """Compare asking each respondent so many of these questions with what is best."""
    count, now, best = len(group.questions), found.ways[group.asked - 1], found.best
    margin, better = (
        format_reached_margin(
            way.margins(assumed.confidence_level).margin(assumed.planned)
        )
        for way in (now, best)
    )
    words = {
        "questions": format_question_numbers(group.questions),
        "count": count,
        "now": now.asked,
        "margin": margin,
        "best": best.asked,
        "epsilon": number_format(math.floor(best.epsilon_each * 100) / 100, 2),
        "better": better,
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
    if any(kind.scale for kind in found.kinds):
        parts.append(_("Those of a mean are in hundredths of the length of its scale."))
    return " ".join(parts)


def nothing_to_share_out(group: DrawnGroup) -> str:
    """Say why it is not compared how many of these questions to ask."""
    told = _(
        "How many of %(questions)s to ask each respondent is not compared: the epsilon "
        "of one of them has no bound, so there is none to share out."
    )
    return told % {"questions": format_question_numbers(group.questions)}
