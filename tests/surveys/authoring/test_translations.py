"""The page on which the texts of a draft are translated."""

import pytest

from surveys.authoring.checklist import Finding, make_checklist
from surveys.models import Survey
from tests.factories import make_multilingual_survey, make_survey
from tests.surveys.authoring.posted import page_of, posted, text_of

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


def read_inputs(client, address):
    """What the page of German posts unchanged, in the order in which it is shown."""
    form = client.get(f"{address}?language=de").context["form"]
    shown = {name: form[name].initial for name in form.fields}
    return {"language": "de", **shown} | {
        form.add_initial_prefix(name): text for name, text in shown.items()
    }


def translate(client, address, **changed):
    """The same with German texts, or those of `changed`; No is `label_of_no`."""
    inputs = read_inputs(client, address)
    text, *labels = [each for each in inputs if each.startswith("q")]
    typed = {"title": "Lerngewohnheiten", "purpose": "Um zu lernen.", **changed}
    if "label_of_no" in typed:
        typed[labels[1]] = typed.pop("label_of_no")
    return {**inputs, text: "Heikle Frage?", **typed}


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
    page = post(client, address, "save", **translate(client, address))
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


def test_an_invalid_translation_is_rejected_and_kept_in_the_form(
    client, survey, address
):
    post(client, address, "add", language="de")
    for wrong in (
        {"label_of_no": ""},
        {"label_of_no": "Ja"},
        {"title": "x" * 201},
        {"purpose": "x" * 4001},
    ):
        page = post(client, address, "save", **translate(client, address, **wrong))
        assert "Nothing was changed" in text_of(page)
        assert "Heikle Frage?" in page.content.decode()
        assert Survey.objects.get().translations == {"de": {}}


def test_only_supported_and_added_languages_are_translated(client, survey, address):
    for language in ("en", "xx", ""):
        post(client, address, "add", language=language)
        assert Survey.objects.get().translations == {}
    post(client, address, "add", language="de")
    for language in ("en", "xx", "", "ar"):
        post(
            client,
            address,
            "save",
            **{**translate(client, address), "language": language},
        )
        assert Survey.objects.get().translations == {"de": {}}


def test_colleagues_translate_different_texts_at_one_time(client, address):
    post(client, address, "add", language="de")
    both = translate(client, address), read_inputs(client, address)
    post(client, address, "save", **both[0])
    post(client, address, "save", **{**both[1], "title": "Lernen"})
    stored = Survey.objects.get()
    assert stored.problems() == []
    assert stored.translations["de"] == {"title": "Lernen", "purpose": "Um zu lernen."}


def post_answers(client, survey, *answers):
    (question,) = survey.questions.all()
    lines = {"family": "k_ary", "k_ary__choices": "\n".join(answers)}
    changed = posted({"text": question.text, **lines}, stored=[question])
    client.post(page_of(survey), changed)
    return survey.questions.get().translations["de"].get("choices")


def test_translated_answers_move_with_their_originals(client):
    survey = make_survey([], opened=False)
    answers = {"parameters": {"epsilon": "1"}, "choices": ["Never", "Once", "Often"]}
    survey.add_question("How often?", family="k_ary", **answers)
    client.force_login(survey.owner)
    address = page_of(survey, "translations")
    post(client, address, "add", language="de")
    inputs = translate(client, address)
    labels = [each for each in inputs if "-choices-" in each and each[0] == "q"]
    inputs |= dict(zip(labels, ["Nie", "Einmal", "Oft"], strict=True))
    post(client, address, "save", **inputs)
    # Also where the translator's page was loaded before.
    for order, translated in (
        (["Often", "Never", "Once"], ["Oft", "Nie", "Einmal"]),
        (["Once", "Never", "Often"], ["Einmal", "Nie", "Oft"]),
    ):
        assert post_answers(client, survey, *order) == translated
        post(client, address, "save", **inputs)
        assert survey.questions.get().translations["de"]["choices"] == translated
    assert post_answers(client, survey, "Once", "Never") == ["Einmal", "Nie"]
    assert post_answers(client, survey, "Never", "Twice") == ["Nie", ""]
    assert "question 1 (answers)" in " ".join(Survey.objects.get().problems())


def test_translations_of_an_opened_survey_are_read_only(client):
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
