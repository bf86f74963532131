"""Pages of accounts that are Django's, in our words."""

import pytest

from surveys.log import record
from tests.factories import make_survey, make_user
from tests.surveys.authoring.posted import text_of

USERS = "/admin/auth/user/"


@pytest.fixture
def colleague(client, db):
    client.force_login(make_user("superuser", is_superuser=True))
    return make_user("colleague")


def page(client, colleague, name):
    return text_of(client.get(f"{USERS}{colleague.pk}/{name}/"))


def test_nothing_of_a_stored_password_is_shown(client, colleague):
    shown = page(client, colleague, "change")
    assert "Reset password" in shown
    stored = colleague.password
    assert not [part for part in stored.split("$") if part and part[:6] in shown]
    colleague.set_unusable_password()
    colleague.save()
    assert "No password set." in page(client, colleague, "change")


def test_who_owns_surveys_hands_them_over_before_the_account_is_deleted(
    client, colleague
):
    sure = {"post": "yes"}
    survey = make_survey(owner=colleague)
    shown = page(client, colleague, "delete")
    assert "This account owns surveys." in shown
    assert survey.title in shown
    assert "Delete the account" not in shown
    client.post(f"{USERS}{colleague.pk}/delete/", sure)
    assert type(colleague).objects.filter(pk=colleague.pk).exists()


def test_an_account_without_surveys_goes_with_its_lines_in_their_logs(
    client, colleague
):
    survey = make_survey(owner=make_user())
    record(colleague, survey, "Looked.")
    shown = page(client, colleague, "delete")
    assert "its lines in their logs will be gone for good" in shown
    client.post(f"{USERS}{colleague.pk}/delete/", {"post": "yes"})
    assert not type(colleague).objects.filter(pk=colleague.pk).exists()


def test_lists_and_histories_without_lines_say_so(client, colleague):
    assert "No user fits what you look for." in text_of(client.get(f"{USERS}?q=zzz"))
    assert "Nothing was changed about this account" in page(
        client, colleague, "history"
    )
