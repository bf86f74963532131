"""The panels of a survey that is being written: of each question, and of all."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

from django.http import QueryDict
from django.urls import reverse
from django.utils import translation
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from estimation.charts.margins import CURVE_DRAWINGS, CurveInWords, curve_in_words
from estimation.maths.assumed import Assumed
from estimation.maths.folds import one_against_the_rest
from estimation.maths.planning.budget import Kind, Sharings, sharings
from estimation.maths.planning.margin_curve import MarginCurve, margin_curve
from estimation.maths.planning.plan import Plan, make_plan
from estimation.maths.planning.precision import margin_of_error
from estimation.maths.planning.scales import ScalePlan, plan_scale
from estimation.planner import words
from estimation.planner.inputs import (
    Assumptions,
    PlanForm,
    Refusal,
    as_asked,
    read_questions,
    refusals,
)
from surveys.authoring.forms.inputs import field_name
from surveys.authoring.strengths import FAMILIES_OF_MANY, STRENGTHS, strength_of
from surveys.mechanisms import Mechanism, families
from surveys.mechanisms.draw import DrawnGroup, groups_there
from surveys.mechanisms.privacy import MAX_EPSILON
from surveys.mechanisms.together import MAX_QUESTIONS, together
from surveys.models import Survey
from surveys.words.explanations import (
    CLOSE_EPSILON,
    LARGE_EPSILON,
    Explanation,
    TotalProtection,
)
from surveys.words.protection import WHO_SCRAMBLES
from surveys.words.remembered import remembered_by_language
from surveys.words.tables import TableInWords, name_questions

REMEMBERED = 512
"""Plans, of some 60 ms each, and panels: a keystroke changes one question of many."""

COUNTED = frozenset(str(number) for number in range(1, MAX_QUESTIONS + 1))


@dataclass(frozen=True)
class Read:
    """What respondents will read, in the language of the survey."""

    language: str
    sentences: tuple[str, ...]
    conclusion: str = ""


@dataclass(frozen=True)
class QuestionPanel:
    """What is said of questions that are alike; no plan where the maths has none.

    Each part is worked out when it is looked at: of many questions one is open, and a
    plan takes 60 ms.
    """

    table: TableInWords
    assumed: Assumptions

    @cached_property
    def chance(self) -> Fraction:
        """With which chance each respondent is asked it."""
        return self.assumed.chance_of(self.table.numbers)

    @cached_property
    def asked(self) -> int:
        """How many are asked it, of the planned number of respondents."""
        return max(1, math.floor(self.assumed.planned * self.chance))

    @cached_property
    def plan(self) -> Plan | None:
        """Figures of those who are asked; people needed are all respondents."""
        plan = plan_mechanism(
            self.table.mechanism,
            replace(self.assumed, respondents=self.asked, draws=()),
        )
        if plan is None or plan.size is None:
            return plan
        needed = math.ceil(plan.size.respondents / self.chance)
        return replace(plan, size=replace(plan.size, respondents=needed))

    @cached_property
    def scale_plan(self) -> ScalePlan | None:
        """How precise a mean will be; None where answers are no scale."""
        return plan_scale(self.table.mechanism) if self.table.scale else None

    @cached_property
    def margin(self) -> float:
        """Expected margin of error; 0 where there is none. Of a mean in parts of it."""
        if self.scale_plan:
            return self.scale_plan.margin(self.asked)
        try:
            return margin_of_error(
                one_against_the_rest(self.table.mechanism),
                respondents=self.asked,
                share=self.assumed.share,
            )
        except ValueError:
            return 0.0

    @property
    def line(self) -> str:
        """The two figures that are told of a folded question."""
        return words.line(self.table, self.margin)

    @property
    def strength(self) -> str | None:
        return strength_of(self.table.mechanism)

    @property
    def caution(self) -> str:
        return by_hand_caution(self.table, self.assumed.mode)

    @cached_property
    def figures(self) -> tuple[words.Figure, ...]:
        if self.scale_plan:
            return (
                words.privacy(self.table),
                *words.of_scale(self.table, self.scale_plan, self.assumed),
            )
        return (
            words.privacy(self.table),
            *precision_figures(self.plan, self.assumed),
            words.price(self.plan),
        )

    @cached_property
    def read(self) -> Read:
        with translation.override(self.assumed.language):
            return Read(
                self.assumed.language,
                tuple(self.table.sentences),
                self.table.conclusion,
            )

    @cached_property
    def facts(self) -> tuple[words.Fact, ...]:
        if self.scale_plan:
            told = words.facts_of_scale(self.table, self.scale_plan, self.asked)
        else:
            told = words.facts(self.table, self.plan)
        return (*words.drawn(self.chance, self.asked), *told)

    @cached_property
    def explanation(self) -> Explanation:
        return Explanation(self.table)


@dataclass(frozen=True)
class Plot:
    """Margins of error by number of respondents, and where they are drawn."""

    words: CurveInWords
    address: str
    drawings = CURVE_DRAWINGS


@dataclass(frozen=True, kw_only=True)
class SurveyPanel:
    """What is said of all questions together."""

    figures: tuple[words.Figure, ...]
    bar: str
    """Of the meter, as its `lines`, in hundredths of its width."""
    verdict: words.Verdict
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


@dataclass(frozen=True, kw_only=True)
class Planner:
    """Everything that the planner shows; nothing of all where an input is refused."""

    given: QueryDict
    questions: list[QuestionPanel]
    survey: SurveyPanel | None
    refused: list[Refusal]
    shown: frozenset[int] | None = None
    """Numbers of the questions whose panels are asked for; None for all."""
    strengths = STRENGTHS
    families_of_many = " ".join(FAMILIES_OF_MANY)

    @property
    def panels(self) -> list[QuestionPanel]:
        """Those that are asked for."""
        return [each for each in self.questions if self.shows(each)]

    @property
    def lines(self) -> list[QuestionPanel]:
        """The others, of which only the line is told."""
        return [each for each in self.questions if not self.shows(each)]

    def shows(self, panel: QuestionPanel) -> bool:
        return self.shown is None or not self.shown.isdisjoint(panel.table.numbers)


def plan_survey(given: QueryDict) -> Planner:
    """Work out every figure of what was asked, as far as it is in order."""
    form = PlanForm(given)
    if not form.is_valid():
        wrong = refusals(form.errors)
        return Planner(given=given, questions=[], survey=None, refused=wrong)
    assumed = Assumptions(**form.cleaned_data)
    asked = given.getlist("question")
    tables, refused = read_questions(asked, language=assumed.language)
    questions = [question_panel(table, assumed) for table in tables]
    return Planner(
        given=given,
        questions=questions,
        # A total without one of its parts would be wrong.
        survey=None if refused else survey_panel(questions, assumed, given),
        refused=refused,
        shown=read_shown(given),
    )


def read_shown(given: QueryDict) -> frozenset[int] | None:
    """Return the numbers of the questions whose panels are asked for, None for all."""
    if "shown" not in given:
        return None
    return frozenset(
        int(text) for text in str(given["shown"]).split() if text in COUNTED
    )


def plan_form(form: Any, formset: Any, assumed: QueryDict) -> Planner:
    """Work it out for what is stored or typed, and give each question its panel."""
    planner = plan_survey(as_asked(form, formset, assumed))
    for panel in planner.questions:
        for number in panel.table.numbers:
            formset.forms[number - 1].panel = panel
    for refusal in planner.refused:
        for number in refusal.numbers:
            formset.forms[number - 1].refused = refusal.message
    return planner


@lru_cache(maxsize=REMEMBERED)
def plan_mechanism(mechanism: Mechanism, assumed: Assumptions) -> Plan | None:
    """Return the plan of one table; None where its shape allows none."""
    try:
        return make_plan(
            mechanism,
            share=assumed.share,
            respondents=assumed.planned,
            margin=assumed.wanted,
            against=assumed.against,
            other_share=assumed.other,
            confidence_level=assumed.confidence_level,
            method=assumed.tested_by,
            prior=assumed.prior,
            design_effect=assumed.design_effect,
            response_rate=assumed.response_rate,
            with_pile=False,
        )
    except ValueError:
        # The assumptions are checked: the table has a shape that nobody planned for.
        return None


@remembered_by_language(maxsize=REMEMBERED)
def question_panel(table: TableInWords, assumed: Assumptions) -> QuestionPanel:
    """Return what is said of one question."""
    return QuestionPanel(table, assumed)


def precision_figures(plan: Plan | None, assumed: Assumptions) -> list[words.Figure]:
    """Return what the planned number brings, and what the wanted margin needs."""
    return [
        words.margin_of_error(plan, is_example=assumed.respondents is None),
        words.people_needed(plan, is_example=assumed.margin is None),
    ]


def by_hand_caution(table: TableInWords, mode: str) -> str:
    """Say so where nobody could carry it out with a coin, a die or cards."""
    family = families()[table.mechanism.family]
    if mode != Survey.Mode.HAND or not family.is_protected:
        return ""
    if family.by_hand(**family.parse(table.mechanism.parameters)) is not None:
        return ""
    told = _("“%s” with these parameters cannot be carried out by hand.")
    return told % _(family.label)


def survey_panel(
    questions: Sequence[QuestionPanel], assumed: Assumptions, given: QueryDict
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
    groups = groups_there(assumed.draws, len(by_number)) if is_whole else ()
    protection = TotalProtection(together(mechanisms, groups))
    epsilon = words.total(protection)
    worst = least_precise_of(questions)
    precision = precision_figures(worst.plan if worst else None, assumed)
    if worst and len(questions) > 1:
        which = _("%s, the least precise") % name_questions(worst.table.numbers)
        precision = [replace(each, which=which) for each in precision]
    share = min(1, protection.numbers.epsilon / MAX_EPSILON)
    return SurveyPanel(
        figures=(epsilon, *precision),
        bar=f"{100 * share:.2f}",
        verdict=words.verdict(protection),
        plot=plot_of(worst, assumed, given) if worst else None,
        advice=tuple(
            words.how_many_to_ask(each, group, assumed.planned)
            if each
            else words.nothing_to_share_out(group)
            for group, each in to_share_out(mechanisms, groups, assumed)
        ),
        read=who_scrambles(questions, assumed),
        status=words.status(epsilon, precision[0]),
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
    supposed = Assumed(share=assumed.share, confidence_level=assumed.confidence_level)
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
            budget = together(of_group, [drawn]).epsilon
            found = sharings(
                supposed,
                questions=len(of_group),
                total_epsilon=budget,
                kinds=set(map(kind_of, of_group)),
            )
            # That everybody is asked everything is worth a word where it is not best.
            if group.left_out or found.best.asked < len(of_group):
                yield group, found


def kind_of(mechanism: Mechanism) -> Kind:
    """Return what its question asks for."""
    is_scale = families()[mechanism.family].is_scale
    return Kind(answers=len(mechanism.answers), is_scale=is_scale)


def least_precise_of(questions: Sequence[QuestionPanel]) -> QuestionPanel | None:
    """Return the question that needs most people; None where none can be planned."""
    for question in sorted(questions, key=lambda each: -each.margin):
        if question.plan:
            return question
    return None


def who_scrambles(questions: Sequence[QuestionPanel], assumed: Assumptions) -> Read:
    """Return how the respondents' pages say where answers are scrambled."""
    lines: Sequence[str] = ()
    if any(question.table.is_protected for question in questions):
        lines = WHO_SCRAMBLES[Survey.Mode(assumed.mode)]
    with translation.override(assumed.language):
        return Read(assumed.language, tuple(_(line) for line in lines))


def plot_of(question: QuestionPanel, assumed: Assumptions, given: QueryDict) -> Plot:
    """Return the plot of one question, with the address that draws it."""
    mechanism = question.table.mechanism
    family = families()[mechanism.family]
    name = f"{question.table.title}: {_(family.label)}"
    inputs = {"family": mechanism.family} | {
        field_name(family, parameter.name): "\n".join(mechanism.answers)
        if parameter.counts_answers
        else mechanism.parameters[parameter.name]
        for parameter in family.parameters
        if not (family.is_scale and parameter.counts_answers)
    }
    if family.is_scale:
        inputs["scale__high"] = mechanism.answers[-1]
    numbers = ("share", "respondents", "margin", "level")
    kept = {name: str(given[name]) for name in numbers if given.get(name)}
    if question.chance < 1:
        name = _("%s, people who are asked it") % name
        kept["respondents"] = str(question.asked)
        assumed = replace(assumed, respondents=question.asked)
    query = urlencode({"question": urlencode(inputs), **kept})
    address = f"{reverse('admin:estimation_plan_chart')}?{query}"
    return Plot(curve_in_words(curve_of(mechanism, assumed), name=name), address)


def curve_of(mechanism: Mechanism, assumed: Assumptions) -> MarginCurve:
    """Return how the margin of error of one question falls with more respondents."""
    return margin_curve(
        mechanism,
        share=assumed.share,
        respondents=assumed.planned,
        margin=assumed.wanted,
        confidence_level=assumed.confidence_level,
    )
