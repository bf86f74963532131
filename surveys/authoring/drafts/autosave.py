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

from surveys.authoring.drafts.conflict import Conflict, conflict
from surveys.authoring.drafts.saved import lines_that_followed, stored_as
from surveys.authoring.forms.named_errors import NamedError, named_errors
from surveys.authoring.pages import about, describe
from surveys.models import Survey

ASKED = "_autosave"


def autosave(desk: Any, request: HttpRequest, survey: Survey) -> JsonResponse:
    """Save what a script posts, through the admin that `desk` is.

    The caller holds the survey's row and has asked whether it may be changed.
    """
    form = desk.get_form(request, survey, change=True)(request.POST, instance=survey)
    formsets = [
        each(
            **desk.get_formset_kwargs(
                request, form.instance, inline, each.get_default_prefix()
            )
        )
        for each, inline in desk.get_formsets_with_inlines(request, survey)
    ]
    is_valid = form.is_valid()
    is_valid = all_valid(formsets) and is_valid
    if form.has_error("version"):
        found = conflict(request.user, survey, form, formsets)
        if found.differences:
            return refused(found, request)
    elif not is_valid:
        # No error of HTTP: the server's log would have a line for each pause.
        told = not_yet(named_errors(form, formsets))
        return JsonResponse({"outcome": "unfinished", "told": told})
    else:
        desk.save_form(request, form, change=True)
        desk.save_model(request, survey, form, True)
        desk.save_related(request, form, formsets, True)
        message = desk.construct_change_message(request, form, formsets)
        desk.log_change(request, survey, message)
    return JsonResponse(
        {
            "outcome": "saved",
            "told": " ".join(
                [
                    _("Saved at %s.") % date_format(timezone.localtime(), "H:i"),
                    *filter(None, [lines_that_followed(survey)]),
                ]
            ),
            "version": survey.version,
            "followed": survey.renumbered,
            "questions": {
                number: pk
                for formset in formsets
                for number, pk in stored_as(formset).items()
            },
            **head_of_page(request, survey.pk),
        }
    )


def head_of_page(request: HttpRequest, survey_id: int) -> dict[str, str]:
    """Return what stands above the form, as it is by now."""
    survey = Survey.objects.get(pk=survey_id)
    told = about(request, survey) | describe(request, survey)
    status = render_to_string("surveys/authoring/_status.html", told, request)
    return {"title": survey.title, "status": status}


def refused(found: Conflict, request: HttpRequest) -> JsonResponse:
    template = "surveys/authoring/drafts/_conflict.html"
    shown = {"conflict": found, "is_put_in_place": True}
    return JsonResponse(
        {
            "outcome": "conflict",
            "told": changed_by(found.who),
            "notice": render_to_string(template, shown, request),
        }
    )


def changed_by(who: str) -> str:
    """Return who came first; nobody's name where it was the same person elsewhere."""
    if who:
        return _("Not saved: %s changed the draft meanwhile.") % who
    return _(
        "Not saved: you changed the draft in another window, or before you came back."
    )


def not_yet(errors: Sequence[NamedError]) -> str:
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
