"""Weighted results of one survey: page and file. Nothing that is entered is stored."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from estimation.files.analyses import weighted_as_csv
from estimation.pages.results.views import get_opened_survey, refuse
from estimation.pages.weighting.forms import MarginsFileForm, WeightsForm
from estimation.presentation.planned_sentences import exploratory_line
from estimation.presentation.weighted import WeightedSurveyPanel
from estimation.rows.counts import read_patterns
from estimation.rows.groups import SMALLEST_GROUP
from estimation.rows.planned import unplanned
from estimation.rows.weighted import WeightedResults, weighted_results
from surveys.access import has_role
from surveys.authoring.pages import render_page
from surveys.models import Role, Survey


@require_http_methods(["GET", "HEAD", "POST"])
def weighted(request: HttpRequest, survey_id: int) -> HttpResponseBase:
    """Let known shares be entered, and show what they make of the results."""
    survey = get_opened_survey(request, survey_id)
    form = WeightsForm.of(survey, request.GET.dict())
    if not form.direct:
        messages.info(
            request, _("No question is asked directly: nothing to weight by.")
        )
        return redirect("admin:estimation_results", survey.pk)
    is_valid, file = form.is_valid(), MarginsFileForm(form.direct)
    if request.method == "POST":
        file = MarginsFileForm(form.direct, request.POST, request.FILES)
        if file.is_valid():
            address = reverse("admin:estimation_weighted", args=[survey.pk])
            options = {name: form.data[name] for name in form.DEFAULTS}
            query = urlencode({**options, **file.cleaned_data["file"]})
            return redirect(f"{address}?{query}")
    has_margins = is_valid and bool(form.margins)
    results = get_results(request, survey, form) if has_margins else None
    return render_page(
        request,
        survey,
        "estimation/weighting/weighted.html",
        status=200 if is_valid and not file.errors else 400,
        subtitle=_("Weighted results"),
        form=form,
        file=file,
        panel=WeightedSurveyPanel(results) if results else None,
        exploratory=exploratory_line(unplanned(survey)),
        smallest_group=SMALLEST_GROUP,
        query=urlencode(form.query) if is_valid else "",
    )


@require_safe
def weighted_csv(request: HttpRequest, survey_id: int) -> HttpResponse:
    """Hand out the weighted estimates as CSV."""
    survey = get_opened_survey(request, survey_id)
    form = WeightsForm.of(survey, request.GET.dict())
    if not form.is_valid():
        return refuse(form)
    results = get_results(request, survey, form) if form.margins else None
    if results is None or not results.questions:
        raise Http404("There is no question that can be weighted.")
    return HttpResponse(
        weighted_as_csv(results),
        content_type="text/csv; charset=utf-8",
        headers={
            "Content-Disposition": f'attachment; filename="{survey.slug}-weighted.csv"'
        },
    )


def get_results(
    request: HttpRequest, survey: Survey, form: WeightsForm
) -> WeightedResults:
    """Return what was asked for, as far as whoever asks may see it."""
    return weighted_results(
        read_patterns(survey, seals=False),
        form.margins,
        sees_reports=has_role(request.user, survey, Role.EDITOR),
        **form.interval,
    )
