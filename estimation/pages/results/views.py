"""The pages of one survey's results. The admin's site asks for the login."""

from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from estimation.pages.results.forms import SupposingForm
from estimation.presentation.question import QuestionPanel
from estimation.presentation.survey import Overview, SurveyPanel
from estimation.rows.counts import CACHED_QUESTIONS
from estimation.rows.shares import get_results
from surveys.access import get_survey_for_user
from surveys.authoring.pages import render_page
from surveys.models import Survey
from surveys.text.language_cache import cache_by_language

CACHED_OVERVIEWS = 16
"""Of a survey with 200 questions one is 130 kB, beside its questions' results."""


@require_safe
def results(request: HttpRequest, survey_id: int) -> HttpResponseBase:
    """Show every question's share with its interval."""
    survey = get_survey_for_user(request.user, survey_id)
    if survey.is_draft:
        messages.info(request, _("There are no results before the survey is open."))
        return redirect("admin:surveys_survey_change", survey.pk)
    if survey.purged_on:
        gone = "estimation/results/purged.html"
        return render_page(request, survey, gone, subtitle=_("Results"))
    form = SupposingForm.of(survey, request.GET.dict())
    shown: dict[str, Any] = {}
    if form.is_valid():
        panel = SurveyPanel(get_results(survey, **form.interval), form.supposed)
        query = urlencode(form.query)
        cards = [card(each, survey.pk, query) for each in panel.questions]
        if len(panel.overview.drawn) > 1:
            cards.insert(0, overview_card(panel.overview, survey.pk, query))
        shown = {
            "panel": panel,
            "results": panel.results,
            "cards": cards,
            "query": query,
        }
    return render_page(
        request,
        survey,
        "estimation/results/results.html",
        status=200 if shown else 400,
        subtitle=_("Results"),
        form=form,
        **shown,
    )


@cache_by_language(maxsize=CACHED_QUESTIONS)
def card(question: QuestionPanel, survey_id: int, query: str) -> SafeString:
    """Return a question's part of the page: nothing else than these goes into it.

    Three quarters of a page's time are spent in it, and most who look, look again.
    """
    told = {"question": question, "survey": {"pk": survey_id}, "query": query}
    return render_to_string("estimation/results/_question.html", told)


@cache_by_language(maxsize=CACHED_OVERVIEWS)
def overview_card(overview: Overview, survey_id: int, query: str) -> SafeString:
    """Return the part of the page for all questions at a glance, likewise."""
    told = {"overview": overview, "survey": {"pk": survey_id}, "query": query}
    return render_to_string("estimation/results/_overview.html", told)


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
