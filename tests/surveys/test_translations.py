"""Surveys in more than one language."""

import json
import re

import pytest

from candor.files.table import FileError
from surveys.design import get_design
from surveys.files.definition import write_definition
from surveys.files.read import read_definition
from tests.factories import make_multilingual_survey, make_survey

pytestmark = pytest.mark.django_db


def test_a_design_can_be_read_in_each_language():
    design = get_design(make_multilingual_survey(helpline="Someone to talk to"))
    assert design.languages == ("en", "ar", "de")
    german = design.translate("de")
    assert (german.title, german.language) == ("Lerngewohnheiten", "de")
    assert german.helpline == "Someone to talk to in German"
    assert german.questions[0].choices == ("Ja", "Nein")
    assert german.questions[0].mechanism == design.questions[0].mechanism
    assert (german.digest, german.languages) == (design.digest, design.languages)
    assert german.organiser == "Institute of Examples"
    assert design.translate("fr") is design


def test_the_answer_that_declines_is_the_same_in_all_languages():
    question = ("k_ary", {"choices": 3, "epsilon": 1})
    survey = make_multilingual_survey([question], opened=False)
    translations = survey.questions.get().translations
    translations["de"]["choices"][2] = "Dazu sage ich nichts"
    survey.questions.update(translations=translations)
    survey.open()
    design = get_design(survey)
    assert design.translate("de").questions[0].declined == 2


def test_a_missing_translation_prevents_opening():
    survey = make_multilingual_survey(opened=False, purpose="To learn.")
    survey.translations["de"].pop("title")
    survey.save()
    question = survey.questions.get()
    question.translations["de"]["choices"].append("Vielleicht")
    question.translations["de"].pop("text")
    question.save()
    assert survey.problems() == [
        "Not yet in Deutsch: title, question 1 (question, answers)."
    ]


def test_translations_without_an_original_are_omitted():
    survey = make_multilingual_survey(opened=False)
    survey.translations["de"]["purpose"] = "Um zu lernen."
    survey.save()
    assert "purpose" not in survey.definition()["translations"]["de"]
    survey.language = "de"
    assert survey.other_languages == ["ar"]


def find_places(refused):
    """Return the places that are named, each once."""
    return [
        *dict.fromkeys(re.split(": | ", text)[0] for text in refused.value.problems)
    ]


def test_a_file_with_an_invalid_translation_is_rejected():
    file = json.loads(write_definition(make_survey(opened=False)))
    for wrong, place in [
        ({"xx": {}}, "translations"),
        ([], "translations"),
        ({"de": "Titel"}, "translations.de"),
        ({"de": {"slug": "neu"}}, "translations.de"),
        ({"de": {"title": "x" * 201}}, "translations.de.title"),
    ]:
        with pytest.raises(FileError) as refused:
            read_definition(json.dumps({**file, "translations": wrong}))
        assert find_places(refused) == [place]


def test_a_file_with_an_invalid_question_translation_is_rejected():
    survey = make_multilingual_survey(opened=False)
    file = json.loads(write_definition(survey))
    for wrong, place in [
        ({"fr": {}}, ""),
        ({"de": {"choices": ["Ja"]}}, ".de.choices"),
        ({"de": {"choices": None}}, ".de.choices"),
        ({"de": {"text": ""}}, ".de.text"),
        ({"de": {"family": "coin"}}, ".de"),
    ]:
        file["questions"][0]["translations"] = wrong
        with pytest.raises(FileError) as refused:
            read_definition(json.dumps(file))
        assert find_places(refused) == [f"questions[0].translations{place}"]
