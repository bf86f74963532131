"""Who has an answer: of a survey, and of a file that is read and forgotten."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from candor.cli.regress import coefficients_as_csv
from candor.mechanisms import load_families
from estimation.files.analyses import regression_as_csv
from estimation.files.estimates import analysis_cells
from estimation.pages.regression.forms import (
    FileRegressionForm,
    RegressionForm,
    family_choices,
    first_choice,
)
from estimation.pages.results.views import get_opened_survey, refuse
from estimation.pages.studies.views import is_too_large
from estimation.presentation.planned_sentences import exploratory_line
from estimation.presentation.regression import FilePanel, RegressionPanel
from estimation.rows.groups import SMALLEST_GROUP
from estimation.rows.planned import unplanned
from estimation.rows.regression import regress_questions
from surveys.authoring.pages import render_page
from surveys.design import get_design


@require_safe
def regression_page(request: HttpRequest, survey_id: int) -> HttpResponseBase:
    """Let an answer and its predictors be chosen, and show what they tell."""
    survey = get_opened_survey(request, survey_id)
    questions = get_design(survey).questions
    example = first_choice(questions)
    if example is None:
        messages.info(
            request,
            _("A regression needs a second question, direct or with two answers."),
        )
        return redirect("admin:estimation_results", survey.pk)
    form = RegressionForm.of(survey, request.GET.dict() or example)
    result = None
    if form.is_valid():
        level = form.cleaned_data["confidence_level"]
        result = regress_questions(survey, form.chosen, confidence_level=level)
    return render_page(
        request,
        survey,
        "estimation/regression/regression.html",
        status=200 if form.is_valid() else 400,
        subtitle=_("Regression"),
        form=form,
        result=result,
        panel=RegressionPanel(result) if result else None,
        exploratory=exploratory_line(unplanned(survey)),
        smallest_group=SMALLEST_GROUP,
        query=urlencode(form.cleaned_data),
    )


@require_safe
def regression_csv(request: HttpRequest, survey_id: int) -> HttpResponse:
    """Hand out the coefficients and average effects as CSV."""
    survey = get_opened_survey(request, survey_id)
    form = RegressionForm.of(survey, request.GET.dict())
    if not form.is_valid():
        return refuse(form)
    level = form.cleaned_data["confidence_level"]
    result = regress_questions(survey, form.chosen, confidence_level=level)
    if result.regression is None:
        raise Http404("There are no numbers of this regression.")
    name = f"{survey.slug}-regression.csv"
    return HttpResponse(
        regression_as_csv(
            result, result.regression, analysis_cells(survey, unplanned(survey))
        ),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@require_http_methods(["GET", "HEAD", "POST"])
def regression_of_file(request: HttpRequest) -> HttpResponse:
    """Regress the reports of a file on its columns; nothing of it is stored."""
    is_posted = request.method == "POST"
    form = FileRegressionForm(*((request.POST, request.FILES) if is_posted else ()))
    if is_posted and is_too_large(request):
        form.add_error(None, _("The file is larger than %s.") % "10 MB")
    regression = form.regression if form.is_valid() else None
    if regression and "csv" in request.POST:
        return HttpResponse(
            coefficients_as_csv(regression),
            content_type="text/csv; charset=utf-8",
            headers={"Content-Disposition": 'attachment; filename="regression.csv"'},
        )
    return render_page(
        request,
        None,
        "estimation/regression/file.html",
        status=400 if is_posted and form.errors else 200,
        title=_("Regression of a file"),
        form=form,
        panel=FilePanel(regression) if regression else None,
        families=[
            {"label": label, "numbers": load_families()[name].parameters}
            for name, label in family_choices()
        ],
    )
