"""A draft that saves itself: the form's own way to the database, answered to a script.

All of it is stored or nothing, as with the button. What is wrong is named and stays on
the page; docs/decisions/0010-drafts.md.
"""

from collections.abc import Sequence
from typing import Any

from django.forms import all_valid
from django.http import HttpRequest, JsonResponse
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from surveys.authoring.drafts.conflict import Conflict, find_conflict
from surveys.authoring.drafts.saved import describe_renumbering, map_stored_questions
from surveys.authoring.forms.named_errors import NamedError, list_errors
from surveys.authoring.pages import get_page_context, get_status_context
from surveys.models import Survey

AUTOSAVE = "_autosave"


def autosave(model_admin: Any, request: HttpRequest, survey: Survey) -> JsonResponse:
    """Save what a script posts, through the admin that `model_admin` is.

    The caller holds the survey's row and has asked whether it may be changed.
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
    if form.has_error("version"):
        found = find_conflict(request.user, survey, form, formsets)
        if found.differences:
            return answer_conflict(found, request)
    elif not is_valid:
        # No error of HTTP: the server's log would have a line for each pause.
        text = describe_errors(list_errors(form, formsets))
        return JsonResponse({"outcome": "unfinished", "told": text})
    else:
        model_admin.save_form(request, form, change=True)
        model_admin.save_model(request, survey, form, True)
        model_admin.save_related(request, form, formsets, True)
        message = model_admin.construct_change_message(request, form, formsets)
        model_admin.log_change(request, survey, message)
    return JsonResponse(
        {
            "outcome": "saved",
            "told": " ".join(
                [
                    _("Saved at %s.") % date_format(timezone.localtime(), "H:i"),
                    *filter(None, [describe_renumbering(survey)]),
                ]
            ),
            "version": survey.version,
            "followed": survey.renumbered,
            "questions": {
                number: pk
                for formset in formsets
                for number, pk in map_stored_questions(formset).items()
            },
            **render_status(request, survey.pk),
        }
    )


def render_status(request: HttpRequest, survey_id: int) -> dict[str, str]:
    """Return what stands above the form, as it is by now."""
    survey = Survey.objects.get(pk=survey_id)
    context = get_page_context(request, survey) | get_status_context(request, survey)
    status = render_to_string("surveys/authoring/_status.html", context, request)
    return {"title": survey.title, "status": status}


def answer_conflict(found: Conflict, request: HttpRequest) -> JsonResponse:
    template = "surveys/authoring/drafts/_conflict.html"
    shown = {"conflict": found, "is_put_in_place": True}
    return JsonResponse(
        {
            "outcome": "conflict",
            "told": describe_change(found.who),
            "notice": render_to_string(template, shown, request),
        }
    )


def describe_change(who: str) -> str:
    """Return who came first; nobody's name where it was the same person elsewhere."""
    if who:
        return _("Not saved: %s changed the draft meanwhile.") % who
    return _(
        "Not saved: you changed the draft in another window, or before you came back."
    )


def describe_errors(errors: Sequence[NamedError]) -> str:
    """Return in one sentence what keeps the draft from being saved."""
    if not errors:
        return _("Not saved yet: something on this page is amiss.")
    first, *others = errors
    amiss = (
        _("%s is still empty") % first.name
        if first.code == "required"
        else f"{first.name}: {first.message.rstrip('.')}"
    )
    if not others:
        return _("Not saved yet: %s.") % amiss
    more = ngettext("and %s more", "and %s more", len(others)) % len(others)
    return _("Not saved yet: %(first)s, %(more)s.") % {"first": amiss, "more": more}
