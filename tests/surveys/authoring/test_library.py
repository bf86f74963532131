"""The library of questions, held to the hints that researchers get for their own."""

import re

import pytest
from django.conf import settings

from surveys.authoring.hints import find_hints
from surveys.authoring.library import (
    find_wording,
    list_wordings,
    read_library,
    suggest_consent,
)
from surveys.models import Choice, Question
from tests.respondents.test_translations import FORBIDDEN

LANGUAGES = [code for code, _name in settings.LANGUAGES]
RESEARCHERS_LANGUAGES = {"en", "de"}


@pytest.mark.parametrize("key", list_wordings())
def test_library_questions_are_translated_without_hints_and_fit(key):
    for language in LANGUAGES:
        wording = find_wording(key, language)
        hints = find_hints(
            wording.text, language=language, is_yes_or_no=not wording.choices
        )
        assert [hint.message for hint in hints] == [], language
        assert wording.text.endswith(("?", "؟"))
    wordings = [find_wording(key, language) for language in LANGUAGES]
    texts = {wording.text for wording in wordings}
    assert len(texts) == len(LANGUAGES)
    longest = Question._meta.get_field("text").max_length
    assert max(map(len, texts)) <= longest
    longest = Choice._meta.get_field("label").max_length
    assert all(len(label) <= longest for each in wordings for label in each.choices)
    assert len({len(each.choices) for each in wordings}) == 1


def test_library_notes_and_titles_are_in_researcher_languages():
    fields = read_library()["fields"]
    notes = [
        each["note"]
        for field in fields
        for each in field["questions"]
        if "note" in each
    ]
    assert notes
    for texts in [*notes, *(field["title"] for field in fields)]:
        assert set(texts) == RESEARCHERS_LANGUAGES
        assert all(texts.values())


def test_the_consent_text_has_the_same_placeholders_in_all_languages():
    consent = read_library()["consent"]
    assert set(consent["text"]) == set(LANGUAGES)
    for name, texts in consent["placeholders"].items():
        assert set(texts) == set(LANGUAGES)
        assert all(text[0] + text[-1] == "[]" for text in texts.values())
        assert all(f"%({name})s" in text for text in consent["text"].values())


@pytest.mark.parametrize("language", FORBIDDEN)
def test_texts_for_respondents_contain_no_forbidden_words(language):
    forbidden = re.compile("|".join(FORBIDDEN[language]), re.IGNORECASE)
    wordings = [find_wording(key, language) for key in list_wordings()]
    texts = [text for each in wordings for text in (each.text, *each.choices)]
    consent = suggest_consent(title="", organiser="", contact="", language=language)
    assert [text for text in [*texts, consent] if forbidden.search(text)] == []
