"""The public results page as text, in the language of its survey."""

from http import HTTPStatus

from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from estimation.pages.publishing.published import LEAST_RESPONSES, PublishedResults
from respondents.collecting import pages


def page(published: PublishedResults, *, base: str, is_preview: bool) -> str:
    """Return the page; charts and file are found below the address `base`."""
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
    """Return the days of the survey, never of a respondent, in the active language."""
    survey, form = published.survey, _("j F Y")
    named = {
        "opened": survey.opened_on,
        "closed": survey.closed_on,
        "day": published.publication.published_on,
    }
    return {name: date_format(day, form) if day else "" for name, day in named.items()}


def not_found() -> HttpResponse:
    """Return what an unknown address gets, and one that was switched off."""
    text = pages.render_notice(
        gettext_lazy("There are no results here"),
        gettext_lazy("Please check the link. Perhaps the results are not public now."),
    )
    return HttpResponse(text, status=HTTPStatus.NOT_FOUND)
