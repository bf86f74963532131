"""Requests are read whole, within their time, before the application is called."""

import asyncio
import math
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from django.db import OperationalError

from config import rsgi
from config.rsgi import Whole, environ_of, head_of
from respondents.answering import fast
from respondents.answering.protocol import TROUBLE
from respondents.looks import looks

MARKER = "the-true-answer"


class Told:
    """What a granian would be told, and the body that it would give."""

    def __init__(self, body=b"", *, never_comes=False, breaks=False):
        self.body, self.never_comes, self.breaks = body, never_comes, breaks
        self.was_read = False
        self.status = None

    async def __call__(self):
        self.was_read = True
        if self.never_comes:
            await asyncio.Event().wait()
        if self.breaks:
            raise RuntimeError("client closed the connection")
        return self.body

    def response_empty(self, status, headers):
        self.status, self.headers, self.content = status, dict(headers), b""

    def response_bytes(self, status, headers, body):
        self.status, self.headers, self.content = status, dict(headers), body

    def response_stream(self, status, headers):
        self.status, self.headers, self.content = status, dict(headers), b""
        self.pieces = []
        return self

    async def send_bytes(self, data):
        if self.breaks:
            raise RuntimeError("transport is closed")
        self.pieces.append(data)
        self.content += data


def scope(path="/s/any/reports/", **headers):
    sent = [(name.replace("__", "-"), value) for name, value in headers.items()]
    return SimpleNamespace(
        method="POST",
        path=path,
        query_string="a=%C3%A9",
        scheme="http",
        server="127.0.0.1:8000",
        client="192.0.2.1:4321",
        headers=Headers(sent),
    )


class Headers(list):
    def items(self):
        return list(self)

    def get(self, name):
        return dict(self).get(name)


def echo(environ, start_response):
    """Answer with everything that an application is told."""
    start_response("200 OK", [("Content-Type", "text/plain")])
    told = {name: environ[name] for name in environ if name.isupper()}
    body = environ["wsgi.input"].read()
    return [repr((told, body, threading.current_thread().name)).encode()]


def in_a_thread_of_its_own(work):
    """Run a coroutine; this thread may have the loop of a browser's driver already."""
    with ThreadPoolExecutor(1, thread_name_prefix="loop") as pool:
        pool.submit(asyncio.run, work).result()


def ask(asked, told, application=echo, *, threads=1, waiting=0):
    async def run():
        whole = Whole(application, threads=threads)
        whole.waiting = waiting
        whole.__rsgi_init__(asyncio.get_running_loop())
        await asyncio.wait_for(whole.__rsgi__(asked, told), 10)
        assert not whole.deadlines
        assert whole.waiting == waiting

    in_a_thread_of_its_own(run())
    return told


def seen(told):
    assert told.status == 200
    return eval(told.content)  # noqa: S307 - what `echo` has written


def test_the_application_is_told_what_wsgi_says():
    sent = scope(
        "/s/é/", content__type="text/x", content__length="3", host="h", accept="a"
    )
    sent.headers += [("cookie", "a=1"), ("cookie", "b=2"), ("accept", "b")]
    environ, body, thread = seen(ask(sent, Told(b"abc")))
    assert body == b"abc"
    assert thread == "loop_0"
    assert environ == {
        "REQUEST_METHOD": "POST",
        "SCRIPT_NAME": "",
        "PATH_INFO": "/s/Ã©/",
        "QUERY_STRING": "a=%C3%A9",
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "8000",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "192.0.2.1",
        "CONTENT_TYPE": "text/x",
        "CONTENT_LENGTH": "3",
        "HTTP_HOST": "h",
        "HTTP_ACCEPT": "a,b",
        "HTTP_COOKIE": "a=1; b=2",
    }


def test_no_other_header_passes_for_one_that_a_proxy_sets():
    sent = scope()
    sent.headers += [("x_real_ip", "192.0.2.9"), ("x_forwarded_proto", "https")]
    environ, _body, _thread = seen(ask(sent, Told()))
    assert not [name for name in environ if name.startswith("HTTP_X")]


def test_with_several_threads_the_loop_goes_on_meanwhile():
    told = ask(scope(content__length="3"), Told(b"abc"), threads=2)
    assert seen(told)[2].startswith("ThreadPoolExecutor")


def test_a_body_that_is_late_is_waited_for_no_longer(monkeypatch):
    monkeypatch.setattr(rsgi, "SECONDS", -1)
    told = ask(scope(content__length="3"), Told(never_comes=True))
    assert (told.status, told.headers["connection"]) == (408, "close")


def test_who_goes_away_while_sending_gets_no_answer():
    assert ask(scope(content__length="3"), Told(breaks=True)).status is None


@pytest.mark.parametrize(
    ("path", "announced"),
    [("/s/any/reports/", 4097), ("/admin/", rsgi.LARGEST + 1), ("/admin/", 0)],
)
def test_of_what_is_too_long_nothing_is_read(path, announced):
    told = ask(scope(path, content__length=str(announced)), Told(b"abc"))
    environ, body, _thread = seen(told)
    assert (environ["CONTENT_LENGTH"], body) == (str(announced), b"")
    assert not told.was_read


def test_of_what_has_no_length_nothing_is_read_either():
    """It may come in chunks, without an end."""
    told = ask(scope("/s/any/reports/"), Told(b"abc"))
    assert seen(told)[1] == b""
    assert not told.was_read


def test_only_so_much_is_waited_for_at_once():
    full = rsgi.MOST_WAITING
    large, small = str(rsgi.SMALL + 1), str(rsgi.SMALL)
    told = ask(scope("/admin/", content__length=large), Told(), waiting=full)
    assert (told.status, told.headers["retry-after"]) == (503, "5")
    told = ask(scope("/admin/", content__length=small), Told(), waiting=full)
    assert told.status == 200
    largest = str(rsgi.LARGEST)
    told = ask(
        scope("/admin/", content__length=largest), Told(), waiting=full - rsgi.LARGEST
    )
    assert told.status == 200
    assert full >= 2 * rsgi.LARGEST  # one of them leaves room for another


def test_a_fault_is_logged_without_what_was_sent(caplog):
    def fail(environ, start_response):
        raise ValueError(environ["wsgi.input"].read())

    told = ask(scope(content__length="9"), Told(MARKER.encode()), fail)
    assert (told.status, told.content) == (500, b"")
    assert [record.getMessage() for record in caplog.records] == [
        "A request failed: ValueError"
    ]
    assert MARKER not in caplog.text


class LongFile:
    """Ten pieces of 400 KB; it knows how many were made, and whether it was closed."""

    def __init__(self, *, fails=False):
        self.made, self.closed, self.fails = 0, 0, fails

    def __call__(self, environ, start_response):
        start_response("200 OK", [("Content-Type", "text/csv")])
        return self

    def __iter__(self):
        for number in range(10):
            if self.fails and number == 5:
                raise ValueError(MARKER)
            self.made += 1
            yield bytes([number]) * 400_000

    def close(self):
        self.closed += 1


@pytest.mark.parametrize("threads", [1, 3])
def test_a_long_answer_goes_piece_by_piece(threads):
    file = LongFile()
    told = ask(scope(), Told(), file, threads=threads)
    assert told.status == 200
    assert told.headers == {"Content-Type": "text/csv"}
    assert told.content == b"".join(bytes([each]) * 400_000 for each in range(10))
    assert [len(piece) for piece in told.pieces] == [1_200_000] + [400_000] * 7
    assert file.closed == 1


@pytest.mark.parametrize("threads", [1, 3])
def test_others_are_answered_between_two_pieces(threads):
    file, seen_made = LongFile(), set()

    async def run():
        whole = Whole(file, threads=threads)
        whole.__rsgi_init__(asyncio.get_running_loop())
        sent = asyncio.create_task(whole.__rsgi__(scope(), Told()))
        while not sent.done():
            seen_made.add(file.made)
            await asyncio.sleep(0)

    in_a_thread_of_its_own(run())
    assert {3, 4, 5, 6, 7, 8, 9, 10} <= seen_made


@pytest.mark.parametrize("threads", [1, 3])
def test_nothing_more_is_made_for_a_visitor_who_went(threads, caplog):
    file = LongFile()
    ask(scope(), Told(breaks=True), file, threads=threads)
    assert (file.made, file.closed) == (3, 1)
    assert not caplog.records


def test_a_long_answer_that_fails_half_way_is_closed_and_named(caplog):
    file = LongFile(fails=True)
    told = ask(scope(), Told(), file)
    assert (len(told.content), file.closed) == (5 * 400_000, 1)
    assert [each.getMessage() for each in caplog.records] == [
        "A request failed: ValueError"
    ]


@pytest.mark.parametrize(
    "sent",
    [
        {"host": "h", "accept-encoding": "br, gzip", "x-forwarded-proto": "https"},
        {"host": "h", "accept_encoding": "gzip"},
        {},
    ],
)
@pytest.mark.parametrize("more", [[], [("host", "i"), ("accept-encoding", "gzip")]])
@pytest.mark.parametrize("query", ["", "a=1"])
@pytest.mark.parametrize("method", ["POST", "HEAD"])
def test_the_fast_way_sees_what_an_environment_would_say(sent, more, query, method):
    asked = scope("/s/é/")
    asked.method, asked.query_string = method, query
    asked.headers += [*sent.items(), *more, ("content-type", "a"), ("content-type", "")]
    environ = environ_of(asked, b"")
    assert head_of(asked) == (fast.key_of(environ), environ["CONTENT_TYPE"])


REPORTS = "/s/any/reports/"


class Storage:
    """A collector's: it tells which submissions it was given together."""

    def __init__(self, monkeypatch, *, refuses=(), fails=None):
        self.refuses, self.fails, self.troubles = refuses, fails, []
        self.groups, self.goes_on, self.begun = [], threading.Event(), threading.Event()
        self.goes_on.set()
        monkeypatch.setattr(fast, "store", self.store)
        monkeypatch.setattr(looks, "are_kept", False)  # as it is to be afterwards
        self.collector = fast.collect(self.django)
        kept = fast.Kept(
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
        assert self.goes_on.wait(60)
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
            await asyncio.sleep(0.05)
            assert not any(each.done() for each in (first, *rest))
            storage.goes_on.set()
            asked = [first, *rest]
        await asyncio.wait_for(asyncio.gather(*asked), 10)

    in_a_thread_of_its_own(run())
    return [(told.status, told.content) for told in everybody]


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
        everybody_asks.wait(10)
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
        await asyncio.sleep(0.05)
        tasks[1].cancel()
        await asyncio.sleep(0)
        tasks.append(asyncio.create_task(whole.__rsgi__(submission(later.body), later)))
        storage.goes_on.set()
        await asyncio.wait(tasks, timeout=10)

    in_a_thread_of_its_own(run())
    assert storage.groups == [[0], [3]]
    # Django stores by itself what nobody has stored.
    assert [first.status, member.status, later.status] == [200, 410, 200]


def test_a_trouble_is_waited_for_once_and_told_to_everybody(monkeypatch):
    trouble = OperationalError("locked")
    storage = Storage(monkeypatch, fails=trouble)
    monkeypatch.setattr(fast, "connection", SimpleNamespace(vendor="sqlite"))
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


@pytest.mark.parametrize("is_whole_house", [True, False])
def test_what_a_plan_needs_is_loaded_beside_the_loop_after_the_start(
    is_whole_house, monkeypatch
):
    loaded = []

    def load(name):
        loaded.append((name, threading.current_thread().daemon))

    monkeypatch.setattr(rsgi, "import_module", load)
    monkeypatch.setattr(rsgi, "SECONDS_TO_START", 0)
    monkeypatch.setattr(rsgi.apps, "is_installed", lambda _name: is_whole_house)

    async def run():
        Whole(echo, threads=1).__rsgi_init__(asyncio.get_running_loop())
        assert loaded == []
        await asyncio.sleep(0.05)

    in_a_thread_of_its_own(run())
    assert loaded == [("scipy.optimize", True)] * is_whole_house
