"""Submissions that come at once are stored together, each with its own answer."""

import asyncio
import math
import re
import threading
from itertools import chain
from time import sleep
from types import SimpleNamespace

import pytest
from django.db import OperationalError

from respondents.collecting.fast_path import group_commit
from respondents.collecting.fast_path.recent_answers import RecentAnswer, read_key
from respondents.collecting.fast_path.server import Server
from respondents.collecting.protocol import STORAGE_ERROR
from respondents.storage.batch_scheduler import batch_scheduler
from tests.respondents.collecting.fast_path.called import (
    LONG,
    FakeProtocol,
    run_in_thread,
    scope,
)

RECORDED = (200, b"recorded")


class Storage:
    """Stands for Django and the database; knows what was stored together."""

    def __init__(self, monkeypatch, *, refuses=(), fails=None):
        self.refuses, self.fails, self.errors = refuses, fails, []
        self.groups, self.goes_on, self.begun = [], threading.Event(), threading.Event()
        self.goes_on.set()
        monkeypatch.setattr(group_commit, "store", self.store)
        self.recent = {
            read_key(submission(b""))[0]: RecentAnswer(
                until=math.inf,
                status=200,
                headers=[("Content-Type", "a/b")],
                body=b"recorded",
                survey=SimpleNamespace(pk=1),
                design=SimpleNamespace(accepts=lambda pattern: True),
                expression=re.compile(b"([0-9]{2}) ([0-9]{2})"),
            )
        }

    def django(self, environ, start_response):
        self.errors.append(environ.get(STORAGE_ERROR))
        start_response("410 Gone", [])
        return [environ["wsgi.input"].read()]

    def store(self, survey, submissions):
        names = [int(each.identifier) for each in submissions]
        self.groups.append(names)
        self.begun.set()
        assert self.goes_on.wait(LONG)
        if self.fails:
            raise self.fails
        return {
            each for each in submissions if int(each.identifier) not in self.refuses
        }

    def serve(self, *, threads, application=None):
        server = Server(application or self.django, threads=threads)
        server.recent.answers = dict(self.recent)
        return server


def submission(body):
    headers = {"content__type": "application/json", "content__length": str(len(body))}
    asked = scope("/s/any/reports/", **headers)
    asked.query_string = ""
    return asked


def make_clients(count):
    return [FakeProtocol(b"%02d 00" % number) for number in range(count)]


def send_at_once(server, clients, *, storage=None):
    """Send all; with `storage`, the others only while the first is being stored."""

    async def run():
        tasks = []
        for each in clients:
            sending = server.__rsgi__(submission(each.body), each)
            tasks.append(asyncio.create_task(sending))
            if storage and len(tasks) == 1:
                storage.goes_on.clear()
                await asyncio.to_thread(storage.begun.wait)
        if storage:
            while len(server.group_commit.waiting) < len(clients) - 1:
                await asyncio.sleep(0)
            assert not any(each.done() for each in tasks)
            storage.goes_on.set()
        sent = asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.wait_for(sent, LONG)

    run_in_thread(run())
    return [(each.status, getattr(each, "content", None)) for each in clients]


def test_simultaneous_submissions_share_a_transaction(monkeypatch):
    storage = Storage(monkeypatch, refuses={1, 3})
    text = send_at_once(storage.serve(threads=1), make_clients(5))
    assert storage.groups == [[0, 1, 2, 3, 4]]
    refused = [(410, b"01 00"), (410, b"03 00")]
    assert text == [RECORDED, refused[0], RECORDED, refused[1], RECORDED]
    assert storage.errors == [None, None]


def test_submissions_during_a_commit_are_stored_in_the_next_group(monkeypatch):
    storage = Storage(monkeypatch)
    server = storage.serve(threads=3)
    text = send_at_once(server, make_clients(5), storage=storage)
    assert text == [RECORDED] * 5
    assert storage.groups == [[0], [1, 2, 3, 4]]


@pytest.mark.parametrize("threads", [1, 3])
def test_a_group_has_a_largest_size(monkeypatch, threads):
    monkeypatch.setattr(group_commit, "MAX_GROUP_SIZE", 2)
    storage = Storage(monkeypatch)
    server = storage.serve(threads=threads)
    assert send_at_once(server, make_clients(5)) == [RECORDED] * 5
    assert storage.groups == [[0, 1], [2, 3], [4]]


def test_a_client_that_is_cancelled_delays_no_other(monkeypatch):
    """Its submission is stored all the same, and known when it comes again."""
    storage = Storage(monkeypatch)
    server = storage.serve(threads=3)
    clients = make_clients(3)

    async def run():
        storage.goes_on.clear()
        tasks = []
        for each in clients:
            sending = server.__rsgi__(submission(each.body), each)
            tasks.append(asyncio.create_task(sending))
            await asyncio.to_thread(storage.begun.wait)
        while len(server.group_commit.waiting) < 2:
            await asyncio.sleep(0)
        tasks[0].cancel()
        tasks[1].cancel()
        storage.goes_on.set()
        await asyncio.wait(tasks, timeout=LONG)

    run_in_thread(run())
    assert storage.groups == [[0], [1, 2]]
    assert [each.status for each in clients] == [None, None, 200]


def test_a_database_error_is_handled_once_for_the_whole_group(monkeypatch):
    error = OperationalError("locked")
    storage = Storage(monkeypatch, fails=error)
    monkeypatch.setattr(group_commit, "connection", SimpleNamespace(vendor="sqlite"))
    text = send_at_once(storage.serve(threads=1), make_clients(3))
    assert [status for status, _content in text] == [410] * 3
    assert storage.groups == [[0, 1, 2]]
    assert storage.errors == [error] * 3


def test_a_failure_while_storing_acknowledges_nothing(monkeypatch):
    storage = Storage(monkeypatch)

    def fail(group):
        raise MemoryError

    monkeypatch.setattr(group_commit, "store_group", fail)
    text = send_at_once(storage.serve(threads=1), make_clients(3))
    assert [status for status, _content in text] == [410] * 3


def test_the_server_aggregates_scheduled_surveys_and_at_shutdown(monkeypatch):
    aggregated = []
    monkeypatch.setattr(
        "respondents.models.ResponseQuerySet.try_to_seal",
        lambda self, survey: aggregated.append(survey),
    )

    async def run():
        server = Server(None, threads=1)
        batch_scheduler.surveys[1] = "at once"
        server.__rsgi_init__(asyncio.get_running_loop())
        assert batch_scheduler.is_polled
        await asyncio.sleep(0)
        batch_scheduler.surveys[1] = "at the end"
        server.__rsgi_del__(asyncio.get_running_loop())

    run_in_thread(run())
    assert aggregated == ["at once", "at the end"]
    assert not batch_scheduler.surveys
    assert not batch_scheduler.is_polled


def test_requests_waiting_for_a_thread_are_stored_without_django(monkeypatch):
    """Nothing is kept yet: only as many as there are threads ask it."""
    storage, asked, clients = Storage(monkeypatch), [], make_clients(6)

    def answer(environ, start_response):
        while not all(each.was_read for each in clients):
            sleep(0.01)
        asked.append(environ["wsgi.input"].read())
        server.recent.answers.update(storage.recent)
        return storage.django(environ, start_response)

    server = storage.serve(threads=2, application=answer)
    server.recent.answers.clear()
    assert send_at_once(server, clients)[2:] == [RECORDED] * 4
    assert sorted(asked) == [b"00 00", b"01 00"]
    assert sorted(chain(*storage.groups)) == [2, 3, 4, 5]
