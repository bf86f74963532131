"""Middleware of the researchers' pages; respondents' pages have none of it."""

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
    """Mixed into a middleware: respondents' requests pass it by, in both directions."""

    def __call__(self, request: HttpRequest) -> Any:
        if is_for_respondents(request):
            return self.get_response(request)
        return super().__call__(request)


class ResearcherContentPolicy(ResearchersOnly, CSPMiddleware):
    """Sends the policy with all but scripts and styles, for which it does nothing."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if response.get("Content-Type", "").startswith(WITHOUT_POLICY):
            return response
        return super().process_response(request, response)


class ResearcherCompression(ResearchersOnly, GZipMiddleware):
    """Sends the pages of researchers in a fifth of the bytes; files as they are.

    A page that is compressed together with a secret discloses it by its length, if an
    attacker chooses part of the page and sees how long it is (BREACH). The only secret
    in these pages is the token of a form, masked again each time; other sites'
    requests come without the session; and Django adds a name of random length. Links
    for respondents are in files: none of these is compressed here, nor any page of
    respondents.
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if "Content-Disposition" in response:
            return response
        return super().process_response(request, response)


class ResearcherLanguage:
    """Speaks to researchers as they chose, or as their browser asks.

    Only in languages that their pages are complete in. Everybody else's pages take none
    from the people who open them.
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
    """Return the language of a researcher's page: the first that can be spoken."""
    accepted = parse_accept_lang_header(request.headers.get("Accept-Language", ""))
    wanted = [request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")]
    # "de-at" is German, too.
    wanted += [code.partition("-")[0] for code, quality in accepted if quality]
    spoken = settings.LANGUAGES_OF_RESEARCHERS
    return next((code for code in wanted if code in spoken), settings.LANGUAGE_CODE)


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
    """Keeps Django's cookie with messages where the other cookies are.

    Its path is that of the whole site: a researcher who opens a survey before the next
    page of the admin would send it along.
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponse
    ) -> HttpResponse:
        response = super().process_response(request, response)
        if cookie := response.cookies.get(CookieStorage.cookie_name):
            cookie["path"] = settings.SESSION_COOKIE_PATH
        return response
