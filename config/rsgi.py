"""The application as granian calls it: each request is read whole, and then answered.

A WSGI application is called as soon as the headers are there, and waits for the rest
in its thread: three visitors who announce 200 bytes and send one keep everybody else
waiting. Here the server's own loop waits for them, as many as there are, and no longer
than the deadline. docs/decisions/0016-two-doors.md has what it costs.
"""

import asyncio
import io
import logging
import os
import sys
from asyncio import AbstractEventLoop, Future, Lock, Semaphore, Task, _set_running_loop
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from importlib import import_module
from threading import Thread
from time import monotonic
from typing import Any, NamedTuple, Protocol

from django.apps import apps
from django.conf import settings
from granian.rsgi import Scope

from config.wsgi import application as wsgi_application
from respondents.collecting.fast_path.cache import (
    JSON,
    METHODS,
    Collector,
    Kept,
    Key,
    Usual,
)
from respondents.collecting.protocol import MAX_BODY_BYTES, TROUBLE
from respondents.models import Response
from respondents.storage.batch_scheduler import looks


class HTTPProtocol(Protocol):
    """What granian gives along with a request: its body, and where the answer goes."""

    async def __call__(self) -> bytes: ...

    def response_empty(self, status: int, headers: "Headers") -> None: ...

    def response_bytes(self, status: int, headers: "Headers", body: bytes) -> None: ...

    def response_stream(self, status: int, headers: "Headers") -> "Transport": ...


class Transport(Protocol):
    """Where the pieces of a long answer go: it waits while the visitor is slow."""

    async def send_bytes(self, data: bytes) -> None: ...


WSGIApplication = Callable[..., Iterable[bytes]]
Headers = list[tuple[str, str]]

SECONDS = 10
"""To send a request's body, of the usual length."""

BYTES_A_SECOND = 100_000
"""Who sends more has as much more time as a slow line needs for it."""

LARGEST = 32_000_000
"""Bytes that are read of one request: three times the largest study. A form then says
what was too large about it; of more, nothing is read."""

SMALL = 65_536

MOST_WAITING = 2 * LARGEST
"""Bytes that requests which are not small may announce at once, in one worker."""

MOST_AT_ONCE = 1_000_000
"""Bytes of an answer that are sent whole: a longer one goes piece by piece."""

MOST_TOGETHER = 500
"""Submissions in one transaction: it takes some 15 ms, and others wait meanwhile."""

FOR_PLANS, SECONDS_TO_START = "scipy.optimize", 1
"""What a plan needs takes a third of a second to load. A start waits for no library;
once it is over, it is loaded beside the loop, so that no researcher waits either."""

logger = logging.getLogger(__name__)

# Of all servers' variables those that Django or a middleware asks for.
ALWAYS = {
    "SCRIPT_NAME": "",
    "SERVER_PROTOCOL": "HTTP/1.1",
    "wsgi.version": (1, 0),
    "wsgi.errors": sys.stderr,
    "wsgi.multithread": True,
    "wsgi.multiprocess": True,
    "wsgi.run_once": False,
}
LOOKED_AT = ("host", "x-forwarded-proto", "accept-encoding", "content-type")
WITHOUT_PREFIX = {"content-type": "CONTENT_TYPE", "content-length": "CONTENT_LENGTH"}


def environ_of(scope: Scope, body: bytes) -> dict[str, Any]:
    host, _colon, port = scope.server.rpartition(":")
    environ = ALWAYS | {
        "REQUEST_METHOD": scope.method,
        "PATH_INFO": path_of(scope),
        "QUERY_STRING": scope.query_string,
        "SERVER_NAME": host,
        "SERVER_PORT": port,
        "REMOTE_ADDR": scope.client.rpartition(":")[0],
        "wsgi.url_scheme": scope.scheme,
        "wsgi.input": io.BytesIO(body),
    }
    for name, value in scope.headers.items():
        if "_" in name:
            # X_Real_Ip would pass for X-Real-IP, which only a proxy may set.
            continue
        key = WITHOUT_PREFIX.get(name) or f"HTTP_{name.upper().replace('-', '_')}"
        if key in environ:
            value = f"{environ[key]}{'; ' if key == 'HTTP_COOKIE' else ','}{value}"
        environ[key] = value
    return environ


class Head(NamedTuple):
    """What the fast way has to know of a request, without an environment made of it."""

    key: Key | None
    content_type: str


def head_of(scope: Scope) -> Head:
    """Return with `key_of` the environment that would be made of this, if any."""
    found = dict.fromkeys(LOOKED_AT, "")
    for name, value in scope.headers.items():
        if name in found:
            found[name] = f"{found[name]},{value}" if found[name] else value
    host, forwarded, encoding, content_type = found.values()
    key = (
        *(scope.method, path_of(scope), scope.scheme, host, forwarded),
        "gzip" if "gzip" in encoding else "",
    )
    is_usual = scope.method in METHODS and not scope.query_string
    return Head(key if is_usual else None, content_type)


def path_of(scope: Scope) -> str:
    """Return the path as WSGI wants bytes, one in each character."""
    return scope.path.encode().decode("latin-1")


class Long(NamedTuple):
    """An answer of which more is still to come than was made."""

    status: int
    headers: Headers
    begin: bytes
    rest: Iterator[bytes]
    close: Callable[[], None]


class Group:
    """Submissions that are stored in one transaction."""

    def __init__(self, loop: AbstractEventLoop) -> None:
        self.members: list[Usual] = []
        self.done: Future[None] = loop.create_future()


class Whole:
    """A WSGI application, called with requests that have come whole.

    With one thread it is called in the loop's own, which costs nothing more than WSGI
    does; with several, in a pool.

    What a `Collector` would answer by itself is answered here: pages at once, and all
    submissions that come while others are being stored in one transaction after them.
    Nobody is told "recorded" before it is committed.
    """

    def __init__(self, application: WSGIApplication, *, threads: int) -> None:
        self.application = application
        self.collector = application if isinstance(application, Collector) else None
        self.pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self.deadlines: dict[Task[Any], float] = {}
        self.waiting = 0
        self.writer = Lock()
        self.free = Semaphore(threads)

    def start(self, loop: AbstractEventLoop) -> None:
        self.loop = loop
        self.group = Group(loop)

    def __rsgi_init__(self, loop: AbstractEventLoop) -> None:
        self.start(loop)
        looks.are_kept = self.collector is not None
        self.rounds = loop.create_task(self.go_round())
        if apps.is_installed("estimation"):
            loading = Thread(target=import_module, args=[FOR_PLANS], daemon=True)
            loop.call_later(SECONDS_TO_START, loading.start)

    def __rsgi_del__(self, loop: AbstractEventLoop) -> None:
        self.rounds.cancel()
        if looks.are_kept:
            Response.objects.take_looks()

    async def go_round(self) -> None:
        """End what is late, and take the looks that were asked for, once a second."""
        while True:
            self.end_what_is_late()
            if looks.waiting:
                await self.work(Response.objects.take_looks)
            await asyncio.sleep(1)

    def end_what_is_late(self) -> None:
        # One look a second at all of them: a timer for each cost a tenth of a request.
        now = monotonic()
        for task, deadline in self.deadlines.items():
            if deadline < now:
                task.cancel()

    async def __rsgi__(self, scope: Scope, protocol: HTTPProtocol) -> None:
        announced = int(scope.headers.get("content-length") or 0)
        # Of what is too long no byte is read; the application refuses it by its length.
        is_for_respondents = scope.path.startswith(settings.PATHS_FOR_RESPONDENTS)
        body = b""
        if 0 < announced <= (MAX_BODY_BYTES if is_for_respondents else LARGEST):
            weight = announced if announced > SMALL else 0
            if self.waiting + weight > MOST_WAITING:
                refuse(protocol, HTTPStatus.SERVICE_UNAVAILABLE)
                return
            self.waiting += weight
            try:
                body = await self.read(protocol, announced)
            except asyncio.CancelledError:
                refuse(protocol, HTTPStatus.REQUEST_TIMEOUT)
                return
            except RuntimeError:
                return  # gone before it was all sent
            finally:
                self.waiting -= weight
        application, trouble = self.application, None
        head = head_of(scope)
        if self.collector and (kept := await self.kept_for(self.collector, head.key)):
            if is_given := scope.method == "GET":
                pass
            elif head.content_type == JSON and (usual := kept.usual(body)):
                await self.store(usual)
                is_given = usual.is_recorded
                # Django is to say why not, alone and without another attempt in front.
                application, trouble = self.collector.application, usual.trouble
            if is_given:
                protocol.response_bytes(code_of(kept.status), kept.headers, kept.body)
                return
        environ = environ_of(scope, body)
        if trouble:
            environ[TROUBLE] = trouble
        async with self.free:
            long = await self.work(self.answer, application, environ, protocol)
        if long:
            await self.send(long, protocol)

    async def kept_for(self, collector: Collector, key: Key | None) -> Kept | None:
        """Return what is kept, also where it was not yet while no thread was free.

        Of thousands who come at once, each would be stored alone otherwise.
        """
        kept = collector.kept_for(key)
        if kept is None and self.free.locked():
            async with self.free:
                kept = collector.kept_for(key)
        return kept

    async def store(self, usual: Usual) -> None:
        """Store a submission; who comes first does it for all that come meanwhile."""
        group = self.group
        group.members.append(usual)
        if len(group.members) == MOST_TOGETHER:
            self.end(group)
        if group.members[0] is not usual:
            await group.done
            return
        assert self.collector  # noqa: S101 - which has made `usual`
        try:
            # Whoever has come whole by then is stored along with this one.
            await asyncio.sleep(0)
            async with self.writer:
                self.end(group)
                await self.work(self.collector.store, group.members)
        finally:
            # Whose first member was cancelled before its turn is still the open one.
            self.end(group)
            group.done.set_result(None)

    def end(self, group: Group) -> None:
        """Let nobody join it from now on."""
        if self.group is group:
            self.group = Group(self.loop)

    async def work(self, function: Callable[..., Any], *arguments: Any) -> Any:
        if self.pool:
            return await self.loop.run_in_executor(self.pool, function, *arguments)
        # Django refuses to wait for a database where a loop runs, rightly: but nobody
        # else's work waits here longer than for a thread, of which there is one.
        _set_running_loop(None)
        try:
            return function(*arguments)
        finally:
            _set_running_loop(self.loop)

    async def send(self, long: Long, protocol: HTTPProtocol) -> None:
        # Others are answered between two pieces, and while the visitor is slow.
        transport = protocol.response_stream(long.status, long.headers)
        piece: bytes | None = long.begin
        try:
            while piece is not None:
                try:
                    await transport.send_bytes(piece)
                except RuntimeError:
                    return  # gone before it was all made
                # The server may take a piece at once: then nobody had a turn.
                await asyncio.sleep(0)
                piece = await self.work(next, long.rest, None)
        except Exception as error:  # as in `answer`; what is sent cannot be taken back
            logger.error("A request failed: %s", type(error).__name__)
        finally:
            await self.work(long.close)

    async def read(self, protocol: HTTPProtocol, announced: int) -> bytes:
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - the server calls within one
        self.deadlines[task] = monotonic() + SECONDS + announced / BYTES_A_SECOND
        try:
            return await protocol()
        finally:
            del self.deadlines[task]

    def answer(
        self,
        application: WSGIApplication,
        environ: dict[str, Any],
        protocol: HTTPProtocol,
    ) -> Long | None:
        """Answer, or return what is too long to be held as a whole."""
        begun: list[tuple[int, Headers]] = []

        def start(status: str, headers: Headers, _error: Any = None) -> None:
            begun.append((code_of(status), headers))

        try:
            answered = application(environ, start)
            close = getattr(answered, "close", nothing)
            is_long = False
            try:
                made, size = [], 0
                pieces = iter(answered)
                for piece in pieces:
                    made.append(piece)
                    size += len(piece)
                    if is_long := size > MOST_AT_ONCE:
                        break
                content = b"".join(made)
                if is_long:
                    return Long(*begun[-1], content, pieces, close)
            finally:
                if not is_long:
                    close()
            protocol.response_bytes(*begun[-1], content)
        except Exception as error:  # its message may quote what was sent
            logger.error("A request failed: %s", type(error).__name__)
            refuse(protocol, HTTPStatus.INTERNAL_SERVER_ERROR)
        return None


def code_of(status: str) -> int:
    return int(status.partition(" ")[0])


def nothing() -> None:
    """Close what needs no closing."""


def refuse(protocol: HTTPProtocol, status: HTTPStatus) -> None:
    headers = [("connection", "close"), ("cache-control", "no-store")]
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        headers.append(("retry-after", "5"))
    protocol.response_empty(status, headers)


application = Whole(wsgi_application, threads=int(os.environ.get("THREADS") or 1))
