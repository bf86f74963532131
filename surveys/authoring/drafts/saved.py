"""Read and renumber the questions of a page after saving."""

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from surveys.authoring.drafts.posted import SENT_AS
from surveys.models import Survey


def list_changed_keys(formset: Any) -> Iterator[int]:
    """Yield the key of each question in the order in which Django's log names them."""
    yield from (question.pk for question in formset.new_objects)
    yield from (question.pk for question, _fields in formset.changed_objects)
    # Deleted ones have lost theirs; what was posted still has it.
    deleted = formset.deleted_forms
    yield from (
        int(form["id"].value()) for form in formset.initial_forms if form in deleted
    )


def move_unknown_questions_last(survey: Survey, formset: Any) -> None:
    """Give questions that others added, unknown to the page, the last places."""
    kept = {form.instance.pk for form in formset.forms if form.instance.pk}
    last = max((form.instance.position for form in formset.kept_forms()), default=0)
    for place, question in enumerate(survey.questions.exclude(pk__in=kept), last + 1):
        if question.position != place:
            question.position = place
            question.save(update_fields=["position"])


def map_stored_questions(formset: Any) -> dict[str, int]:
    """Return the key of each stored question by its number on the page."""
    return {
        formset.data[form.add_prefix(SENT_AS)]: form.instance.pk
        for form in formset.forms
        if form.instance.pk and form not in formset.deleted_forms
    }


def read_positions(survey: Survey) -> dict[int, int]:
    """Return the stored number of each question by its key."""
    return dict(survey.questions.values_list("pk", "position"))


def map_positions(
    before: Mapping[int, int], after: Mapping[int, int]
) -> dict[int, int | None]:
    """Return the new number of each question by its old one; None of what is gone."""
    return {place: after.get(pk) for pk, place in before.items()}


def describe_renumbering(survey: Survey) -> str:
    """Say which lines name questions by other numbers since these moved."""
    names = forms.fields_for_model(Survey, fields=survey.renumbered)
    sentences = [
        _("%(name)s: %(line)s.")
        % {"name": names[each].label, "line": line or _("nothing any more")}
        for each, line in survey.renumbered.items()
    ]
    if sentences:
        sentences.insert(0, _("Questions have other numbers now."))
    return " ".join(sentences)
