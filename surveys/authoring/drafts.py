"""Save drafts automatically, and report the outcome."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.forms import all_valid
from django.http import HttpRequest, JsonResponse
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from surveys.authoring.merging import Merge
from surveys.authoring.pages import NamedError, list_errors
from surveys.authoring.posted import map_stored_questions
from surveys.authoring.renumbering import describe_renumbering
from surveys.models import Survey


def list_changed_keys(formset: Any) -> Iterator[int]:
    """Yield the key of each question in the order in which Django's log names them."""
    yield from (question.pk for question in formset.new_objects)
    yield from (question.pk for question, _fields in formset.changed_objects)
    # Deleted questions have lost their key; the posted form still has it.
    deleted = formset.deleted_forms
    yield from (
        int(form["id"].value()) for form in formset.initial_forms if form in deleted
    )


def list_rewritten_conditions(formsets: Sequence[Any]) -> list[int]:
    return [
        form.instance.pk
        for formset in formsets
        for form in formset.forms
        if "show_if" in form.changed_data and form.instance.pk
    ]


AUTOSAVE = "_autosave"


def autosave(model_admin: Any, request: HttpRequest, survey: Survey) -> JsonResponse:
    """Save a form posted by a script, as `model_admin` would.

    The caller has locked the survey's row and checked the permission to change it.
    """
    form = model_admin.get_form(request, survey, change=True)(
        request.POST, instance=survey
    )
    formsets = [
        each(
            **model_admin.get_formset_kwargs(
                request, form.instance, inline, each.get_default_prefix()
            )
        )
        for each, inline in model_admin.get_formsets_with_inlines(request, survey)
    ]
    is_valid = form.is_valid()
    is_valid = all_valid(formsets) and is_valid
    if not is_valid:
        # Not an HTTP error: the server's log would have a line for each pause.
        text = describe_errors(list_errors(form, formsets))
        return JsonResponse({"outcome": "unfinished", "message": text})
    model_admin.save_form(request, form, change=True)
    model_admin.save_model(request, survey, form, True)
    model_admin.save_related(request, form, formsets, True)
    message = model_admin.construct_change_message(request, form, formsets)
    model_admin.log_change(request, survey, message)
    numbers = {
        number: pk
        for formset in formsets
        for number, pk in map_stored_questions(formset).items()
    }
    conditions = {
        f"questions-{number}-show_if": survey.renumbered_conditions[pk]
        for number, pk in numbers.items()
        if pk in survey.renumbered_conditions
    }
    return JsonResponse(
        {
            "outcome": "saved",
            "message": " ".join(
                [
                    _("Saved at %s.") % date_format(timezone.localtime(), "H:i"),
                    *filter(None, [describe_renumbering(survey)]),
                ]
            ),
            "version": survey.version,
            "followed": {**survey.renumbered, **conditions},
            "questions": numbers,
            "title": survey.title,
        }
    )


def answer_merge(
    merge: Merge, changes: Mapping[str, str], request: HttpRequest
) -> JsonResponse:
    answer: dict[str, Any] = {"outcome": "merged", "message": describe_merge(merge)}
    if not merge.is_open:
        return JsonResponse({**answer, "version": merge.version, "changes": changes})
    template = "surveys/authoring/drafts/_conflict.html"
    notice = render_to_string(
        template, {"merge": merge, "is_put_in_place": True}, request
    )
    return JsonResponse({**answer, "outcome": "conflict", "notice": notice})


def describe_merge(merge: Merge) -> str:
    if merge.is_open:
        return _("Not saved: choose between two texts.")
    if merge.who:
        return _("Merged with the changes by %s.") % merge.who
    return _("Merged with your changes in another window.")


def describe_errors(errors: Sequence[NamedError]) -> str:
    if not errors:
        return _("Not saved yet.")
    first, *others = errors
    wrong = (
        _("%s is still empty") % first.name
        if first.code == "required"
        else f"{first.name}: {first.message.rstrip('.')}"
    )
    text = _("Not saved yet: %s.") % wrong
    return f"{text} {_('And %s more.') % len(others)}" if others else text
