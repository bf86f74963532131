"""Error pages of both sites, without submitted values, and /health/."""

import sys
from http import HTTPStatus

from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBadRequest,
    HttpResponseForbidden,
    HttpResponseServerError,
    JsonResponse,
)
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from config.headers import is_for_respondents
from config.help.places import find_help
from respondents.collecting import pages
from respondents.collecting.views import WHERE
from respondents.storage.outages import (
    DATABASE_TROUBLE,
    Cause,
    answer_unavailable,
    outage,
)


def server_error(request: HttpRequest) -> HttpResponse:
    """Return the error page, or one line of text if that page fails.

    An exception that leaves Django is logged by the server in full, and its message may
    quote what a respondent sent.
    """
    try:
        return database_unavailable(request) or report_server_error(request)
    except Exception:
        return HttpResponseServerError("Something went wrong. The fault is ours.")


def report_server_error(request: HttpRequest) -> HttpResponse:
    trouble = find_help(request, "an-error-of-the-server")
    return HttpResponseServerError(render_to_string("500.html", {"trouble": trouble}))


def database_unavailable(request: HttpRequest) -> HttpResponse | None:
    """Return the page for a database that is unreachable, locked, full or read-only."""
    error = sys.exc_info()[1]
    if not isinstance(error, DATABASE_TROUBLE):
        return None
    if (cause := outage.note(error)) is Cause.BROKEN:
        return None
    answer = HttpResponse(
        pages.render_busy(find_help(request, "please-wait-a-moment")),
        status=HTTPStatus.SERVICE_UNAVAILABLE,
    )
    where = WHERE if is_for_respondents(request) else "Error on a researcher's page"
    return answer_unavailable(answer, cause, where=where)


def report_bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the page for an invalid request, rendered without that request."""
    trouble = find_help(request, "bad-request")
    return HttpResponseBadRequest(render_to_string("400.html", {"trouble": trouble}))


def report_csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Return the page for a form whose token no longer matches the cookie."""
    trouble = find_help(request, "please-try-again")
    return HttpResponseForbidden(
        render_to_string("403_csrf.html", {"trouble": trouble})
    )


@require_safe
def health(_request: HttpRequest) -> HttpResponse:
    cause = outage.check()
    answer = JsonResponse({"database": cause or "ok"})
    if cause is None:
        return answer
    answer.status_code = HTTPStatus.SERVICE_UNAVAILABLE
    return answer_unavailable(answer, cause, where="Health")
