"""While the database has a fault, its cause is reported and pages are served."""

import logging
from contextlib import contextmanager
from functools import partial
from threading import Event
from time import monotonic, sleep
from weakref import WeakKeyDictionary

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection, connections
from django.test import Client
from django.utils import timezone

from respondents.collecting import find_survey, views
from respondents.management.commands import seal
from respondents.models import Response, SealedPattern, close
from respondents.storage import outages, write_lock
from respondents.storage.outages import Cause, OutageError, classify_error, outage
from surveys.models import Survey
from tests.concurrency import run_concurrently
from tests.factories import make_responses, make_survey
from tests.respondents.sent import send
from tests.respondents.storage.obstacles import (
    long_table_lock,
    long_write_by_another_process,
    read_only_file,
    run_sql,
    standby_server,
)
from tests.respondents.ways import FastClient

URL = "/s/study-habits/"


@pytest.fixture
def client(framework):
    """Django alone: a trouble is there for one of two ways, and over for the other."""
    return framework


def locked_table():
    return long_table_lock("respondents_receipt")


# With what a health check that writes nothing of its own can know of it.
TROUBLES = {
    "sqlite": [
        (long_write_by_another_process, "locked", "locked"),
        (read_only_file, "read-only", "read-only"),
    ],
    "postgresql": [
        (locked_table, "locked", "ok"),
        (standby_server, "read-only", "read-only"),
    ],
}


@pytest.mark.storage
@pytest.mark.usefixtures("committed")
@pytest.mark.parametrize("client", [Client, FastClient])
@pytest.mark.parametrize(("trouble", "cause", "health"), TROUBLES[connection.vendor])
def test_an_outage_is_reported_until_it_ends(caplog, client, trouble, cause, health):
    survey, client = make_survey(), client()
    assert send(client, survey, number=2).status_code == 200  # the next may be kept
    with trouble():
        answer = send(client, survey)
        assert (answer.status_code, answer["Retry-After"]) == (503, "5")
        assert [record.message for record in caplog.records] == [
            f"Error on a respondent's page: the database is {cause}"
        ]
        assert client.get(URL).status_code == 200
        assert client.get("/health/").json() == {"database": health}
    assert send(client, survey).status_code == 200
    assert client.get("/health/").json() == {"database": "ok"}
    assert Response.objects.count() == 2


@contextmanager
def unavailable_standby():
    run_sql("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
    try:
        reload_settings("nobody")
        wait_until_commits_block()
        yield
    finally:
        run_sql("ALTER SYSTEM RESET synchronous_standby_names")
        reload_settings("")
        # Another process of PostgreSQL lets go those who wait, when it comes to it.
        while run_sql(WAITING) != [(0,)]:
            sleep(0.01)


def reload_settings(expected):
    run_sql("SELECT pg_reload_conf()")
    while run_sql("SHOW synchronous_standby_names") != [(expected,)]:
        sleep(0.01)


WAITING = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"


def wait_until_commits_block():
    """Commit until it takes for ever: one process reads the setting for all the others,
    in its own time, and which setting it has read is shown nowhere.
    """
    probe = connections.create_connection("default")
    probe.ensure_connection()
    libpq = probe.connection.pgconn
    while run_sql(WAITING) == [(0,)]:
        libpq.consume_input()
        if not libpq.is_busy():
            while libpq.get_result():
                pass
            libpq.send_query(b"SELECT pg_logical_emit_message(true, '', '')")
    run_sql(f"SELECT pg_cancel_backend({libpq.backend_pid})")
    while run_sql(WAITING) != [(0,)]:
        sleep(0.01)
    probe.close()


class TestWithoutItsStandby:
    __test__ = connection.vendor == "postgresql"

    @pytest.mark.storage
    @pytest.mark.usefixtures("committed")
    @pytest.mark.parametrize("client", [Client, FastClient])
    def test_a_stuck_database_acknowledges_nothing_and_fails_quickly(
        self, caplog, settings, client
    ):
        settings.DATABASE_PATIENCE = 0.6
        survey, client = make_survey(batch_size=1000), client()
        assert send(client, survey, number=2).status_code == 200
        with unavailable_standby():
            for number in (1, 1, 3):
                assert send(client, survey, number=number).status_code == 503
            texts = [each for each in caplog.records if each.name == outages.__name__]
            assert [record.message for record in texts] == [
                "Error on a respondent's page: the database is stuck"
            ] * 3
            assert client.get(URL).status_code == 200
            assert client.get("/health/").json() == {"database": "stuck"}
            assert run_sql(WAITING) == [(1,)]  # and not one for each who came
        for number in (1, 3):
            assert send(client, survey, number=number).status_code == 200
        assert client.get("/health/").json() == {"database": "ok"}
        assert Response.objects.count() == 3


@pytest.mark.usefixtures("committed")
def test_only_a_newly_stored_response_ends_an_outage(client):
    """A disk is as full as before when an old response is sent again."""
    survey = make_survey()
    send(client, survey)
    outage.cause, outage.noted_at = Cause.FULL, outages.monotonic()
    assert send(client, survey).status_code == 200
    assert outage.cause is Cause.FULL
    assert send(client, survey, number=2).status_code == 200
    assert outage.cause is None


@pytest.mark.storage
@pytest.mark.usefixtures("committed")
@pytest.mark.parametrize("kept", [True, False])
def test_an_unavailable_database_is_retried_only_on_a_kept_connection(
    monkeypatch, kept
):
    """Only a connection that is there may be too old, and worth another try."""
    survey, client = make_survey(), FastClient()
    send(client, survey)
    tried = []

    def fail(*args):
        tried.append(args)
        raise OperationalError

    monkeypatch.setattr("respondents.collecting.fast_path.group_commit.store", fail)
    monkeypatch.setattr(views, "store", fail)
    connection.ensure_connection() if kept else connection.close()
    assert send(client, survey, number=2).status_code == 503
    assert len(tried) == (2 if kept and connection.vendor == "postgresql" else 1)


PATIENCE = 0.4  # seconds, instead of a server's two
LONG = 60  # seconds, until someone gives up who had no limit


@pytest.mark.usefixtures("committed")
def test_the_queue_shares_one_timeout(monkeypatch):
    survey = make_survey()

    def store(number):
        begun = monotonic()
        try:
            Response.objects.store(survey, f"{number:032x}", b"\x00")
        except OperationalError as error:
            return error, classify_error(error), monotonic() - begun
        return None, None, monotonic() - begun

    jobs = [partial(store, number) for number in range(20)]
    with monkeypatch.context() as hurried, long_write_by_another_process():
        hurried.setitem(connection.settings_dict["OPTIONS"], "timeout", PATIENCE)
        text = run_concurrently(*jobs)
    errors, causes, seconds = zip(*text, strict=True)
    assert set(causes) == {Cause.LOCKED}
    assert sum(isinstance(error, OutageError) for error in errors) >= len(jobs) // 2
    # One behind the other, the last one would wait twenty times as long, or longer.
    assert max(seconds) < len(jobs) * PATIENCE
    assert {error for error, _cause, _seconds in run_concurrently(*jobs)} == {None}
    assert Response.objects.count() == len(jobs)


@pytest.mark.usefixtures("committed")
def test_waiting_for_a_long_transaction_has_a_limit(monkeypatch):
    """Such as sealing, closing, erasing: the lock of the queue would know no limit."""
    survey, is_held, is_over = make_survey(), Event(), Event()
    monkeypatch.setitem(connection.settings_dict["OPTIONS"], "timeout", PATIENCE)
    monkeypatch.setattr(write_lock, "LONG_SECONDS", 0.01)

    def work_for_long():
        with write_lock.open_write_transaction():
            is_held.set()
            assert is_over.wait(LONG)

    def write_concurrently():
        assert is_held.wait(LONG)
        begun = monotonic()
        with pytest.raises(OperationalError) as raised:
            Response.objects.store(survey, "a" * 32, b"\x00")
        is_over.set()
        assert classify_error(raised.value) is Cause.LOCKED
        return monotonic() - begun

    _nothing, seconds = run_concurrently(work_for_long, write_concurrently)
    assert seconds < LONG / 2
    assert Response.objects.store(survey, "a" * 32, b"\x00")


@pytest.mark.usefixtures("committed")
def test_an_unreadable_folder_counts_as_an_unavailable_database(
    client, monkeypatch, caplog
):
    survey = make_survey()
    monkeypatch.setattr(write_lock, "lock_folders", WeakKeyDictionary())
    monkeypatch.setitem(connection.settings_dict, "NAME", "/nowhere/candor.sqlite3")
    assert send(client, survey).status_code == 503
    assert [record.message for record in caplog.records] == [
        "Error on a respondent's page: the database is away"
    ]
    assert not Response.objects.exists()


def make_outage_error(message):
    error = OutageError(Cause.AWAY)
    error.args = (message,)
    return error


def raise_outage(slug):
    raise OutageError(Cause.AWAY)


@pytest.fixture
def survey(db):
    return make_survey()


@pytest.mark.parametrize("client", [Client, FastClient])
def test_the_survey_page_is_shown_while_the_database_is_unavailable(
    survey, client, monkeypatch
):
    client = client()
    before = client.get(URL).content
    for module in (find_survey, views):
        monkeypatch.setattr(module, "find_survey", raise_outage)
    away = client.get(URL)
    assert (away.status_code, away.content) == (200, before)
    assert not away.cookies
    sent = send(client, survey)
    assert (sent.status_code, sent["Retry-After"]) == (503, "5")
    assert not Response.objects.exists()


@pytest.mark.parametrize("ending", ["closed", "over", "long ago", "never seen"])
def test_pages_of_ended_or_unseen_surveys_are_not_shown_in_an_outage(
    client, survey, monkeypatch, ending
):
    if ending != "never seen":
        client.get(URL)
    if ending == "closed":
        close(survey)
        assert client.get(URL).status_code == 410
    elif ending == "over":
        [(_seen, last)] = find_survey.recently_seen.surveys.values()
        last.closes_on = timezone.localdate().replace(year=2020, day=1)
    elif ending == "long ago":
        monkeypatch.setattr(find_survey, "SECONDS", -1)
    for module in (find_survey, views):
        monkeypatch.setattr(module, "find_survey", raise_outage)
    assert client.get(URL).status_code == 503


def test_a_recently_unavailable_database_is_not_queried(
    client, survey, django_assert_num_queries, monkeypatch
):
    monkeypatch.setattr(outages, "AWAY_SECONDS", 60)
    outage.cause, outage.noted_at = Cause.AWAY, outages.monotonic()
    with django_assert_num_queries(0):
        assert client.get(URL).status_code == 503
        assert client.get("/health/").json() == {"database": "away"}
    monkeypatch.setattr(outages, "AWAY_SECONDS", -1)
    assert client.get(URL).status_code == 200
    assert outage.cause is None


def test_the_sealing_service_survives_an_outage(survey, monkeypatch, caplog):
    slept = []

    class StoppedError(Exception):
        pass

    def rest(seconds):
        slept.append(seconds)
        monkeypatch.setattr(seal, "seal_all", look)
        if len(slept) == 2:
            raise StoppedError

    def fail():
        raise make_outage_error("password=secret")

    look = seal.seal_all
    monkeypatch.setattr(seal, "seal_all", fail)
    monkeypatch.setattr(seal, "sleep", rest)
    monkeypatch.setattr(seal, "close_old_connections", lambda: None)
    make_responses(survey, [b"\x01"] * survey.seals_at)
    with pytest.raises(StoppedError):
        call_command("seal", every=3)
    assert slept == [3, 3]
    assert [record.getMessage() for record in caplog.records] == [
        "Not sealed: the database is away"
    ]
    assert SealedPattern.objects.respondents(survey) >= survey.batch_size


@pytest.mark.parametrize("seconds", ["0", "-1", "1e10", "1e400", "nan", "soon"])
def test_a_pause_that_is_none_is_refused(seconds):
    with pytest.raises(CommandError, match=r"--every.* must be .*; got"):
        call_command("seal", f"--every={seconds}")


def test_researcher_pages_report_an_outage(
    client, survey, monkeypatch, caplog, admin_user
):
    client.force_login(admin_user)
    client.raise_request_exception = False

    def fail(*args, **kwargs):
        raise make_outage_error("password=secret")

    monkeypatch.setattr(Survey.objects.__class__, "for_user", fail)
    with caplog.at_level(logging.WARNING):
        answer = client.get("/admin/surveys/survey/")
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert [record.message for record in caplog.records] == [
        "Error on a researcher's page: the database is away"
    ]
