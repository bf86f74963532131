"""The key of a second institution: where it is kept, checked, frozen and read."""

import json

import pytest
from django.core.exceptions import ValidationError

from candor.files.table import FileError
from surveys.authoring.checklist import make_checklist
from surveys.authoring.steps import describe_holder
from surveys.files.definition import write_definition
from surveys.files.read import read_definition
from surveys.models import Survey
from tests.factories import make_survey
from tests.sealed import ANOTHER_HOLDER, HOLDER, make_sealed_survey
from tests.surveys.authoring.posted import ADD, posted

pytestmark = pytest.mark.django_db

TEXT = HOLDER.write().decode()
ANOTHER_TEXT = ANOTHER_HOLDER.write().decode()
FORGED = TEXT.replace(HOLDER.fingerprint, ANOTHER_HOLDER.fingerprint)


@pytest.mark.parametrize("mode", ["hand", "server"])
def test_sealing_requires_mode_browser(mode):
    survey = make_sealed_survey(opened=False, mode=mode)

    with pytest.raises(ValidationError, match="Only a respondent's browser can seal"):
        survey.open()
    (missing,) = make_checklist(survey).missing
    assert missing.place == "id_holder_key"


@pytest.mark.parametrize("text", ["no key", "{}", FORGED, TEXT[:-2]])
def test_forms_and_files_reject_invalid_keys(text, client):
    survey = make_sealed_survey(opened=False, holder=HOLDER)
    definition = json.loads(write_definition(survey)) | {"holder_key": text}

    with pytest.raises(FileError, match="holder_key"):
        read_definition(json.dumps(definition))
    client.force_login(survey.owner)
    page = client.post(ADD, posted(holder_key=text, slug="other"))
    assert "This is not a valid public key file" in page.content.decode()
    assert not Survey.objects.filter(slug="other").exists()


def test_the_form_takes_a_key_and_names_its_holder(client):
    client.force_login(make_survey(opened=False).owner)

    client.post(ADD, posted(holder_key=f" {TEXT}\r\n", slug="other"))

    survey = Survey.objects.get(slug="other")
    assert survey.holder == HOLDER
    shown = f"Ethics Office ({HOLDER.fingerprint})"
    assert describe_holder(survey.holder_key) == shown
    page = client.get(f"/admin/surveys/survey/{survey.pk}/change/").content.decode()
    assert shown in page


def test_opening_needs_a_confirmed_fingerprint(client):
    survey = make_sealed_survey(opened=False, target=100)
    client.force_login(survey.owner)
    address = f"/admin/surveys/survey/{survey.pk}/open/"
    page = client.get(address).content.decode()
    assert HOLDER.fingerprint in page
    assert "If the key is lost, all reports are lost." in page

    client.post(address)
    survey.refresh_from_db()
    assert survey.is_draft

    client.post(address, {"confirms-fingerprint": "on"})
    survey.refresh_from_db()
    assert survey.is_open


def test_an_opened_survey_shows_the_holder_but_not_the_key(client):
    survey = make_sealed_survey()
    client.force_login(survey.owner)

    page = client.get(f"/admin/surveys/survey/{survey.pk}/change/").content.decode()

    assert f"Ethics Office ({HOLDER.fingerprint})" in page
    assert "candor public key" not in page
