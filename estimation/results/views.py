"""The pages of one survey's results. The admin's site asks for the login."""

from django.contrib import messages
from django.forms import Form
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBadRequest,
)
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from estimation.results.forms import SupposingForm
from estimation.results.panels import SurveyPanel
from estimation.results.result import get_results
from surveys.access import get_survey_for_user
from surveys.authoring.pages import page
from surveys.models import Survey


@require_safe
def results(request: HttpRequest, survey_id: int) -> HttpResponseBase:
    """Show every question's share with its interval."""
    survey = get_survey_for_user(request.user, survey_id)
    if survey.is_draft:
        messages.info(request, _("There are no results before the survey is open."))
        return redirect("admin:surveys_survey_change", survey.pk)
    if survey.purged_on:
        gone = "estimation/results/purged.html"
        return page(request, survey, gone, subtitle=_("Results"))
    form = SupposingForm.of(survey, request.GET.dict())
    is_valid = form.is_valid()
    results = get_results(survey, **form.interval) if is_valid else None
    return page(
        request,
        survey,
        "estimation/results/results.html",
        status=200 if is_valid else 400,
        subtitle=_("Results"),
        form=form,
        results=results,
        panel=SurveyPanel(results, form.supposed) if results else None,
        query=urlencode(form.query) if is_valid else "",
    )


def get_opened_survey(request: HttpRequest, survey_id: int) -> Survey:
    """Return the survey; one without any reports to read is not found."""
    survey = get_survey_for_user(request.user, survey_id)
    if survey.is_draft:
        raise Http404("There are no results before the survey is open.")
    if survey.purged_on:
        raise Http404("The reports of this survey were deleted.")
    return survey


def refuse(form: Form) -> HttpResponse:
    """Say in plain text what is wrong with the address."""
    return HttpResponseBadRequest(form.errors.as_text(), content_type="text/plain")
