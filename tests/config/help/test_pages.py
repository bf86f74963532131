"""The documents as pages: for everybody, in the house's look, found by their words."""

import re
from itertools import pairwise

import pytest
from django.template.loader import get_template

from config.help.documents import (
    find_document,
    iterate_documents,
    make_document,
    make_help_address,
)
from config.help.keywords import KEYWORDS
from config.help.places import PLACES
from config.help.search import MAX_WORDS, make_pattern, search, split_words
from respondents.collecting.headers import CONTENT_POLICY
from tests.docs.documents import PROJECT
from tests.factories import make_survey
from tests.surveys.page_rules import FOR_STAFF, FOR_SUPERUSERS, SURVEY_PAGES

HELP_AT = re.compile(r'help_at "([^"]+?)"(\|add)?')


def test_help_needs_no_login_cookie_or_script(client):
    answer = client.get("/help/")
    page = answer.content.decode()
    assert answer.status_code == 200
    assert not answer.cookies
    assert answer["Content-Security-Policy"] == CONTENT_POLICY
    assert "<script" not in page
    assert "style=" not in page
    assert '<a href="/help/start/first-survey/"' in " ".join(page.split())
    assert "only in English" not in page


def test_headings_are_nested_and_pictures_have_alternative_text():
    """Of each page; axe looks at three of them, as all are made the same way."""
    for document in iterate_documents():
        levels = [1, *map(int, re.findall(r"<h(\d)", document.html))]
        assert 1 not in levels[1:], document.name
        assert max(b - a for a, b in pairwise([*levels, 1])) <= 1, document.name
        assert 'alt=""' not in document.html, document.name
        assert "<th></th>" not in document.html, document.name


def test_long_names_can_break_between_their_parts(client):
    """Else the names of tests leave each promise a column of two words."""
    page = client.get("/help/privacy/threat-model/").content.decode()
    assert "tests/<wbr>docs/<wbr>test_<wbr>threats" not in page
    assert "test_<wbr>audit.py::<wbr>test_<wbr>a_<wbr>million_<wbr>reports" in page


@pytest.mark.parametrize(
    "address", ["none/", "start/none/", "images/none.png", "../README.md/", "docs/"]
)
def test_other_help_addresses_are_not_found(client, address):
    assert client.get(f"/help/{address}").status_code == 404


def test_help_pages_show_the_pictures_of_the_documents(client):
    page = client.get("/help/start/first-survey/").content.decode()
    pictures = re.findall(r'<img src="(/help/images/[^"]+)" alt="([^"]+)"', page)
    assert len(pictures) > 5
    for address, alternative in pictures:
        answer = client.get(address)
        assert answer["Content-Type"] == "image/png"
        assert answer.content.startswith(b"\x89PNG")
        assert len(alternative) > 10


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("epsilon", "/help/start/glossary/#epsilon"),
        ("Batches", "/help/start/glossary/#batch"),
        ("close_due", "/help/reference/commands/#close_due"),
        ("Stata", "/help/researchers/exports/#spss-stata-and-workbooks"),
        ("ethics", "/help/background/ethics-and-law/"),
        ("forgot my password", "/help/start/troubles/#a-forgotten-password"),
        ("where are the data stored?", "/help/privacy/privacy/#what-is-stored"),
        ("negative estimate", "/help/start/troubles/#an-estimate-below-0-"),
        ("send a reminder to participants", "/help/researchers/fieldwork/#share"),
    ],
)
def test_search_finds_the_section_on_the_topic(client, question, first):
    page = client.get("/help/", {"q": question}).content.decode()
    assert search(question)[0].address == first
    assert f'<a href="{first}">' in page
    assert "<mark>" in page


KEYWORD_PLACES = [
    (phrase, place)
    for place, phrases in KEYWORDS.items()
    for phrase in phrases.split(", ")
]


@pytest.mark.parametrize(("phrase", "place"), KEYWORD_PLACES)
def test_a_keyword_finds_its_section(phrase, place):
    assert search(phrase)[0].address == make_help_address(place)


def test_every_keyword_has_one_section():
    assert len(dict(KEYWORD_PLACES)) == len(KEYWORD_PLACES)


@pytest.mark.parametrize("question", ["", " ", "?!", "zebra crossing", "x" * 9000])
def test_search_without_matches_returns_nothing(client, question):
    assert search(question) == []
    assert client.get("/help/", {"q": question}).status_code == 200


def test_the_search_phrase_is_escaped(client):
    page = client.get("/help/", {"q": "<b>epsilon"}).content.decode()
    assert "<b>" not in page.partition("<main")[2]


@pytest.mark.parametrize(("asks", "note"), [("de", True), ("en", False), ("fr", False)])
def test_german_visitors_see_that_the_help_is_in_english(client, asks, note):
    answer = client.get("/help/", headers={"accept-language": asks})
    assert ('<p class="notice" lang="de">' in answer.content.decode()) is note
    assert '<html lang="en"' in answer.content.decode()
    assert "Accept-Language" in answer["Vary"]


def leads_somewhere(place):
    name, _, anchor = place.partition("#")
    document = find_document(name)
    return document is not None and (not anchor or anchor in document.anchors)


def test_every_help_link_has_a_target():
    assert {place for place in PLACES.values() if not leads_somewhere(place)} == set()


def test_every_help_link_in_a_template_has_a_target():
    named = [
        (file.name, place, is_begun)
        for file in (PROJECT / "templates").rglob("*.html")
        for place, is_begun in HELP_AT.findall(file.read_text("utf-8"))
    ]
    assert len(named) > 8
    for name, place, is_begun in named:
        assert is_begun or leads_somewhere(place), (name, place)
    assert get_template("help/page.html")


NO_PAGES = {
    # Files and pictures
    "estimation_chart", "estimation_compare_chart", "estimation_compare_csv",
    "estimation_csv", "estimation_export_all", "estimation_export_file",
    "estimation_export_reports", "estimation_overview", "estimation_plan_chart",
    "estimation_publish_chart", "estimation_publish_csv", "estimation_publish_overview",
    "estimation_regression_csv", "estimation_weighted_csv", "estimation_xlsform",
    "surveys_survey_batch", "surveys_survey_code", "surveys_survey_definition",
    "surveys_survey_invitation", "surveys_survey_try_code", "jsi18n",
    # What respondents will see, and what belongs to another page
    "surveys_survey_poster", "surveys_survey_try_page", "surveys_survey_try_thanks",
    "estimation_publish_preview", "estimation_publish_switch",
    "estimation_publish_count",
    "estimation_monitor_numbers", "estimation_plan",
    # Django's own, which speak for themselves
    "app_list", "auth_user_delete", "auth_user_history", "auth_user_password_change",
}  # fmt: skip


def test_every_researcher_page_has_a_help_link():
    known = {*SURVEY_PAGES, *FOR_STAFF, *FOR_SUPERUSERS}
    assert known - set(PLACES) == NO_PAGES


@pytest.mark.django_db
def test_error_pages_link_to_their_troubleshooting_section(admin_client):
    survey = make_survey()
    for address, status, trouble in (
        (f"{survey.pk + 1}/results/", 404, "page-not-found"),
        (f"{survey.pk}/delete/", 403, "not-allowed"),  # of an opened one, by no one
    ):
        refused = admin_client.get(f"/admin/surveys/survey/{address}")
        assert refused.status_code == status
        assert f'"/help/start/troubles/#{trouble}"' in refused.content.decode()
        assert trouble in {
            each.anchor for each in find_document("start/troubles").sections
        }


def test_unknown_pages_and_searches_are_not_cached(client):
    """No login is needed: names and words that no one wrote would fill the memory."""
    caches = make_document, make_pattern
    client.get("/help/")
    search("anything")  # reads all documents, once
    before = [cache.cache_info().currsize for cache in caches]
    for number in range(20):
        assert client.get(f"/help/x{number}/").status_code == 404
        assert search(f"x{number}y z{number}y") == []
    assert [cache.cache_info().currsize for cache in caches] == before
    assert make_pattern.cache_info().maxsize is not None


def test_a_long_search_is_cut_short():
    assert len(split_words(" ".join("bcdfghjklmnpqrstvwxyz"))) == MAX_WORDS
