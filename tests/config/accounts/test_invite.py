"""Colleagues invited by e-mail: their rights, and no hints about accounts."""

import re

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client

from config.accounts import emails, invite
from config.accounts import urls as accounts
from surveys.models import Invitee, Membership, Role, Survey, find_role
from tests.config.accounts.test_login import try_to_log_in
from tests.config.accounts.test_urls import NEW, choose
from tests.factories import make_survey, make_user
from tests.surveys.authoring.posted import page_of, text_of

NEWCOMER, KNOWN = "new@example.org", "known@example.org"


@pytest.fixture(autouse=True)
def _at_once(settings, monkeypatch):
    settings.SENDS_MAIL = True
    for module in (emails, accounts):
        monkeypatch.setattr(module, "run_later", lambda work: work())


@pytest.fixture
def survey(client, db):
    survey = make_survey(opened=False, title="Habits")
    client.force_login(survey.owner)
    return survey


def ask(client, survey, email=NEWCOMER, role="editor"):
    address = f"{page_of(survey, 'people')}invite/"
    return client.post(address, {"email": email, "role": role}, follow=True)


def link_in(text):
    [found] = re.findall(r"http://testserver(/admin/password_reset/\w+/[\w-]+/)", text)
    return found


def respond(client, answer="accept"):
    address = f"/admin/surveys/invitation/{Invitee.objects.get().pk}/"
    return client.post(address, {"answer": answer}, follow=True)


def test_a_newcomer_chooses_a_password_accepts_and_has_the_role(client, survey):
    ask(client, survey)
    [letter] = mail.outbox
    assert letter.to == [NEWCOMER]
    assert "owner" in letter.body
    assert "Habits" not in letter.body + letter.subject
    newcomer = Client()
    choose(newcomer, link_in(letter.body))
    assert try_to_log_in(newcomer, NEW, username=NEWCOMER) == 302
    page = text_of(newcomer.get("/admin/"))
    assert "You are invited" in page
    assert "by owner, your role: Editor" in page
    assert newcomer.get(page_of(survey)).status_code == 404
    respond(newcomer)
    user = User.objects.get(username=NEWCOMER)
    assert find_role(survey, user) is Role.EDITOR
    assert not Invitee.objects.exists()
    assert "You are invited" not in text_of(newcomer.get("/admin/"))
    log = text_of(client.get(page_of(survey, "history")))
    assert "Accepted the invitation." in log
    assert NEWCOMER + ":" not in log
    assert "Invited a colleague by e-mail address: Editor." in log


def test_an_invited_account_is_a_researcher_and_no_more(client, survey):
    ask(client, survey)
    user = User.objects.get(email=NEWCOMER)
    assert (user.is_active, user.is_staff, user.is_superuser) == (True, True, False)
    assert not user.has_usable_password()
    assert not user.groups.exists()
    assert user.get_all_permissions() == set()
    newcomer = Client()
    newcomer.force_login(user)
    assert newcomer.get("/admin/").status_code == 200
    assert newcomer.get("/admin/auth/user/").status_code == 403
    assert newcomer.get(page_of(survey)).status_code == 404


def test_an_existing_account_is_invited_without_a_password_link(client, survey):
    known = make_user("known", email=KNOWN)
    before = known.password
    ask(client, survey, KNOWN.upper(), role="viewer")
    [letter] = mail.outbox
    assert letter.to == [KNOWN]
    assert "password" not in letter.body.lower()
    known.refresh_from_db()
    assert known.password == before
    assert find_role(survey, known) is None
    other = Client()
    other.force_login(known)
    respond(other)
    assert find_role(survey, known) is Role.VIEWER


def test_an_invitation_discloses_nothing_about_accounts(client, survey):
    make_user("known", email=KNOWN)
    make_user("left", email="left@example.org", is_active=False)
    texts = []
    for email in (KNOWN, "left@example.org", NEWCOMER):
        page = text_of(ask(client, survey, email)).replace(email, "ADDRESS")
        texts.append(re.sub(r'name="csrf[^>]*>', "", page))
        Invitee.objects.all().delete()
    assert len(set(texts)) == 1
    # Nor by adding the name that a new account has.
    post = {"action": "add", "username": NEWCOMER, "role": "viewer"}
    page = text_of(client.post(page_of(survey, "people"), post))
    assert f"No researcher here has the user name “{NEWCOMER}”." in page
    assert [letter.to for letter in mail.outbox] == [[KNOWN], [NEWCOMER]]


def test_accounts_are_looked_up_after_the_response_is_sent(client, survey, monkeypatch):
    waiting = []
    monkeypatch.setattr(emails, "run_later", waiting.append)
    ask(client, survey)
    assert not User.objects.filter(email=NEWCOMER).exists()
    assert mail.outbox == []
    waiting[0]()
    assert len(mail.outbox) == 1


def test_a_deactivated_account_stays_deactivated(client, survey):
    left = make_user("left", email="left@example.org", is_active=False)
    guest = make_user("guest", email="guest@example.org", is_staff=False)
    for user in (left, guest):
        ask(client, survey, user.email)
    assert mail.outbox == []
    assert User.objects.count() == 3


def test_repeated_invitations_send_one_email(client, survey):
    for _attempt in range(3):
        ask(client, survey)
    assert len(mail.outbox) == 1
    assert Invitee.objects.count() == 1


def test_pending_invitations_per_survey_are_limited(client, survey, monkeypatch):
    monkeypatch.setattr(invite, "MAX_INVITED", 2)
    for number in range(3):
        page = ask(client, survey, f"n{number}@example.org")
    assert "2 invitations are waiting." in text_of(page)
    assert Invitee.objects.count() == 2


def test_an_invitee_can_request_a_new_link(client, survey):
    ask(client, survey)
    first = link_in(mail.outbox[0].body)
    Client().post("/admin/password_reset/", {"email": NEWCOMER})
    again = link_in(mail.outbox[1].body)
    newcomer = Client()
    choose(newcomer, again)
    assert try_to_log_in(newcomer, NEW, username=NEWCOMER) == 302
    assert "This link does not work" in Client().get(first).content.decode()


def test_only_the_invitee_can_respond(client, survey):
    ask(client, survey)
    stranger = make_user("stranger", email="stranger@example.org")
    nameless = make_user("nameless")
    root = make_user("root", is_superuser=True)
    for user in (stranger, nameless, root, survey.owner):
        other = Client()
        other.force_login(user)
        assert respond(other).status_code == 404
    assert "/login/" in respond(Client()).redirect_chain[0][0]
    assert not Membership.objects.exists()
    address = f"/admin/surveys/invitation/{Invitee.objects.get().pk}/"
    assert client.get(address).status_code == 405
    assert client.post("/admin/surveys/invitation/987654/").status_code == 404


@pytest.mark.parametrize(
    ("answer", "message"), [("decline", "You declined"), ("", "You")]
)
def test_an_invitation_is_declined(client, survey, answer, message):
    known = make_user("known", email=KNOWN)
    ask(client, survey, KNOWN)
    other = Client()
    other.force_login(known)
    assert message in text_of(respond(other, answer))
    assert not Invitee.objects.exists()
    assert find_role(survey, known) is None


def test_a_withdrawn_invitation_cannot_be_accepted(client, survey):
    known = make_user("known", email=KNOWN)
    page = text_of(ask(client, survey, KNOWN))
    assert f"<strong>{KNOWN}</strong>" in page
    address = f"/admin/surveys/invitation/{Invitee.objects.get().pk}/"
    post = {"action": "withdraw", "email": KNOWN}
    page = text_of(client.post(page_of(survey, "people"), post, follow=True))
    assert f"The invitation to {KNOWN} is withdrawn." in page
    other = Client()
    other.force_login(known)
    assert other.post(address, {"answer": "accept"}).status_code == 404
    assert find_role(survey, known) is None


def test_only_the_displayed_role_can_be_accepted(client, survey):
    known = make_user("known", email=KNOWN)
    ask(client, survey, KNOWN)
    other = Client()
    other.force_login(known)
    Invitee.objects.update(role=Role.VIEWER.value)
    shown = '<input type="hidden" name="role" value="viewer">'
    assert shown in other.get("/admin/").content.decode()
    Invitee.objects.update(role=Role.EDITOR.value)
    address = f"/admin/surveys/invitation/{Invitee.objects.get().pk}/"
    answer = {"answer": "accept", "role": "viewer"}
    assert "Please answer again." in text_of(other.post(address, answer, follow=True))
    assert find_role(survey, known) is None
    other.post(address, {"answer": "accept", "role": "editor"})
    assert find_role(survey, known) is Role.EDITOR


@pytest.mark.parametrize("role", [Role.EDITOR, Role.VIEWER])
def test_only_the_owner_invites_and_sees_invitations(client, survey, role):
    ask(client, survey)
    maria = make_user("maria")
    Membership.objects.create(survey=survey, user=maria, role=role)
    client.force_login(maria)
    assert ask(client, survey, "x@example.org").status_code == 403
    assert NEWCOMER not in text_of(client.get(page_of(survey, "people")))
    post = {"action": "withdraw", "email": NEWCOMER}
    assert client.post(page_of(survey, "people"), post).status_code == 403
    assert Invitee.objects.count() == 1


@pytest.mark.parametrize("role", ["owner", "", "king"])
def test_no_invitation_makes_an_owner(client, survey, role):
    ask(client, survey, role=role)
    assert not Invitee.objects.exists()
    assert mail.outbox == []


def test_an_invitee_who_became_owner_stays_owner(client, survey):
    known = make_user("known", email=KNOWN)
    ask(client, survey, KNOWN)
    Survey.objects.update(owner=known)
    client.force_login(known)
    respond(client)
    assert not Membership.objects.exists()


def test_without_email_a_superuser_gets_the_link_once(client, survey, settings):
    settings.SENDS_MAIL = False
    client.force_login(make_user("root", is_superuser=True))
    page = ask(client, survey).content.decode()
    assert "Hand this link over" in page
    newcomer = Client()
    choose(newcomer, link_in(page))
    assert try_to_log_in(newcomer, NEW, username=NEWCOMER) == 302
    # From now on the password is theirs: no further link.
    page = text_of(ask(client, survey))
    assert "There is a login already" in page
    assert "/admin/password_reset/" not in page
    assert mail.outbox == []


def test_without_email_the_page_refers_to_the_administrator(client, survey, settings):
    settings.SENDS_MAIL = False
    page = text_of(ask(client, survey))
    assert "Ask your administrator" in page
    assert not Invitee.objects.exists()
    assert not User.objects.filter(email=NEWCOMER).exists()


ADD_USER = "/admin/auth/user/add/"


def test_a_superuser_adds_an_account_without_inventing_a_password(client, db):
    client.force_login(make_user("root", is_superuser=True))
    sent = {"username": "marie", "email": "", "is_staff": "on"}
    page = client.post(ADD_USER, {**sent, "password1": "", "password2": ""})
    user = User.objects.get(username="marie")
    assert not user.has_usable_password()
    newcomer = Client()
    choose(newcomer, link_in(page.content.decode()))
    assert try_to_log_in(newcomer, NEW, username="marie") == 302


@pytest.mark.parametrize("typed", [(NEW, ""), ("", NEW), (NEW, NEW + "x")])
def test_a_new_account_needs_two_equal_passwords_or_none(client, db, typed):
    client.force_login(make_user("root", is_superuser=True))
    sent = {"username": "marie", "email": "", "is_staff": "on"}
    one, two = typed
    client.post(ADD_USER, {**sent, "password1": one, "password2": two})
    assert not User.objects.filter(username="marie").exists()
