"""The page on which the texts of a draft are translated."""

import pytest

from surveys.authoring.checklist import Finding, make_checklist
from surveys.models import Survey
from tests.factories import make_multilingual_survey, make_survey
from tests.surveys.authoring.posted import page_of, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def survey():
    return make_survey(opened=False, purpose="To learn.")


@pytest.fixture
def address(client, survey):
    client.force_login(survey.owner)
    return page_of(survey, "translations")


def post(client, address, action, **fields):
    return client.post(address, {"action": action, **fields}, follow=True)


def translate(survey, **changed):
    question = survey.questions.get()
    return {
        "language": "de",
        "title": "Lerngewohnheiten",
        "purpose": "Um zu lernen.",
        f"q{question.pk}-text": "Heikle Frage?",
        f"q{question.pk}-choices-0": "Ja",
        f"q{question.pk}-choices-1": "Nein",
        **{
            name.replace("q-", f"q{question.pk}-"): text
            for name, text in changed.items()
        },
    }


def test_a_language_is_added_translated_and_removed(client, survey, address):
    html = post(client, address, "add", language="de").content.decode()
    assert "Sensitive question 1?" in html
    # The usual answers are translated already.
    assert 'value="Ja"' in html
    assert 'value="Nein"' in html
    stored = Survey.objects.get()
    assert stored.translations == {"de": {}}
    assert stored.problems() == [
        "Not yet in Deutsch: title, why it is asked, question 1 (question, answers)."
    ]
    page = post(client, address, "save", **translate(survey))
    assert "Translated into Deutsch." in text_of(page)
    stored = Survey.objects.get()
    assert stored.problems() == []
    assert stored.translations == {
        "de": {"title": "Lerngewohnheiten", "purpose": "Um zu lernen."}
    }
    assert stored.questions.get().translations == {
        "de": {"text": "Heikle Frage?", "choices": ["Ja", "Nein"]}
    }
    assert "Translated into Deutsch." in text_of(client.get(page_of(survey, "history")))
    post(client, address, "remove", language="de")
    stored = Survey.objects.get()
    assert (stored.translations, stored.questions.get().translations) == ({}, {})


def test_a_wrong_translation_is_refused_with_all_that_was_typed(
    client, survey, address
):
    post(client, address, "add", language="de")
    for wrong in (
        {"q-choices-1": ""},
        {"q-choices-1": "Ja"},
        {"title": "x" * 201},
        {"purpose": "x" * 4001},
    ):
        page = post(client, address, "save", **translate(survey, **wrong))
        assert "Nothing was changed" in text_of(page)
        assert "Heikle Frage?" in page.content.decode()
        assert Survey.objects.get().translations == {"de": {}}


def test_only_a_language_of_ours_is_added_and_only_one_that_was_is_translated(
    client, survey, address
):
    for language in ("en", "xx", ""):
        post(client, address, "add", language=language)
        assert Survey.objects.get().translations == {}
    post(client, address, "add", language="de")
    for language in ("en", "xx", "", "ar"):
        post(client, address, "save", **{**translate(survey), "language": language})
        assert Survey.objects.get().translations == {"de": {}}


def test_an_opened_survey_is_only_read(client):
    survey = make_multilingual_survey()
    client.force_login(survey.owner)
    address = page_of(survey, "translations")
    html = client.get(f"{address}?language=de").content.decode()
    assert "Lerngewohnheiten" in html
    assert 'name="title"' not in html
    page = post(client, address, "remove", language="de")
    assert "frozen" in text_of(page)
    assert Survey.objects.get().other_languages == ["ar", "de"]


def test_the_checklist_leads_to_the_page(client, survey, address):
    assert not [
        each for each in make_checklist(survey).checks if each.name == "Translations"
    ]
    post(client, address, "add", language="de")
    (check,) = [
        each
        for each in make_checklist(Survey.objects.get()).checks
        if each.name == "Translations"
    ]
    assert check.finding is Finding.MISSING
    assert (
        f"{address}#translations"
        in client.get(page_of(survey, "open")).content.decode()
    )
