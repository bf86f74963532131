"""Documents in the language of their readers, in step with the English ones."""

import re

import pytest
from django.utils import translation

from config.env import BASE_DIR
from config.help.documents import find_translation, sources
from config.help.places import PLACES
from config.help.search import search
from config.templatetags.researchers import help_at

TRANSLATED = sorted(name for name in sources() if name.startswith("de/"))


def test_pages_for_a_first_survey_are_translated():
    assert TRANSLATED == [
        "de/researchers/fieldwork",
        "de/researchers/results",
        "de/start/choosing-protection",
        "de/start/first-survey",
        "de/start/glossary",
    ]


@pytest.mark.parametrize("name", TRANSLATED)
def test_a_translation_has_the_structure_of_its_original(name):
    def outline(name):
        text = (BASE_DIR / sources()[name]).read_text("utf-8")
        return {
            "headings": re.findall(r"^#+(?= )", text, re.MULTILINE),
            "rows": len(re.findall(r"^\|", text, re.MULTILINE)),
            "pictures": re.findall(r"images/([\w-]+\.png)", text),
            "steps": re.findall(r"^\d+\. ", text, re.MULTILINE),
            "items": len(re.findall(r"^- ", text, re.MULTILINE)),
        }

    assert outline(name) == outline(find_translation(name, "en"))


def visit(client, address, language):
    page = client.get(address, headers={"accept-language": language}).content.decode()
    notices = re.findall(r'<p class="notice".*?</p>', page, re.DOTALL)
    return page, "".join(notices)


def test_a_help_page_links_to_its_translation(client):
    _page, notice = visit(client, "/help/start/glossary/", "de")
    assert 'href="/help/de/start/glossary/"' in notice
    page, notice = visit(client, "/help/de/start/glossary/", "de")
    assert 'href="/help/start/glossary/"' in notice
    assert '<h1 lang="de">Glossar</h1>' in page
    assert '<article class="card document" lang="de">' in page
    _page, notice = visit(client, "/help/start/troubles/", "de")
    assert "Diese Seite gibt es nur auf Englisch." in notice
    _page, notice = visit(client, "/help/start/glossary/", "en")
    assert not notice


def test_researcher_pages_link_to_help_in_their_language():
    results = PLACES["estimation_results"]
    with translation.override("de"):
        assert help_at(results) == "/help/de/researchers/results/"
        # A heading has another anchor there.
        assert help_at(f"{results}#options") == "/help/researchers/results/#options"
    with translation.override("en"):
        assert help_at(results) == "/help/researchers/results/"


def test_search_finds_pages_in_the_readers_language():
    found = {each.document.language for each in search("Fehlerspielraum", "de")}
    assert found == {"de"}
    assert search("Fehlerspielraum") == []
