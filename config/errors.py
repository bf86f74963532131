from django.contrib import admin
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseServerError,
)
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views import defaults


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Lead researchers home; respondents read the page in every language."""
    if is_of_a_researcher(request):
        text = _(
            "There is nothing at this address, or it belongs to somebody else. Perhaps "
            "a colleague has not given you a role in it yet."
        )
        return tell(request, _("Page not found"), text, status=404)
    return defaults.page_not_found(request, exception)


def not_allowed(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Tell researchers whom to ask."""
    if is_of_a_researcher(request):
        text = _(
            "Your role in this survey does not include this. Its owner can change your "
            "role under People."
        )
        return tell(request, _("Not allowed"), text, status=403)
    return defaults.permission_denied(request, exception)


def is_of_a_researcher(request: HttpRequest) -> bool:
    """Whether somebody asks who is logged in and sees the admin anyway."""
    is_below = request.path.startswith(reverse("admin:index"))
    return is_below and admin.site.has_permission(request)


def tell(request: HttpRequest, title: str, text: str, *, status: int) -> HttpResponse:
    context = {**admin.site.each_context(request), "title": title, "text": text}
    return render(request, "admin/refused.html", context, status=status)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer with the error page, or in one line where even that page fails.

    An exception that leaves Django is logged by the server in full, and its message may
    quote what a respondent sent.
    """
    try:
        return defaults.server_error(request)
    except Exception:
        return HttpResponseServerError("Something went wrong. The fault is ours.")
