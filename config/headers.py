"""Response headers of all pages, with stricter ones for respondents."""

from collections.abc import Callable

from csp.constants import HEADER
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import add_never_cache_headers

from respondents.collecting.headers import CONTENT_POLICY, PERMISSIONS_POLICY

# Researchers log in with passkeys.
FOR_RESEARCHERS = PERMISSIONS_POLICY.replace(
    "publickey-credentials-get=()", "publickey-credentials-get=(self)"
)

GetResponse = Callable[[HttpRequest], HttpResponse]


def is_for_respondents(request: HttpRequest) -> bool:
    return request.path_info.startswith(settings.PATHS_FOR_RESPONDENTS)


class PrivacyHeaders:
    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        is_for_researchers = request.path_info.startswith(settings.RESEARCHERS_PATH)
        # Documents only: a first visit loads some nine static files, and each header
        # lengthens each response.
        if not request.path_info.startswith(settings.STATIC_URL):
            policy = FOR_RESEARCHERS if is_for_researchers else PERMISSIONS_POLICY
            response["Permissions-Policy"] = policy
        response["Cross-Origin-Resource-Policy"] = "same-origin"
        if is_for_respondents(request):
            response[HEADER] = CONTENT_POLICY
            response["Cache-Control"] = "no-store"
            response["Referrer-Policy"] = "no-referrer"
        if is_for_researchers:
            # The admin and allauth do not do so on every page, such as the one with the
            # key of an authenticator app: after a logout, "Back" would show it.
            add_never_cache_headers(response)
        return response
