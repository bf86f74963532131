"""The primary dies under load, its standby takes over: nothing is lost or doubled."""

import os
import shutil
import sys
import threading
import time
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

import psycopg
import pytest
from django.db import connection

from tests.clusters import Cluster
from tests.config.test_doors import body_for, send
from tests.config.test_servers import ask, running, started
from tests.factories import make_survey
from tests.ports import find_free_port

__test__ = connection.vendor == "postgresql"

pytestmark = [
    pytest.mark.storage,
    pytest.mark.server,
    pytest.mark.usefixtures("committed"),
]

ENOUGH = 90
"""Answers before the primary dies, and again after it: some are sealed each time."""

PAUSE = 0.1
"""Seconds until the same is sent again; the page begins with two."""

LONG = 120
"""Seconds, of which all that is waited for takes one on an idle machine."""

SOON = 10
"""Seconds from the order to promote to the first success: 0.2 to 0.5, by itself."""

STANDING_BY = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"
STORED = "SELECT count(*) FROM respondents_response"
SEALED = "SELECT coalesce(sum(count), 0)::int FROM respondents_sealedpattern"
RECEIPTS = "SELECT count(*) FROM respondents_receipt"


@pytest.fixture
def survey(committed):
    return make_survey()


@pytest.fixture
def pair(survey):
    """A primary that has all of the tests' database, and its synchronous standby."""
    with TemporaryDirectory() as name, ExitStack() as servers:
        folder = Path(name)
        if os.getuid() == 0:
            shutil.chown(folder, "postgres")
        primary, standby = Cluster(folder, 1), Cluster(folder, 2)
        primary.copy(f"host={connection.settings_dict['HOST']} user=candor")
        primary.start(synchronous_standby_names="standby")
        servers.callback(primary.kill)
        standby.copy(
            f"host={folder} port=1 user=candor application_name=standby",
            "--write-recovery-conf",
        )
        # Or it looks for its primary for five seconds before it takes over.
        standby.start(wal_retrieve_retry_interval="100ms")
        servers.callback(standby.kill)
        assert until(lambda: asked(primary, STANDING_BY))
        yield primary, standby


def address_of(*clusters):
    """The DATABASE_URL of all of them together."""
    hosts = ",".join(f"{quote(str(one.folder), '')}:{one.number}" for one in clusters)
    return f"postgres://candor@{hosts}/{connection.settings_dict['NAME']}"


def asked(cluster, statement):
    name = connection.settings_dict["NAME"]
    with psycopg.connect(
        host=str(cluster.folder), port=cluster.number, user="candor", dbname=name
    ) as session:
        [value] = session.execute(statement).fetchone()
    return value


def until(condition, seconds=LONG):
    """Wait for it; whether it came."""
    end = time.monotonic() + seconds
    while not (found := condition()) and time.monotonic() < end:
        time.sleep(0.02)
    return found


class People:
    """Those who answer: each sends the same again until it is recorded."""

    def __init__(self, survey, ports):
        self.survey, self.numbers = survey, count()
        self.recorded, self.others = [], []
        self.is_over = threading.Event()
        self.threads = [
            threading.Thread(target=self.go_on, args=(port,)) for port in ports
        ]
        for thread in self.threads:
            thread.start()

    def go_on(self, port):
        while not self.is_over.is_set():
            body = body_for(self.survey, next(self.numbers))
            while True:
                answer, seconds = send(port, body)
                if answer.startswith(b"HTTP/1.1 200 "):
                    break
                self.others.append(answer.partition(b"\r\n")[0])
                time.sleep(PAUSE)
            self.recorded.append((time.monotonic() - seconds, time.monotonic()))

    def have_sent(self, number):
        return until(lambda: len(self.recorded) >= number)

    def stop(self):
        self.is_over.set()
        for thread in self.threads:
            thread.join()


def test_a_standby_takes_over_and_nothing_is_lost_or_doubled(
    survey, pair, tmp_path, capsys
):
    primary, standby = pair
    ports = find_free_port(), find_free_port()
    changes = {
        "DATABASE_URL": address_of(primary, standby),
        "DJANGO_SETTINGS_MODULE": "config.respondents_settings",
        "DOOR": "respondents",
        "THREADS": "2",
    }
    seal = [sys.executable, "manage.py", "seal", "--every", "0.1"]
    with ExitStack() as services:
        for number, port in enumerate(ports):
            folder = tmp_path / str(number)
            folder.mkdir()
            services.enter_context(running(port, folder, **changes))
        sealing = services.enter_context(started(seal, tmp_path, **changes))
        assert all(ask(port, "GET", "/health/") == 200 for port in ports)
        people = People(survey, ports * 2)
        services.callback(people.stop)
        assert people.have_sent(ENOUGH)
        assert until(lambda: asked(primary, SEALED))
        primary.kill()
        killed, before = time.monotonic(), len(people.recorded)
        standby.promote()
        assert people.have_sent(before + ENOUGH)
        sealed = asked(standby, SEALED)
        assert until(lambda: asked(standby, SEALED) > sealed)
        assert all(ask(port, "GET", "/health/") == 200 for port in ports)
        people.stop()
        assert sealing.poll() is None
    seconds = min(end for begun, end in people.recorded if begun > killed) - killed
    with capsys.disabled():
        sys.stdout.write(f" {seconds:.2f} s from promotion to the first success ")
    assert seconds < SOON
    assert set(people.others) <= {b"HTTP/1.1 503 Service Unavailable"}
    assert next(people.numbers) == len(people.recorded)
    assert asked(standby, RECEIPTS) == len(people.recorded)
    assert asked(standby, STORED) + asked(standby, SEALED) == len(people.recorded)
