"""What every response carries, and what the respondents' pages carry besides."""

from collections.abc import Callable

from csp.constants import HEADER
from csp.utils import build_policy
from django.conf import settings
from django.http import HttpRequest, HttpResponse

POWERFUL_FEATURES = (
    "accelerometer", "autoplay", "camera", "display-capture", "encrypted-media",
    "fullscreen", "geolocation", "gyroscope", "magnetometer", "microphone", "midi",
    "payment", "picture-in-picture", "publickey-credentials-get", "screen-wake-lock",
    "usb", "xr-spatial-tracking",
)  # fmt: skip
PERMISSIONS_POLICY = ", ".join(f"{feature}=()" for feature in POWERFUL_FEATURES)

# Put together once: the respondents' pages know no other, and they have to be fast.
CONTENT_POLICY = build_policy()

GetResponse = Callable[[HttpRequest], HttpResponse]


def is_for_respondents(request: HttpRequest) -> bool:
    return request.path_info.startswith(settings.PATHS_FOR_RESPONDENTS)


class PrivacyHeaders:
    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response["Permissions-Policy"] = PERMISSIONS_POLICY
        response["Cross-Origin-Resource-Policy"] = "same-origin"
        if is_for_respondents(request):
            response[HEADER] = CONTENT_POLICY
            response["Cache-Control"] = "no-store"
            response["Referrer-Policy"] = "no-referrer"
        return response
