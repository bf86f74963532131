"""A second factor: no one passes without it, and guessing it costs time."""

import base64
from functools import partial
from io import StringIO

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from config.site import ALLOWED_WITHOUT_FACTOR
from tests.concurrency import run_concurrently
from tests.config.accounts.test_login import (
    ELSEWHERE,
    IN,
    LIMIT,
    LOCKED,
    LOGIN,
    OK,
    outcome,
)
from tests.config.accounts.test_login import try_to_log_in as give_password
from tests.factories import PASSWORD, make_survey, make_user
from tests.surveys.page_rules import FOR_STAFF, SURVEY_PAGES
from tests.surveys.test_access import address_of

PAGE = "/admin/second-factor/"
CODE, APP, CODES = f"{PAGE}authenticate/", f"{PAGE}app/", f"{PAGE}recovery-codes/"
CONFIRM, CONFIRM_CODE = "/admin/confirm/", f"{PAGE}code/"
NEW = "lampshade-orbit-77"
RECOVERY_CODES = 8

SECRET, WRONG = base64.b32encode(bytes.fromhex("5eed" * 10)).decode(), "000000"
NOW = 1_800_000_000


@pytest.fixture(autouse=True)
def fixed_totp_clock(monkeypatch):
    """Stop the clock of codes, and fix the secret."""
    totp = "allauth.mfa.totp.internal.auth"
    monkeypatch.setattr(f"{totp}.time.time", lambda: NOW)
    monkeypatch.setattr(f"{totp}.generate_totp_secret", lambda: SECRET)
    assert WRONG not in {shown(later=steps) for steps in range(-3, 4)}


@pytest.fixture
def researcher(db):
    return make_user(email="owner@example.org")


def shown(secret=SECRET, *, later=0):
    """What an app with this secret shows, some half minutes later."""
    return format_hotp_value(hotp_value(secret, NOW // 30 + later))


def turn_on(client, user):
    """Set an app up on the pages, as people do; return the recovery codes."""
    client.force_login(user)
    confirm(client, CONFIRM, password=PASSWORD)
    client.get(APP)
    page = client.post(APP, {"code": shown()}, follow=True)
    return page.context["unused_codes"]


def confirm(client, address, **typed):
    return client.post(address, {**typed, "next": PAGE})


@pytest.fixture
def codes(researcher):
    """The recovery codes of a researcher who has set up an app."""
    return turn_on(Client(), researcher)


def give_code(client, code, **headers):
    return client.post(CODE, {"code": code}, **headers)


def is_in(client):
    return client.get("/admin/").status_code == OK


def has_app(user):
    return Authenticator.objects.filter(user=user, type="totp").exists()


def test_the_password_is_asked_first_and_is_not_enough(client, codes, researcher):
    assert give_password(client, PASSWORD) == IN
    assert not is_in(client)
    page = client.get(LOGIN, follow=True)
    assert "Type your code" in page.content.decode()
    assert give_code(client, shown()).headers["Location"] == "/admin/"
    assert is_in(client)


def test_login_redirects_to_the_requested_page(client, codes, researcher):
    wanted = "/admin/surveys/survey/"
    page = client.get(f"{LOGIN}?next={wanted}").content.decode()
    assert f'name="next" value="{wanted}"' in page
    client.post(LOGIN, {"login": "owner", "password": PASSWORD, "next": wanted})
    assert give_code(client, shown()).headers["Location"] == wanted


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example"])
def test_login_does_not_redirect_to_another_site(client, researcher, elsewhere):
    sent = {"login": "owner", "password": PASSWORD, "next": elsewhere}
    assert client.post(LOGIN, sent).headers["Location"] == "/admin/"


def test_a_code_without_the_password_is_rejected(client, codes, researcher):
    give_code(client, shown())
    assert not is_in(client)


@pytest.mark.parametrize("seconds", [0, 31, 59])
def test_a_code_works_once(client, codes, researcher, monkeypatch, seconds):
    """Also half a minute later, when it is accepted for the sake of slow clocks."""
    give_password(client, PASSWORD)
    give_code(client, shown())
    assert is_in(client)
    monkeypatch.setattr(
        "allauth.mfa.totp.internal.auth.time.time", lambda: NOW + seconds
    )
    cache.delete(f"allauth.mfa.totp.used?user={researcher.pk}&code={shown()}")
    other = Client()
    give_password(other, PASSWORD)
    give_code(other, shown())
    assert not is_in(other)


def test_a_recovery_code_works_once_in_any_spelling(codes, researcher):
    first, second, *_ = codes
    spelled = "-".join([second[:4], second[4:8], f" {second[8:]} "])
    for code, expected in {first: True, f"{first} ": False, spelled: True}.items():
        visitor = Client()
        give_password(visitor, PASSWORD)
        give_code(visitor, code)
        assert is_in(visitor) is expected
    left = Authenticator.objects.get(type="recovery_codes").wrap().get_unused_codes()
    assert left == codes[2:]


def test_recovery_codes_are_shown_once(client, researcher):
    codes = turn_on(client, researcher)
    assert len(codes) == RECOVERY_CODES
    assert {len(code) for code in codes} == {16}
    page = client.get(CODES).content.decode()
    assert "not shown again" in page
    assert not [code for code in codes if code[:4] in page]


def test_wrong_codes_lock_the_account_for_all_addresses(client, codes, researcher):
    give_password(client, PASSWORD)
    answers = [
        outcome(give_code(client, WRONG, REMOTE_ADDR=f"203.0.113.{last}"))
        for last in range(LIMIT + 1)
    ]
    assert answers == [OK] * LIMIT + [LOCKED]
    other = Client()
    give_password(other, PASSWORD, REMOTE_ADDR=ELSEWHERE)
    for code in (shown(), codes[0]):
        assert outcome(give_code(other, code)) == LOCKED
    assert not is_in(other)


def test_the_right_password_does_not_reset_the_count(client, codes, researcher):
    for _ in range(LIMIT + 1):
        visitor = Client()
        give_password(visitor, PASSWORD)
        answer = outcome(give_code(visitor, WRONG))
    assert answer == LOCKED


def test_a_password_change_or_deactivation_cancels_a_pending_login(codes, researcher):
    for change in ({"password": "!"}, {"is_active": False}, {"is_staff": False}):
        visitor = Client()
        give_password(visitor, PASSWORD)
        before = {name: getattr(researcher, name) for name in change}
        type(researcher).objects.update(**change)
        give_code(visitor, shown())
        cache.clear()
        assert not is_in(visitor)
        type(researcher).objects.update(**before)
        assert not is_in(visitor)


def test_the_login_can_start_again(client, codes, researcher):
    give_password(client, PASSWORD)
    client.post("/admin/login/again/")
    assert "Forgotten your password?" in client.get(LOGIN).content.decode()
    give_code(client, shown())
    assert not is_in(client)


def test_a_session_planted_before_login_is_invalid_afterwards(
    client, codes, researcher
):
    planted = client.session
    planted["anything"] = 1
    planted.save()
    give_password(client, PASSWORD)
    give_code(client, shown())
    assert is_in(client)
    assert planted.session_key != client.session.session_key
    assert not planted.exists(planted.session_key)


def test_changing_the_second_factor_ends_other_sessions_only(
    client, researcher, django_capture_on_commit_callbacks
):
    other, stranger = Client(), Client()
    stranger.force_login(make_user("stranger"))
    other.force_login(researcher)
    with django_capture_on_commit_callbacks(execute=True):
        turn_on(client, researcher)
    assert (is_in(client), is_in(other), is_in(stranger)) == (True, False, True)
    other.force_login(researcher)
    confirm(client, CONFIRM_CODE, code=shown(later=1))
    client.post(f"{APP}off/")
    assert not has_app(researcher)
    assert (is_in(client), is_in(other), is_in(stranger)) == (True, False, True)


def test_setting_up_an_app_requires_the_password_and_a_code(client, researcher):
    client.force_login(researcher)
    assert client.get(APP).headers["Location"].startswith(CONFIRM)
    assert client.post(APP, {"code": shown()}).status_code == IN
    assert confirm(client, CONFIRM, password=NEW).status_code == OK
    assert client.get(APP).status_code == IN
    confirm(client, CONFIRM, password=PASSWORD)
    page = client.get(APP)
    assert "<svg" in page.context["totp_svg"]
    assert "-".join([SECRET[:4], SECRET[4:8]]) in page.content.decode()
    for wrong in (WRONG, NEW, ""):
        client.post(APP, {"code": wrong})
        assert not has_app(researcher)
    client.post(APP, {"code": shown()})
    assert has_app(researcher)


@pytest.mark.parametrize(
    ("address", "name"),
    [(CONFIRM, "password"), ("/admin/password_change/", "old_password")],
)
def test_guessing_the_password_at_confirmation_locks_out(
    client, researcher, address, name
):
    client.force_login(researcher)
    answers = [
        outcome(confirm(client, address, **{name: NEW})) for _ in range(LIMIT + 1)
    ]
    assert answers == [OK] * LIMIT + [LOCKED]


@pytest.mark.parametrize("address", [f"{APP}off/", f"{CODES}new/"])
def test_turning_off_or_renewing_codes_requires_a_code(
    client, codes, researcher, address
):
    """The password is not enough, nor is the open session."""
    client.force_login(researcher)
    for typed in ({"password": PASSWORD}, {"code": WRONG}, {"code": "a" * 16}):
        confirm(client, CONFIRM if "password" in typed else CONFIRM_CODE, **typed)
        answer = client.post(address)
        assert (
            answer.status_code,
            answer.headers["Location"][: len(CONFIRM_CODE)],
        ) == (IN, CONFIRM_CODE)
        assert has_app(researcher)
    confirm(client, CONFIRM_CODE, code=shown(later=1))
    page = client.post(address, follow=True)
    assert has_app(researcher) is (address != f"{APP}off/")
    if has_app(researcher):
        assert not set(page.context["unused_codes"]) & set(codes)
    else:
        assert not Authenticator.objects.exists()


def test_a_superuser_removes_a_lost_second_factor_and_it_is_logged(
    client, codes, researcher
):
    verified = Client()
    give_password(verified, PASSWORD)
    give_code(verified, shown())
    assert is_in(verified)
    client.force_login(make_user("superuser", is_superuser=True))
    address = f"/admin/auth/user/{researcher.pk}/second-factor/"
    change = client.get(f"/admin/auth/user/{researcher.pk}/change/").content.decode()
    assert f'href="{address}"' in change
    assert "Verify who is asking" in client.get(address).content.decode()
    assert client.post(address).status_code == IN
    assert not Authenticator.objects.exists()
    assert not is_in(verified)
    assert LogEntry.objects.get().get_change_message() == "Took the second factor away."
    assert give_password(verified, PASSWORD) == IN
    assert is_in(verified)


def test_a_superuser_cannot_remove_their_own_factor_without_a_code(client, db):
    superuser = make_user("superuser", is_superuser=True)
    turn_on(client, superuser)
    client.post(f"/admin/auth/user/{superuser.pk}/second-factor/")
    assert has_app(superuser)


def test_the_command_removes_a_second_factor(codes, researcher):
    text = StringIO()
    call_command("reset_second_factor", "owner", stdout=text)
    assert text.getvalue() == "owner now logs in with the password only.\n"
    assert not Authenticator.objects.exists()
    for name in ("owner", "nobody"):
        with pytest.raises(CommandError):
            call_command("reset_second_factor", name)


def test_a_required_second_factor_blocks_all_other_pages(client, researcher, settings):
    settings.SECOND_FACTOR = "required"
    survey = make_survey(owner=researcher)
    client.force_login(researcher)
    wanted = [address_of(name, survey.pk) for name in SURVEY_PAGES]
    of_nobody = FOR_STAFF.keys() - set(ALLOWED_WITHOUT_FACTOR)
    wanted += [reverse(f"admin:{name}", kwargs=FOR_STAFF[name]) for name in of_nobody]
    for address in wanted:
        for answer in (client.get(address), client.post(address)):
            assert (answer.status_code, answer["Location"]) == (IN, PAGE), address
    assert "This server requires one" in client.get(PAGE).content.decode()
    turn_on(client, researcher)
    assert is_in(client)
    confirm(client, CONFIRM_CODE, code=shown(later=1))
    client.post(f"{APP}off/")
    assert not is_in(client)


def test_keys_and_codes_are_not_registered_in_the_admin():
    shown = {model._meta.app_label for model in admin.site._registry}
    assert shown == {"auth", "surveys"}


def test_simultaneous_logins_with_one_code_succeed_once(committed):
    user = make_user()
    turn_on(Client(), user)
    visitors = [Client() for _ in range(4)]
    for visitor in visitors:
        give_password(visitor, PASSWORD)
    run_concurrently(*[partial(give_code, visitor, shown()) for visitor in visitors])
    assert sorted(map(is_in, visitors)) == [False, False, False, True]


@pytest.mark.parametrize(
    ("host", "possible"),
    [("localhost:8000", True), ("127.0.0.1:8000", False), ("[::1]:8000", False)],
)
def test_passkeys_are_offered_only_where_the_site_has_a_domain(
    client, researcher, settings, host, possible
):
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
    login = client.get(LOGIN, headers={"host": host}).content.decode()
    assert ("Log in with a passkey" in login) is possible
    client.force_login(researcher)
    page = client.get(PAGE, headers={"host": host}).content.decode()
    assert ("Add a passkey" in page) is possible
    assert ("Passkeys need a domain" in page) is not possible
