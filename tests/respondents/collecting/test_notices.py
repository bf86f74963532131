"""Pages without a survey address everyone in the same way."""

import re

import pytest
from django.conf import settings
from django.core.exceptions import BadRequest, PermissionDenied
from django.db import OperationalError
from django.test import RequestFactory
from django.views import defaults

from respondents.collecting import find_survey
from tests.factories import make_survey

URL = "/s/study-habits/"

SECTION = re.compile(
    r'(?s)<section lang="(\w+)"\s+dir="(?:ltr|rtl)">'
    r"\s*<h(\d)>\s*(.+?)\s*</h\2>(.*?)</section>"
)


def fail(slug):
    raise OperationalError


def busy(client, monkeypatch):
    monkeypatch.setattr(find_survey, "find_survey", fail)
    return client.get(URL)


def refused(client, monkeypatch):
    make_survey(mode="server", language="de")
    return client.post(URL, {"q1": "0"})


PAGES = {
    "no survey": lambda client, _patch: client.get("/s/none/"),
    "no page": lambda client, _patch: client.get("/s/none/nothing/here/"),
    "busy": busy,
    "refused": refused,
    "not understood": lambda *_: defaults.bad_request(
        RequestFactory().get("/"), BadRequest()
    ),
    "not allowed": lambda *_: defaults.permission_denied(
        RequestFactory().get("/"), PermissionDenied()
    ),
    "broken": lambda *_: defaults.server_error(RequestFactory().get("/")),
}


@pytest.mark.parametrize("name", PAGES)
def test_notices_are_shown_in_every_language(client, db, monkeypatch, name):
    html = PAGES[name](client, monkeypatch).content.decode()
    parts = SECTION.findall(html)
    assert [lang for lang, *_ in parts] == [code for code, _ in settings.LANGUAGES]
    assert [level for _, level, *_ in parts] == ["1"] + ["2"] * (len(parts) - 1)
    assert len({heading for _, _, heading, _ in parts}) == len(parts)
    assert len({text for *_, text in parts}) == len(parts)
    assert '<html lang="en"' in html


def test_the_closed_page_is_in_the_language_of_the_survey(client, db):
    survey = make_survey(language="de")
    survey.state, survey.closed_on = "closed", "2026-03-03"
    survey.save()
    html = client.get(URL).content.decode()
    assert '<html lang="de"' in html
    assert "Diese Umfrage endete am 3. März 2026." in html
    assert "daher wurde jetzt nichts gespeichert." in html
    assert "closed" not in html
