"""The states of a draft: recorded, compared and restored.

django-reversion stores them: docs/decisions/0010-drafts.md. They contain what authors
wrote and nothing about respondents.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import reversion
from django.contrib.contenttypes.models import ContentType
from django.db import models, transaction
from django.db.models import QuerySet
from django.utils import timezone
from reversion.models import Revision, Version

from surveys.files.definition import QUESTION_FIELDS, SURVEY_FIELDS
from surveys.log import find_entries
from surveys.models import Choice, Question, Survey, Visitor, require_researcher
from surveys.models.translations import CHOICES

KEPT_WHOLE = timedelta(days=1)
"""How long every state is kept: open pages are compared with the state they loaded."""

SITTING = timedelta(minutes=10)
"""Of older states, only the last one of each user in such a period is kept."""

SURVEY_STATE = (*SURVEY_FIELDS, "translations")
QUESTION_STATE = (
    "position", *QUESTION_FIELDS, "parameters", "scale", "translations",
)  # fmt: skip

reversion.register(Survey, fields=SURVEY_STATE, follow=["questions"])
reversion.register(Question, fields=QUESTION_STATE, follow=["choices"])
reversion.register(Choice, fields=["question", "position", "label"])


@dataclass(frozen=True)
class State:
    survey: dict[str, Any] = field(default_factory=dict)
    """Values of `SURVEY_STATE`, as read from JSON."""
    questions: dict[int, dict[str, Any]] = field(default_factory=dict)
    """Values of `QUESTION_STATE` and the labels of the answers, by key, in order."""


def find_revisions(survey: Survey) -> QuerySet[Revision]:
    versions = Version.objects.get_for_object_reference(Survey, survey.pk)
    found: QuerySet[Any] = Revision.objects.filter(pk__in=versions.values("revision"))
    return found.select_related("user").order_by("-pk")


def record_state(user: Visitor | None, survey: Survey, **when: Any) -> None:
    stored = Survey.objects.prefetch_related("questions__choices").get(pk=survey.pk)
    with reversion.create_revision(manage_manually=True):
        reversion.add_to_revision(stored)
        reversion.set_comment(str(stored.version))
        reversion.set_user(user and require_researcher(user))
        if when:
            reversion.set_date_created(**when)
    thin_out(survey)


def record_first_state(survey: Survey) -> None:
    """Record the stored state if that is missing: other pages create drafts too."""
    recorded = find_revisions(survey).filter(comment=str(survey.version))
    if not recorded.exists():
        last = find_entries(survey).first()
        when = {"date_created": last.action_time} if last else {}
        record_state(last.user if last else None, survey, **when)


def thin_out(survey: Survey) -> None:
    old = find_revisions(survey).filter(date_created__lt=timezone.now() - KEPT_WHOLE)
    sittings, surplus = set(), []
    for pk, user, when in old.values_list("pk", "user", "date_created"):
        sitting = user, when.timestamp() // SITTING.total_seconds()
        if sitting in sittings:
            surplus.append(pk)
        sittings.add(sitting)
    Revision.objects.filter(pk__in=surplus).delete()


def read_states(revisions: Iterable[Revision]) -> dict[int, State]:
    keys = [each.pk for each in revisions]
    states = {key: State() for key in keys}
    labels: dict[tuple[int, int], dict[int, str]] = {}
    kinds = ContentType.objects.get_for_models(Survey, Question, Choice)
    survey_kind, question_kind = kinds[Survey].pk, kinds[Question].pk
    rows = Version.objects.filter(revision__in=keys).order_by("pk")
    for key, kind, pk, data in rows.values_list(
        "revision", "content_type", "object_id", "serialized_data"
    ):
        values = json.loads(data)[0]["fields"]
        if kind == survey_kind:
            states[key].survey.update(values)
        elif kind == question_kind:
            states[key].questions[int(pk)] = values
        else:
            choices = labels.setdefault((key, values["question"]), {})
            choices[values["position"]] = values["label"]
    for key, state in states.items():
        for pk, values in state.questions.items():
            values[CHOICES] = [x for _place, x in sorted(labels[key, pk].items())]
        ordered = sorted(
            state.questions.items(), key=lambda each: (each[1]["position"], each[0])
        )
        state.questions.clear()
        state.questions.update(ordered)
    return states


def read_state(revision: Revision) -> State:
    return read_states([revision])[revision.pk]


def select_known(
    model: type[models.Model], names: Iterable[str], values: Mapping[str, Any]
) -> dict[str, Any]:
    fields: dict[str, Any] = {name: model._meta.get_field(name) for name in names}
    return {
        name: fields[name].to_python(values[name]) for name in names if name in values
    }


@transaction.atomic
def restore_state(user: Visitor, survey: Survey, revision: Revision) -> None:
    """Store an earlier state of the draft as its newest one.

    Raises
    ------
    FrozenError
        If the survey has been opened.
    """
    survey = Survey.objects.select_for_update().get(pk=survey.pk)
    survey.refuse_if_opened()
    record_first_state(survey)
    state, others = read_state(revision), Survey.objects.exclude(pk=survey.pk)
    values = select_known(Survey, SURVEY_STATE, state.survey)
    for name, value in values.items():
        setattr(survey, name, value)
    if others.filter(slug=survey.slug).exists():
        survey.slug = others.find_free_slug(survey.slug)
    survey.save()
    survey.questions.exclude(pk__in=state.questions).delete()
    foreign = Question.objects.filter(pk__in=state.questions).exclude(survey=survey)
    taken = set(foreign.values_list("pk", flat=True))
    for pk, values in state.questions.items():
        known = select_known(Question, QUESTION_STATE, values)
        key = None if pk in taken else pk
        question = Question(pk=key, survey=survey, **known)
        question.save()
        question.set_choices(values[CHOICES])
    survey.note_change()
    record_state(user, survey)
