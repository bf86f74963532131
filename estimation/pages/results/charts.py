"""Charts of one survey's results, each by its own address."""

from hashlib import sha256

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from django.views.decorators.http import require_safe

from estimation.pages.results.forms import ResultsForm
from estimation.pages.results.views import get_opened_survey, refuse
from estimation.presentation.charts.files import FORMATS, write_file
from estimation.presentation.charts.intervals import Chart, draw_chart
from estimation.presentation.survey import SurveyPanel
from estimation.rows.counts import read_one_way
from estimation.rows.shares import survey_results
from surveys.design import get_design


@require_safe
def question_chart(
    request: HttpRequest, survey_id: int, position: int, file_format: str
) -> HttpResponse:
    """Draw the result of the question at `position`, 1 for the first."""
    survey = get_opened_survey(request, survey_id)
    form = ResultsForm.of(survey, request.GET.dict())
    if not form.is_valid():
        return refuse(form)
    questions = get_design(survey).questions
    if not 1 <= position <= len(questions):
        raise Http404("There is no such question.")
    tallies = read_one_way(survey, [position], seals=False)
    (panel,) = SurveyPanel(survey_results(tallies, **form.interval)).questions
    if not panel.result.respondents:
        raise Http404("There is nothing to draw.")
    name = f"{survey.slug}-{position}"
    return chart_response(request, panel.chart, file_format, name)


@require_safe
def overview(request: HttpRequest, survey_id: int, file_format: str) -> HttpResponse:
    """Draw the results of all questions below each other."""
    survey = get_opened_survey(request, survey_id)
    form = ResultsForm.of(survey, request.GET.dict())
    if not form.is_valid():
        return refuse(form)
    tallies = read_one_way(survey, seals=False)
    panel = SurveyPanel(survey_results(tallies, **form.interval))
    chart, name = panel.overview.chart, f"{survey.slug}-overview"
    return chart_response(request, chart, file_format, name)


def chart_response(
    request: HttpRequest, chart: Chart, file_format: str, name: str
) -> HttpResponse:
    """Send a chart: SVG for pages, a file to keep otherwise; nothing sent twice."""
    if file_format not in FORMATS:
        raise Http404("There are no charts of this format.")
    if not chart.groups:
        raise Http404("There is nothing to draw.")
    drawn = write_file(draw_chart(chart), file_format)
    response = HttpResponse(drawn, content_type=FORMATS[file_format])
    if file_format != "svg":
        filename = f'attachment; filename="{name}.{file_format}"'
        response["Content-Disposition"] = filename
    response["ETag"] = etag = quote_etag(sha256(drawn).hexdigest())
    return get_conditional_response(request, etag=etag, response=response) or response
