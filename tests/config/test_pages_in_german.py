"""Every page of researchers in German: what on it is still English is found."""

import re
from functools import cache
from html.parser import HTMLParser

import pytest
from django.urls import reverse

from respondents.fieldwork.rehearsal import rehearsal
from respondents.models import Response, close
from scripts.messages import catalogues
from surveys.models import Membership, Role
from tests.factories import make_responses, make_survey, make_user
from tests.respondents.languages import IN_GERMAN, fragments, holds
from tests.surveys.page_rules import FOR_STAFF, FOR_SUPERUSERS, OK, SURVEY_PAGES
from tests.surveys.test_access import address_of

pytestmark = pytest.mark.django_db

ENGLISH_WORDS = frozenset(
    "the of and is are this that with for to not by from or it its be at on you your "
    "has have how what who which each than these their they can cannot must only "
    "should would nobody nothing".split()
)
"""Words that German has not."""

UNREAD = frozenset(
    "accept action aria-controls aria-describedby aria-labelledby autocomplete class "
    "content for form formaction headers href id lang media method name pattern role "
    "scope sizes src srcset style target type value viewbox xmlns".split()
)
"""Attributes that nobody reads."""

SILENT = {"script", "style", "code", "pre", "kbd", "svg"}
VOID = {"input", "br", "img", "link", "meta", "hr", "source", "col", "wbr"}

NUMBERS_IN_ENGLISH = re.compile(
    r"(?<![\w.,/:-])(?:\d+\.\d{1,2}|\d*\.\d{4,}|0\.\d+|[1-9]\d{0,2}(?:,\d{3})+|\d{5,})"
    r"(?![\w/:-]|[.,]\d)"
)
"""Such as 0.5, 12.3, 1,000 and 10000; 1.000 is a thousand in German."""

FAMILIES = (
    ("coin", {}),
    ("die", {}),
    ("epsilon", {"epsilon": "1/2"}),
    ("forced_response", {"forced_yes": "1/6", "forced_no": "1/5"}),
    ("k_ary", {"epsilon": "1", "choices": 3}),
    ("crosswise", {"prevalence": "1/4"}),
    ("kuk", {"p_red_given_yes": "4/5", "p_red_given_no": "1/5"}),
    ("warner", {"p": "4/5"}),
    ("unrelated_question", {"p_sensitive": "2/3", "prevalence": "1/4"}),
    ("direct", {}),
)


class Told(HTMLParser):
    """Each piece of text that is read or shown, but for what is in other languages."""

    def __init__(self, html):
        super().__init__()
        self.open: list[bool] = []
        self.texts: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        is_silent = tag in SILENT or given.get("lang", "de") != "de"
        if not (is_silent or any(self.open)):
            self.texts += [
                value for name, value in attributes if name not in UNREAD and value
            ]
            if tag == "input" and given.get("type") == "submit":
                self.texts.append(given["value"])
        if tag not in VOID:
            self.open.append(is_silent)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if tag not in VOID:
            self.open.pop()

    def handle_data(self, text):
        if not any(self.open) and text.strip():
            self.texts.append(" ".join(text.split()))


@cache
def english_texts():
    """Return whole texts of the catalogue, and the longer parts of those with gaps."""
    whole, parts = set(), set()
    for entry in catalogues()["de"]:
        said = "\n".join([entry.msgstr, *entry.msgstr_plural.values()])
        for text in (entry.msgid, entry.msgid_plural):
            if text and text not in said.split("\n"):
                whole |= {text, text[:1].upper() + text[1:]}
                parts |= {
                    part
                    for part in fragments(text.replace("%%", "%"))
                    if len(part.split()) > 2 and part not in said
                }
    translated = {
        text
        for entry in catalogues()["de"]
        for text in (entry.msgstr, *entry.msgstr_plural.values())
    }
    return whole - translated, parts


def english_in(html):
    """Return what is English on a page of a survey whose own texts are German."""
    whole, parts = english_texts()
    found = []
    for text in Told(html).texts:
        words = set(re.findall(r"[a-z']+", text.lower()))
        if (
            text in whole
            or words & ENGLISH_WORDS
            or any(part in text and holds(text, part) for part in parts)
            or NUMBERS_IN_ENGLISH.search(text)
        ):
            found.append(text)
    return found


def make_german_survey(owner, families=FAMILIES, *, opened=True, **fields):
    survey = make_survey((), opened=False, owner=owner, **{**IN_GERMAN, **fields})
    for number, (family, parameters) in enumerate(families, start=1):
        survey.add_question(
            f"Frage Nummer {number}, die heikel ist?",
            family=family,
            parameters=parameters,
            innocuous_question="Hat Ihre Mutter im Mai Geburtstag?",
        )
    if opened:
        survey.open()
    return survey


@pytest.fixture
def german(client):
    """A researcher's browser that asks for German."""
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "de-DE,de;q=0.9,en;q=0.8"
    owner = make_user("oskar", is_superuser=True, email="oskar@example.org")
    client.force_login(owner)
    client.owner = owner
    return client


def see(client, address, *, status=OK):
    """Fail where anything on the page is English."""
    response = client.get(address)
    assert response.status_code == status, address
    if not response["Content-Type"].startswith("text/html"):
        return
    html = response.content.decode()
    assert '<html lang="de"' in html or address.endswith(("/poster/", "/preview/"))
    assert english_in(html) == [], address


def make_survey_of(owner, rule):
    survey = make_german_survey(
        owner,
        opened=rule.opened,
        access=rule.access,
        target=20_000,
        wanted_margin="2.5",
        closes_on="2099-12-31",
    )
    maria = make_user("maria")
    Membership.objects.create(survey=survey, user=maria, role=Role.EDITOR)
    if rule.opened:
        count = survey.questions.count()
        make_responses(survey, [bytes([n % 2] * count) for n in range(60)])
        Response.objects.seal(survey)
    if rule.closed:
        close(survey)
    if rule.is_tried:
        rehearsal.start(survey)
    return survey


@pytest.mark.parametrize("name", SURVEY_PAGES)
def test_a_page_of_a_survey_is_german(german, name):
    rule = SURVEY_PAGES[name]
    survey = make_survey_of(german.owner, rule)
    response = german.get(address_of(name, survey.pk), follow=True)
    if response.status_code == OK:
        see(german, response.request["PATH_INFO"])


@pytest.mark.parametrize("name", FOR_STAFF)
def test_a_page_of_no_survey_is_german(german, name):
    make_german_survey(german.owner)
    see(
        german,
        reverse(f"admin:{name}", kwargs=FOR_STAFF[name]),
        **({"status": 400} if name == "estimation_plan_chart" else {}),
    )


@pytest.mark.parametrize("name", FOR_SUPERUSERS)
def test_a_page_of_an_account_is_german(german, name):
    names = FOR_SUPERUSERS[name]
    address = reverse(f"admin:{name}", kwargs={each: german.owner.pk for each in names})
    see(german, address)
