"""The library of questions, held to the hints that researchers get for their own."""

import pytest
from django.conf import settings

from surveys.authoring.hints import find_hints
from surveys.authoring.library import (
    FIELDS,
    find_template,
    list_library,
    translate_template,
)
from surveys.models import Choice, Question

ENTRIES = [entry for field in list_library() for entry in field["entries"]]
LANGUAGES = [code for code, _name in settings.LANGUAGES]

for_each_entry = pytest.mark.parametrize(
    "entry", ENTRIES, ids=lambda entry: entry["key"]
)


def test_it_covers_four_fields_with_some_thirty_questions():
    assert list(FIELDS) == ["health", "work", "study", "conduct"]
    assert 25 <= len(ENTRIES) <= 40
    assert len({entry["key"] for entry in ENTRIES}) == len(ENTRIES)


@for_each_entry
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_question_is_worded_as_the_hints_ask(entry, language):
    wording = entry["wordings"][language]
    hints = find_hints(
        wording.text, language=language, is_yes_or_no=not wording.choices
    )
    assert [hint.message for hint in hints] == []
    assert wording.text.endswith(("?", "؟"))


@for_each_entry
def test_every_question_is_translated_and_fits_its_column(entry):
    texts = {wording.text for wording in entry["wordings"].values()}
    assert len(texts) == len(LANGUAGES)
    longest = Question._meta.get_field("text").max_length
    assert max(map(len, texts)) <= longest
    labels = [wording.choices for wording in entry["wordings"].values()]
    longest = Choice._meta.get_field("label").max_length
    assert all(len(label) <= longest for each in labels for label in each)
    assert len(set(map(len, labels))) == 1


@for_each_entry
def test_every_question_has_a_note_or_a_source(entry):
    template = entry["template"]
    assert template.note or template.source


def test_a_question_is_found_by_its_key():
    doping = find_template("health.doping")
    assert doping is not None
    assert "banned in your sport" in translate_template(doping, "en").text
    assert "in Ihrem Sport verboten" in translate_template(doping, "de").text


@pytest.mark.parametrize("key", ["", "health", "health.", "health.cats", "x.doping"])
def test_an_unknown_key_finds_nothing(key):
    assert find_template(key) is None
