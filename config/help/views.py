"""Views of the help, which is public."""

from django.conf import settings
from django.contrib.admin import site
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils import translation
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from config.help.documents import (
    find_document,
    find_translation,
    list_headings,
    menu,
    pictures,
)
from config.help.search import search
from config.middleware import choose_language

A_DAY = 24 * 60 * 60


@require_safe
def show_page(request: HttpRequest, name: str = "") -> HttpResponse:
    document = find_document(name)
    if document is None:
        raise Http404
    question = request.GET.get("q", "").strip()
    language = choose_language(request)
    other = ""
    if language != document.language:
        other = find_translation(name, language)
    elif language != settings.LANGUAGE_CODE:
        other = find_translation(name, settings.LANGUAGE_CODE)
    with translation.override(language):
        note = _("This page is in English only.")
    response = render(
        request,
        "help/found.html" if question else "help/page.html",
        {
            "site_header": site.site_header,
            "site_title": site.site_title,
            "title": f"Search: {question}" if question else document.title,
            "document": document,
            "headings": list_headings(document),
            "menu": menu(),
            "question": question,
            "found": search(question, language),
            "note": note if language != document.language and not other else "",
            "other": other and find_document(other),
            "language": language,
        },
    )
    patch_vary_headers(response, ["Accept-Language"])
    return response


@require_safe
def show_picture(request: HttpRequest, name: str) -> HttpResponse:
    try:
        file = pictures()[name]
    except KeyError:
        raise Http404 from None
    response = HttpResponse(file.read_bytes(), content_type="image/png")
    patch_cache_control(response, public=True, max_age=A_DAY)
    return response


urlpatterns = [
    path("", show_page, name="help"),
    path("images/<str:name>", show_picture, name="help_picture"),
    path("<path:name>/", show_page, name="help_page"),
]
