"""Render pages for researchers: their shared context, and the errors of their forms."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import prefetch_related_objects
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from surveys.access import get_rights, get_survey_for_user
from surveys.models import Role, Survey
from surveys.text.explanations import describe_closing, get_total_protection


def find_survey(
    request: HttpRequest, survey_id: int, *, role: Role = Role.VIEWER
) -> Survey:
    survey = get_survey_for_user(request.user, survey_id, role=role)
    return survey.rehearsal_of or survey


def render_page(
    request: HttpRequest,
    survey: Survey | None,
    template: str,
    *,
    status: int = 200,
    **context: Any,
) -> TemplateResponse:
    """Return a researcher's page, about `survey` where there is one."""
    shown = {
        **admin.site.each_context(request),
        **get_page_context(request, survey),
        **context,
    }
    return TemplateResponse(request, template, shown, status=status)


def get_page_context(request: HttpRequest, survey: Survey | None) -> dict[str, Any]:
    return {
        "survey": survey,
        "title": survey.title if survey else "",
        "subtitle": None,
        **get_rights(request.user, survey),
    }


def get_status_context(request: HttpRequest, survey: Survey) -> dict[str, Any]:
    prefetch_related_objects([survey], "questions__choices")
    return {
        "address": request.build_absolute_uri(survey.get_absolute_url()),
        "problems": survey.problems() if survey.is_draft else [],
        "protection": get_total_protection(survey),
        "closing": describe_closing(survey),
    }


@dataclass(frozen=True)
class NamedError:
    name: str
    target: str
    message: str
    code: str = ""


def list_errors(form: forms.BaseForm, formsets: Sequence[Any]) -> list[NamedError]:
    found = list(list_form_errors(form, prefix=""))
    for formset in formsets:
        kept = [each for each in formset.forms if not is_removed(formset, each)]
        # In the order in which scripts show them after an error: by position.
        for number, each in enumerate(sorted(kept, key=get_position), start=1):
            found += list_form_errors(each, prefix=_("Question %s, ") % number)
        target = f"{formset.prefix}-group"
        for error in formset.non_form_errors().as_data():
            # Others concern the page, not what was typed.
            if error.code == "max_length":
                found.append(NamedError(_("Questions"), target, error.messages[0]))
    return found


def get_position(form: forms.BaseForm) -> float:
    try:
        return int(form["position"].value())
    except (TypeError, ValueError):
        return math.inf


def is_removed(formset: Any, form: forms.BaseForm) -> bool:
    """Whether the form is marked for deletion, so that its errors do not matter."""
    name = form.add_prefix("DELETE")
    return formset.is_bound and form.data.get(name) == "on"


def list_form_errors(form: forms.BaseForm, *, prefix: str) -> Iterator[NamedError]:
    # Most forms have no errors, and iterating over a form creates each field.
    for field in form if form.errors else ():
        for error in field.errors.as_data():
            # A group of radio buttons has no id of its own; its first button has.
            target = field.id_for_label or f"{field.auto_id}_0"
            name = f"{prefix}{field.label}"
            for message in error.messages:
                yield NamedError(name, target, message, error.code or "")
