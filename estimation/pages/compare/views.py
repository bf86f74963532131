"""Two questions, or two surveys, together: page, chart and table as a file."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from estimation.files.analyses import comparison_as_csv
from estimation.files.estimates import analysis_cells
from estimation.pages.compare.forms import CompareForm
from estimation.pages.results.charts import chart_response
from estimation.pages.results.views import get_opened_survey, refuse
from estimation.presentation.comparison import ComparisonPanel
from estimation.presentation.planned_sentences import comparison_line
from estimation.rows.comparison import Comparison, compare
from estimation.rows.groups import SMALLEST_GROUP
from estimation.rows.independent_samples import (
    are_arms,
    compare_arms,
    compare_surveys,
    find_similar_surveys,
)
from surveys.authoring.pages import render_page
from surveys.design import get_design
from surveys.models import Survey


@require_safe
def compare_page(request: HttpRequest, survey_id: int) -> HttpResponseBase:
    """Let groups or surveys be chosen, and show by how much they differ."""
    survey = get_opened_survey(request, survey_id)
    design = get_design(survey)
    questions = design.questions
    others = find_similar_surveys(request.user, survey, questions)
    # A scale sent as one bit tells a mean and no shares: it makes no groups.
    telling = [
        number
        for number, question in enumerate(questions, start=1)
        if question.mechanism.tells_shares
    ]
    numbers = [*telling, *(set(range(1, len(questions) + 1)) - {*telling})]
    defaults: dict[str, object] = dict(zip(("first", "second"), numbers, strict=False))
    if len(telling) == 1:
        defaults = dict(zip(("second", "first"), numbers, strict=False))
    if not telling or len(questions) < 2:
        if not others:
            told = (
                _("No other survey that you may see asks this question.")
                if len(questions) < 2
                else _("Groups need a question that tells the share of every answer.")
            )
            messages.info(request, told)
            return redirect("admin:estimation_results", survey.pk)
        defaults = {"first": numbers[0], "second": numbers[0], "other": others[0].pk}
    form = CompareForm.of(survey, {**defaults, **request.GET.dict()}, others)
    is_valid = form.is_valid()
    comparison = compared(request, survey, form) if is_valid else None
    return render_page(
        request,
        survey,
        "estimation/compare/compare.html",
        status=200 if is_valid else 400,
        subtitle=_("Compare groups"),
        form=form,
        comparison=comparison,
        panel=ComparisonPanel(comparison) if comparison else None,
        planned=comparison_line(survey, form.analysis(survey)) if is_valid else "",
        smallest_group=SMALLEST_GROUP,
        query=urlencode(
            {name: value for name, value in form.cleaned_data.items() if value}
        ),
    )


def compared(request: HttpRequest, survey: Survey, form: CompareForm) -> Comparison:
    """Return the comparison that a valid form asks for."""
    other = form.cleaned_data.get("other")
    if other is None:
        is_split = are_arms(get_design(survey), **form.pair)
        return (compare_arms if is_split else compare)(survey, **form.comparison)
    return compare_surveys(
        survey,
        get_opened_survey(request, other),
        form.cleaned_data["first"],
        **form.interval,
    )


@require_safe
def compare_chart(
    request: HttpRequest, survey_id: int, file_format: str
) -> HttpResponse:
    """Draw the shares within each group that is large enough."""
    survey = get_opened_survey(request, survey_id)
    others = find_similar_surveys(request.user, survey, get_design(survey).questions)
    form = CompareForm.of(survey, request.GET.dict(), others)
    if not form.is_valid():
        return refuse(form)
    chart = ComparisonPanel(compared(request, survey, form)).chart
    return chart_response(request, chart, file_format, f"{survey.slug}-groups")


@require_safe
def compare_csv(request: HttpRequest, survey_id: int) -> HttpResponse:
    """Hand out the shares of both questions together as CSV."""
    survey = get_opened_survey(request, survey_id)
    others = find_similar_surveys(request.user, survey, get_design(survey).questions)
    form = CompareForm.of(survey, request.GET.dict(), others)
    if not form.is_valid():
        return refuse(form)
    comparison = compared(request, survey, form)
    if not comparison.shown:
        raise Http404("There is no group that is large enough.")
    return HttpResponse(
        comparison_as_csv(comparison, analysis_cells(survey, form.analysis(survey))),
        content_type="text/csv; charset=utf-8",
        headers={
            "Content-Disposition": f'attachment; filename="{survey.slug}-groups.csv"'
        },
    )
