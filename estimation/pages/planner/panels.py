"""The planner's panels of a draft: one per question, and one for all."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.http import urlencode

from candor.mechanisms import load_families
from candor.mechanisms.composition import MAX_QUESTIONS
from candor.mechanisms.draws import DrawnGroup, compute_chance
from estimation.pages.planner.forms import Assumptions, PlanForm, refuse
from estimation.pages.planner.question import QuestionPanel, question_panel
from estimation.pages.planner.survey import SurveyPanel, survey_panel
from surveys.authoring.forms.inputs import clean_lines, list_inputs, read_table
from surveys.authoring.pages import is_removed
from surveys.authoring.strengths import FAMILIES_OF_MANY, STRENGTHS
from surveys.kinds import list_offered
from surveys.text.tables import TableDescription

COUNTED = frozenset(str(number) for number in range(1, MAX_QUESTIONS + 1))


ON_THE_FORM = {
    "mode": "mode",
    "language": "language",
    "respondents": "target",
    "margin": "wanted_margin",
    "level": "pinned_level",
    "intervals": "pinned_method",
    "draws": "draws",
}


@dataclass(frozen=True)
class Refusal:
    """An error of one input, and the numbers of the questions that it concerns."""

    field: str
    message: str
    numbers: tuple[int, ...] = ()


def refusals(
    errors: Mapping[str, Iterable[object]], numbers: tuple[int, ...] = ()
) -> list[Refusal]:
    return [
        Refusal(field, str(message), numbers)
        for field, messages in errors.items()
        for message in messages
    ]


def make_query(form: Any, formset: Any, assumed: QueryDict) -> QueryDict:
    """Return stored or typed values as the query of static/js/planner/planner.js.

    Parameters
    ----------
    form, formset : SurveyForm, QuestionFormSet
    assumed : QueryDict
        Fields of `PlanForm.groups`, which only the planner uses.
    """
    asked = assumed.copy()
    for name, field in ON_THE_FORM.items():
        value = form[field].value()
        asked[name] = "" if value is None else str(value)
    same: dict[str, list[int]] = {}
    for number, each in enumerate(formset.forms, start=1):
        family = load_families().get(each["family"].value())
        if family and not is_removed(formset, each):
            inputs = {name: each[name].value() or "" for name in list_inputs(family)}
            if switch := each.switch_if_skipped:
                inputs[switch] = "on"
            same.setdefault(urlencode(inputs), []).append(number)
    questions = [
        f"{inputs}&{urlencode({'number': numbers}, doseq=True)}"
        for inputs, numbers in same.items()
    ]
    asked.setlist("question", questions)
    return asked


def read_questions(
    asked: Sequence[str], *, language: str
) -> tuple[list[TableDescription], list[Refusal]]:
    """Return the tables of the inputs of questions, and their errors.

    Each of `asked` is a query: `family`, its parameters, wordings by the names of the
    authoring form, and the `number` of every question with these inputs.
    """
    tables: list[TableDescription] = []
    wrong: list[Refusal] = []
    taken: set[int] = set()
    for place, text in enumerate(asked, start=1):
        given = QueryDict(text)
        numbers: tuple[int, ...] = ()
        try:
            numbers = read_numbers(given.getlist("number") or [str(place)], taken)
            tables.append(read_question(given, numbers, language=language))
        except ValidationError as error:
            wrong += refusals(error.message_dict, numbers)
    return tables, wrong


def read_numbers(given: Sequence[str], taken: set[int]) -> tuple[int, ...]:
    allowed = f"a whole number in [1, {MAX_QUESTIONS}] that no other question has"
    numbers = []
    for text in given:
        is_number = text.isascii() and text.isdigit() and len(text) < len(allowed)
        number = int(text) if is_number else 0
        if not 1 <= number <= MAX_QUESTIONS or number in taken:
            raise ValidationError(
                {"number": refuse("number", allowed=allowed, value=text)}
            )
        taken.add(number)
        numbers.append(number)
    return tuple(sorted(numbers))


def read_question(
    given: QueryDict, numbers: tuple[int, ...], *, language: str
) -> TableDescription:
    name = given.get("family", "")
    offered = {each.identifier: each for each in list_offered()}
    family = offered.get(name)
    if family is None:
        allowed = f"one of {', '.join(offered)}"
        raise ValidationError({"family": refuse("family", allowed=allowed, value=name)})
    cleaned = {name: clean_lines(str(typed)) for name, typed in given.items()}
    mechanism, labels, scale = read_table(family, cleaned, language=language)
    return TableDescription(numbers, mechanism, tuple(labels), scale)


@dataclass(frozen=True, kw_only=True)
class Planner:
    form: PlanForm
    questions: list[QuestionPanel]
    survey: SurveyPanel | None
    refused: list[Refusal]
    shown: frozenset[int] | None = None
    """Numbers of the questions whose panels were requested; None for all."""
    strengths = STRENGTHS
    families_of_many = " ".join(FAMILIES_OF_MANY)

    @property
    def panels(self) -> list[QuestionPanel]:
        return [each for each in self.questions if self.shows(each)]

    @property
    def lines(self) -> list[QuestionPanel]:
        return [each for each in self.questions if not self.shows(each)]

    def shows(self, panel: QuestionPanel) -> bool:
        return self.shown is None or not self.shown.isdisjoint(panel.table.numbers)


def plan_survey(given: QueryDict) -> Planner:
    form, assumed, tables, refused = read_query(given)
    if assumed is None:
        return Planner(form=form, questions=[], survey=None, refused=refused)
    questions = [
        question_panel(part, assumed)
        for table in tables
        for part in apart_by_chance(table, assumed.draws)
    ]
    return Planner(
        form=form,
        questions=questions,
        # A total without one of its parts would be wrong.
        survey=None if refused else survey_panel(questions, assumed),
        refused=refused,
        shown=read_shown(given),
    )


def read_query(
    given: QueryDict,
) -> tuple[PlanForm, Assumptions | None, list[TableDescription], list[Refusal]]:
    form = PlanForm(given)
    if not form.is_valid():
        return form, None, [], refusals(form.errors)
    assumed = Assumptions(**form.cleaned_data)
    questions = given.getlist("question")
    return form, assumed, *read_questions(questions, language=assumed.language)


def apart_by_chance(
    table: TableDescription, groups: Sequence[DrawnGroup]
) -> list[TableDescription]:
    numbers: dict[Fraction, list[int]] = {}
    for number in table.numbers:
        numbers.setdefault(compute_chance(number, groups), []).append(number)
    return [replace(table, numbers=tuple(each)) for each in numbers.values()]


def read_shown(given: QueryDict) -> frozenset[int] | None:
    if "shown" not in given:
        return None
    return frozenset(
        int(text) for text in str(given["shown"]).split() if text in COUNTED
    )


def plan_form(form: Any, formset: Any, assumed: QueryDict) -> Planner:
    planner = plan_survey(make_query(form, formset, assumed))
    for panel in planner.questions:
        for number in panel.table.numbers:
            formset.forms[number - 1].panel = panel
    for refusal in planner.refused:
        for number in refusal.numbers:
            formset.forms[number - 1].refused = refusal.message
    return planner
