"""A survey's pages are in its language: all of them, and every word."""

import json
import re

import pytest
from django.conf import settings
from django.utils.translation.trans_real import DjangoTranslation

from respondents.collecting import pages
from respondents.explaining import cards, method
from tests.respondents.languages import (
    MODES,
    english_in,
    make_translated_survey,
    pages_of,
    spoken_attributes,
)
from tests.respondents.markup import Markup

NAMES = {"Candor", "SHA", "JavaScript", "Windows", "macOS", "Linux"} | {
    name for _code, name in settings.LANGUAGES
}
"""What is called the same everywhere."""

EVERY_SURVEY = [(mode, access) for mode in MODES for access in ("link", "invitation")]


@pytest.fixture
def made_up(monkeypatch):
    """A language in which every text stands in brackets, around the English one."""

    def gettext(_self, text):
        return f"⟦{text}⟧"

    def ngettext(_self, singular, plural, count):
        return f"⟦{singular if count == 1 else plural}⟧"

    caches = (
        pages.render_journey,
        pages.render_plain_halves,
        cards.render_cached_sheet,
        method.render_how_it_works,
        method.render_what_we_store,
    )
    for cached in caches:
        cached.cache_clear()
    with monkeypatch.context() as patch:
        patch.setattr(DjangoTranslation, "gettext", gettext)
        patch.setattr(DjangoTranslation, "ngettext", ngettext)
        yield
    for cached in caches:
        cached.cache_clear()


def texts_in_json(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [text for each in value for text in texts_in_json(each)]
    return [value] if isinstance(value, str) else []


def said(html):
    """Return all that a person can come to read or hear of a page."""
    data = re.search(r'<script id="survey" [^>]*>(.*?)</script>', html)
    given = json.loads(data[1]) if data else {}
    given.pop("design", None)
    blocks = Markup(html).blocks
    return "\n".join([*blocks, *spoken_attributes(html), *texts_in_json(given)])


def outside_brackets(text):
    """Return the words that are in no brackets, innermost ones taken out first."""
    before = None
    while before != text:
        before, text = text, re.sub(r"⟦[^⟦⟧]*⟧", " ", text)
    return re.findall(r"[^\W\d_]{2,}", text)


@pytest.mark.usefixtures("db", "made_up")
@pytest.mark.parametrize(("mode", "access"), EVERY_SURVEY)
def test_every_text_of_every_page_is_translated(mode, access):
    survey = make_translated_survey(mode, access=access, say="⟦{}⟧".format)
    for html in pages_of(survey):
        words = outside_brackets(said(html))
        assert set(words) <= NAMES


@pytest.mark.django_db
@pytest.mark.parametrize("mode", MODES)
def test_a_german_survey_contains_no_english_text(mode):
    survey = make_translated_survey(mode, access="invitation")
    for html in pages_of(survey):
        assert '<html lang="de"\n dir="ltr">' in re.sub(r"\s*\n\s*", "\n ", html)
        assert english_in(said(html)) == []
