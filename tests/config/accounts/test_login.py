"""R18: who guesses passwords waits, and nothing of what was typed is kept."""

import logging
import re
from datetime import timedelta

import pytest
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.conf import settings
from django.contrib import admin
from django.core.management import call_command
from django.test import Client

from tests.factories import PASSWORD, make_survey, make_user

LOGIN = "/admin/login/"
OK, IN, LOCKED, FORBIDDEN = 200, 302, 429, 403
LIMIT = 5
WRONG = "pa55word"
HERE, ELSEWHERE = "192.0.2.1", "198.51.100.7"  # addresses for examples (RFC 5737)


@pytest.fixture
def researcher(db):
    return make_user()


def try_to_log_in(client, password=WRONG, *, username="owner", **headers):
    """Return the status: 200 is the form again."""
    sent = {"username": username, "password": password}
    address = {"REMOTE_ADDR": HERE, **headers}
    return client.post(LOGIN, sent, **address).status_code


def fail(client, times, **options):
    return [try_to_log_in(client, **options) for _ in range(times)]


@pytest.mark.parametrize("username", ["owner", "nobody"])
def test_five_failures_lock_a_name_that_exists_and_one_that_does_not(
    client, researcher, username
):
    expected = [OK] * (LIMIT - 1) + [LOCKED] * 3
    assert fail(client, LIMIT + 2, username=username) == expected


def test_locked_out_the_right_password_is_refused_too(client, researcher):
    fail(client, LIMIT)
    assert try_to_log_in(client, PASSWORD) == LOCKED
    assert client.get("/admin/").status_code == IN  # to the login page


def test_nobody_is_locked_out_by_somebody_elsewhere(client, researcher):
    make_user("colleague")
    fail(client, LIMIT)
    assert try_to_log_in(client, PASSWORD, REMOTE_ADDR=ELSEWHERE) == IN
    assert try_to_log_in(client, PASSWORD, username="colleague") == IN


def test_another_browser_is_no_way_round(client, researcher):
    for browser in range(LIMIT):
        try_to_log_in(client, HTTP_USER_AGENT=f"Browser {browser}")
    assert try_to_log_in(client, PASSWORD, HTTP_USER_AGENT="Fresh") == LOCKED


def pass_time(time):
    for attempt in AccessAttempt.objects.all():
        attempt.attempt_time -= time
        attempt.save()


def test_it_is_over_after_the_time_that_the_page_says(client, researcher):
    fail(client, LIMIT)
    pass_time(timedelta(minutes=14))
    assert try_to_log_in(client, PASSWORD) == LOCKED  # which does not start it anew
    pass_time(timedelta(minutes=1, seconds=1))
    assert try_to_log_in(client, PASSWORD) == IN


def test_the_page_says_how_long_and_where_to_hold_write_lock(client, researcher):
    fail(client, LIMIT)
    sent = {"username": "owner", "password": PASSWORD}
    response = client.post(LOGIN, sent, REMOTE_ADDR=HERE)
    page = response.content.decode()
    assert response.status_code == LOCKED
    assert response["Retry-After"] == "900"
    assert "Please come back in 15 minutes." in page
    assert 'href="/admin/password_reset/"' in page
    assert "There were 5 failed attempts" in page


def test_a_success_forgets_the_failures_before_it(client, researcher):
    for _ in range(2):
        fail(client, LIMIT - 1)
        assert try_to_log_in(client, PASSWORD) == IN
    assert not AccessAttempt.objects.exists()


def test_the_next_login_of_anybody_clears_away_old_failures(client, researcher):
    make_user("colleague")
    fail(client, 2)
    pass_time(timedelta(minutes=16))
    try_to_log_in(client, PASSWORD, username="colleague", REMOTE_ADDR=ELSEWHERE)
    assert not AccessAttempt.objects.exists()


def test_what_was_typed_is_in_no_table_and_no_log(client, researcher, caplog):
    caplog.set_level(logging.DEBUG, logger="axes")
    fail(client, LIMIT + 1, username="my-secret-in-the-wrong-field")
    rows = [str(vars(attempt)) for attempt in AccessAttempt.objects.all()]
    lines = [record.getMessage() for record in caplog.records]
    assert rows
    assert any("Repeated login failure" in line for line in lines)
    for typed in ("my-secret", WRONG):
        assert not [kept for kept in [*rows, *lines] if typed in kept]
    assert not [line for line in lines if HERE in line]


def test_logins_and_logouts_are_not_recorded(client, researcher):
    fail(client, 1)
    try_to_log_in(client, PASSWORD)
    client.post("/admin/logout/")
    assert not AccessLog.objects.exists()
    assert not AccessFailureLog.objects.exists()


def test_the_documented_command_unlocks(client, researcher):
    fail(client, LIMIT)
    call_command("axes_reset", verbosity=0)
    assert try_to_log_in(client, PASSWORD) == IN


def test_the_tables_of_failures_are_no_part_of_the_admin():
    assert "axes" not in {model._meta.app_label for model in admin.site._registry}


def test_behind_a_proxy_the_address_is_the_one_that_it_names(
    client, researcher, settings
):
    settings.BEHIND_PROXY = True
    fail(client, LIMIT, HTTP_X_REAL_IP=ELSEWHERE)
    assert try_to_log_in(client, PASSWORD, HTTP_X_REAL_IP=ELSEWHERE) == LOCKED
    assert try_to_log_in(client, PASSWORD, HTTP_X_REAL_IP="203.0.113.9") == IN


def test_without_a_proxy_nobody_names_an_address_of_their_own(client, researcher):
    for last in range(LIMIT):
        try_to_log_in(client, HTTP_X_REAL_IP=f"203.0.113.{last}")
    assert try_to_log_in(client, PASSWORD, HTTP_X_REAL_IP="203.0.113.9") == LOCKED


ADDRESS_HEADER = re.compile(r"proxy_set_header (X-(?:Real-IP|Forwarded-For)) (\S+);")


def test_the_documented_proxy_tells_addresses_at_the_login_and_nowhere_else():
    guide = (settings.BASE_DIR / "docs" / "administrators" / "deployment.md").read_text(
        "utf-8"
    )
    [server] = re.findall(r"^server \{\n    listen 443.*?^\}", guide, re.DOTALL | re.M)
    locations = dict(re.findall(r"location ([^{]+) \{(.*?)\}", server, re.DOTALL))
    login = locations.pop("= /admin/login/")
    elsewhere = re.sub(r"location [^{]+ \{.*?\}", "", server, flags=re.DOTALL)
    nothing = [("X-Forwarded-For", '""'), ("X-Real-IP", '""')]
    assert ADDRESS_HEADER.findall(elsewhere) == nothing
    assert ADDRESS_HEADER.findall(login) == [
        ("X-Forwarded-For", '""'),
        ("X-Real-IP", "$remote_addr"),
    ]
    # nginx hands the server's headers down to a location that sets none of its own.
    assert not [where for where, what in locations.items() if "set_header" in what]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", LOCKED),  # one line of one customer
        ("2001:db8:1:2::1", "2001:db8:1:3::1", IN),
        ("::ffff:192.0.2.1", "192.0.2.1", LOCKED),
        ("", "not an address", LOCKED),
    ],
)
def test_addresses_that_one_person_can_change_count_as_one(
    client, researcher, first, second, expected
):
    fail(client, LIMIT, REMOTE_ADDR=first)
    assert try_to_log_in(client, PASSWORD, REMOTE_ADDR=second) == expected


def test_respondents_pages_know_nothing_of_it(client, researcher):
    survey = make_survey()
    fail(client, LIMIT)
    visitor = Client(REMOTE_ADDR=HERE)
    before = list(AccessAttempt.objects.values())
    response = visitor.get(survey.get_absolute_url())
    assert response.status_code == OK
    assert not response.cookies
    assert not hasattr(response.wsgi_request, "axes_ip_address")
    assert list(AccessAttempt.objects.values()) == before


def test_a_login_needs_the_token_of_its_form(researcher):
    visitor = Client(enforce_csrf_checks=True)
    assert try_to_log_in(visitor, PASSWORD) == FORBIDDEN
    token = visitor.get(LOGIN).cookies["csrftoken"].value
    sent = {"username": "owner", "password": PASSWORD, "csrfmiddlewaretoken": token}
    answer = visitor.post(LOGIN, sent)
    assert (answer.status_code, answer["Location"]) == (IN, "/admin/")


def test_a_session_from_before_the_login_is_worth_nothing_after_it(client, researcher):
    planted = client.session  # as somebody who had this computer before could know it
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
