"""Render pages for researchers, with the context that all of them share."""

from typing import Any

from django.contrib import admin
from django.db.models import prefetch_related_objects
from django.http import HttpRequest
from django.template.response import TemplateResponse

from surveys.access import get_rights, get_survey_for_user
from surveys.models import Role, Survey
from surveys.text.closing import describe_closing
from surveys.text.explanations import get_total_protection


def find_survey(
    request: HttpRequest, survey_id: int, *, role: Role = Role.VIEWER
) -> Survey:
    """Return the survey, of a rehearsal the draft that it belongs to."""
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
    """Return a researcher's page, about `survey` where there is one.

    The survey's title is that of the page unless `context` has another one.
    """
    shown = {
        **admin.site.each_context(request),
        **get_page_context(request, survey),
        **context,
    }
    return TemplateResponse(request, template, shown, status=status)


def get_page_context(request: HttpRequest, survey: Survey | None) -> dict[str, Any]:
    """Return the context that the templates of all these pages share."""
    return {
        "survey": survey,
        "title": survey.title if survey else "",
        "subtitle": None,
        **get_rights(request.user, survey),
    }


def get_status_context(request: HttpRequest, survey: Survey) -> dict[str, Any]:
    """Return the status that the form and the page before opening show."""
    prefetch_related_objects([survey], "questions__choices")
    return {
        "address": request.build_absolute_uri(survey.get_absolute_url()),
        "problems": survey.problems() if survey.is_draft else [],
        "protection": get_total_protection(survey),
        "closing": describe_closing(survey),
    }
