"""Pages for refused requests, with explanations for researchers."""

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views import defaults

from respondents.least_responses import TooFewResponsesError
from surveys.authoring.pages import render_page

REFUSED = "admin/refused.html"


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the 404 page: with a link home, or in every language for respondents."""
    if is_from_researcher(request):
        text = _("Nothing is at this address, or you have no role in it yet.")
        about = {"title": _("Page not found"), "trouble": "page-not-found"}
        return render_page(request, None, REFUSED, status=404, text=text, **about)
    return defaults.page_not_found(request, exception)


def not_allowed(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the page that explains who may do this, and whom to ask."""
    if is_from_researcher(request):
        text = str(exception) or _(
            "Your role does not include this. The owner can change it under People."
        )
        about = {"title": _("Not allowed"), "trouble": "not-allowed"}
        return render_page(request, None, REFUSED, status=403, text=text, **about)
    return defaults.permission_denied(request, exception)


def withhold(request: HttpRequest, too_few: TooFewResponsesError) -> HttpResponse:
    """Return the page that explains the minimum number of responses.

    At the address of the results it is the content, with status 200. Other addresses
    answer 403, so that a program does not take this page for a file.
    """
    place = request.resolver_match
    is_results_page = place is not None and place.url_name == "estimation_results"
    return render_page(
        request,
        too_few.survey,
        "estimation/results/too_few.html",
        status=200 if is_results_page else 403,
        subtitle=_("Results"),
        respondents=too_few.respondents,
        least=too_few.least,
        is_sealed=too_few.is_sealed,
    )


def is_from_researcher(request: HttpRequest) -> bool:
    """Return whether a logged-in user with access to the admin requests its pages."""
    is_below = request.path.startswith(reverse("admin:index"))
    return is_below and admin.site.has_permission(request)
