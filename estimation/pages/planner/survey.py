"""The panel of all questions of a survey together."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils import translation
from django.utils.translation import gettext as _

from candor.mechanisms import Mechanism, load_families
from candor.mechanisms.composition import compose
from candor.mechanisms.draws import usable_groups
from candor.mechanisms.epsilon import MAX_EPSILON
from candor.planning.assumptions import assume
from candor.planning.margins import MarginCurve, margin_curve
from estimation.pages.planner import figures
from estimation.pages.planner.draws import advice
from estimation.pages.planner.forms import Assumptions
from estimation.pages.planner.question import QuestionPanel, Read, precision_figures
from estimation.presentation.charts.margins import Plot, make_plot
from surveys.models import Survey
from surveys.models.epsilon import advise_on_limit
from surveys.text.explanations import CLOSE_EPSILON, LARGE_EPSILON, TotalProtection
from surveys.text.numbers import format_percent
from surveys.text.protection import describe_scrambling
from surveys.text.tables import format_question_numbers


@dataclass(frozen=True)
class Verdict:
    """How grave it is what all reports of one person give away together."""

    level: str
    title: str
    sentence: str


@dataclass(frozen=True, kw_only=True)
class SurveyPanel:
    """What is said of all questions together."""

    figures: tuple[figures.Figure, ...]
    bar: str
    """Of the meter, as its `lines`, in hundredths of its width."""
    verdict: Verdict
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
    epsilon = figures.total(protection)
    worst = find_least_precise(questions)
    precision = worst.precision if worst else precision_figures(None, assumed)
    if worst and len(questions) > 1:
        which = _("%s, the least precise") % format_question_numbers(
            worst.table.numbers
        )
        margin, needed = (replace(each, which=which) for each in precision)
        precision = margin, needed
    share = min(1, protection.numbers.epsilon / MAX_EPSILON)
    return SurveyPanel(
        figures=(epsilon, *precision),
        bar=f"{100 * share:.2f}",
        verdict=verdict_on(protection),
        over_limit=advise_on_limit(protection.numbers),
        plot=make_question_plot(worst, assumed) if worst else None,
        advice=advice(mechanisms, groups, assumed),
        read=preview_wording(questions, assumed),
        status=figures.status(epsilon, precision[0]),
    )


def verdict_on(protection: TotalProtection) -> Verdict:
    """Return what all reports of one person give away together, and how grave it is."""
    if not (protection.numbers.scrambled or protection.numbers.unscrambled):
        return Verdict(
            "note",
            _("No question yet."),
            _("Add a question to see what all of them protect together."),
        )
    return Verdict(protection.level, protection.title, protection.sentence)


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
