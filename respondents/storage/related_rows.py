"""Models and rows that refer to a survey, found by Django's list of relations."""

from collections.abc import Iterator

from django.db.models import ManyToOneRel, Model, QuerySet

from surveys.models import Survey


def list_relations() -> Iterator[tuple[type[Model], str]]:
    """Yield each model that refers to a survey, and its field, hidden ones included.

    Models of other apps too, which this one does not know: docs/decisions/0003 says
    why.
    """
    for relation in Survey._meta.get_fields(include_hidden=True):
        if isinstance(relation, ManyToOneRel) and relation.related_model != Survey:
            yield relation.related_model, relation.field.name


def list_answer_models() -> list[type[Model]]:
    """Return the models whose rows come from what respondents sent.

    The app `surveys` holds what is asked and by whom. All other rows that refer to a
    survey are about its answers.
    """
    label = Survey._meta.app_label
    return [
        model for model, _field in list_relations() if model._meta.app_label != label
    ]


def list_rows(survey_id: int) -> Iterator[QuerySet[Model]]:
    """Yield the rows of each model that refers to this survey."""
    for model, field in list_relations():
        yield model._base_manager.filter(**{field: survey_id})


def list_answer_rows(survey_id: int) -> Iterator[QuerySet[Model]]:
    """Yield the rows of the survey in each of `list_answer_models`."""
    models = list_answer_models()
    for rows in list_rows(survey_id):
        if rows.model in models:
            yield rows
