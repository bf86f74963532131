"""The authoring form: questions from the library, hints, removing, and its sections."""

import json
import re

from candor.mechanisms import load_families
from surveys.models import Survey
from tests.factories import make_survey, make_user
from tests.surveys.authoring.posted import ADD, page_of, posted, text_of

DOPING = (
    "In the past 12 months, have you used a substance that is banned in your sport?"
)


def data_in(page, name):
    found = re.search(
        rf'<script id="{name}" type="application/json">(.*?)</script>', page
    )
    return json.loads(found[1])


def test_a_link_fills_in_a_question_from_the_library(client, researcher):
    page = text_of(client.get(ADD + "?template=health.unprotected-sex"))
    assert '<option value="k_ary" selected>' in page
    assert "At no time Once More than once Prefer not to answer</textarea>" in page
    survey = make_survey(opened=False, language="de")
    page = text_of(client.get(page_of(survey) + "?template=health.doping"))
    assert page.count("das in Ihrem Sport verboten ist?</textarea>") == 1
    assert 'id="questions-1"' in page


def test_an_unknown_question_leaves_the_form_empty(client, researcher):
    for key in ["nothing", "health.nothing", "%00", "x" * 1000]:
        response = client.get(f"{ADD}?template={key}")
        (inline,) = response.context["inline_admin_formsets"]
        assert inline.formset.forms[0].initial.get("text", "") == ""


def test_the_library_is_a_list_of_links_by_field(client, researcher):
    page = text_of(client.get(ADD))
    assert "<summary>Study and research</summary>" in page
    assert 'href="?template=health.doping#questions-heading"' in page
    assert "Ulrich et al. 2018, Sports Medicine 48:211" in page
    wordings = data_in(page, "library-wordings")
    assert wordings["health.doping"]["en"] == {"text": DOPING, "choices": []}


def test_stored_and_typed_questions_get_their_hints(client, researcher):
    question = {"text": "Haben Sie gestohlen?"}
    survey = make_survey([question], opened=False, language="de")
    page = text_of(client.get(page_of(survey)))
    assert "<li>Add a time frame," in page
    assert "<li>Avoid blame:" in page
    page = text_of(client.post(ADD, posted({"text": "Never?"}, closes_on="never")))
    assert "<li>Avoid negations" in page


def test_background_and_attitudes_need_no_time_frame(client, researcher):
    kinds = [
        (kind, {each.name: each.example for each in load_families()[kind].parameters})
        for kind in ("one_bit", "grid", "direct", "direct_choice")
    ]
    survey = make_survey(kinds, opened=False)
    survey.questions.update(text="How satisfied are you?")
    page = text_of(client.get(page_of(survey)))
    assert "<li>Add a time frame," not in page


def test_a_new_question_that_was_removed_is_not_saved(client, researcher):
    gone = {"text": "Gone?", "DELETE": "on", "position": "1"}
    client.post(ADD, posted(gone, {"text": "Kept?", "position": "2"}))
    kept = Survey.objects.get().questions.values_list("text", "position")
    assert list(kept) == [("Kept?", 1)]


def test_errors_of_a_removed_question_are_ignored(client, researcher):
    gone = {"text": "", "family": "warner", "warner__p": "7", "DELETE": "on"}
    response = client.post(ADD, posted(gone, {"text": "Kept?"}, closes_on="never"))
    named = [(each.name, each.message) for each in response.context["named_errors"]]
    assert named == [("Last day", "Enter a valid date.")]
    [box] = re.findall(
        r'<input type="checkbox" name="questions-0-DELETE"[^>]*>', text_of(response)
    )
    assert "checked" in box, "it stays removed"


def test_a_new_survey_inherits_only_the_language_of_the_last_one(client, researcher):
    make_survey(slug="a", language="fr", opened=False)
    texts = dict.fromkeys(
        ("organiser", "contact", "purpose", "consent", "ethics_reference"), "Old"
    )
    make_survey(slug="b", language="de", opened=False, **texts)
    make_survey(slug="c", language="es", owner=make_user("other"), opened=False)
    form = client.get(ADD).context["adminform"].form
    assert form["language"].value() == "de"
    for name in ("title", *texts):
        assert not form[name].value(), name


def test_texts_have_a_maximum_length(client, researcher):
    page = text_of(client.post(ADD, posted({}, purpose="x" * 4001, consent="y" * 4000)))
    assert page.count("at most 4000 characters") == 2  # above the form and next to it
