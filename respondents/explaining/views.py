"""Views of explanations: the method, what is stored, printable cards."""

from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from respondents.collecting import pages
from respondents.collecting.find_survey import find_survey
from respondents.collecting.views import answer_with_pages, send_page
from respondents.explaining import cards, method
from respondents.explaining.address import FORMATS, draw_code
from surveys.design import get_design


def read_language(request: HttpRequest) -> str:
    """Return the language in the query of the URL; there is no language cookie."""
    asked = request.GET.get("language", "")
    return asked if asked in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


@require_safe
def how_it_works(request: HttpRequest) -> HttpResponse:
    return send_page(request, method.render_how_it_works(read_language(request)))


@require_safe
def leave(request: HttpRequest) -> HttpResponse:
    return redirect(settings.LEAVE_TO)


@require_safe
def what_we_store(request: HttpRequest) -> HttpResponse:
    return send_page(request, method.render_what_we_store(read_language(request)))


@require_safe
@answer_with_pages
def card(request: HttpRequest, slug: str) -> HttpResponse:
    survey = find_survey(slug)
    if survey is not None and survey.has_ended:
        return HttpResponse(pages.render_closed(survey), status=HTTPStatus.GONE)
    asked = request.GET.get("paper", "")
    paper = asked if asked in cards.PAPERS else next(iter(cards.PAPERS))
    sheet = survey and cards.render_cached_sheet(
        survey.pk,
        survey.design_digest,
        survey.is_simulated,
        paper,
        request.build_absolute_uri(survey.get_absolute_url()),
    )
    if not sheet:
        return HttpResponse(pages.render_unknown(), status=HTTPStatus.NOT_FOUND)
    return send_page(request, sheet)


@require_safe
@answer_with_pages
def code(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the QR code of a card: the address at which outcomes are entered.

    Surveys with one-time links have none.
    """
    survey = find_survey(slug)
    design = get_design(survey) if survey and not survey.has_ended else None
    if not survey or not design or not cards.has_one_address(design):
        return HttpResponse(pages.render_unknown(), status=HTTPStatus.NOT_FOUND)
    drawn = draw_code(request.build_absolute_uri(survey.get_absolute_url()), "svg")
    return HttpResponse(drawn, content_type=FORMATS["svg"])
