"""Settings that work and yet are dangerous, each with an id and a hint."""

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register

LOCAL_HOSTS = {"localhost", "127.0.0.1", "[::1]", "testserver"}


@register(Tags.security)
def transport_is_encrypted(**kwargs: object) -> list[CheckMessage]:
    public = sorted(set(settings.ALLOWED_HOSTS) - LOCAL_HOSTS)
    if settings.HTTPS or not public:
        return []
    return [
        Error(
            f"HTTPS is off and ALLOWED_HOSTS names {', '.join(public)}.",
            hint="Without HTTPS anybody on the way can change the page that scrambles "
            "the answers. Set HTTPS=on.",
            id="candor.E001",
        )
    ]


@register(Tags.security)
def errors_are_not_shown(**kwargs: object) -> list[CheckMessage]:
    public = sorted(set(settings.ALLOWED_HOSTS) - LOCAL_HOSTS)
    if not settings.DEBUG or not public:
        return []
    return [
        Error(
            f"DEBUG is on and ALLOWED_HOSTS names {', '.join(public)}.",
            hint="Debug pages show what was posted. Set DEBUG=off.",
            id="candor.E002",
        )
    ]
