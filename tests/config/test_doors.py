"""The production server of the respondents' site under load, attacks and crashes."""

import json
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import ExitStack
from functools import partial

import pytest
from django.conf import settings
from django.db import connection

from respondents.models import Receipt, Response, compute_receipt_id
from tests.concurrency import database_url, run_concurrently
from tests.config.test_servers import MAX_START_SECONDS, ask, running
from tests.factories import make_survey
from tests.ports import find_free_port
from tests.respondents.storage.obstacles import long_write_by_another_process
from tests.respondents.test_kills import settle

pytestmark = pytest.mark.server

CLIENTS_PER_KIND = 300

LONG = 8
"""Seconds. Slow clients are held for ten; pages take milliseconds, and less than this
even on a busy machine."""

HEAD = b"HTTP/1.1\r\nHost: 127.0.0.1\r\n"
SLOW = {
    "says nothing": b"",
    "sends half a head": b"GET /how-it-works/ " + HEAD,
    "sends one byte of 200": b"POST /s/study-habits/reports/ " + HEAD
    + b"Content-Type: application/json\r\nContent-Length: 200\r\n\r\n{",
    "reads nothing": (b"GET /how-it-works/ " + HEAD + b"\r\n") * 4,
}  # fmt: skip


@pytest.fixture
def survey(committed):
    return make_survey()


@pytest.fixture
def door(survey, tmp_path):
    """The server of the respondents' site on the tests' database, and its port."""
    port = find_free_port()
    place = f"sqlite:///{connection.settings_dict['NAME']}"
    # With DEBUG, it needs no collected static files, which a new clone lacks.
    changes = {"DOOR": "respondents", "DATABASE_URL": place, "DEBUG": "on"}
    with running(port, tmp_path, **changes) as server:
        assert ask(port, "GET", "/s/study-habits/") == 200
        yield server, port


def body_for(survey, number):
    body = {
        "design": survey.design_digest,
        "submission": f"{number:032x}",
        "reports": "00",
    }
    return json.dumps(body).encode()


def send(port, body):
    """Send a response on a new connection; return the reply and the seconds it took."""
    begun = time.monotonic()
    with socket.create_connection(("127.0.0.1", port), timeout=30) as visitor:
        visitor.sendall(
            b"POST /s/study-habits/reports/ " + HEAD + b"Connection: close\r\n"
            b"Content-Type: application/json\r\n"
            b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
        )
        answer = b"".join(iter(lambda: visitor.recv(65536), b""))
    return answer, time.monotonic() - begun


def test_slow_clients_do_not_block_others(door, survey):
    _server, port = door
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with ExitStack() as held:
        for said in SLOW.values():
            for _ in range(CLIENTS_PER_KIND):
                visitor = held.enter_context(socket.socket())
                visitor.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
                visitor.connect(("127.0.0.1", port))
                visitor.sendall(said)
        for number in range(10):
            begun = time.monotonic()
            assert ask(port, "GET", "/s/study-habits/") == 200
            assert time.monotonic() - begun < LONG
            answer, seconds = send(port, body_for(survey, number))
            assert answer.startswith(b"HTTP/1.1 200 ")
            assert seconds < LONG
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert Response.objects.count() == 10


def test_a_locked_database_is_reported_quickly_and_pages_still_load(door, survey):
    _server, port = door
    with long_write_by_another_process():
        answer, seconds = send(port, body_for(survey, 1))
        assert answer.startswith(b"HTTP/1.1 503 ")
        assert b"\r\nretry-after: 5\r\n" in answer.lower()
        assert seconds < LONG
        assert ask(port, "GET", "/s/study-habits/") == 200
    answer, _seconds = send(port, body_for(survey, 1))
    assert answer.startswith(b"HTTP/1.1 200 ")


def test_a_restart_loses_no_request(door, survey):
    """Four clients keep sending while every worker is replaced."""
    server, port = door
    before = workers_of(server)
    answers, numbers, is_over = [], iter(range(100_000)), threading.Event()

    def go_on():
        while not is_over.is_set():
            answers.append(send(port, body_for(survey, next(numbers)))[0][:13])
            time.sleep(0.1)

    people = [threading.Thread(target=go_on) for _ in range(4)]
    for person in people:
        person.start()
    server.send_signal(signal.SIGHUP)
    for _ in range(10 * MAX_START_SECONDS):
        time.sleep(0.1)
        if not before & workers_of(server):
            break
    is_over.set()
    for person in people:
        person.join()
    assert not before & workers_of(server)
    assert set(answers) == {b"HTTP/1.1 200 "}
    assert Response.objects.count() == len(answers)


def test_a_worker_crash_does_not_affect_other_workers(survey, tmp_path):
    """Only requests on its own connections fail, and clients send them again."""
    port, numbers = find_free_port(), iter(range(20))
    changes = {"WORKERS": "2", "DOOR": "respondents", "DATABASE_URL": database_url()}
    with running(port, tmp_path, **changes) as server:
        assert ask(port, "GET", "/health/") == 200
        while (tmp_path / "log").read_text().count("runtime-1") < 2:
            time.sleep(0.01)
        first, other = before = workers_of(server)
        os.kill(int(first), signal.SIGKILL)
        while first in workers_of(server):
            time.sleep(0.01)
        for number in numbers:
            answer, seconds = send(port, body_for(survey, number))
            assert answer.startswith(b"HTTP/1.1 200 ")
            assert seconds < LONG
        for _ in range(100 * MAX_START_SECONDS):
            if len(workers_of(server)) == len(before):
                break
            time.sleep(0.01)
        assert len(workers_of(server)) == len(before)
        assert other in workers_of(server)


ENOUGH = 30
"""Answers until the next kill, which happens while clients are sending."""


def test_a_server_killed_under_load_keeps_acknowledged_responses(survey, tmp_path):
    """Kill the process group twice; then the clients send everything again."""
    port, numbers = find_free_port(), iter(range(100_000))
    begun, acknowledged = [], []

    def receipts(numbers):
        return {compute_receipt_id(survey, f"{number:032x}") for number in numbers}

    changes = {"WORKERS": "2", "DOOR": "respondents", "DATABASE_URL": database_url()}

    def send_until_killed():
        while True:
            number = next(numbers)
            begun.append(number)
            try:
                answer, _seconds = send(port, body_for(survey, number))
            except ConnectionError:
                return
            if not answer.startswith(b"HTTP/1.1 200 "):
                assert not answer
                return
            acknowledged.append(number)

    def kill_during(server):
        before = len(acknowledged)
        while len(acknowledged) < before + ENOUGH:
            time.sleep(0.005)
        os.killpg(server.pid, signal.SIGKILL)

    for _life in range(2):
        with running(port, tmp_path, **changes) as server:
            assert ask(port, "GET", "/health/") == 200
            run_concurrently(*[send_until_killed] * 8, partial(kill_during, server))
        settle()
        stored = set(Receipt.objects.values_list("pk", flat=True))
        assert receipts(acknowledged) <= stored <= receipts(begun)
        assert Response.objects.count() == len(stored)
    assert len(acknowledged) < len(begun)
    with running(port, tmp_path, **changes):
        assert ask(port, "GET", "/health/") == 200
        for number in begun:
            answer, _seconds = send(port, body_for(survey, number))
            assert answer.startswith(b"HTTP/1.1 200 ")
    assert Response.objects.count() == Receipt.objects.count() == len(begun)


def workers_of(server):
    path = f"/proc/{server.pid}/task/{server.pid}/children"
    with open(path) as children:  # noqa: PTH123 - a file of the kernel
        return set(children.read().split())


# Only researchers need these: they cost memory, startup time and attack surface.
ELSEWHERE = {
    "estimation", "scipy", "pandas", "matplotlib", "numpy", "formulaic", "allauth",
    "config.accounts", "config.admin", "config.site", "surveys.authoring",
    "respondents.imports", "respondents.distribution", "django.contrib.admin",
    "django.contrib.sessions.middleware", "django.contrib.messages",
}  # fmt: skip

START = """\
import sys
import config.rsgi
from django.core.management import call_command
from django.test import Client
call_command("check", deploy=True, fail_level="WARNING", stdout=sys.stderr)
from django.conf import settings
settings.STORAGES["staticfiles"]["BACKEND"] = (  # a new clone has collected nothing
    "django.contrib.staticfiles.storage.StaticFilesStorage"
)
for address in ("/how-it-works/", "/s/none/", "/admin/", "/r/none/"):
    answer = Client(headers={"host": "127.0.0.1"}).get(address, secure=True)
    print(address, answer.status_code, *answer.cookies)
print(*sys.modules)
"""


def test_the_respondent_server_loads_no_researcher_code(tmp_path):
    started = subprocess.run(  # noqa: S603
        [sys.executable, "-W", "ignore", "-c", START],
        env={
            "ENV_FILE": os.devnull,
            "SECRET_KEY": settings.SECRET_KEY,
            "ALLOWED_HOSTS": "127.0.0.1",
            "HTTPS": "on",
            "DATABASE_URL": f"sqlite:///{tmp_path}/empty.sqlite3",
            "DJANGO_SETTINGS_MODULE": "config.respondents_settings",
        },
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=False,
    )
    assert started.returncode == 0, started.stderr
    *asked, loaded = started.stdout.splitlines()
    assert asked == [
        "/how-it-works/ 200",
        "/s/none/ 503",
        "/admin/ 404",
        "/r/none/ 404",
    ]
    assert "respondents.collecting.views" in loaded.split()
    assert ELSEWHERE.isdisjoint(loaded.split())
