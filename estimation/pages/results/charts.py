"""Charts of one survey's results, each by its own address."""

from hashlib import sha256

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from django.views.decorators.http import require_safe

from estimation.pages.results.forms import ChartForm
from estimation.pages.results.views import get_opened_survey, refuse
from estimation.presentation.charts.intervals import draw_interval
from estimation.presentation.charts.overview import draw_overview
from estimation.presentation.charts.style import FORMATS
from estimation.presentation.survey import SurveyPanel
from estimation.rows.counts import read_one_way
from estimation.rows.shares import survey_results
from surveys.design import get_design


@require_safe
def chart(
    request: HttpRequest, survey_id: int, position: int, file_format: str
) -> HttpResponse:
    """Draw the result of the question at `position`, 1 for the first."""
    survey = get_opened_survey(request, survey_id)
    form = ChartForm.of(survey, request.GET.dict())
    if not form.is_valid():
        return refuse(form)
    drawing = known_format(file_format) | form.drawing
    questions = get_design(survey).questions
    if not 1 <= position <= len(questions):
        raise Http404("There is no such question.")
    tallies = read_one_way(survey, [position], seals=False)
    (panel,) = SurveyPanel(survey_results(tallies, **form.interval)).questions
    if not panel.result.respondents:
        raise Http404("There is nothing to draw.")
    drawn = draw_interval(*panel.bars, **drawing)
    return as_response(request, drawn, file_format, f"{survey.slug}-{position}")


@require_safe
def overview(request: HttpRequest, survey_id: int, file_format: str) -> HttpResponse:
    """Draw the results of all questions below each other."""
    survey = get_opened_survey(request, survey_id)
    form = ChartForm.of(survey, request.GET.dict())
    if not form.is_valid():
        return refuse(form)
    drawing = known_format(file_format) | form.drawing
    tallies = read_one_way(survey, seals=False)
    panel = SurveyPanel(survey_results(tallies, **form.interval))
    groups = panel.overview.groups
    if not groups:
        raise Http404("There is nothing to draw.")
    drawn = draw_overview(*groups, **drawing)
    return as_response(request, drawn, file_format, f"{survey.slug}-overview")


def known_format(file_format: str) -> dict[str, str]:
    """Return the argument of a drawing; what is no format is not found."""
    if file_format not in FORMATS:
        raise Http404("There are no charts of this format.")
    return {"file_format": file_format}


def as_response(
    request: HttpRequest, drawn: bytes, file_format: str, name: str
) -> HttpResponse:
    """Send a chart: SVG for the page, a file to keep otherwise; nothing sent twice."""
    response = HttpResponse(drawn, content_type=FORMATS[file_format])
    if file_format != "svg":
        filename = f'attachment; filename="{name}.{file_format}"'
        response["Content-Disposition"] = filename
    response["ETag"] = etag = quote_etag(sha256(drawn).hexdigest())
    return get_conditional_response(request, etag=etag, response=response) or response
