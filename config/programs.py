"""The API for programs with a token: files of a survey, without its reports.

There is no session and no cookie: `PATHS_FOR_RESPONDENTS` excludes these paths from the
researchers' middleware. See docs/researchers/programs.md.
"""

import json
from http import HTTPStatus

from django.core.cache import cache
from django.http import Http404, HttpRequest, JsonResponse
from django.http.response import HttpResponseBase
from django.urls import path
from django.utils.crypto import salted_hmac
from django.views.decorators.http import require_safe

from config.accounts.adapter import find_address
from estimation.models import AccessToken, read_selector
from estimation.pages.exports import read_file
from respondents.least_responses import TooFewResponsesError

SCHEME = "bearer"

MAX_FAILURES, MINUTES = 5, 15
"""The same limit as for the login of researchers: `ACCOUNT_RATE_LIMITS`."""


def read_token(request: HttpRequest) -> str:
    """Return the token in the header; tokens in the URL are ignored."""
    scheme, _space, text = request.headers.get("Authorization", "").partition(" ")
    return text.strip() if scheme.lower() == SCHEME else ""


def make_counter_key(request: HttpRequest, text: str) -> str:
    """Return the cache key of the failures; it contains neither token nor address."""
    counted = json.dumps([read_selector(text), find_address(request)])
    return salted_hmac(__name__, counted, algorithm="sha256").hexdigest()


def count_failure(counter: str) -> None:
    cache.add(counter, 0, MINUTES * 60)
    try:
        cache.incr(counter)
    except ValueError:  # it expired in between
        cache.add(counter, 1, MINUTES * 60)


def refuse(status: HTTPStatus, error: str) -> JsonResponse:
    answer = JsonResponse({"error": error}, status=status)
    if status == HTTPStatus.UNAUTHORIZED:
        answer["WWW-Authenticate"] = "Bearer"
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        answer["Retry-After"] = str(MINUTES * 60)
    return answer


@require_safe
def serve_file(request: HttpRequest, slug: str, name: str) -> HttpResponseBase:
    text = read_token(request)
    counter = make_counter_key(request, text)
    if cache.get(counter, 0) >= MAX_FAILURES:
        error = f"Too many failed attempts. Try again in {MINUTES} minutes."
        return refuse(HTTPStatus.TOO_MANY_REQUESTS, error)
    token = AccessToken.objects.find(text)
    if token is None:
        count_failure(counter)
        error = "Send a valid token: Authorization: Bearer candor_..."
        return refuse(HTTPStatus.UNAUTHORIZED, error)
    if token.survey.slug != slug:
        return refuse(HTTPStatus.NOT_FOUND, "There is no such survey for this token.")
    try:
        answer = read_file(token.survey, name, request.GET.dict())
    except Http404 as error:
        return refuse(HTTPStatus.NOT_FOUND, str(error))
    except TooFewResponsesError as error:
        return refuse(HTTPStatus.FORBIDDEN, str(error))
    token.note_use()
    return answer


urlpatterns = [path("<slug:slug>/<str:name>", serve_file, name="programs_file")]
