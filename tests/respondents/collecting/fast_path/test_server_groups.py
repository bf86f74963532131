"""Submissions that come at once are stored together, each told for itself."""

import asyncio
import math
import re
import threading
from types import SimpleNamespace

import pytest
from django.db import OperationalError

from config import rsgi
from config.rsgi import Whole, head_of
from respondents.collecting.fast_path import cache
from respondents.collecting.protocol import TROUBLE
from respondents.storage.batch_scheduler import looks
from tests.respondents.collecting.fast_path.called import (
    LONG,
    Told,
    in_a_thread_of_its_own,
    scope,
)

REPORTS = "/s/any/reports/"


class Storage:
    """A collector's: it tells which submissions it was given together."""

    def __init__(self, monkeypatch, *, refuses=(), fails=None):
        self.refuses, self.fails, self.troubles = refuses, fails, []
        self.groups, self.goes_on, self.begun = [], threading.Event(), threading.Event()
        self.goes_on.set()
        monkeypatch.setattr(cache, "store", self.store)
        monkeypatch.setattr(looks, "are_kept", False)  # as it is to be afterwards
        self.collector = cache.collect(self.django)
        kept = cache.Kept(
            until=math.inf,
            status="200 OK",
            headers=[("Content-Type", "a/b")],
            body=b"recorded",
            survey=SimpleNamespace(pk=1),
            design=SimpleNamespace(accepts=lambda pattern: True),
            expression=re.compile(b"([0-9]{2}) ([0-9]{2})"),
        )
        self.collector.kept[head_of(submission(b"")).key] = kept

    def django(self, environ, start_response):
        self.troubles.append(environ.get(TROUBLE))
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


def submission(body):
    headers = {"content__type": "application/json", "content__length": str(len(body))}
    asked = scope(REPORTS, **headers)
    asked.query_string = ""
    return asked


def send_at_once(storage, count, *, threads=1, hold_first=False):
    """Return what each of so many was told."""
    everybody = [Told(b"%02d 00" % number) for number in range(count)]

    async def run():
        whole = Whole(storage.collector, threads=threads)
        whole.__rsgi_init__(asyncio.get_running_loop())
        asked = [whole.__rsgi__(submission(each.body), each) for each in everybody]
        if hold_first:
            storage.goes_on.clear()
            first = asyncio.create_task(asked.pop(0))
            await asyncio.to_thread(storage.begun.wait)
            rest = [asyncio.create_task(each) for each in asked]
            await until_they_wait(whole, len(rest))
            assert not any(each.done() for each in (first, *rest))
            storage.goes_on.set()
            asked = [first, *rest]
        await asyncio.wait_for(asyncio.gather(*asked), LONG)

    in_a_thread_of_its_own(run())
    return [(told.status, told.content) for told in everybody]


async def until_they_wait(whole, count):
    """Wait until so many are in the open group, and its first one for its turn."""
    while len(whole.group.members) < count:
        await asyncio.sleep(0)
    await asyncio.sleep(0.05)


RECORDED = (200, b"recorded")


def test_what_comes_at_once_is_stored_together_and_each_is_told_for_itself(monkeypatch):
    storage = Storage(monkeypatch, refuses={1, 3})
    told = send_at_once(storage, 5)
    assert storage.groups == [[0, 1, 2, 3, 4]]
    refused = [(410, b"01 00"), (410, b"03 00")]
    assert told == [RECORDED, refused[0], RECORDED, refused[1], RECORDED]
    assert storage.troubles == [None, None]


def test_what_comes_while_others_are_stored_waits_and_is_stored_after_them(monkeypatch):
    storage = Storage(monkeypatch)
    assert send_at_once(storage, 5, threads=3, hold_first=True) == [RECORDED] * 5
    assert storage.groups == [[0], [1, 2, 3, 4]]


def test_who_waited_for_a_thread_is_stored_with_the_others(monkeypatch):
    """Nothing is kept yet: only as many as there are threads ask Django."""
    storage, asked = Storage(monkeypatch), []
    [(key, kept)] = storage.collector.kept.items()
    storage.collector.kept.clear()
    everybody_asks = threading.Barrier(2)

    def answer(environ, start_response):
        everybody_asks.wait(LONG)
        asked.append(environ["wsgi.input"].read())
        storage.collector.kept[key] = kept
        return storage.django(environ, start_response)

    monkeypatch.setattr(storage.collector, "application", answer)
    assert send_at_once(storage, 6, threads=2)[2:] == [RECORDED] * 4
    assert sorted(asked) == [b"00 00", b"01 00"]
    assert storage.groups == [[2, 3, 4, 5]]


@pytest.mark.parametrize("threads", [1, 3])
def test_only_so_many_are_stored_at_once(monkeypatch, threads):
    monkeypatch.setattr(rsgi, "MOST_TOGETHER", 2)
    storage = Storage(monkeypatch)
    assert send_at_once(storage, 5, threads=threads) == [RECORDED] * 5
    assert storage.groups == [[0, 1], [2, 3], [4]]


def test_who_was_to_store_for_others_and_is_cancelled_holds_nobody_up(monkeypatch):
    storage = Storage(monkeypatch)
    first, leader, member, later = (Told(b"%02d 00" % number) for number in range(4))

    async def run():
        whole = Whole(storage.collector, threads=3)
        whole.__rsgi_init__(asyncio.get_running_loop())
        storage.goes_on.clear()
        tasks = [asyncio.create_task(whole.__rsgi__(submission(first.body), first))]
        await asyncio.to_thread(storage.begun.wait)
        for each in (leader, member):
            tasks.append(
                asyncio.create_task(whole.__rsgi__(submission(each.body), each))
            )
        await until_they_wait(whole, 2)
        tasks[1].cancel()
        await asyncio.sleep(0)
        tasks.append(asyncio.create_task(whole.__rsgi__(submission(later.body), later)))
        storage.goes_on.set()
        await asyncio.wait(tasks, timeout=LONG)

    in_a_thread_of_its_own(run())
    assert storage.groups == [[0], [3]]
    # Django stores by itself what nobody has stored.
    assert [first.status, member.status, later.status] == [200, 410, 200]


def test_a_trouble_is_waited_for_once_and_told_to_everybody(monkeypatch):
    trouble = OperationalError("locked")
    storage = Storage(monkeypatch, fails=trouble)
    monkeypatch.setattr(cache, "connection", SimpleNamespace(vendor="sqlite"))
    assert [status for status, _content in send_at_once(storage, 3)] == [410] * 3
    assert storage.groups == [[0, 1, 2]]
    assert storage.troubles == [trouble] * 3


def test_who_goes_away_while_it_is_stored_takes_nobody_along(monkeypatch):
    """It is stored all the same, and known when it comes again."""

    class Gone(Told):
        def response_bytes(self, status, headers, body):
            raise RuntimeError("transport is closed")

    storage = Storage(monkeypatch)
    everybody = [kind(b"%02d 00" % number) for number, kind in enumerate((Gone, Told))]
    assert answered_at_once(storage, everybody) == [None, 200]
    assert storage.groups == [[0, 1]]


def answered_at_once(storage, everybody):
    async def run():
        whole = Whole(storage.collector, threads=1)
        whole.__rsgi_init__(asyncio.get_running_loop())
        asked = [whole.__rsgi__(submission(each.body), each) for each in everybody]
        await asyncio.gather(*asked, return_exceptions=True)

    in_a_thread_of_its_own(run())
    return [told.status for told in everybody]


def test_nobody_is_told_recorded_where_storing_itself_breaks(monkeypatch):
    storage = Storage(monkeypatch)

    def fail(group):
        raise MemoryError

    monkeypatch.setattr(storage.collector, "store", fail)
    everybody = [Told(b"%02d 00" % number) for number in range(3)]
    # The server answers 500 for the first one, which was to store for all.
    assert answered_at_once(storage, everybody) == [None, 410, 410]


def test_the_server_takes_the_looks_that_are_asked_for(monkeypatch):
    looked, storage = [], Storage(monkeypatch)
    monkeypatch.setattr(
        "respondents.models.ResponseQuerySet.try_to_seal",
        lambda self, survey: looked.append(survey),
    )

    async def run():
        whole = Whole(storage.collector, threads=1)
        looks.waiting[1] = "at once"
        whole.__rsgi_init__(asyncio.get_running_loop())
        await asyncio.sleep(0)
        looks.waiting[1] = "at the end"
        whole.__rsgi_del__(asyncio.get_running_loop())

    in_a_thread_of_its_own(run())
    assert looked == ["at once", "at the end"]
    assert not looks.waiting
