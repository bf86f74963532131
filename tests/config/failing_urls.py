"""Pages that break as real ones might, with what was sent in the message."""

from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.urls import path

MARKER = "the-true-answer"


def fail(request):
    try:
        int(MARKER)
    except ValueError as error:
        raise RuntimeError(f"cannot read {MARKER}") from error


def refuse(request):
    raise BadRequest(MARKER)


def be_busy(request):
    return HttpResponse(MARKER, status=503)


urlpatterns = [
    path(prefix + name, view)
    for prefix in ("s/", "r/", "admin/")
    for name, view in (
        (f"{MARKER}/fail", fail),
        (f"{MARKER}/refuse", refuse),
        (f"{MARKER}/be-busy", be_busy),
    )
]

handler500 = "config.errors.server_error"
