"""A copy of a survey to change: what an opened one no longer allows."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from surveys.files.definition import QUESTION_FIELDS, SURVEY_FIELDS
from surveys.models import Survey, Visitor, require_researcher


def duplicate(survey: Survey, owner: Visitor) -> Survey:
    """Return a draft of `owner` with the same texts, questions and plans."""
    longest = Survey._meta.get_field("title").max_length
    title = (_("Copy of %s") % survey.title)[:longest]
    return copy_survey(
        survey,
        owner=require_researcher(owner),
        title=title,
        slug=Survey.objects.find_free_slug(title),
        closes_on=None if survey.is_over else survey.closes_on,
    )


@transaction.atomic
def copy_survey(survey: Survey, **changed: Any) -> Survey:
    """Return a draft with all that was written into `survey`, but for `changed`."""
    written = {name: getattr(survey, name) for name in SURVEY_FIELDS}
    copy = Survey.objects.create(**written | changed)
    for question in survey.questions.prefetch_related("choices"):
        # Not built again: a draft may hold what a mechanism of today refuses.
        twin = copy.questions.create(
            position=question.position,
            parameters=question.parameters,
            scale=question.scale,
            **{name: getattr(question, name) for name in QUESTION_FIELDS},
        )
        twin.set_choices([choice.label for choice in question.choices.all()])
    return copy
