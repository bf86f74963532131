"""Researchers choose their language; pages of respondents ignore the browser's."""

import re

import pytest
from django.conf import settings
from django.core import mail
from django.utils import translation

from candor.mechanisms import build
from candor.planning.assumptions import assume
from candor.planning.margins import make_margin_curve
from estimation.models import Publication
from estimation.presentation.charts.margins import draw_margins
from respondents.models import close
from surveys.text.language_cache import cache_by_language
from tests.factories import make_responses, make_survey, make_user

pytestmark = pytest.mark.django_db

LOGIN = "/admin/login/"
CHOOSE = "/admin/language/"
PUBLISHED = "published"
IN_ENGLISH, IN_GERMAN = "For researchers.", "Für Forschende."


def language_of(page):
    (found,) = re.findall(r'<html lang="(\w+)"', page.content.decode())
    return found


@pytest.mark.parametrize(
    ("accepted", "spoken"),
    [
        ("", "en"),
        ("de", "de"),
        ("de-AT,en;q=0.5", "de"),
        ("DE", "de"),
        ("en-GB,de;q=0.9", "en"),
        # In these only respondents' pages are complete.
        ("fr", "en"),
        ("ar,es;q=0.9", "en"),
        ("fr,de;q=0.7,en;q=0.3", "de"),
        ("de;q=0,en", "en"),
        ("x" * 1000, "en"),
        ("*", "en"),
        (";;q=,\x00", "en"),
    ],
)
def test_the_accept_language_header_selects_the_language(client, accepted, spoken):
    page = client.get(LOGIN, HTTP_ACCEPT_LANGUAGE=accepted)
    assert language_of(page) == spoken
    found = {"en": IN_ENGLISH, "de": IN_GERMAN}
    assert found[spoken] in page.content.decode()
    assert "Accept-Language" in page["Vary"]


def test_every_page_offers_the_languages_and_keeps_the_choice(client):
    page = client.get(LOGIN, HTTP_ACCEPT_LANGUAGE="en").content.decode()
    assert re.findall(r'value="(\w+)"\s+lang="\1"\s+(\S*?)>(\w+)<', page) == [
        ("en", 'aria-pressed="true"', "English"),
        ("de", 'aria-pressed="false"', "Deutsch"),
    ]
    answer = client.post(CHOOSE, {"language": "de", "next": LOGIN})
    assert (answer.status_code, answer["Location"]) == (302, LOGIN)
    cookie = answer.cookies[settings.LANGUAGE_COOKIE_NAME]
    assert (cookie["path"], cookie["httponly"]) == ("/admin/", True)
    assert language_of(client.get(LOGIN, HTTP_ACCEPT_LANGUAGE="en")) == "de"
    client.force_login(make_user())
    assert language_of(client.get("/admin/", HTTP_ACCEPT_LANGUAGE="en")) == "de"
    client.post(CHOOSE, {"language": "en", "next": "/admin/"})
    assert language_of(client.get("/admin/", HTTP_ACCEPT_LANGUAGE="de")) == "en"


@pytest.mark.parametrize("language", ["fr", "xx", "", "de\x00", "d" * 10_000])
def test_an_unsupported_language_is_ignored(client, language):
    assert client.post(CHOOSE, {"language": language, "next": LOGIN}).status_code == 302
    assert language_of(client.get(LOGIN)) == "en"


@pytest.mark.parametrize(
    "elsewhere",
    ["https://evil.example/", "//evil.example", "javascript:alert(1)", "http://[", ""],
)
def test_choosing_a_language_does_not_redirect_to_another_site(client, elsewhere):
    answer = client.post(CHOOSE, {"language": "de", "next": elsewhere})
    assert (answer.status_code, answer["Location"]) == (302, "/")


def test_choosing_a_language_requires_a_csrf_token(client):
    client.handler.enforce_csrf_checks = True
    assert client.post(CHOOSE, {"language": "de", "next": LOGIN}).status_code == 403


def test_the_logout_page_does_not_link_back_to_itself(client):
    client.force_login(make_user())
    page = client.post("/admin/logout/").content.decode()
    assert re.findall(r'name="next"\s+value="(.*?)"', page) == ["/admin/"]


@pytest.fixture
def published():
    """A closed survey with public results."""
    survey = make_survey(slug="closed-one")
    make_responses(survey, [bytes([n % 2]) for n in range(120)])
    close(survey)
    publication = Publication.objects.create(
        survey=survey, token=PUBLISHED, questions=[1]
    )
    publication.switch(is_public=True)
    return survey


OTHER_ANSWERS = {
    "/s/closed-one/": 410,
    "/s/nobody/": 404,
    "/s/nobody/nothing/here/": 404,
    "/r/nobody/": 404,
    "/nowhere/": 404,
    "/leave/": 302,
}
ASKED = (
    "/s/study-habits/",
    "/s/closed-one/",
    "/s/nobody/",
    "/s/nobody/nothing/here/",
    "/s/by-hand/card/",
    "/how-it-works/",
    "/what-we-store/",
    "/leave/",
    "/r/published/",
    "/r/published/1.svg",
    "/r/published/estimates.csv",
    "/r/nobody/",
    "/nowhere/",
)


@pytest.mark.parametrize("address", ASKED)
def test_respondent_pages_ignore_the_language_of_the_browser(
    client, published, address
):
    make_survey(language="de")
    make_survey(slug="by-hand", mode="hand", language="fr")
    client.force_login(published.owner)
    client.post(CHOOSE, {"language": "de", "next": "/"})
    # As no browser would: the cookie's path keeps it away.
    client.cookies[settings.LANGUAGE_COOKIE_NAME]["path"] = "/"
    pages = [
        client.get(address, **headers)
        for headers in (
            {},
            {"HTTP_ACCEPT_LANGUAGE": "de"},
            {"HTTP_ACCEPT_LANGUAGE": "ar,fr;q=0.5"},
        )
    ]
    assert len({page.content for page in pages}) == 1
    assert pages[0].status_code == OTHER_ANSWERS.get(address, 200)
    for page in pages:
        assert not page.cookies
        assert "Accept-Language" not in page.get("Vary", "")
        assert "Content-Language" not in page


def test_the_language_is_reset_between_visitors(client):
    client.get(LOGIN, HTTP_ACCEPT_LANGUAGE="de")
    assert translation.get_language() == "en"
    assert 'lang="en"' in client.get("/how-it-works/").content.decode()


def test_password_emails_use_the_language_of_the_request(client, settings, monkeypatch):
    settings.SENDS_MAIL = True
    later = []

    class Timer:
        def __init__(self, _seconds, work):
            self.start = lambda: later.append(work)

    monkeypatch.setattr("config.accounts.emails.Timer", Timer)
    monkeypatch.setattr("config.accounts.emails.connection.close", lambda: None)
    user = make_user("mila", email="mila@example.org")
    sent = {"email": user.email}
    client.post("/admin/password_reset/", sent, HTTP_ACCEPT_LANGUAGE="de")
    assert translation.get_language() == "en"
    (work,) = later
    work()
    (letter,) = mail.outbox
    assert letter.subject == "Ein neues Passwort für Candor"
    assert "Wählen Sie es hier:" in letter.body


def test_the_cache_is_separate_for_each_language():
    said = []

    @cache_by_language(maxsize=8)
    def hello(name):
        said.append(name)
        return f"{translation.get_language()}: {name}"

    for language in ("en", "de", "en", "de"):
        with translation.override(language):
            assert hello("a") == f"{language}: a"
    assert said == ["a", "a"]


def test_a_chart_uses_the_language_of_its_page():
    curve = make_margin_curve(assume(build("coin")), respondents=1000, margin=0.05)
    drawn = {}
    for language in ("en", "de"):
        with translation.override(language):
            labels = draw_margins(curve).texts
            drawn[language] = " ".join(label.text for label in labels)
    assert ("points" in drawn["en"], "Punkte" in drawn["en"]) == (True, False)
    assert "6.2" in drawn["en"]
    assert ("points" in drawn["de"], "Punkte" in drawn["de"]) == (False, True)
    assert "6,2" in drawn["de"]


def test_files_are_the_same_in_every_language(client):
    kuk = ("kuk", {"p_red_given_yes": "4/5", "p_red_given_no": "1/5"})
    survey = make_survey([kuk, "coin"])
    make_responses(survey, [bytes([n % 2, 0]) for n in range(40)])
    close(survey)
    client.force_login(survey.owner)
    pages = f"/admin/surveys/survey/{survey.pk}/export/"
    names = ("estimates.csv", "codebook.csv", "codebook.json", "methods.txt")
    for name in names:
        english, german = (
            client.get(f"{pages}files/{name}", HTTP_ACCEPT_LANGUAGE=language)
            for language in ("en", "de")
        )
        assert english.status_code == 200, name
        assert english.getvalue() == german.getvalue(), name
