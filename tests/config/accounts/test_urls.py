"""A new password for who has forgotten it, and nothing about who has an account."""

import re
import threading
from datetime import timedelta
from unittest.mock import patch

import pytest
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.core import mail
from django.test import Client
from django.urls import reverse

from config.accounts import emails
from config.accounts import urls as accounts
from tests.config.accounts.test_login import LIMIT, LOCKED, fail, try_to_log_in
from tests.factories import PASSWORD, make_survey, make_user
from tests.surveys.page_rules import FOR_STAFF, SURVEY_PAGES
from tests.surveys.test_access import address_of

ASK, DONE = "/admin/password_reset/", "/admin/password_reset/done/"
NEW = "lampshade-orbit-77"


@pytest.fixture(autouse=True)
def _no_mail_before(settings):
    settings.SENDS_MAIL = True


@pytest.fixture
def researcher(db, monkeypatch):
    """Someone with an address; what is done in a moment is done at once."""
    monkeypatch.setattr(accounts, "run_later", lambda work: work())
    return make_user(email="owner@example.org")


def ask(client, email="owner@example.org"):
    return client.post(ASK, {"email": email})


def link(client):
    ask(client)
    [letter] = mail.outbox
    [found] = re.findall(r"http://testserver(/\S+)", letter.body)
    return found


def choose(client, address, password=NEW):
    address = client.get(address).headers["Location"]
    sent = {"new_password1": password, "new_password2": password}
    return client.post(address, sent)


def test_a_link_by_mail_leads_to_a_new_password(client, researcher):
    address = link(client)
    assert mail.outbox[0].to == ["owner@example.org"]
    assert mail.outbox[0].subject == "A new password for Candor"
    assert "for 60 minutes" in mail.outbox[0].body
    done = choose(client, address)
    assert done.headers["Location"] == "/admin/password_reset/complete/"
    assert (
        "Your password is set" in client.get(done.headers["Location"]).content.decode()
    )
    assert try_to_log_in(client, PASSWORD) == 200
    assert try_to_log_in(client, NEW) == 302


def test_the_link_works_for_an_hour(client, researcher):
    address = link(client)
    tokens = default_token_generator
    later = tokens._now() + timedelta(minutes=59)
    with patch.object(tokens, "_now", lambda: later):
        assert client.get(address).status_code == 302
    with patch.object(tokens, "_now", lambda: later + timedelta(minutes=2)):
        assert "does not work" in Client().get(address).content.decode()


def test_the_answer_is_the_same_for_unknown_addresses(client, researcher):
    make_user("left", email="left@example.org", is_active=False)
    answers = {
        email: ask(client, email)
        for email in ("owner@example.org", "nobody@example.org", "left@example.org")
    }
    assert {each.headers["Location"] for each in answers.values()} == {DONE}
    assert len(mail.outbox) == 1
    page = client.get(DONE).content.decode()
    assert "If an account has this address" in page


@pytest.mark.parametrize("email", ["owner@example.org", "nobody@example.org"])
def test_accounts_are_looked_up_after_the_response_is_sent(
    client, committed, monkeypatch, django_assert_num_queries, email
):
    later = []

    class Timer(threading.Timer):
        def start(self):
            later.append(self)

    monkeypatch.setattr(emails, "Timer", Timer)
    monkeypatch.setattr(emails, "DELAY_SECONDS", 0)
    make_user(email="owner@example.org")
    with django_assert_num_queries(0):
        assert ask(client, email).headers["Location"] == DONE
    assert mail.outbox == []
    [timer] = later
    threading.Timer.start(timer)
    timer.join()
    assert len(mail.outbox) == (email == "owner@example.org")


def test_password_emails_per_researcher_are_limited(client, researcher):
    make_user("colleague", email="colleague@example.org")
    for _ in range(5):
        assert ask(client).headers["Location"] == DONE
    ask(client, "colleague@example.org")
    assert [letter.to for letter in mail.outbox] == [
        ["owner@example.org"],
        ["colleague@example.org"],
    ]


def test_a_new_password_ends_a_lock_out(client, researcher):
    fail(client, LIMIT)
    assert try_to_log_in(client, PASSWORD) == LOCKED
    choose(client, link(client))
    assert try_to_log_in(client, NEW) == 302


def by_mail(researcher):
    choose(Client(), link(Client()))


def by_a_superuser(researcher):
    client = Client()
    client.force_login(make_user("superuser", is_superuser=True))
    sent = {"usable_password": "true", "password1": NEW, "password2": NEW}
    client.post(f"/admin/auth/user/{researcher.pk}/password/", sent)


def shut(researcher):
    User.objects.filter(pk=researcher.pk).update(is_active=False)


@pytest.mark.parametrize("change", [by_mail, by_a_superuser, shut])
def test_a_password_change_or_deactivation_ends_old_sessions(researcher, change):
    old = Client()
    old.force_login(researcher)
    assert old.get("/admin/").status_code == 200
    change(researcher)
    assert old.get("/admin/").status_code == 302


def test_an_old_session_opens_no_page_after_a_password_reset(researcher):
    """No list of surveys, no page of results, no JSON, no file."""
    old, survey = Client(), make_survey(owner=researcher)
    old.force_login(researcher)
    pages = [address_of(name, survey.pk) for name in SURVEY_PAGES]
    pages += [
        reverse(f"admin:{name}", kwargs=kwargs) for name, kwargs in FOR_STAFF.items()
    ]
    is_open = [old.get(page).status_code == 200 for page in pages]
    assert sum(is_open) > len(pages) / 2
    by_mail(researcher)
    for page in pages:
        for answer in (old.get(page), old.post(page), old.get(page, headers=SCRIPTED)):
            where = answer.headers.get("Location", "")
            assert (answer.status_code, where[:13]) == (302, "/admin/login/"), page


SCRIPTED = {"Accept": "application/json", "X-Requested-With": "XMLHttpRequest"}


def test_browsers_do_not_cache_researcher_pages(client, researcher):
    """Or Back would show it to who comes after the log-out."""
    survey = make_survey(owner=researcher)
    client.force_login(researcher)
    names = ("surveys_survey_change", "estimation_results", "estimation_monitor")
    pages = [address_of(name, survey.pk) for name in names]
    for page in (*pages, "/admin/second-factor/", "/admin/confirm/", "/admin/no/"):
        assert "no-store" in client.get(page).headers["Cache-Control"], page


def test_without_a_mail_server_the_page_names_the_reset_command(
    client, researcher, settings
):
    settings.SENDS_MAIL = False
    for response in (client.get(ASK), ask(client)):
        page = response.content.decode()
        assert response.status_code == 200
        assert "manage.py changepassword USERNAME" in page
        # Nothing to fill in, and no form but the choice of a language.
        assert re.findall(r"<form\s+(\S+)", page) == ['class="languages"']
        assert set(re.findall(r'<input type="(\w+)"', page)) == {"hidden"}
    assert mail.outbox == []


OPEN = [
    page
    for page in accounts.urlpatterns
    if str(page.pattern).startswith(("password_reset", "login/"))
    and page.name != "account_logout"
]


@pytest.mark.parametrize("page", OPEN, ids=lambda page: page.name)
def test_password_pages_need_no_login_and_share_the_cookie_path(client, db, page):
    address = re.sub(r"<\w+>", "x", f"/admin/{page.pattern}")
    assert client.get(address).status_code == 200


def test_changing_the_password_keeps_this_session_and_ends_the_others(client, db):
    researcher = make_user()
    client.force_login(researcher)
    other = Client()
    other.force_login(researcher)
    before = client.session.session_key
    sent = {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW}
    assert client.post("/admin/password_change/", sent).status_code == 302
    assert client.get("/admin/").status_code == 200
    assert client.session.session_key != before
    assert other.get("/admin/").status_code == 302
