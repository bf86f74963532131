"""A code beside the password: nobody passes without it, and guessing it costs time."""

from base64 import b32encode
from datetime import UTC, datetime
from functools import partial
from io import StringIO
from types import SimpleNamespace

import pytest
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django_otp.models import Device
from django_otp.oath import TOTP
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from config.accounts.second_factor import login
from config.accounts.second_factor.factor import RECOVERY_CODES, factor_of
from config.accounts.urls import NewPasswordForm
from config.env import one_of
from config.site import WITHOUT_A_FACTOR
from tests.concurrency import at_once
from tests.config.accounts.test_login import IN, LIMIT, LOCKED, LOGIN, OK
from tests.config.accounts.test_login import try_to_log_in as give_password
from tests.factories import PASSWORD, make_survey, make_user
from tests.surveys.page_rules import FOR_STAFF, SURVEY_PAGES
from tests.surveys.test_access import address_of

PAGE = "/admin/second-factor/"
NEW = "lampshade-orbit-77"


KEY, WRONG = "5eed" * 10, "000000"


NOW = datetime.fromtimestamp(1_800_000_000, UTC)


@pytest.fixture(autouse=True)
def half_a_minute(monkeypatch):
    """Stop the clock of codes and of the wait after wrong ones, and fix the key."""
    clock = SimpleNamespace(time=NOW.timestamp, now=lambda: NOW)
    monkeypatch.setattr("django_otp.oath.time", clock.time)
    monkeypatch.setattr("django_otp.plugins.otp_totp.models.time", clock)
    monkeypatch.setattr("django_otp.models.timezone", clock)
    monkeypatch.setattr("config.accounts.second_factor.views.new_key", lambda: KEY)
    assert WRONG not in {shown(KEY, later=steps) for steps in range(-3, 4)}


@pytest.fixture
def researcher(db):
    return make_user(email="owner@example.org")


def shown(key, *, later=0):
    """What an app with this key shows, some half minutes later."""
    app = TOTP(bytes.fromhex(key))
    return f"{TOTP(app.key, t0=-30 * later).token():06}"


def turn_on(client, user):
    """Set a factor up on the page, as people do; returns its recovery codes."""
    client.force_login(user)
    client.get(PAGE)
    key = client.session["key_to_confirm"]
    page = client.post(PAGE, {"code": shown(key), "password": PASSWORD})
    return page.context["codes"]


@pytest.fixture
def codes(researcher):
    """The recovery codes of a researcher whose factor is on."""
    return turn_on(Client(), researcher)


def next_code(user):
    """A code that was not used yet: the one of the next half minute."""
    return shown(factor_of(user).key, later=1)


def give_code(client, code, **headers):
    headers = {"REMOTE_ADDR": "192.0.2.1", **headers}
    return client.post(LOGIN, {"code": code}, **headers)


def is_in(client):
    return client.get("/admin/").status_code == OK


def patience(user):
    """Let the wait after wrong codes pass."""
    for devices in (TOTPDevice, StaticDevice):
        devices.objects.filter(user=user).update(throttling_failure_timestamp=None)


def test_the_password_is_asked_first_and_lets_nobody_in(client, codes, researcher):
    assert give_password(client, PASSWORD) == IN
    assert not is_in(client)
    assert "Type your code" in client.get(LOGIN).content.decode()
    assert give_code(client, next_code(researcher)).headers["Location"] == "/admin/"
    assert is_in(client)


def test_the_way_goes_on_to_where_it_was_meant_to(client, codes, researcher):
    wanted = f"{LOGIN}?next=/admin/surveys/survey/"
    client.post(wanted, {"username": "owner", "password": PASSWORD})
    page = client.get(wanted).content.decode()
    assert 'name="next" value="/admin/surveys/survey/"' in page
    answer = client.post(wanted, {"code": next_code(researcher)})
    assert answer.headers["Location"] == "/admin/surveys/survey/"


def test_a_code_without_the_password_is_worth_nothing(client, codes, researcher):
    give_code(client, next_code(researcher))
    assert not is_in(client)


def test_a_code_is_good_once_and_the_one_of_setting_up_was_used(
    client, codes, researcher
):
    give_password(client, PASSWORD)
    give_code(client, shown(factor_of(researcher).key))
    assert not is_in(client)
    patience(researcher)
    code = next_code(researcher)
    give_code(client, code)
    assert is_in(client)
    other = Client()
    give_password(other, PASSWORD)
    give_code(other, code)
    assert not is_in(other)


def test_a_recovery_code_is_good_once_however_it_is_typed(codes, researcher):
    first, second, *_ = codes
    typed = {first: True, first.upper(): False, second.replace("-", " ").upper(): True}
    for code, expected in typed.items():
        visitor = Client()
        patience(researcher)
        give_password(visitor, PASSWORD)
        give_code(visitor, code)
        assert is_in(visitor) is expected
    assert StaticToken.objects.count() == RECOVERY_CODES - 2


def test_of_recovery_codes_only_hashes_are_kept(client, codes):
    kept = set(StaticToken.objects.values_list("token", flat=True))
    assert len(kept) == len(codes) == RECOVERY_CODES
    assert all(len(code) == 19 for code in codes)
    for code in codes:
        assert code not in kept
        assert code.replace("-", "") not in {token.lower() for token in kept}


def test_wrong_codes_lock_out_like_wrong_passwords(client, codes, researcher):
    give_password(client)
    give_password(client, PASSWORD)
    answers = []
    for _ in range(LIMIT - 1):
        patience(researcher)
        answers.append(give_code(client, WRONG).status_code)
    assert answers == [OK] * (LIMIT - 2) + [LOCKED]
    patience(researcher)
    assert give_code(client, next_code(researcher)).status_code == LOCKED
    assert give_password(client, PASSWORD) == LOCKED
    assert not is_in(client)


def test_the_right_password_does_not_start_the_count_anew(client, codes, researcher):
    for _ in range(LIMIT):
        patience(researcher)
        give_password(client, PASSWORD)
        answer = give_code(client, WRONG)
    assert answer.status_code == LOCKED


def test_codes_guessed_from_many_addresses_wait_for_each_other(
    client, codes, researcher
):
    for last in range(3):
        visitor = Client()
        give_password(visitor, PASSWORD, REMOTE_ADDR=f"203.0.113.{last}")
        give_code(visitor, WRONG, REMOTE_ADDR=f"203.0.113.{last}")
    give_password(client, PASSWORD)
    page = give_code(client, next_code(researcher))
    assert "Wait a little" in page.content.decode()
    assert not is_in(client)
    # Only the wait kept this code from being taken.
    patience(researcher)
    give_code(client, next_code(researcher))
    assert is_in(client)


def test_a_new_password_ends_the_waiting_and_not_the_factor(client, codes, researcher):
    TOTPDevice.objects.update(
        throttling_failure_count=20, throttling_failure_timestamp=NOW
    )
    form = NewPasswordForm(researcher, {"new_password1": NEW, "new_password2": NEW})
    form.is_valid()
    form.save()
    give_password(client, NEW)
    assert not is_in(client)
    give_code(client, next_code(researcher))
    assert is_in(client)


def test_between_the_steps_time_and_a_new_password_count(
    client, codes, researcher, monkeypatch
):
    give_password(client, PASSWORD)
    monkeypatch.setattr(login, "WAITING_SECONDS", -1)
    late = Client()
    give_password(late, PASSWORD)
    researcher.set_password(NEW)
    researcher.save()
    for visitor in (client, late):
        give_code(visitor, next_code(researcher))
        assert not is_in(visitor)


@pytest.mark.parametrize("sent", ["username", "again"])
def test_somebody_else_may_begin_again(client, codes, researcher, sent):
    give_password(client, PASSWORD)
    page = client.post(LOGIN, {sent: "yes"}, follow=True).content.decode()
    assert "Forgotten your password?" in page
    give_code(client, next_code(researcher))
    assert not is_in(client)


def test_a_session_planted_before_the_login_is_worth_nothing_after_it(
    client, codes, researcher
):
    planted = client.session
    planted["anything"] = 1
    planted.save()
    give_password(client, PASSWORD)
    between = client.session.session_key
    give_code(client, next_code(researcher))
    assert is_in(client)
    assert len({planted.session_key, between, client.session.session_key}) == 3
    for key in (planted.session_key, between):
        assert not planted.exists(key)


def test_turning_it_on_ends_the_sessions_elsewhere_and_keeps_this_one(
    client, researcher
):
    other = Client()
    other.force_login(researcher)
    turn_on(client, researcher)
    assert is_in(client)
    assert not is_in(other)


def test_setting_it_up_takes_the_password_and_a_code_of_the_key(client, researcher):
    client.force_login(researcher)
    page = client.get(PAGE)
    key = client.session["key_to_confirm"]
    assert "<svg" in page.context["drawn"]
    assert (
        page.context["key"].replace("-", "") == b32encode(bytes.fromhex(key)).decode()
    )
    good = {"code": shown(key), "password": PASSWORD}
    for wrong in ({"code": WRONG}, {"password": NEW}, {"code": NEW}):
        assert client.post(PAGE, {**good, **wrong}).status_code == OK
        assert factor_of(researcher) is None
    assert client.session["key_to_confirm"] == key
    client.post(PAGE, good)
    assert factor_of(researcher).key == key
    assert "key_to_confirm" not in client.session


def test_guessing_the_password_there_locks_out_too(client, researcher):
    client.force_login(researcher)
    sent = {"code": "123456", "password": NEW}
    answers = [client.post(PAGE, sent).status_code for _ in range(LIMIT)]
    assert answers == [OK] * (LIMIT - 1) + [LOCKED]


@pytest.mark.parametrize("step", ["off", "renew"])
def test_only_a_code_turns_it_off_or_makes_new_codes(client, researcher, step):
    first = turn_on(client, researcher)
    for code in (WRONG, "", "aaaa-aaaa-aaaa-aaaa"):
        patience(researcher)
        client.post(PAGE, {"step": step, "code": code})
        assert factor_of(researcher)
        assert StaticToken.objects.count() == RECOVERY_CODES
    patience(researcher)
    page = client.post(PAGE, {"step": step, "code": next_code(researcher)}, follow=True)
    assert is_in(client)
    if step == "off":
        assert not TOTPDevice.objects.exists()
        assert not StaticDevice.objects.exists()
    else:
        assert not set(page.context["codes"]) & set(first)
        assert StaticToken.objects.count() == RECOVERY_CODES


def test_a_superuser_helps_who_lost_everything_and_it_is_noted(
    client, codes, researcher
):
    verified = Client()
    give_password(verified, PASSWORD)
    give_code(verified, next_code(researcher))
    client.force_login(make_user("superuser", is_superuser=True))
    address = f"/admin/auth/user/{researcher.pk}/second-factor/"
    change = client.get(f"/admin/auth/user/{researcher.pk}/change/").content.decode()
    assert f'href="{address}"' in change
    assert "Make sure who is asking" in client.get(address).content.decode()
    assert client.post(address).status_code == IN
    assert factor_of(researcher) is None
    assert not StaticDevice.objects.exists()
    assert not is_in(verified)
    assert LogEntry.objects.get().get_change_message() == "Took the second factor away."
    assert give_password(verified, PASSWORD) == IN
    assert is_in(verified)


def test_not_even_a_superuser_turns_their_own_off_without_a_code(client, db):
    superuser = make_user("superuser", is_superuser=True)
    turn_on(client, superuser)
    client.post(f"/admin/auth/user/{superuser.pk}/second-factor/")
    assert factor_of(superuser)


def test_the_command_helps_where_nobody_else_can(codes, researcher):
    told = StringIO()
    call_command("reset_second_factor", "owner", stdout=told)
    assert told.getvalue() == "The password alone lets owner in now.\n"
    assert factor_of(researcher) is None
    for name in ("owner", "nobody"):
        with pytest.raises(CommandError):
            call_command("reset_second_factor", name)


def test_where_everybody_needs_one_nothing_else_is_open_before(
    client, researcher, settings
):
    settings.SECOND_FACTOR = "required"
    survey = make_survey(owner=researcher)
    client.force_login(researcher)
    wanted = [address_of(name, survey.pk) for name in SURVEY_PAGES]
    of_nobody = FOR_STAFF.keys() - set(WITHOUT_A_FACTOR)
    wanted += [reverse(f"admin:{name}", kwargs=FOR_STAFF[name]) for name in of_nobody]
    for address in wanted:
        for answer in (client.get(address), client.post(address)):
            assert (answer.status_code, answer["Location"]) == (IN, PAGE), address
    assert "everybody needs one" in client.get(PAGE).content.decode()
    turn_on(client, researcher)
    assert is_in(client)
    client.post(PAGE, {"step": "off", "code": next_code(researcher)})
    assert not is_in(client)


def test_keys_and_codes_are_no_part_of_the_admin():
    assert not [model for model in admin.site._registry if issubclass(model, Device)]
    assert "otp" not in " ".join(
        model._meta.app_label for model in admin.site._registry
    )


def test_two_at_once_with_one_code_are_let_in_once(committed):
    user = make_user()
    turn_on(Client(), user)
    code = next_code(user)
    visitors = [Client() for _ in range(4)]
    for visitor in visitors:
        give_password(visitor, PASSWORD)
    at_once(*[partial(give_code, visitor, code) for visitor in visitors])
    assert sorted(map(is_in, visitors)) == [False, False, False, True]


def test_a_misspelt_setting_stops_the_start(monkeypatch):
    monkeypatch.setenv("SECOND_FACTOR", "Required")
    assert one_of("SECOND_FACTOR", "optional", "required") == "required"
    monkeypatch.setenv("SECOND_FACTOR", "yes")
    with pytest.raises(ImproperlyConfigured, match="optional or required; got 'yes'"):
        one_of("SECOND_FACTOR", "optional", "required")
