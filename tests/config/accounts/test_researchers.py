"""Pages of accounts that are Django's, in our words."""

import pytest

from surveys.log import read_log, record
from surveys.models import Role
from tests.factories import make_survey, make_user
from tests.surveys.authoring.posted import text_of

USERS = "/admin/auth/user/"


@pytest.fixture
def colleague(client, db):
    client.force_login(make_user("superuser", is_superuser=True))
    return make_user("colleague")


def page(client, colleague, name):
    return text_of(client.get(f"{USERS}{colleague.pk}/{name}/"))


def test_no_part_of_a_stored_password_is_shown(client, colleague):
    shown = page(client, colleague, "change")
    assert "Reset password" in shown
    stored = colleague.password
    assert not [part for part in stored.split("$") if part and part[:6] in shown]
    colleague.set_unusable_password()
    colleague.save()
    assert "No password set." in page(client, colleague, "change")


def test_a_superuser_sets_a_password_without_other_login_options(client, colleague):
    shown = page(client, colleague, "password")
    assert "LDAP" not in shown
    assert "authentication" not in shown
    address = f"{USERS}{colleague.pk}/password/"
    typed = {"password1": "", "password2": ""}
    assert "There is a problem" in text_of(client.post(address, typed))
    typed = dict.fromkeys(typed, "a-longer-one-27")
    assert client.post(address, typed).status_code == 302
    colleague.refresh_from_db()
    assert colleague.check_password("a-longer-one-27")


def test_an_account_that_owns_surveys_cannot_be_deleted(client, colleague):
    sure = {"post": "yes"}
    survey = make_survey(owner=colleague)
    shown = page(client, colleague, "delete")
    assert "Instead, hand its surveys over" in shown
    assert survey.title in shown
    assert "Delete the account" not in shown
    client.post(f"{USERS}{colleague.pk}/delete/", sure)
    assert type(colleague).objects.filter(pk=colleague.pk).exists()


def test_an_account_with_log_entries_cannot_be_deleted(client, colleague):
    survey = make_survey(owner=make_user())
    record(colleague, survey, "Looked.")
    shown = page(client, colleague, "delete")
    assert "Lines in logs" in shown
    assert "Delete the account" not in shown
    client.post(f"{USERS}{colleague.pk}/delete/", {"post": "yes"})
    (line,) = read_log(survey)
    assert line.who == colleague.username


def test_an_account_that_did_nothing_is_deleted_with_its_roles(client, colleague):
    survey = make_survey(owner=make_user())
    survey.memberships.create(user=colleague, role=Role.VIEWER)
    shown = page(client, colleague, "delete")
    assert "its roles will be" in shown
    client.post(f"{USERS}{colleague.pk}/delete/", {"post": "yes"})
    assert not type(colleague).objects.filter(pk=colleague.pk).exists()


def test_the_user_list_shows_login_status_and_superusers(client, colleague):
    colleague.first_name, colleague.last_name = "Ada", "Okafor"
    colleague.save()
    shown = text_of(client.get(USERS))
    assert "Ada Okafor" in shown
    assert "Superuser" in shown
    assert "Researcher" in shown
    assert "Cannot log in" not in shown
    colleague.is_active = False
    colleague.save()
    assert "Cannot log in" in text_of(client.get(USERS))


SHORT = "This password is too short. It must contain at least 8 characters."


@pytest.mark.parametrize(
    ("address", "names"),
    [
        ("/admin/password_change/", ("new_password1", "new_password2")),
        ("{user}password/", ("password1", "password2")),
        (f"{USERS}add/", ("password1", "password2")),
    ],
    ids=["own", "colleague", "newcomer"],
)
def test_a_weak_password_is_reported_at_its_input(client, colleague, address, names):
    address = address.format(user=f"{USERS}{colleague.pk}/")
    typed = dict.fromkeys(names, "kZ7-m")
    answer = client.post(address, {"username": "newcomer", **typed})
    adminform = answer.context.get("adminform")
    form = adminform.form if adminform else answer.context["form"]
    assert form.errors[names[0]] == [SHORT]
    assert names[1] not in form.errors
    shown = text_of(answer)
    assert f'<a href="#id_{names[0]}">' in shown
    assert "There is a problem" in shown


@pytest.mark.parametrize("address", [USERS, "/admin/surveys/survey/"])
def test_a_list_with_an_unknown_filter_answers_without_an_error(
    client, colleague, address
):
    make_survey()
    answer = client.get(f"{address}?x=1&e=1")
    assert answer.status_code == 200
    assert 'href="/help/"' in answer.content.decode()
