"""Middleware of the researchers' pages, which skips respondents' pages."""

from typing import Any

from csp.middleware import CSPMiddleware
from django.conf import settings
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.csrf import CsrfViewMiddleware
from django.middleware.gzip import GZipMiddleware
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation.trans_real import parse_accept_lang_header

from config.headers import GetResponse, is_for_respondents

WITHOUT_POLICY = ("text/css", "text/javascript")


class ResearchersOnly(MiddlewareMixin):
    """Mixin for middleware that skips respondents' requests and their responses."""

    def __call__(self, request: HttpRequest) -> Any:
        if is_for_respondents(request):
            return self.get_response(request)
        return super().__call__(request)


class ResearcherContentPolicy(ResearchersOnly, CSPMiddleware):
    """Sends the policy except with scripts and styles, where it has no effect."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if response.get("Content-Type", "").startswith(WITHOUT_POLICY):
            return response
        return super().process_response(request, response)


class ResearcherCompression(ResearchersOnly, GZipMiddleware):
    """Compresses researchers' pages to a fifth of their size, but no downloads.

    A compressed page discloses a secret by its length to an attacker who chooses part
    of the page and sees the length (BREACH). The only secret in these pages is the CSRF
    token, which is masked differently each time. Requests from other sites come without
    the session, and Django adds a file name of random length. Respondents' one-time
    links are in downloads. Downloads and respondents' pages are not compressed.
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if "Content-Disposition" in response:
            return response
        return super().process_response(request, response)


class ResearcherLanguage:
    """Activates the language that a researcher chose, or that the browser prefers.

    Only languages with a complete translation are available. Other pages ignore this
    choice.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith(settings.RESEARCHERS_PATH):
            return self.get_response(request)
        with translation.override(choose_language(request)):
            response = self.get_response(request)
        patch_vary_headers(response, ["Accept-Language", "Cookie"])
        return response


def choose_language(request: HttpRequest) -> str:
    """Return the first available language of the cookie and the browser."""
    accepted = parse_accept_lang_header(request.headers.get("Accept-Language", ""))
    wanted = [request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")]
    # "de-at" is German, too.
    wanted += [code.partition("-")[0] for code, quality in accepted if quality]
    available = settings.LANGUAGES_OF_RESEARCHERS
    return next((code for code in wanted if code in available), settings.LANGUAGE_CODE)


class ResearcherSessions(ResearchersOnly, SessionMiddleware):
    pass


class ResearcherCsrf(ResearchersOnly, CsrfViewMiddleware):
    def process_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        # Django calls this apart from __call__, and this is where tokens are checked.
        if is_for_respondents(request):
            return None
        return super().process_view(request, *args, **kwargs)


class ResearcherAuthentication(ResearchersOnly, AuthenticationMiddleware):
    pass


class ResearcherMessages(ResearchersOnly, MessageMiddleware):
    """Limits Django's cookie with messages to the path of the other cookies.

    Django sets it for the whole site: a researcher who opens a survey before the next
    page of the admin would send it there.
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponse
    ) -> HttpResponse:
        response = super().process_response(request, response)
        if cookie := response.cookies.get(CookieStorage.cookie_name):
            cookie["path"] = settings.SESSION_COOKIE_PATH
        return response
