"""The planner behind the authoring form, and the opening of a survey."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods, require_safe

from candor.intervals import DEFAULT_CONFIDENCE_LEVEL
from candor.mechanisms.draws import compute_chance
from candor.planning.assumptions import assume
from candor.planning.fieldwork import expect_reports
from estimation.pages.planner.panels import plan_survey, read_query
from estimation.pages.planner.survey import make_curve
from estimation.presentation.charts.drawing import FORMATS, write_file
from estimation.presentation.charts.margins import draw_margins
from estimation.presentation.ledger import make_ledger_table
from respondents.distribution.rehearsal import open_survey
from surveys.access import get_survey_for_user
from surveys.authoring.checklist import make_checklist
from surveys.authoring.pages import get_status_context, render_page
from surveys.log import record
from surveys.models import Role, Survey
from surveys.text.explanations import explain, make_closing_sentence

CONFIRMS = "confirms-fingerprint"
"""The box that says that the key holder has confirmed the fingerprint."""


@require_safe
def plan(request: HttpRequest) -> HttpResponse:
    planner = plan_survey(request.GET)
    status = 400 if planner.refused else 200
    page = "estimation/planner/_panels.html"
    return render(request, page, {"planner": planner}, status=status)


@require_safe
def plan_chart(request: HttpRequest) -> HttpResponse:
    form, assumed, tables, refused = read_query(request.GET)
    if assumed is None:
        return HttpResponseBadRequest(form.errors.as_text(), content_type="text/plain")
    if refused or len(tables) != 1:
        message = refused[0].message if refused else "question must be given once"
        return HttpResponseBadRequest(message, content_type="text/plain")
    try:
        curve = make_curve(tables[0].mechanism, assumed)
    except ValueError as error:
        return HttpResponseBadRequest(str(error), content_type="text/plain")
    svg = write_file(draw_margins(curve), "svg")
    return HttpResponse(svg, content_type=FORMATS["svg"])


@require_http_methods(["GET", "HEAD", "POST"])
def opening(request: HttpRequest, survey_id: int) -> HttpResponse:
    needed = Role.OWNER if request.method == "POST" else Role.EDITOR
    survey = get_survey_for_user(request.user, survey_id, role=needed)
    if not survey.is_draft:
        messages.error(request, _("This survey is already open."))
        return redirect("admin:surveys_survey_change", survey.pk)
    if request.method == "POST":
        return open_now(request, survey)
    return render_page(
        request,
        survey,
        "estimation/planner/open.html",
        **get_status_context(request, survey),
        opts=Survey._meta,
        confirms=CONFIRMS,
        ledger=make_ledger_table(survey, request.user),
        checklist=make_checklist(survey, margin=expected_margin(survey)),
        explained=[
            (question, explain(question)) for question in survey.questions.all()
        ],
    )


def expected_margin(survey: Survey) -> float | None:
    if survey.target is None:
        return None
    level = survey.planned_interval.get("confidence_level", DEFAULT_CONFIDENCE_LEVEL)
    try:
        margins = [
            assume(question.mechanism, confidence_level=float(level)).margin(
                expect_reports(survey.target, compute_chance(number, survey.groups))
            )
            for number, question in enumerate(survey.questions.all(), start=1)
        ]
    except ValueError:
        return None
    return max(margins, default=None)


def open_now(request: HttpRequest, survey: Survey) -> HttpResponse:
    if survey.holder_key and CONFIRMS not in request.POST:
        messages.error(request, _("Ask the key holder to confirm the fingerprint."))
        return redirect("admin:surveys_survey_open", survey.pk)
    try:
        open_survey(survey)
    except ValidationError:
        messages.error(request, _("The survey could not be opened."))
        return redirect("admin:surveys_survey_open", survey.pk)
    closing = filter(None, [make_closing_sentence(survey)])
    record(request.user, survey, gettext_noop("Opened."), *closing)
    messages.success(request, _("The survey is open. Share it next."))
    return redirect("admin:surveys_survey_change", survey.pk)
