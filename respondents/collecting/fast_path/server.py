"""The RSGI server: answers common requests itself, and passes the others to Django.

A WSGI application is called as soon as the headers of a request have arrived, and waits
for the body in its thread: three clients that announce 200 bytes and send one would
block two workers. Here the event loop waits until a deadline, for any number of
clients. docs/decisions/0016-two-doors.md describes the costs.
"""

import asyncio
import io
import logging
import sys
from asyncio import AbstractEventLoop, Semaphore, Task, _set_running_loop
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from itertools import chain
from time import monotonic
from typing import Any

from django.conf import settings
from granian._granian import RSGIHTTPProtocol as HTTPProtocol
from granian.rsgi import Scope

from respondents.collecting.fast_path.group_commit import GroupCommit
from respondents.collecting.fast_path.recent_answers import (
    JSON,
    Headers,
    Key,
    RecentAnswer,
    RecentAnswers,
    read_key,
)
from respondents.collecting.protocol import (
    MAX_BODY_BYTES,
    REPEATABLE_FOR,
    STORAGE_ERROR,
)
from respondents.models import Response
from respondents.storage.batch_scheduler import batch_scheduler

WSGIApplication = Callable[..., Iterable[bytes]]
Environ = dict[str, Any]

BODY_SECONDS = 10
"""Time limit for receiving a body of the usual length."""

SLOWEST_BYTES_PER_SECOND = 100_000
"""A longer body gets the additional time that a slow connection needs for it."""

MAX_MESSAGE_BYTES = 32_000_000
"""The most bytes read from one request: three times the largest study, so that a form
can explain what is too large. Longer bodies are not read at all."""

SMALL_BODY = 65_536

MAX_ANNOUNCED = 2 * MAX_MESSAGE_BYTES
"""The most bytes that concurrent requests with larger bodies may announce, per
worker."""

PIECE_BYTES = 262_144
"""The size of the pieces in which a long answer is sent. Pages and nearly all static
files are shorter and sent whole."""

logger = logging.getLogger(__name__)

# Only the WSGI variables that Django or a middleware reads.
CONSTANT_ENVIRON = {
    "SCRIPT_NAME": "",
    "SERVER_PROTOCOL": "HTTP/1.1",
    "wsgi.version": (1, 0),
    "wsgi.errors": sys.stderr,
    "wsgi.multithread": True,
    "wsgi.multiprocess": True,
    "wsgi.run_once": False,
}
WITHOUT_PREFIX = {"content-type": "CONTENT_TYPE", "content-length": "CONTENT_LENGTH"}


def make_environ(scope: Scope, body: bytes) -> Environ:
    host, _colon, port = scope.server.rpartition(":")
    environ = CONSTANT_ENVIRON | {
        "REQUEST_METHOD": scope.method,
        # WSGI requires one byte per character.
        "PATH_INFO": scope.path.encode().decode("latin-1"),
        "QUERY_STRING": scope.query_string,
        "SERVER_NAME": host,
        "SERVER_PORT": port,
        "REMOTE_ADDR": scope.client.rpartition(":")[0],
        "wsgi.url_scheme": scope.scheme,
        "wsgi.input": io.BytesIO(body),
    }
    for name, value in scope.headers.items():
        if "_" in name:
            # X_Real_Ip would be read as X-Real-IP, which only a proxy may set.
            continue
        key = WITHOUT_PREFIX.get(name) or f"HTTP_{name.upper().replace('-', '_')}"
        if key in environ:
            value = f"{environ[key]}{'; ' if key == 'HTTP_COOKIE' else ','}{value}"
        environ[key] = value
    return environ


class Answer:
    """The answer of a WSGI application, read piece by piece."""

    def __init__(self, application: WSGIApplication, environ: Environ) -> None:
        self.status = 0
        self.headers: Headers = []
        self.content = application(environ, self.start)
        self.pieces = chain(self.content)

    def start(self, status: str, headers: Headers, _error: Any = None) -> None:
        self.status, self.headers = int(status.partition(" ")[0]), headers

    def read(self) -> bytes:
        """Return the next piece: at least `PIECE_BYTES`, except at the end."""
        taken, size = [], 0
        for piece in self.pieces:
            taken.append(piece)
            size += len(piece)
            if size >= PIECE_BYTES:
                break
        return b"".join(taken)

    def close(self) -> None:
        if close := getattr(self.content, "close", None):
            close()


class Server:
    """Calls a WSGI application with requests whose body has been read completely.

    With one thread, the application is called in the thread of the event loop, which
    costs no more than WSGI does; with several, in a pool.
    """

    def __init__(self, application: WSGIApplication, *, threads: int) -> None:
        self.application = application
        self.pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self.free_threads = Semaphore(threads)
        self.deadlines: dict[Task[Any], float] = {}
        self.announced = 0
        self.recent = RecentAnswers()
        self.group_commit = GroupCommit(self.run)

    def __rsgi_init__(self, loop: AbstractEventLoop) -> None:
        batch_scheduler.is_polled = True
        self.every_second = loop.create_task(self.work_every_second())

    def __rsgi_del__(self, loop: AbstractEventLoop) -> None:
        self.every_second.cancel()
        batch_scheduler.is_polled = False
        Response.objects.seal_scheduled()

    async def work_every_second(self) -> None:
        """End late requests, and aggregate the scheduled surveys."""
        while True:
            self.end_late_requests()
            if batch_scheduler.surveys:
                await self.run(Response.objects.seal_scheduled)
            await asyncio.sleep(1)

    def end_late_requests(self) -> None:
        # Once a second for all requests: one timer each took a tenth of their time.
        now = monotonic()
        for task, deadline in self.deadlines.items():
            if deadline < now:
                task.cancel()

    async def __rsgi__(self, scope: Scope, protocol: HTTPProtocol) -> None:
        body = await self.read(scope, protocol)
        if body is None:
            return
        key, content_type = read_key(scope)
        error = None
        if recent := await self.find_recent(key):
            is_answer = scope.method == "GET"
            if not is_answer and content_type == JSON:
                is_answer, error = await self.store(recent, body)
            if is_answer:
                protocol.response_bytes(recent.status, recent.headers, recent.body)
                return
        environ = make_environ(scope, body)
        if error:
            environ[STORAGE_ERROR] = error
        async with self.free_threads:
            long = await self.run(self.answer, environ, protocol, key)
        if long:
            answer, first = long
            await self.send(answer, first, protocol)

    async def read(self, scope: Scope, protocol: HTTPProtocol) -> bytes | None:
        """Return the body, or None if the request has ended.

        A body that is too long is not read: the application refuses it by its announced
        length.
        """
        length = int(scope.headers.get("content-length") or 0)
        is_for_respondents = scope.path.startswith(settings.PATHS_FOR_RESPONDENTS)
        if (
            not 0
            < length
            <= (MAX_BODY_BYTES if is_for_respondents else MAX_MESSAGE_BYTES)
        ):
            return b""
        weight = length if length > SMALL_BODY else 0
        if self.announced + weight > MAX_ANNOUNCED:
            refuse(protocol, HTTPStatus.SERVICE_UNAVAILABLE)
            return None
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - the server calls this within a task
        self.announced += weight
        seconds = BODY_SECONDS + length / SLOWEST_BYTES_PER_SECOND
        self.deadlines[task] = monotonic() + seconds
        try:
            return await protocol()
        except asyncio.CancelledError:
            refuse(protocol, HTTPStatus.REQUEST_TIMEOUT)
        except RuntimeError:
            pass  # the client has disconnected
        finally:
            del self.deadlines[task]
            self.announced -= weight
        return None

    async def find_recent(self, key: Key | None) -> RecentAnswer | None:
        """Return the recent answer; if there is none, wait for a thread and try again.

        Otherwise thousands of simultaneous submissions would be stored one by one.
        """
        recent = self.recent.find(key)
        if recent is None and self.free_threads.locked():
            async with self.free_threads:
                recent = self.recent.find(key)
        return recent

    async def store(
        self, recent: RecentAnswer, body: bytes
    ) -> tuple[bool, Exception | None]:
        """Return whether a submission is recorded, and an error not worth retrying."""
        if not (submission := recent.read_submission(body)):
            return False, None
        pending = await self.group_commit.store(recent.survey, submission)
        return pending.is_recorded, pending.error

    async def run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        if self.pool:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self.pool, function, *arguments)
        # Django refuses database queries in a running event loop. Here they delay no
        # request longer than waiting for the only thread would.
        loop = asyncio.get_running_loop()
        _set_running_loop(None)
        try:
            return function(*arguments)
        finally:
            _set_running_loop(loop)

    def answer(
        self, environ: Environ, protocol: HTTPProtocol, key: Key | None
    ) -> tuple[Answer, bytes] | None:
        """Send Django's answer, or return it with its first piece if it is long."""
        try:
            asked_at = monotonic()
            answer = Answer(self.application, environ)
            first = b""
            try:
                first = answer.read()
            finally:
                if len(first) < PIECE_BYTES:
                    answer.close()
            if len(first) >= PIECE_BYTES:
                return answer, first
            if key and (survey := environ.get(REPEATABLE_FOR)):
                self.recent.keep(
                    *(key, survey, answer.status, answer.headers, first),
                    asked_at=asked_at,
                )
            protocol.response_bytes(answer.status, answer.headers, first)
        except Exception as error:  # its message may quote the request
            logger.error(f"A request failed: {type(error).__name__}")
            refuse(protocol, HTTPStatus.INTERNAL_SERVER_ERROR)
        return None

    async def send(self, answer: Answer, piece: bytes, protocol: HTTPProtocol) -> None:
        """Send a long answer, and let other requests run between its pieces."""
        transport = protocol.response_stream(answer.status, answer.headers)
        try:
            while piece:
                try:
                    await transport.send_bytes(piece)
                except RuntimeError:
                    return  # the client has disconnected
                # If the server accepts a piece at once, no other task has run yet.
                await asyncio.sleep(0)
                piece = await self.run(answer.read)
        except Exception as error:  # as in `answer`; earlier pieces are already sent
            logger.error(f"A request failed: {type(error).__name__}")
        finally:
            await self.run(answer.close)


def refuse(protocol: HTTPProtocol, status: HTTPStatus) -> None:
    headers = [("connection", "close"), ("cache-control", "no-store")]
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        headers.append(("retry-after", "5"))
    protocol.response_empty(status, headers)
