"""Who has an answer: page and table as a file."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from estimation.compare.result import SMALLEST_GROUP
from estimation.regression.files import regression_as_csv
from estimation.regression.forms import RegressionForm, first_choice
from estimation.regression.panels import RegressionPanel
from estimation.regression.questions import regress_questions
from estimation.results.views import get_opened_survey, refuse
from surveys.authoring.pages import page
from surveys.design import design_of


@require_safe
def regression_page(request: HttpRequest, survey_id: int) -> HttpResponseBase:
    """Let an answer and its predictors be chosen, and show what they tell."""
    survey = get_opened_survey(request, survey_id)
    questions = design_of(survey).questions
    example = first_choice(questions)
    if example is None:
        messages.info(
            request,
            _("A regression needs a second question, direct or with two answers."),
        )
        return redirect("admin:estimation_results", survey.pk)
    form = RegressionForm(request.GET.dict() or example, questions)
    result = None
    if form.is_valid():
        level = form.cleaned_data["confidence_level"]
        result = regress_questions(survey, form.chosen, confidence_level=level)
    return page(
        request,
        survey,
        "estimation/regression/regression.html",
        status=200 if form.is_valid() else 400,
        subtitle=_("Regression"),
        form=form,
        result=result,
        panel=RegressionPanel(result) if result else None,
        smallest_group=SMALLEST_GROUP,
        query=urlencode(form.cleaned_data),
    )


@require_safe
def regression_csv(request: HttpRequest, survey_id: int) -> HttpResponse:
    """Hand out the coefficients and average effects as CSV."""
    survey = get_opened_survey(request, survey_id)
    form = RegressionForm(request.GET.dict(), design_of(survey).questions)
    if not form.is_valid():
        return refuse(form)
    level = form.cleaned_data["confidence_level"]
    result = regress_questions(survey, form.chosen, confidence_level=level)
    if result.regression is None:
        raise Http404("There are no numbers of this regression.")
    name = f"{survey.slug}-regression.csv"
    return HttpResponse(
        regression_as_csv(result, result.regression),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
