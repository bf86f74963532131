"""A survey as a JSON file: docs/survey-format.md describes it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from django.db import transaction

from surveys.files.values import (
    JsonError,
    allowed_by,
    is_storable,
    parse_json,
    read_value,
)
from surveys.mechanisms import Family, ParameterError, build, families
from surveys.mechanisms.parameters import shown
from surveys.models import Choice, Question, Survey, Visitor, researcher
from surveys.models.question import problem_of
from surveys.models.survey import MAX_QUESTIONS

FORMAT = 1
"""Raised when a file of today would be read in another way tomorrow."""

MAX_BYTES = 1_000_000
"""200 questions of 500 characters with 20 answers each come to less."""

SURVEY_FIELDS = (
    "title", "slug", "organiser", "purpose", "contact", "consent", "ethics_reference",
    "results_note", "language", "mode", "access", "batch_size", "closes_on", "target",
    "closes_at_target", "wanted_margin",
)  # fmt: skip
QUESTION_FIELDS = ("text", "family", "innocuous_question")

SURVEY_KEYS = ("format", *SURVEY_FIELDS, "questions")
QUESTION_KEYS = (*QUESTION_FIELDS, "parameters", "choices")
STUDY_KEYS = ("column", "codes", "missing")
"""What docs/import-format.md adds to a question; here it may stand and is not read."""


class DefinitionError(ValueError):
    """A file that is no survey: one problem for each thing that is wrong."""

    def __init__(self, problems: list[str]) -> None:
        self.problems = problems
        super().__init__("\n".join(problems))


@dataclass(frozen=True)
class QuestionDefinition:
    """The arguments of `Survey.add_question`."""

    text: str
    family: str
    parameters: Mapping[str, object]
    choices: list[str] | None
    innocuous_question: str


@dataclass(frozen=True)
class Definition:
    fields: Mapping[str, Any]
    questions: tuple[QuestionDefinition, ...]


def write_definition(survey: Survey) -> str:
    """Return the survey as JSON: the same bytes whenever it says the same."""
    questions = survey.questions.prefetch_related("choices")
    written = {
        "format": FORMAT,
        **{name: plain(getattr(survey, name)) for name in SURVEY_FIELDS},
        "questions": [
            {
                "text": question.text,
                "family": question.family,
                # Sorted: PostgreSQL keeps the keys of an object in an order of its own.
                "parameters": dict(sorted(question.parameters.items())),
                "choices": [choice.label for choice in question.choices.all()],
                "innocuous_question": question.innocuous_question,
            }
            for question in questions
        ],
    }
    return json.dumps(written, indent=2, ensure_ascii=False) + "\n"


def plain(value: object) -> object:
    """Return what JSON writes for a value of a model."""
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return int(value) if value == int(value) else float(value)
    return value


def read_definition(text: str) -> Definition:
    """Return the survey that a JSON text describes.

    Raises
    ------
    DefinitionError
        With every problem: the place, what is allowed there, and what came.
    """
    try:
        parsed = parse_json(text)
    except JsonError as error:
        raise DefinitionError([str(error)]) from error
    reader = Reader()
    definition = reader.survey(parsed)
    if reader.problems or definition is None:
        raise DefinitionError(reader.problems)
    return definition


@transaction.atomic
def store_definition(definition: Definition, owner: Visitor) -> Survey:
    """Return a draft as defined; at another address where its own is taken."""
    fields = dict(definition.fields)
    wanted = fields["slug"] or fields["title"]
    if not fields["slug"] or Survey.objects.filter(slug=wanted).exists():
        fields["slug"] = Survey.objects.free_slug(wanted)
    survey = Survey.objects.create(owner=researcher(owner), **fields)
    for question in definition.questions:
        survey.add_question(
            question.text,
            family=question.family,
            parameters=question.parameters,
            choices=question.choices,
            innocuous_question=question.innocuous_question,
        )
    return survey


class Reader:
    """Reads one file and collects all that is wrong with it."""

    def __init__(self) -> None:
        self.problems: list[str] = []

    def refuse(self, place: str, allowed: str, value: object) -> None:
        self.problems.append(f"{place} must be {allowed}; got {shown(value)}")

    def survey(self, parsed: object) -> Definition | None:
        if not isinstance(parsed, dict):
            self.refuse("the file", "one object", parsed)
            return None
        self.check_keys(parsed, SURVEY_KEYS, "the file")
        if parsed.get("format", FORMAT) != FORMAT:
            self.refuse("format", str(FORMAT), parsed["format"])
        fields = {
            name: self.field(Survey, parsed, name, place="") for name in SURVEY_FIELDS
        }
        if fields["closes_at_target"] and parsed.get("target") is None:
            self.refuse("closes_at_target", "false where target is null", True)
        questions = parsed.get("questions", [])
        if not isinstance(questions, list) or len(questions) > MAX_QUESTIONS:
            self.refuse("questions", f"a list of at most {MAX_QUESTIONS}", questions)
            return None
        read = [
            self.question(question, f"questions[{number}]")
            for number, question in enumerate(questions)
        ]
        return Definition(fields, tuple(question for question in read if question))

    def question(self, parsed: object, place: str) -> QuestionDefinition | None:
        if not isinstance(parsed, dict):
            self.refuse(place, "an object", parsed)
            return None
        self.check_keys(parsed, (*QUESTION_KEYS, *STUDY_KEYS), place)
        fields = {
            name: self.field(Question, parsed, name, place=f"{place}.")
            for name in QUESTION_FIELDS
        }
        choices = self.choices(parsed.get("choices"), f"{place}.choices")
        given = parsed.get("parameters", {})
        family = families().get(fields["family"] or "")
        if not isinstance(given, dict):
            self.refuse(f"{place}.parameters", "an object", given)
        elif family:
            self.parameters(family, given, choices, place)
        return QuestionDefinition(**fields, parameters=given, choices=choices)

    def parameters(
        self,
        family: Family,
        given: Mapping[str, object],
        choices: list[str] | None,
        place: str,
    ) -> None:
        """Check the numbers one by one, then together, then against the choices."""
        counted = family.counted(len(choices)) if choices else {}
        given = {**counted, **given}
        before = len(self.problems)
        names = [parameter.name for parameter in family.parameters]
        self.check_keys(given, tuple(names), f"{place}.parameters")
        for parameter in family.parameters:
            try:
                parameter.parse(given.get(parameter.name))
            except ParameterError as error:
                named = f"{place}.parameters.{parameter.name}"
                self.refuse(named, error.allowed, error.value)
        if len(self.problems) > before:
            return
        try:
            mechanism = build(family.identifier, **given)
        except ParameterError as error:
            self.refuse(f"{place}.parameters", error.allowed, error.value)
            return
        answers = len(mechanism.answers)
        if choices is not None and len(choices) != answers:
            self.refuse(f"{place}.choices", f"a list of {answers}", choices)

    def choices(self, given: object, place: str) -> list[str] | None:
        if given is None:
            return None
        if not isinstance(given, list):
            self.refuse(place, "a list of texts", given)
            return None
        label = Choice._meta.get_field("label")
        for number, each in enumerate(given):
            self.value(label, each, f"{place}[{number}]")
        if all(isinstance(each, str) for each in given) and (
            problem := problem_of(given)
        ):
            self.problems.append(f"{place}: {problem}")
        return given

    def field(
        self,
        model: type[Survey] | type[Question],
        parsed: Mapping[str, object],
        name: str,
        *,
        place: str,
    ) -> Any:
        field: Any = model._meta.get_field(name)
        if name not in parsed and (field.has_default() or field.blank):
            return field.get_default()
        if name == "slug" and not parsed.get(name):
            return ""
        return self.value(field, parsed.get(name), f"{place}{name}")

    def value(self, field: Any, given: object, place: str) -> Any:
        if not is_storable(given):
            self.refuse(place, "Unicode text without NUL", given)
            return None
        try:
            return read_value(field, given)
        except JsonError:
            self.refuse(place, allowed_by(field), given)
            return None

    def check_keys(
        self, parsed: Mapping[str, object], keys: tuple[str, ...], place: str
    ) -> None:
        known = ", ".join(keys) or "none"
        self.problems += [
            f"{place}: known keys are {known}; got {shown(key)}"
            for key in parsed
            if key not in keys
        ]
