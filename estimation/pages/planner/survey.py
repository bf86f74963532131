"""The panel of all questions of a survey together."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from django.utils import translation
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from candor.mechanisms import Mechanism, load_families
from candor.mechanisms.composition import compose
from candor.mechanisms.draws import DrawnGroup, usable_groups
from candor.mechanisms.epsilon import MAX_EPSILON
from candor.planning.assumptions import ScaleAnswers, assume
from candor.planning.budget import Kind, Sharings, divide_budget
from candor.planning.margins import MarginCurve, margin_curve
from estimation.pages.planner.forms import Assumptions
from estimation.pages.planner.question import (
    KeyFigure,
    QuestionPanel,
    Read,
    make_precision_figures,
)
from estimation.presentation.charts.margins import Plot, make_plot
from surveys.models import Survey
from surveys.models.epsilon import advise_on_limit
from surveys.text.explanations import CLOSE_EPSILON, LARGE_EPSILON, TotalProtection
from surveys.text.numbers import format_percent, format_reached_margin
from surveys.text.protection import describe_scrambling
from surveys.text.tables import format_question_numbers


@dataclass(frozen=True, kw_only=True)
class SurveyPanel:
    """What is said of all questions together."""

    figures: tuple[KeyFigure, ...]
    bar: str
    """Of the meter, as its `lines`, in hundredths of its width."""
    verdict: dict[str, str]
    """How grave it is what all reports of one person give away together."""
    over_limit: str
    """What to do about a total above the limit of this site, if it is."""
    plot: Plot | None
    advice: tuple[str, ...]
    """How many of its questions to ask each respondent."""
    read: Read
    status: str
    lines = tuple(100 * edge / MAX_EPSILON for edge in (CLOSE_EPSILON, LARGE_EPSILON))
    """Of the meter too: from the first on close to proof, from the second on weak."""
    close_epsilon = CLOSE_EPSILON
    large_epsilon = LARGE_EPSILON
    max_epsilon = MAX_EPSILON


def survey_panel(
    questions: Sequence[QuestionPanel], assumed: Assumptions
) -> SurveyPanel:
    """Return what is said of all questions together."""
    by_number = {
        number: question.table.mechanism
        for question in questions
        for number in question.table.numbers
    }
    mechanisms = [mechanism for _number, mechanism in sorted(by_number.items())]
    # While a question that draws name is not there, or one is about to go, all count;
    # the checklist says so.
    is_whole = sorted(by_number) == list(range(1, len(by_number) + 1))
    groups = usable_groups(assumed.draws, len(by_number)) if is_whole else ()
    protection = TotalProtection(compose(mechanisms, groups))
    epsilon = make_total_figure(protection)
    worst = find_least_precise(questions)
    precision = (
        worst.precision if worst else make_precision_figures(None, None, assumed)
    )
    if worst and len(questions) > 1:
        which = _("%s, the least precise") % format_question_numbers(
            worst.table.numbers
        )
        margin, needed = (replace(each, which=which) for each in precision)
        precision = margin, needed
    verdict = {
        "level": "note",
        "title": _("No question yet."),
        "sentence": _("Add a question to see what all of them protect together."),
    }
    if mechanisms:
        verdict = {
            "level": protection.level,
            "title": protection.title,
            "sentence": protection.sentence,
        }
    share = min(1, protection.numbers.epsilon / MAX_EPSILON)
    return SurveyPanel(
        figures=(epsilon, *precision),
        bar=f"{100 * share:.2f}",
        verdict=verdict,
        over_limit=advise_on_limit(protection.numbers),
        plot=make_question_plot(worst, assumed) if worst else None,
        advice=tuple(
            how_many_to_ask(found, group, assumed)
            if found
            else nothing_to_share_out(group)
            for group, found in to_share_out(mechanisms, groups, assumed)
        ),
        read=preview_wording(questions, assumed),
        status=summarise(epsilon, precision[0]),
    )


def find_least_precise(questions: Sequence[QuestionPanel]) -> QuestionPanel | None:
    """Return the question that needs most people; None where none can be planned."""
    for question in sorted(questions, key=lambda each: -each.margin):
        if question.plan:
            return question
    return None


def preview_wording(questions: Sequence[QuestionPanel], assumed: Assumptions) -> Read:
    """Return how the respondents' pages say where answers are scrambled."""
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
    """Return the plot of one question."""
    mechanism = question.table.mechanism
    family = load_families()[mechanism.family]
    name = f"{question.table.title}: {_(family.label)}"
    caption = (
        _(
            "The same numbers: margins of the mean in hundredths of its scale, "
            "%(level)s confidence"
        )
        if family.is_scale
        else _("The same numbers: margins in percentage points, %(level)s confidence")
    ) % {"level": format_percent(assumed.confidence_level, trimmed=True)}
    is_example = assumed.respondents is None
    if question.chance < 1:
        name, caption = (
            _("%s, people who are asked it") % each for each in (name, caption)
        )
        assumed = replace(assumed, respondents=question.asked)
    curve = make_curve(mechanism, assumed)
    return make_plot(curve, name=name, caption=caption, is_example=is_example)


def make_curve(mechanism: Mechanism, assumed: Assumptions) -> MarginCurve:
    """Return how the margin of error of one question falls with more respondents."""
    given = assumed.estimand_arguments(mechanism)
    return margin_curve(
        assume(mechanism, **given, confidence_level=assumed.confidence_level),
        respondents=assumed.planned,
        margin=assumed.wanted,
    )


def make_total_figure(protection: TotalProtection) -> KeyFigure:
    """Return epsilon of all reports of one person together, and of which."""
    scrambled, unscrambled = (
        protection.numbers.scrambled,
        protection.numbers.unscrambled,
    )
    count = len(scrambled) or len(unscrambled)
    note = ngettext("%s question", "%s questions", count)
    if unscrambled and scrambled:
        note = ngettext("%s scrambled question", "%s scrambled questions", count)
    return KeyFigure(
        name=_("Total epsilon of one person"),
        number=protection.epsilon,
        note=note % count,
    )


def summarise(epsilon: KeyFigure, margin: KeyFigure) -> str:
    """Return the figures of the whole survey in a breath, for who cannot see them."""
    told = _("Total epsilon %s.") % epsilon.number
    if not margin.note:
        return told
    precise = " ".join(filter(None, [margin.number, margin.unit, margin.note]))
    return " ".join([told, _("Margin of error %s.") % precise])


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
    count = len(mechanism.answers)
    if not load_families()[mechanism.family].is_scale:
        return Kind(answers=count)
    given = assumed.estimand_arguments(mechanism)
    return Kind(answers=count, scale=ScaleAnswers.of(mechanism.points, **given))


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
