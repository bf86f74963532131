"""Views of published results: no login, no session, no cookie."""

from http import HTTPStatus
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from candor.cli.rows import format_csv
from estimation.models import Publication
from estimation.pages.publishing.published import (
    LEAST_RESPONSES,
    PublishedResults,
    prepare,
)
from estimation.pages.results import chart_response, send_file
from respondents.collecting.pages import render_notice
from surveys.access import get_survey_for_user
from surveys.models import Role


def render_published(
    published: PublishedResults, *, base: str, is_preview: bool
) -> str:
    with translation.override(published.design.language):
        return render_to_string(
            "estimation/publishing/public/results.html",
            {
                **dates(published),
                "published": published,
                "publication": published.publication,
                "results": published.results,
                "panel": published.panel,
                "design": published.design,
                "is_simulated": published.survey.is_simulated,
                "base": base,
                "is_preview": is_preview,
                "least": LEAST_RESPONSES,
                "shown": len(published.results.questions),
            },
        )


def dates(published: PublishedResults) -> dict[str, str]:
    """Return the dates of the survey, never of a response, in the active language."""
    survey, form = published.survey, _("j F Y")
    named = {
        "opened": survey.opened_on,
        "closed": survey.closed_on,
        "day": published.publication.published_on,
    }
    return {name: date_format(day, form) if day else "" for name, day in named.items()}


def nothing(**whose: Any) -> HttpResponse:
    """Return the same page for unknown and unpublished addresses."""
    if "token" not in whose:
        raise Http404("There is nothing to show.")
    text = render_notice(
        gettext_lazy("There are no results here"),
        gettext_lazy("Please check the link. Perhaps the results are not public now."),
    )
    return HttpResponse(text, status=HTTPStatus.NOT_FOUND)


def find(
    request: HttpRequest,
    *,
    token: str = "",
    survey_id: int = 0,
    only: tuple[int, ...] = (),
) -> PublishedResults | None:
    """Return the published results of a token, or the preview of a survey."""
    if token:
        stored = Publication.objects.filter(token=token, is_public=True)
    else:
        survey = get_survey_for_user(request.user, survey_id, role=Role.EDITOR)
        stored = Publication.objects.filter(survey=survey)
    publication = stored.select_related("survey").first()
    if publication is None:
        return None
    return prepare(publication, only, is_preview=not token)


@require_safe
def results(request: HttpRequest, token: str) -> HttpResponse:
    published = find(request, token=token)
    if published is None:
        return nothing(token=token)
    base = published.publication.get_absolute_url()
    return HttpResponse(render_published(published, base=base, is_preview=False))


@require_safe
def chart(
    request: HttpRequest, position: int | None = None, **whose: Any
) -> HttpResponse:
    only = () if position is None else (position,)
    published = find(request, only=only, **whose)
    if published is None:
        return nothing(**whose)
    panel = published.panel
    with translation.override(published.design.language):
        drawn = panel.overview.chart if position is None else panel.questions[0].chart
        return chart_response(request, drawn, "svg", published.survey.slug)


@require_safe
def estimates(request: HttpRequest, **whose: Any) -> HttpResponse:
    published = find(request, **whose)
    if published is None:
        return nothing(**whose)
    kind = "preview" if published.is_simulated_release else "published"
    name = f"{published.survey.slug}-{kind}.csv"
    return send_file(format_csv(published.rows), name)
