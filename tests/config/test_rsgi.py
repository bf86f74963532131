"""Requests are read whole, within their time, before the application is called."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest

from config import rsgi
from config.rsgi import Whole

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


def test_only_so_much_is_waited_for_at_once():
    full = rsgi.MOST_WAITING
    large, small = str(rsgi.SMALL + 1), str(rsgi.SMALL)
    told = ask(scope("/admin/", content__length=large), Told(), waiting=full)
    assert (told.status, told.headers["retry-after"]) == (503, "5")
    told = ask(scope("/admin/", content__length=small), Told(), waiting=full)
    assert told.status == 200


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
