from django.http import HttpRequest, HttpResponse


def survey(request: HttpRequest, slug: str) -> HttpResponse:
    raise NotImplementedError


def reports(request: HttpRequest, slug: str) -> HttpResponse:
    raise NotImplementedError
