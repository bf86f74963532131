"""The library of questions, held to the hints that researchers get for their own."""

import pytest
from django.conf import settings

from surveys.authoring.hints import find_hints
from surveys.authoring.library import (
    list_library,
)
from surveys.models import Choice, Question

ENTRIES = [entry for field in list_library() for entry in field["entries"]]
LANGUAGES = [code for code, _name in settings.LANGUAGES]

for_each_entry = pytest.mark.parametrize(
    "entry", ENTRIES, ids=lambda entry: entry["key"]
)


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
