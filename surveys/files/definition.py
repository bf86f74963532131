"""Write the file of a survey (survey-format.md), store one, and copy a survey."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from candor.mechanisms import Mechanism
from surveys.models import Question, Survey, Visitor, require_researcher
from surveys.models.translations import Translations

FORMAT = 1
"""Increased when existing files would be read in another way."""

MAX_BYTES = 1_000_000
"""200 questions of 500 characters with 20 answers each need less."""

TEXT_FIELDS = (
    "title", "slug", "organiser", "purpose", "contact", "consent", "ethics_reference",
    "results_note", "language", "mode",
)  # fmt: skip
PLAN_FIELDS = (
    "access", "least_links", "batch_size", "closes_on", "target", "closes_at_target",
    "wanted_margin", "draws", *Survey.DEFINED_IF_WRITTEN, "declared_tables",
    *Survey.PINNED,
)  # fmt: skip
"""Fields that are of no use for a field study, which is over."""

OPTIONAL = {"draws", "least_links", "declared_tables", *Survey.DEFINED_IF_WRITTEN}
"""Fields that are written only if they are not empty."""

SURVEY_FIELDS = (*TEXT_FIELDS, *PLAN_FIELDS)
QUESTION_FIELDS = ("text", "family", "innocuous_question", *Question.PRESENTATION)

TRANSLATIONS = "translations"
"""Key of the survey and of each question; written only if there are translations."""

SURVEY_KEYS = ("format", *SURVEY_FIELDS, TRANSLATIONS, "questions")
QUESTION_KEYS = (*QUESTION_FIELDS, "parameters", "choices", "scale", TRANSLATIONS)
STUDY_KEYS = ("column", "codes", "missing")
"""Keys that import-format.md adds to a question; for a draft they are not read."""


@dataclass(frozen=True, kw_only=True)
class QuestionDefinition:
    """A question; for a field study also its column and the meaning of its cells."""

    text: str
    mechanism: Mechanism
    choices: Sequence[str] | None
    """None for the default labels in the survey's language."""
    innocuous_question: str
    presentation: Mapping[str, Any] = field(default_factory=dict)
    scale: Mapping[str, str] | None = None
    """Lowest and highest value of a scale; None for 0, 1, 2 ..."""
    translations: Translations = field(default_factory=dict)
    column: str = ""
    codes: Mapping[str, str] = field(default_factory=dict)
    """{cell: report}."""
    missing: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Definition:
    fields: Mapping[str, Any]
    questions: tuple[QuestionDefinition, ...]


def write_definition(survey: Survey) -> str:
    """Return the survey as JSON; equal surveys give equal bytes."""
    questions = survey.questions.prefetch_related("choices")
    written = {
        "format": FORMAT,
        **{
            name: serialize_value(getattr(survey, name))
            for name in SURVEY_FIELDS
            # A plan, draws, links or a reason are omitted if there are none.
            if (survey.has_analysis_plan or name not in Survey.PINNED)
            and (name not in OPTIONAL or getattr(survey, name))
        },
        **serialize_translations(survey),
        "questions": [
            {
                "text": question.text,
                "family": question.family,
                # Sorted, since PostgreSQL does not preserve the order of keys.
                "parameters": dict(sorted(question.parameters.items())),
                "choices": [choice.label for choice in question.choices.all()],
                "innocuous_question": question.innocuous_question,
                **({"scale": question.scale} if question.scale else {}),
                **question.presentation,
                **serialize_translations(question),
            }
            for question in questions
        ],
    }
    return json.dumps(written, indent=2, ensure_ascii=False) + "\n"


def serialize_translations(written: Survey | Question) -> dict[str, Any]:
    translated = written.get_translations()
    return {TRANSLATIONS: translated} if translated else {}


def serialize_value(value: object) -> object:
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return int(value) if value == int(value) else float(value)
    return value


def store_definition(definition: Definition, owner: Visitor) -> Survey:
    """Store the definition as a draft; at another address if its own is taken."""
    slug = definition.fields["slug"]
    if not slug or Survey.objects.filter(slug=slug).exists():
        slug = Survey.objects.find_free_slug(slug or definition.fields["title"])
    fields = {**definition.fields, "slug": slug}
    return make_draft(replace(definition, fields=fields), owner)


@transaction.atomic
def make_draft(definition: Definition, owner: Visitor) -> Survey:
    survey = Survey.objects.create(owner=require_researcher(owner), **definition.fields)
    for question in definition.questions:
        survey.add_question(
            question.text,
            family=question.mechanism.family,
            parameters=question.mechanism.parameters,
            choices=question.choices,
            innocuous_question=question.innocuous_question,
            scale=question.scale,
            translations=question.translations,
            **question.presentation,
        )
    return survey


def duplicate(survey: Survey, owner: Visitor) -> Survey:
    longest = Survey._meta.get_field("title").max_length
    title = (_("Copy of %s") % survey.title)[:longest]
    return copy_survey(
        survey,
        owner=require_researcher(owner),
        title=title,
        slug=Survey.objects.find_free_slug(title),
        closes_on=None if survey.is_over else survey.closes_on,
        # A key can open one survey only.
        holder_key="",
    )


@transaction.atomic
def copy_survey(survey: Survey, **changed: Any) -> Survey:
    written = {name: getattr(survey, name) for name in (*SURVEY_FIELDS, TRANSLATIONS)}
    copy = Survey.objects.create(**written | changed)
    for question in survey.questions.prefetch_related("choices"):
        # Copied without checks: a draft may contain parameters that are now refused.
        twin = copy.questions.create(
            position=question.position,
            parameters=question.parameters,
            scale=question.scale,
            translations=question.translations,
            **{name: getattr(question, name) for name in QUESTION_FIELDS},
        )
        twin.set_choices([choice.label for choice in question.choices.all()])
    return copy
