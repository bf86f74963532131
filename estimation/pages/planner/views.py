"""The planner behind the authoring form. The admin's site asks for the login."""

from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import render
from django.views.decorators.http import require_safe

from estimation.pages.planner.forms import Assumptions, PlanForm
from estimation.pages.planner.panels import plan_survey, read_questions
from estimation.pages.planner.survey import make_curve
from estimation.presentation.charts.files import FORMATS, write_file
from estimation.presentation.charts.margins import draw_margins


@require_safe
def plan(request: HttpRequest) -> HttpResponse:
    """Show every figure of the questions as they stand on a form.

    Nothing is stored. Where something is wrong the answer is 400, and has the figures
    of those questions that are in order.
    """
    planner = plan_survey(request.GET)
    status = 400 if planner.refused else 200
    page = "estimation/planner/_panels.html"
    return render(request, page, {"planner": planner}, status=status)


@require_safe
def plan_chart(request: HttpRequest) -> HttpResponse:
    """Draw the margin of error of one question against the number of respondents."""
    form = PlanForm(request.GET)
    if not form.is_valid():
        return HttpResponseBadRequest(form.errors.as_text(), content_type="text/plain")
    assumed = Assumptions(**form.cleaned_data)
    asked = request.GET.getlist("question")
    tables, refused = read_questions(asked, language=assumed.language)
    if refused or len(tables) != 1:
        message = refused[0].message if refused else "question must be given once"
        return HttpResponseBadRequest(message, content_type="text/plain")
    try:
        curve = make_curve(tables[0].mechanism, assumed)
    except ValueError as error:
        return HttpResponseBadRequest(str(error), content_type="text/plain")
    svg = write_file(draw_margins(curve), "svg")
    return HttpResponse(svg, content_type=FORMATS["svg"])
