from typing import Any

from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest


def admin_site(request: HttpRequest) -> dict[str, Any]:
    """Return what the frame of the admin shows, for pages that are not the admin's."""
    match = request.resolver_match
    is_beside = request.path_info.startswith(settings.RESEARCHERS_PATH)
    if match is None or match.namespace or not is_beside:
        return {}
    return admin.site.each_context(request)
