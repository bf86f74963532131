"""The description of a field study, checked; its format is docs/import-format.md."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from surveys.files.definition import SURVEY_KEYS
from surveys.mechanisms import Mechanism, ParameterError, build
from surveys.mechanisms.parameters import shown
from surveys.models import Survey
from surveys.models.question import problem_of

ALWAYS_MISSING = frozenset(["", "NA"])
"""Cells without a report: empty, or as R writes them."""

DEFAULT_CHOICES = ["Yes", "No"]

KINDS: Mapping[type, str] = {str: "a text", list: "a list", dict: "an object"}

STUDY_KEYS = {
    "title": str,
    "slug": str,
    "organiser": str,
    "purpose": str,
    "contact": str,
    "consent": str,
    "ethics_reference": str,
    "results_note": str,
    "language": str,
    "mode": str,
    "questions": list,
}
QUESTION_KEYS = {
    "text": str,
    "family": str,
    "parameters": dict,
    "choices": list,
    "innocuous_question": str,
    "column": str,
    "codes": dict,
    "missing": list,
}
DEFAULTS: Mapping[str, object] = {
    "purpose": "",
    "contact": "",
    "consent": "",
    "ethics_reference": "",
    "results_note": "",
    "language": settings.LANGUAGE_CODE,
    "mode": Survey.Mode.HAND.value,
    "parameters": {},
    "choices": DEFAULT_CHOICES,
    "innocuous_question": "",
    "missing": [],
}
"""What may be left out, and what it then is."""


class StudyError(ValueError):
    """A study that cannot be imported: one line for each thing that is wrong."""


@dataclass(frozen=True, kw_only=True)
class StudyQuestion:
    """A question, the column that holds its reports, and what the cells mean."""

    text: str
    mechanism: Mechanism
    choices: Sequence[str]
    innocuous_question: str
    column: str
    codes: Mapping[str, str]
    """Cell to report."""
    missing: frozenset[str]

    @property
    def allowed(self) -> str:
        """The cells that can be read, in words."""
        named = [*self.codes, *sorted(self.missing - {""})]
        return f"{', '.join(map(repr, named))} or empty"


@dataclass(frozen=True, kw_only=True)
class Study:
    """A survey that was carried out by hand, elsewhere."""

    texts: Mapping[str, str]
    """Title, slug, organiser and the other fields of a survey that people read."""
    questions: tuple[StudyQuestion, ...]


def read_study(text: str) -> Study:
    """Return the study that a JSON text describes.

    Raises
    ------
    StudyError
        Naming the field, what is allowed, and what came.
    """
    try:
        parsed = json.loads(text, object_pairs_hook=without_duplicates)
    except (json.JSONDecodeError, RecursionError) as error:
        raise StudyError(f"The study is not JSON: {error}") from error
    study = checked(without_plans(parsed), STUDY_KEYS, "the study")
    if study.pop("mode") != Survey.Mode.HAND:
        raise StudyError("the study: mode must be hand or left out: people did it")
    if not (questions := study.pop("questions")):
        raise StudyError("questions must be a list of one or more; got none")
    found: list[StudyQuestion] = []
    problems: list[str] = []
    for number, question in enumerate(questions, start=1):
        try:
            found.append(read_question(question, f"question {number}"))
        except StudyError as error:
            problems.append(str(error))
    problems += columns_read_twice(found) if not problems else []
    if problems:
        raise StudyError("\n".join(problems))
    return Study(texts=study, questions=tuple(found))


def without_plans(parsed: object) -> object:
    """Leave out what the file of a survey says and a finished study has no use for.

    So a survey that was written here and carried out by hand needs no other file than
    its own, with `column` and `codes` added: docs/survey-format.md.
    """
    if not isinstance(parsed, dict):
        return parsed
    unused = set(SURVEY_KEYS) - set(STUDY_KEYS)
    return {key: value for key, value in parsed.items() if key not in unused}


def columns_read_twice(questions: Sequence[StudyQuestion]) -> Iterator[str]:
    """Yield a line for each question whose column is another's already.

    Each report would count twice, as if two questions had been asked.
    """
    first: dict[str, int] = {}
    for number, question in enumerate(questions, start=1):
        other = first.setdefault(question.column, number)
        if other != number:
            yield (
                f"question {number}: column must be its own; {shown(question.column)} "
                f"holds the reports of question {other}"
            )


def read_question(parsed: object, name: str) -> StudyQuestion:
    """Return one question; `name` is what errors call it."""
    question = checked(parsed, QUESTION_KEYS, name)
    family, parameters = question.pop("family"), question.pop("parameters")
    try:
        mechanism = build(family, **parameters)
    except ParameterError as error:
        raise StudyError(f"{name}: {error}") from error
    codes, choices = question["codes"], checked_texts(question, "choices", name)
    if len(choices) != len(mechanism.answers):
        wanted = f"{len(mechanism.answers)} texts"
        raise StudyError(f"{name}: choices must be {wanted}; got {len(choices)}")
    if problem := problem_of(choices):
        raise StudyError(f"{name}: choices: {problem}")
    if not codes or any(code not in mechanism.reports for code in codes.values()):
        raise StudyError(
            f"{name}: codes must map cells to {' or '.join(mechanism.reports)}; "
            f"got {shown(codes)}"
        )
    missing = ALWAYS_MISSING.union(checked_texts(question, "missing", name))
    if both := missing & set(codes):
        raise StudyError(f"{name}: {shown(min(both))} is both a code and missing")
    return StudyQuestion(**{**question, "mechanism": mechanism, "missing": missing})


def checked(parsed: object, keys: Mapping[str, type], name: str) -> dict[str, Any]:
    """Return an object's values by key, each of its kind, defaults filled in."""
    if not isinstance(parsed, dict):
        raise StudyError(f"{name} must be an object; got {shown(parsed)}")
    if unknown := set(parsed) - set(keys):
        allowed = ", ".join(keys)
        raise StudyError(
            f"{name}: keys must be among {allowed}; got {shown(min(unknown))}"
        )
    found = {key: parsed.get(key, DEFAULTS.get(key)) for key in keys}
    for key, kind in keys.items():
        if not isinstance(found[key], kind):
            raise StudyError(
                f"{name}: {key} must be {KINDS[kind]}; got {shown(found[key])}"
            )
        if kind is str:
            check_storable(found[key], f"{name}: {key}")
    return found


def checked_texts(question: Mapping[str, Any], key: str, name: str) -> list[str]:
    """Return a list that holds texts only."""
    texts: list[str] = question[key]
    if not all(isinstance(text, str) for text in texts):
        raise StudyError(f"{name}: {key} must be a list of texts; got {shown(texts)}")
    for text in texts:
        check_storable(text, f"{name}: {key}")
    return texts


def check_storable(text: str, name: str) -> None:
    """Refuse what JSON can escape and a database does not take.

    PostgreSQL takes no NUL, and no database half of a surrogate pair.
    """
    if "\0" in text or any("\ud800" <= each <= "\udfff" for each in text):
        raise StudyError(f"{name} must be Unicode text without NUL; got {shown(text)}")


def without_duplicates(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object, or refuse one that says two things about one key."""
    keys = [key for key, _ in pairs]
    for key in keys:
        if keys.count(key) > 1:
            raise StudyError(f"The study has the key {shown(key)} twice in one object")
    return dict(pairs)
