"""PostgreSQL is away, or there and answers nothing: its processes are stopped.

No limit of its own applies then, and the system acknowledges what is sent.
"""

import os
import shutil
import sys
import time
from functools import partial
from http.client import HTTPConnection
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from django.db import OperationalError, connection

from respondents.models import Response, ResponseQuerySet
from respondents.storage.batch_scheduler import batch_scheduler
from respondents.storage.outages import (
    SECONDS_FOR_THE_REST,
    Cause,
    classify_error,
    limit,
    limit_waiting,
    outage,
)
from tests.clusters import Cluster
from tests.concurrency import run_concurrently
from tests.config.test_doors import body_for
from tests.config.test_servers import ask, running
from tests.config.test_standby import RECEIPTS, SEALED, STORED, asked, until
from tests.factories import make_survey
from tests.ports import find_free_port

__test__ = connection.vendor == "postgresql"

if connection.vendor == "postgresql":
    from respondents.storage.watched_connection import SHARE

pytestmark = [
    pytest.mark.storage,
    pytest.mark.server,
    pytest.mark.usefixtures("committed"),
]

SOON = 6
"""Seconds. The limits add up to less than 3; the rest is for a busy machine."""

CLIENT_TIMEOUT = 30
"""Seconds, as browsers do."""

RECONNECT_TIMEOUT = 90
"""Seconds. Each try gives up one connection, after 2.5 seconds; two processes have a
pool of up to eight."""

ROUNDS = 6

PAGE = "/s/study-habits/"
SESSION = {"Cookie": f"sessionid={'a' * 32}"}
JSON = {"Content-Type": "application/json"}


@pytest.fixture
def survey(committed):
    return make_survey()


@pytest.fixture
def cluster(survey):
    """A server of its own that has all of the tests' database."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        if os.getuid() == 0:
            shutil.chown(folder, "postgres")
        cluster = Cluster(folder, find_free_port())
        cluster.copy(f"host={connection.settings_dict['HOST']} user=candor")
        cluster.start(listen_addresses="127.0.0.1")
        yield cluster
        cluster.kill()


def address_of(cluster, line):
    host = "127.0.0.1" if line == "tcp" else cluster.folder
    name = connection.settings_dict["NAME"]
    return f"postgres://candor@/{name}?host={host}&port={cluster.number}"


def answer_to(port, method, address, headers=None, body=None):
    """Return status, body and seconds; the status is 0 where nothing came."""
    begun = time.monotonic()
    visitor = HTTPConnection("127.0.0.1", port, timeout=CLIENT_TIMEOUT)
    try:
        visitor.request(method, address, body=body, headers=headers or {})
        response = visitor.getresponse()
        status, content = response.status, response.read()
    except TimeoutError:
        status, content = 0, b""
    finally:
        visitor.close()
    return status, content, time.monotonic() - begun


def requests(port, bodies):
    """A request while the server is frozen, and the expected status."""
    get = partial(answer_to, port, "GET")
    post = partial(answer_to, port, "POST", f"{PAGE}reports/", JSON)
    return {
        "page": (partial(get, PAGE), 200),
        "another survey": (partial(get, "/s/none/"), 503),
        "first": (partial(post, bodies[0]), 503),
        "second": (partial(post, bodies[1]), 503),
        "without a database": (partial(get, "/how-it-works/"), 200),
        "health": (partial(get, "/health/"), 503),
        "researcher": (partial(get, "/admin/surveys/survey/", SESSION), 503),
        "login": (partial(get, "/admin/login/", SESSION), 503),
    }


@pytest.mark.parametrize(("line", "threads"), [("socket", "1"), ("tcp", "3")])
def test_a_frozen_server_is_reported_soon_and_cleared_when_it_thaws(
    survey, cluster, line, threads, tmp_path, capsys
):
    port = find_free_port()
    bodies = [body_for(survey, number) for number in range(2 + 2 * ROUNDS)]
    changes = {
        "DATABASE_URL": address_of(cluster, line),
        "THREADS": threads,
        "DJANGO_SETTINGS_MODULE": "tests.config.served_settings",
    }
    longest = {}
    with running(port, tmp_path, **changes):
        assert ask(port, "GET", "/health/") == 200
        # Each thread has a connection, and the pool has some that are idle.
        asking = requests(port, bodies)
        for _ in range(3):
            run_concurrently(*(call for call, _due in asking.values()))
        assert answer_to(port, "GET", PAGE)[0] == 200
        with cluster.frozen():
            for number in range(ROUNDS):
                asking = requests(port, bodies[2 + 2 * number :])
                found = run_concurrently(*(call for call, _due in asking.values()))
                for (name, (_call, due)), (status, content, seconds) in zip(
                    asking.items(), found, strict=True
                ):
                    longest[name] = max(longest.get(name, 0), seconds)
                    assert (name, status) == (name, due)
                    if name == "health":
                        assert content == b'{"database": "away"}'
        thawed = time.monotonic()
        post = partial(answer_to, port, "POST", f"{PAGE}reports/", JSON)
        assert until(lambda: post(bodies[-1])[0] == 200)
        back = time.monotonic() - thawed
        for body in bodies:
            assert post(body)[0] == 200
        assert ask(port, "GET", "/health/") == 200
    text = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in longest.items())
    with capsys.disabled():
        sys.stdout.write(f" {text}; back after {back:.1f} s ")
    assert max(longest.values()) < SOON
    assert back < SOON
    assert asked(cluster, RECEIPTS) == len(bodies)
    assert asked(cluster, STORED) + asked(cluster, SEALED) == len(bodies)


def test_frozen_connections_are_replaced_by_new_ones(survey, cluster, tmp_path):
    """As where a disk hangs: the server still answers those who come."""
    port = find_free_port()
    bodies = [body_for(survey, number) for number in range(3)]
    changes = {
        "DATABASE_URL": address_of(cluster, "socket"),
        "THREADS": "1",
        "DJANGO_SETTINGS_MODULE": "tests.config.served_settings",
    }
    post = partial(answer_to, port, "POST", f"{PAGE}reports/", JSON)
    with running(port, tmp_path, **changes):
        assert ask(port, "GET", PAGE) == 200
        assert [post(bodies[0])[0], post(bodies[1])[0]] == [200, 200]
        with cluster.frozen(listens=True):
            status, _content, seconds = post(bodies[2])
            assert status == 503
            assert seconds < SOON
            assert until(lambda: post(bodies[2])[0] == 200, seconds=RECONNECT_TIMEOUT)
            health = partial(answer_to, port, "GET", "/health/")
            assert until(lambda: health()[0] == 200, seconds=RECONNECT_TIMEOUT)
        assert post(bodies[2])[0] == 200
    assert asked(cluster, RECEIPTS) == len(bodies)


def test_an_outage_is_reported_at_once_and_cleared_when_it_ends(
    survey, cluster, tmp_path
):
    port, body = find_free_port(), body_for(survey, 1)
    changes = {
        "DATABASE_URL": address_of(cluster, "socket"),
        "DJANGO_SETTINGS_MODULE": "tests.config.served_settings",
    }
    with running(port, tmp_path, **changes):
        assert ask(port, "GET", PAGE) == 200
        cluster.kill()
        for _ in range(2):  # the first request finds the connection broken
            for name, (call, due) in requests(port, [body, body]).items():
                status, content, seconds = call()
                assert (name, status) == (name, due)
                assert seconds < SOON
                if name == "health":
                    assert content == b'{"database": "away"}'
        cluster.start()
        assert until(lambda: ask(port, "GET", "/s/none/") == 404, seconds=SOON)
        post = partial(answer_to, port, "POST", f"{PAGE}reports/", JSON, body)
        assert post()[0] == 200
    assert asked(cluster, RECEIPTS) == 1


class TestWaiting:
    """With less patience, on the tests' own server."""

    def test_a_long_query_outside_a_limit_is_not_interrupted(self, settings):
        settings.DATABASE_PATIENCE = 0.2
        with connection.cursor() as cursor:
            cursor.execute("SELECT 7, pg_sleep(1)")
            assert cursor.fetchone()[0] == 7

    def test_a_query_beyond_its_limit_is_aborted(self, settings):
        settings.DATABASE_PATIENCE = 0.2
        with (
            pytest.raises(OperationalError) as raised,
            limit_waiting(connection),
            connection.cursor() as cursor,
        ):
            cursor.execute("SELECT pg_sleep(1.5)")
        assert classify_error(raised.value) is Cause.STUCK
        assert connection.connection is None
        with connection.cursor() as cursor:  # and the next one has no limit
            cursor.execute("SELECT 7, pg_sleep(1)")
            assert cursor.fetchone()[0] == 7

    def test_a_nested_limit_does_not_extend_the_outer_one(self, settings):
        settings.DATABASE_PATIENCE = 0.2
        with limit_waiting(connection):
            before = limit.end
            with limit_waiting(connection):
                assert limit.end == before
            assert limit.end == before
        assert limit.end == inf

    def test_sealing_in_the_server_stops_at_its_limit(
        self, survey, settings, monkeypatch
    ):
        """The one thread of a server is not held by a connection that is frozen."""
        settings.DATABASE_PATIENCE = 0.2

        def is_slow(*arguments):
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_sleep(3)")

        monkeypatch.setattr(ResponseQuerySet, "seal_if_due", is_slow)
        batch_scheduler.surveys[survey.pk] = survey
        begun = time.monotonic()
        Response.objects.seal_scheduled()
        assert time.monotonic() - begun < 3
        assert connection.connection is None
        assert outage.cause is Cause.STUCK
        outage.note_stored()

    def test_the_limits_of_a_request_add_up_to_less_than_three_seconds(self):
        patience = 2  # of a server, by config/wsgi.py
        assert 2 * SHARE * patience < patience + SECONDS_FOR_THE_REST < 3
        assert connection.settings_dict["OPTIONS"]["pool"]["timeout"] < 3
