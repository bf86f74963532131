"""The panels of a survey that is being written: of each question, and of all."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from django.http import QueryDict

from candor.mechanisms.composition import MAX_QUESTIONS
from candor.mechanisms.draws import DrawnGroup, chance_of
from estimation.pages.planner.inputs import (
    Assumptions,
    PlanForm,
    Refusal,
    as_asked,
    read_questions,
    refusals,
)
from estimation.pages.planner.question import QuestionPanel, question_panel
from estimation.pages.planner.survey import SurveyPanel, survey_panel
from surveys.authoring.strengths import FAMILIES_OF_MANY, STRENGTHS
from surveys.text.tables import TableDescription

COUNTED = frozenset(str(number) for number in range(1, MAX_QUESTIONS + 1))


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
    questions = [
        question_panel(part, assumed)
        for table in tables
        for part in apart_by_chance(table, assumed.draws)
    ]
    return Planner(
        given=given,
        questions=questions,
        # A total without one of its parts would be wrong.
        survey=None if refused else survey_panel(questions, assumed),
        refused=refused,
        shown=read_shown(given),
    )


def apart_by_chance(
    table: TableDescription, groups: Sequence[DrawnGroup]
) -> list[TableDescription]:
    """Return the table once for each probability with which its questions are asked."""
    numbers: dict[Fraction, list[int]] = {}
    for number in table.numbers:
        numbers.setdefault(chance_of(number, groups), []).append(number)
    return [replace(table, numbers=tuple(each)) for each in numbers.values()]


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
