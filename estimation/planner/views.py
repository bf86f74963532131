"""The planner behind the authoring form. The admin's site asks for the login."""

from dataclasses import asdict
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, JsonResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from estimation.charts.margins import draw_margins
from estimation.maths.planning.margin_curve import margin_curve
from estimation.planner.inputs import PlanChartForm, PlanForm, read_questions, refusals
from estimation.planner.panels import (
    Assumptions,
    chart_query,
    describe_question,
    describe_survey,
    plan_questions,
)


@require_safe
def plan(request: HttpRequest) -> HttpResponse:
    """Work out every figure of the questions as they stand on a form.

    Nothing is stored. Where something is wrong the answer is 400, and has the figures
    of those questions that are in order.
    """
    form = PlanForm(request.GET)
    if not form.is_valid():
        wrong = [asdict(each) for each in refusals(form)]
        return answer({"errors": wrong, "questions": [], "survey": None}, status=400)
    assumed = Assumptions(**form.cleaned_data)
    asked = request.GET.getlist("question")
    tables, refused = read_questions(asked, language=assumed.language)
    questions = plan_questions(tables, assumed)
    survey = None if refused else describe_survey(questions, assumed)
    if survey and survey["curve"]:
        address = reverse("admin:estimation_plan_chart")
        query = chart_query(questions, request.GET)
        survey["curve"]["address"] = f"{address}?{query}"
    found = {
        "errors": [asdict(each) for each in refused],
        "questions": [describe_question(each, assumed) for each in questions],
        "survey": survey,
    }
    return answer(found, status=400 if refused else 200)


@require_safe
def plan_chart(request: HttpRequest) -> HttpResponse:
    """Draw the margin of error of one question against the number of respondents."""
    form = PlanChartForm(request.GET)
    if not form.is_valid():
        return HttpResponseBadRequest(form.errors.as_text(), content_type="text/plain")
    theme, size = form.cleaned_data.pop("theme"), form.cleaned_data.pop("size")
    assumed = Assumptions(**form.cleaned_data)
    asked = request.GET.getlist("question")
    tables, refused = read_questions(asked, language=assumed.language)
    if refused or len(tables) != 1:
        message = refused[0].message if refused else "question must be given once"
        return HttpResponseBadRequest(message, content_type="text/plain")
    try:
        curve = margin_curve(
            tables[0].mechanism,
            share=assumed.share,
            respondents=assumed.planned,
            margin=assumed.wanted,
        )
    except ValueError as error:
        return HttpResponseBadRequest(str(error), content_type="text/plain")
    svg = draw_margins(curve, theme=theme, size=size)
    return HttpResponse(svg, content_type="image/svg+xml")


def answer(found: dict[str, Any], *, status: int) -> JsonResponse:
    """Return JSON that no cache keeps: it repeats what somebody is writing."""
    return JsonResponse(
        found, status=status, headers={"Cache-Control": "no-store, private"}
    )
