"""R18: who guesses passwords waits, and nothing of what was typed is kept."""

import logging
import re
import time
from hashlib import sha256

import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.test import Client

from tests.factories import PASSWORD, make_survey, make_user

LOGIN = "/admin/login/"
OK, IN, FORBIDDEN = 200, 302, 403
LIMIT = 5
LOCKED = "locked"
WRONG = "pa55word"
HERE, ELSEWHERE = "192.0.2.1", "198.51.100.7"  # addresses for examples (RFC 5737)


@pytest.fixture
def researcher(db):
    return make_user()


def try_to_log_in(client, password=WRONG, *, username="owner", **headers):
    """Return the status, or `LOCKED`; 200 is the form again."""
    sent = {"login": username, "password": password}
    address = {"REMOTE_ADDR": HERE, **headers}
    return outcome(client.post(LOGIN, sent, **address))


def outcome(answer):
    is_locked = "Too many failed attempts." in answer.content.decode()
    return LOCKED if is_locked else answer.status_code


def fail(client, times, **options):
    return [try_to_log_in(client, **options) for _ in range(times)]


@pytest.mark.parametrize("username", ["owner", "nobody"])
def test_five_failures_lock_existing_and_unknown_user_names(
    client, researcher, username
):
    expected = [OK] * LIMIT + [LOCKED] * 3
    assert fail(client, LIMIT + 3, username=username) == expected


def test_a_locked_account_rejects_the_right_password(client, researcher):
    fail(client, LIMIT)
    assert try_to_log_in(client, PASSWORD) == LOCKED
    assert client.get("/admin/").status_code == IN  # to the login page


def test_failed_logins_lock_only_their_address_and_user_name(client, researcher):
    make_user("colleague")
    fail(client, LIMIT)
    assert try_to_log_in(client, PASSWORD, REMOTE_ADDR=ELSEWHERE) == IN
    assert try_to_log_in(client, PASSWORD, username="colleague") == IN


def test_another_browser_does_not_bypass_the_lock(client, researcher):
    for browser in range(LIMIT):
        try_to_log_in(client, HTTP_USER_AGENT=f"Browser {browser}")
    assert try_to_log_in(client, PASSWORD, HTTP_USER_AGENT="Fresh") == LOCKED


@pytest.fixture
def pass_time(monkeypatch):
    """A function that puts the clock of lock-outs forward."""

    def forward(seconds):
        later = time.time() + seconds
        monkeypatch.setattr("allauth.core.internal.ratelimit.time.time", lambda: later)

    return forward


def test_a_lock_ends_after_the_stated_time(client, researcher, pass_time):
    fail(client, LIMIT)
    pass_time(14 * 60)
    assert try_to_log_in(client, PASSWORD) == LOCKED  # which does not start it again
    pass_time(61)
    assert try_to_log_in(client, PASSWORD) == IN


def test_a_successful_login_does_not_reset_the_failure_count(client, researcher):
    """Who knows one password cannot guess on between logins with it."""
    fail(client, LIMIT - 1)
    for _ in range(LIMIT):
        assert try_to_log_in(client, PASSWORD) == IN
        client.logout()
    assert fail(client, 2) == [OK, LOCKED]


def stored_rows():
    with connection.cursor() as cursor:
        cursor.execute("SELECT cache_key, value FROM candor_cache")
        return cursor.fetchall()


def test_any_login_deletes_expired_failures(client, researcher):
    fail(client, 2)
    before = set(stored_rows())
    assert before
    with connection.cursor() as cursor:
        cursor.execute("UPDATE candor_cache SET expires = '2020-01-01 00:00:00'")
    try_to_log_in(client, username="colleague", REMOTE_ADDR=ELSEWHERE)
    assert not before & set(stored_rows())


def test_many_failures_do_not_evict_a_lock(client, researcher):
    fail(client, LIMIT)
    for number in range(400):
        cache.set(f"failure-{number}", number, 900)
    assert try_to_log_in(client, PASSWORD) == LOCKED


def test_login_input_is_neither_stored_nor_logged(client, researcher, caplog):
    caplog.set_level(logging.DEBUG)
    typed = "my-secret-in-the-wrong-field"
    fail(client, LIMIT + 1, username=typed)
    kept = [*dump_of_database(), *(record.getMessage() for record in caplog.records)]
    assert kept
    guesses = {typed, WRONG, HERE, sha256(typed.encode()).hexdigest()}
    assert not [line for line in kept for guess in guesses if guess in line]


def dump_of_database():
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")  # noqa: S608
            yield from map(str, cursor.fetchall())


def test_the_documented_command_unlocks(client, researcher):
    fail(client, LIMIT)
    guide = settings.BASE_DIR / "docs" / "administrators" / "accounts.md"
    [command] = re.findall(r'candor-manage shell -c "(.+?)"', guide.read_text("utf-8"))
    exec(command)  # noqa: S102
    assert try_to_log_in(client, PASSWORD) == IN


@pytest.mark.parametrize("change", [{"is_staff": False}, {"is_active": False}])
def test_only_active_researchers_log_in_and_stay_logged_in(client, researcher, change):
    try_to_log_in(client, PASSWORD)
    assert client.get("/admin/").status_code == OK
    type(researcher).objects.update(**change)
    assert client.get("/admin/").status_code == IN
    assert try_to_log_in(Client(), PASSWORD) == OK


def test_behind_a_proxy_the_forwarded_address_is_used(client, researcher, settings):
    settings.BEHIND_PROXY = True
    fail(client, LIMIT, HTTP_X_REAL_IP=ELSEWHERE)
    assert try_to_log_in(client, PASSWORD, HTTP_X_REAL_IP=ELSEWHERE) == LOCKED
    assert try_to_log_in(client, PASSWORD, HTTP_X_REAL_IP="203.0.113.9") == IN


def test_without_a_proxy_no_forwarded_address_is_trusted(client, researcher):
    for last in range(LIMIT):
        try_to_log_in(client, HTTP_X_REAL_IP=f"203.0.113.{last}")
    assert try_to_log_in(client, PASSWORD, HTTP_X_REAL_IP="203.0.113.9") == LOCKED


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", LOCKED),  # one line of one customer
        ("2001:db8:1:2::1", "2001:db8:1:3::1", IN),
        ("::ffff:192.0.2.1", "192.0.2.1", LOCKED),
        ("", "not an address", LOCKED),
    ],
)
def test_ipv6_addresses_of_one_network_count_as_one(
    client, researcher, first, second, expected
):
    fail(client, LIMIT, REMOTE_ADDR=first)
    assert try_to_log_in(client, PASSWORD, REMOTE_ADDR=second) == expected


def test_respondent_pages_ignore_login_locks(client, researcher):
    survey = make_survey()
    fail(client, LIMIT)
    visitor = Client(REMOTE_ADDR=HERE)
    before = stored_rows()
    response = visitor.get(survey.get_absolute_url())
    assert response.status_code == OK
    assert not response.cookies
    assert stored_rows() == before


def test_login_requires_a_csrf_token(researcher):
    visitor = Client(enforce_csrf_checks=True)
    assert try_to_log_in(visitor, PASSWORD) == FORBIDDEN
    token = visitor.get(LOGIN).cookies["csrftoken"].value
    sent = {"login": "owner", "password": PASSWORD, "csrfmiddlewaretoken": token}
    answer = visitor.post(LOGIN, sent)
    assert (answer.status_code, answer["Location"]) == (IN, "/admin/")


def test_a_session_from_before_login_is_invalid_afterwards(client, researcher):
    planted = client.session  # as someone who had this computer before could know it
    planted["anything"] = 1
    planted.save()
    cookie = settings.SESSION_COOKIE_NAME
    assert client.cookies[cookie].value == planted.session_key
    assert try_to_log_in(client, PASSWORD) == IN
    assert client.cookies[cookie].value != planted.session_key
    assert client.get("/admin/").status_code == OK

    thief = Client()
    thief.cookies[cookie] = planted.session_key
    assert thief.get("/admin/").status_code == IN
    assert not planted.exists(planted.session_key)
