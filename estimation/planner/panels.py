"""The figures and texts of a survey that is still being written, as plain JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.utils import translation
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from estimation.charts.margins import CURVE_DRAWINGS, curve_words
from estimation.maths.planning.margin_curve import margin_curve
from estimation.maths.planning.plan import Plan, make_plan, plan_as_object
from estimation.planner import words as wording
from estimation.planner.total_words import status, total_words
from surveys.authoring.forms.question import field_name
from surveys.authoring.strengths import stop_of
from surveys.mechanisms import Mechanism, families
from surveys.mechanisms.mechanism import total_ratio
from surveys.mechanisms.privacy import MAX_EPSILON, epsilon_of
from surveys.models import Survey
from surveys.words.explanations import LARGE_EPSILON, TotalProtection, chances
from surveys.words.protection import WHO_SCRAMBLES
from surveys.words.tables import TableInWords, name_questions

EXAMPLE_RESPONDENTS = 1_000
EXAMPLE_MARGIN = 0.05
"""Figures to start with where nothing is planned yet; they are called examples."""

REMEMBERED = 512
"""Plans, of some 60 ms each: a keystroke changes one question of many."""

Found = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Assumptions:
    """What `PlanForm` found; shares and margins as fractions of 1."""

    mode: str
    language: str
    share: float
    respondents: int | None
    margin: float | None
    against: float | None
    prior: float

    @property
    def planned(self) -> int:
        """The planned number of respondents, or the example."""
        return self.respondents or EXAMPLE_RESPONDENTS

    @property
    def wanted(self) -> float:
        """The wanted margin of error, or the example."""
        return self.margin or EXAMPLE_MARGIN


@dataclass(frozen=True, kw_only=True)
class PlannedQuestion:
    """Questions that are alike, and their plan; None where the maths has none."""

    table: TableInWords
    plan: Plan | None

    @property
    def margin(self) -> float:
        """Expected margin of error; 0 where there is none."""
        return self.plan.precision.margin if self.plan and self.plan.precision else 0.0


def plan_questions(
    tables: Sequence[TableInWords], assumed: Assumptions
) -> list[PlannedQuestion]:
    """Return the plans of all questions, in their order."""
    return [
        PlannedQuestion(table=table, plan=plan_mechanism(table.mechanism, assumed))
        for table in tables
    ]


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
            prior=assumed.prior,
            with_pile=False,
        )
    except ValueError:
        # The assumptions are checked: the table has a shape that nobody planned for.
        return None


def describe_question(question: PlannedQuestion, assumed: Assumptions) -> Found:
    """Return one question's figures, and the texts of its panel."""
    table, plan = question.table, question.plan
    mechanism = table.mechanism
    return {
        "numbers": table.numbers,
        "family": mechanism.family,
        "stop": stop_of(mechanism),
        "protection": wording.protection_words(table),
        "respondents_read": what_respondents_read(table, assumed.language),
        "chances": exact_chances(table),
        "figures": plan_as_object(plan) if plan else None,
        "scope": wording.scope(mechanism, is_planned=plan is not None),
        "caution": by_hand_caution(table, assumed.mode),
        **(wording.plan_words(plan, table, **examples(assumed)) if plan else {}),
    }


def examples(assumed: Assumptions) -> dict[str, bool]:
    """Return which of the planned numbers nobody has typed."""
    return {
        "respondents_are_example": assumed.respondents is None,
        "margin_is_example": assumed.margin is None,
    }


def what_respondents_read(table: TableInWords, language: str) -> Found:
    """Return the sentences of the respondents' pages, in the survey's language."""
    with translation.override(language):
        return {
            "language": language,
            "sentences": table.sentences,
            "conclusion": table.conclusion,
        }


def exact_chances(table: TableInWords) -> Found:
    """Return the chances of the table as they are drawn."""
    rows = zip(table.choices, chances(table.mechanism), strict=True)
    return {
        "reports": [_("arrives as “%s”") % label for label in table.labels],
        "rows": [
            {
                "answer": answer,
                "chances": [
                    f"{chance.exact} {'=' if chance.is_decimal_exact else '≈'} "
                    f"{chance.decimal}"
                    for chance in row
                ],
            }
            for answer, row in rows
        ],
    }


def by_hand_caution(table: TableInWords, mode: str) -> str | None:
    """Say so where nobody could carry it out with a coin, a die or cards."""
    family = families()[table.mechanism.family]
    if mode != Survey.Mode.HAND:
        return None
    if family.by_hand(**family.parse(table.mechanism.parameters)) is not None:
        return None
    return _("“%s” with these parameters cannot be carried out by hand.") % family.label


def describe_survey(
    questions: Sequence[PlannedQuestion], assumed: Assumptions
) -> Found:
    """Return what all questions do together."""
    mechanisms = [
        question.table.mechanism
        for question in questions
        for _number in question.table.numbers
    ]
    total = TotalProtection(total_ratio(mechanisms))
    found: Found = {
        "epsilon": total.epsilon,
        "total_epsilon": None if total.is_infinite else epsilon_of(total.ratio),
        "large_epsilon": LARGE_EPSILON,
        "bar": min(100.0, 100 * epsilon_of(total.ratio) / MAX_EPSILON),
        **total_words(total, questions=len(mechanisms), large=LARGE_EPSILON),
        "respondents_read": who_scrambles(questions, assumed),
        "curve": None,
    }
    if worst := least_precise_of(questions):
        is_only = len(questions) == 1
        found |= describe_least_precise(worst, assumed, is_only=is_only)
    return {**found, "status": status(found)}


def least_precise_of(questions: Sequence[PlannedQuestion]) -> PlannedQuestion | None:
    """Return the question that needs most people; None where none can be planned."""
    planned = [question for question in questions if question.plan]
    return max(planned, key=lambda question: question.margin, default=None)


def who_scrambles(questions: Sequence[PlannedQuestion], assumed: Assumptions) -> Found:
    """Return how the respondents' pages say where answers are scrambled."""
    lines: Sequence[str] = ()
    if any(question.table.is_protected for question in questions):
        lines = WHO_SCRAMBLES[Survey.Mode(assumed.mode)]
    with translation.override(assumed.language):
        return {
            "language": assumed.language,
            "sentences": [_(line) for line in lines],
        }


def describe_least_precise(
    question: PlannedQuestion, assumed: Assumptions, *, is_only: bool
) -> Found:
    """Return what the question that needs most people says of the whole survey."""
    table, plan = question.table, question.plan
    if plan is None:
        return {}
    curve = margin_curve(
        table.mechanism,
        share=assumed.share,
        respondents=assumed.planned,
        margin=assumed.wanted,
    )
    numbers = examples(assumed)
    label = families()[table.mechanism.family].label
    return {
        "least_precise": table.numbers,
        "precision": wording.precision_words(
            plan, is_example=numbers["respondents_are_example"]
        ),
        "size": wording.size_words(plan, is_example=numbers["margin_is_example"]),
        "cost": wording.cost_words(plan),
        "which": None
        if is_only
        else _("%s, the least precise") % name_questions(table.numbers),
        "curve": {
            **curve_words(curve, name=f"{table.title}: {label}"),
            "drawings": [
                {
                    "theme": drawing.theme,
                    "size": drawing.size,
                    "media": drawing.media,
                    "width": drawing.width,
                    "height": drawing.height,
                }
                for drawing in CURVE_DRAWINGS
            ],
        },
    }


def chart_query(questions: Sequence[PlannedQuestion], given: Mapping[str, str]) -> str:
    """Return what the address of the plot says of the least precise question."""
    question = least_precise_of(questions)
    if question is None:
        return ""
    mechanism = question.table.mechanism
    family = families()[mechanism.family]
    inputs = {"family": mechanism.family}
    for parameter in family.parameters:
        name = field_name(family, parameter.name)
        inputs[name] = (
            "\n".join(mechanism.answers)
            if parameter.counts_answers
            else mechanism.parameters[parameter.name]
        )
    numbers = ("share", "respondents", "margin")
    kept = {name: given[name] for name in numbers if given.get(name)}
    return urlencode({"question": urlencode(inputs), **kept})
