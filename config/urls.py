from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.urls import include, path
from django.views.i18n import set_language

from config.experiments import show_experiments
from config.landing import show_landing_page
from config.respondents_urls import urlpatterns as of_respondents


def icon(request: HttpRequest) -> HttpResponse:
    """Return the icon for browsers that request /favicon.ico."""
    return redirect(static("img/candor.svg"))


urlpatterns = [
    path("", show_landing_page, name="landing"),
    path("favicon.ico", icon),
    path("admin/", include("config.accounts.urls")),
    path("admin/language/", set_language, name="set_language"),
    path("admin/", admin.site.urls),
    path("experiments/", show_experiments, name="experiments"),
    path("help/", include("config.help.views")),
    path(settings.PUBLISHED_PATH[1:], include("estimation.pages.publishing.urls")),
    path(settings.PROGRAMS_PATH[1:], include("config.programs")),
    *of_respondents,
]

handler400 = "config.errors.report_bad_request"
handler403 = "config.refusals.not_allowed"
handler404 = "config.refusals.not_found"
handler500 = "config.errors.server_error"
