from django.http import HttpRequest, HttpResponse, HttpResponseServerError
from django.views import defaults


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer with the error page, or in one line where even that page fails.

    An exception that leaves Django is logged by the server in full, and its message may
    quote what a respondent sent.
    """
    try:
        return defaults.server_error(request)
    except Exception:
        return HttpResponseServerError("Something went wrong. The fault is ours.")
