"""Requests are read server, within their time, before the application is called."""

import asyncio
import threading
from time import monotonic, sleep

import pytest

from respondents.collecting.fast_path import server as module
from respondents.collecting.fast_path.recent_answers import read_key
from respondents.collecting.fast_path.server import Server
from tests.respondents.collecting.fast_path.called import (
    LONG,
    FakeProtocol,
    run_in_thread,
    scope,
)

MARKER = "the-true-answer"


def echo(environ, start_response):
    """Answer with everything that an application receives."""
    start_response("200 OK", [("Content-Type", "text/plain")])
    found = {name: environ[name] for name in environ if name.isupper()}
    body = environ["wsgi.input"].read()
    return [repr((found, body, threading.current_thread().name)).encode()]


def ask(asked, message, application=echo, *, threads=1, waiting=0):
    async def run():
        server = Server(application, threads=threads)
        server.announced = waiting
        server.__rsgi_init__(asyncio.get_running_loop())
        # Not wait_for, which ends what is late itself: that would pass for our doing.
        answering = asyncio.create_task(server.__rsgi__(asked, message))
        await asyncio.wait({answering}, timeout=LONG)
        assert answering.done()
        answering.result()
        server.__rsgi_del__(asyncio.get_running_loop())
        assert not server.deadlines
        assert server.announced == waiting

    run_in_thread(run())
    return message


def seen(message):
    assert message.status == 200
    return eval(message.content)  # noqa: S307 - what `echo` has written


def test_the_application_gets_what_wsgi_specifies():
    sent = scope(
        "/s/é/", content__type="text/x", content__length="3", host="h", accept="a"
    )
    sent.headers += [("cookie", "a=1"), ("cookie", "b=2"), ("accept", "b")]
    environ, body, thread = seen(ask(sent, FakeProtocol(b"abc")))
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


def test_headers_with_underscores_cannot_imitate_proxy_headers():
    sent = scope()
    sent.headers += [("x_real_ip", "192.0.2.9"), ("x_forwarded_proto", "https")]
    environ, _body, _thread = seen(ask(sent, FakeProtocol()))
    assert not [name for name in environ if name.startswith("HTTP_X")]


def test_a_late_body_times_out(monkeypatch):
    monkeypatch.setattr(module, "BODY_SECONDS", -1)
    text = ask(scope(content__length="3"), FakeProtocol(never_comes=True))
    assert (text.status, text.headers["connection"]) == (408, "close")


def test_larger_bodies_get_more_time(monkeypatch):
    monkeypatch.setattr(module, "monotonic", lambda: 0)
    server, seconds = Server(echo, threads=1), []

    async def body():
        [deadline] = server.deadlines.values()
        seconds.append(deadline)

    for announced in ("200", "20000000"):
        run_in_thread(server.read(scope("/admin/", content__length=announced), body))
    assert seconds == [10.002, 210]


@pytest.mark.parametrize("breaks", [False, True])
def test_a_response_is_closed_even_if_it_fails(breaks):
    """Django gives connections back then, and says that the request is over."""
    closed = []

    class Answer(list):
        def close(self):
            closed.append(True)

        def __iter__(self):
            if breaks:
                raise OSError
            return super().__iter__()

    def short(environ, start_response):
        start_response("200 OK", [])
        return Answer([b"short"])

    assert ask(scope(), FakeProtocol(), short).status == (500 if breaks else 200)
    assert closed == [True]


def test_a_client_that_disconnects_while_sending_gets_no_response():
    assert ask(scope(content__length="3"), FakeProtocol(breaks=True)).status is None


@pytest.mark.parametrize(
    ("path", "announced"),
    [
        ("/s/any/reports/", 4097),
        ("/admin/", module.MAX_MESSAGE_BYTES + 1),
        ("/admin/", 0),
    ],
)
def test_a_body_beyond_the_limit_is_not_read(path, announced):
    text = ask(scope(path, content__length=str(announced)), FakeProtocol(b"abc"))
    environ, body, _thread = seen(text)
    assert (environ["CONTENT_LENGTH"], body) == (str(announced), b"")
    assert not text.was_read


def test_the_total_size_of_pending_bodies_is_limited():
    full = module.MAX_ANNOUNCED
    large, small = str(module.SMALL_BODY + 1), str(module.SMALL_BODY)
    text = ask(scope("/admin/", content__length=large), FakeProtocol(), waiting=full)
    assert (text.status, text.headers["retry-after"]) == (503, "5")
    text = ask(scope("/admin/", content__length=small), FakeProtocol(), waiting=full)
    assert text.status == 200
    longest = module.MAX_MESSAGE_BYTES
    asked = scope("/admin/", content__length=str(longest))
    text = ask(asked, FakeProtocol(), waiting=full - longest)
    assert text.status == 200
    assert full >= 2 * longest  # one of them leaves room for another


def test_an_error_is_logged_without_the_request_body(caplog):
    def fail(environ, start_response):
        raise ValueError(environ["wsgi.input"].read())

    text = ask(scope(content__length="9"), FakeProtocol(MARKER.encode()), fail)
    assert (text.status, text.content) == (500, b"")
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
def test_a_long_response_is_sent_in_chunks(threads):
    file = LongFile()
    text = ask(scope(), FakeProtocol(), file, threads=threads)
    assert text.status == 200
    assert text.headers == {"Content-Type": "text/csv"}
    assert text.content == b"".join(bytes([each]) * 400_000 for each in range(10))
    assert [len(piece) for piece in text.pieces] == [400_000] * 10
    assert file.closed == 1


class SeenFile(LongFile):
    """A file that makes each piece once others have seen how many there are."""

    def __init__(self):
        super().__init__()
        self.seen = set()

    def __iter__(self):
        for piece in super().__iter__():
            yield piece
            end = monotonic() + LONG
            while self.made not in self.seen:
                assert monotonic() < end, f"nobody was answered after {self.made}"
                sleep(0.001)


@pytest.mark.parametrize("threads", [1, 3])
def test_other_requests_run_between_two_chunks(threads):
    file = SeenFile()

    async def run():
        server = Server(file, threads=threads)
        server.__rsgi_init__(asyncio.get_running_loop())
        sent = asyncio.create_task(server.__rsgi__(scope(), FakeProtocol()))
        while not sent.done():
            file.seen.add(file.made)
            await asyncio.sleep(0)
        server.__rsgi_del__(asyncio.get_running_loop())

    run_in_thread(run())
    assert {1, 2, 3, 4, 5, 6, 7, 8, 9, 10} <= file.seen


@pytest.mark.parametrize("threads", [1, 3])
def test_no_more_chunks_are_made_after_a_disconnect(threads, caplog):
    file = LongFile()
    ask(scope(), FakeProtocol(breaks=True), file, threads=threads)
    assert (file.made, file.closed) == (1, 1)
    assert not caplog.records


def test_a_long_response_that_fails_is_closed_and_logged(caplog):
    file = LongFile(fails=True)
    text = ask(scope(), FakeProtocol(), file)
    assert (len(text.content), file.closed) == (5 * 400_000, 1)
    assert [each.getMessage() for each in caplog.records] == [
        "A request failed: ValueError"
    ]


@pytest.mark.parametrize(
    ("sent", "key"),
    [
        (
            {"host": "h", "accept-encoding": "br, gzip", "x-forwarded-proto": "https"},
            ("h", "https", "gzip"),
        ),
        ({"host": "h", "accept_encoding": "gzip"}, ("h", "", "")),
        ({}, ("", "", "")),
    ],
)
def test_the_cache_key_contains_everything_a_response_depends_on(sent, key):
    asked = scope("/s/é/")
    asked.query_string = ""
    asked.headers += [*sent.items(), ("content-type", "a")]
    assert read_key(asked) == (("POST", "/s/é/", "http", *key), "a")
