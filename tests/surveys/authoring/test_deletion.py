"""A deleted draft: hidden, restored, and removed for good."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import IntegrityError
from django.utils import timezone
from reversion.models import Revision, Version

from surveys.authoring.deletion import delete_draft
from surveys.log import read_log
from surveys.models import Invitee, Membership, Question, Role, Survey
from tests.factories import make_survey, make_user
from tests.surveys.authoring.posted import page_of, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def survey(client):
    survey = make_survey(["coin"], opened=False)
    client.force_login(survey.owner)
    return survey


def test_a_deleted_draft_is_hidden_and_frees_its_address(client, survey):
    page = client.post(page_of(survey, "delete"), {"post": "yes"}, follow=True)
    assert "“Study habits” is deleted." in text_of(page)
    assert client.get(page_of(survey)).status_code == 404
    assert "Study habits" not in text_of(client.get("/admin/surveys/survey/"))
    assert Survey.objects.find_free_slug("Study habits") == "study-habits"
    assert "Study habits" in text_of(client.get("/admin/surveys/survey/deleted/"))

    back = client.post(page_of(survey, "undelete"))
    assert back.headers["Location"] == page_of(survey)
    stored = Survey.objects.get()
    assert (stored.slug, stored.deleted_at) == ("study-habits", None)
    assert [line.what for line in read_log(stored)] == [("Restored.",), ("Deleted.",)]


def test_owners_restore_deleted_drafts_under_a_free_address(client, survey):
    editor = make_user("editor")
    Membership.objects.create(survey=survey, user=editor, role=Role.EDITOR)
    make_survey(opened=False, slug=f"deleted-{survey.pk}")
    delete_draft(survey.owner, survey)
    make_survey(opened=False, title="Another")
    client.post(page_of(survey, "undelete"))
    survey.refresh_from_db()
    assert survey.slug == "study-habits-2"
    delete_draft(survey.owner, survey)
    client.force_login(editor)
    assert "Study habits" not in text_of(client.get("/admin/surveys/survey/deleted/"))


def test_after_thirty_days_a_draft_and_its_states_are_gone(survey):
    delete_draft(survey.owner, survey)
    now = timezone.now()
    for days, is_there in ((29, True), (31, False)):
        Survey.objects.update(deleted_at=now - timedelta(days=days))
        call_command("seal")
        found = Survey, Question, Revision, Version
        assert all(each.objects.exists() == is_there for each in found)


def test_a_deleted_draft_has_no_invitations(client, survey):
    maria = make_user("maria", email="maria@example.org")
    Invitee.objects.create(survey=survey, email=maria.email, role=Role.EDITOR)
    client.force_login(maria)
    assert "Study habits" in text_of(client.get("/admin/"))
    delete_draft(survey.owner, survey)
    assert "Study habits" not in text_of(client.get("/admin/"))


def test_the_database_rejects_deletion_of_an_opened_survey():
    make_survey()
    with pytest.raises(IntegrityError, match="only_a_draft_is_deleted"):
        Survey.objects.update(deleted_at=timezone.now())
