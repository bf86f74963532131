"""Connections to PostgreSQL that are closed if the server no longer answers.

A server whose processes are stopped, or whose disk hangs, keeps its connections open.
Its own timeouts do not apply then. TCP timeouts do not apply either, because the
operating system acknowledges every packet. See docs/decisions/0024-a-standby.md.
"""

import os
import socket
from typing import Any, TypeVar

from django.conf import settings
from django.db import connection
from psycopg import Connection, OperationalError
from psycopg.abc import PQGen
from psycopg.errors import _WaitTimeout

from respondents.storage.outages import OVERDUE, SILENT, get_pool, limit

Result = TypeVar("Result")

WAKES_SECONDS = 0.1
"""The time between two checks for Ctrl-C, as in psycopg."""

SHARE = 1 / 2
"""The share of the lock timeout for which a server may be silent, and then again for
which it may take to answer another connection. A frozen server exceeds both."""

SSL_REQUEST = (8).to_bytes(4, "big") + (80877103).to_bytes(4, "big")
"""https://www.postgresql.org/docs/current/protocol-message-formats.html: the server
answers in one byte, before any authentication, and logs nothing."""


class SilentError(OperationalError):
    """The server does not answer any connection."""

    sqlstate = SILENT


class OverdueError(OperationalError):
    """The server answers other connections, but took too long on this one."""

    sqlstate = OVERDUE


class WatchedConnection(Connection[Any]):
    """A connection that closes itself if the server no longer answers.

    The server may still execute the statement later.
    """

    def wait(
        self,
        gen: PQGen[Result],
        interval: float = WAKES_SECONDS,
        timeout: float | None = None,
    ) -> Result:
        if timeout is not None:
            return super().wait(gen, interval, timeout)
        pause = settings.DATABASE_PATIENCE * SHARE
        while True:
            try:
                return super().wait(gen, interval, min(pause, limit.seconds()))
            except _WaitTimeout:
                if limit.seconds() and answers_new(self.pgconn.socket, pause):
                    continue  # a long query, or a lock
                error = SilentError() if limit.seconds() else OverdueError()
                self.close()
            if isinstance(error, SilentError) and (pool := get_pool(connection)):
                pool.drain()  # each of its idle connections would time out as well
            raise error


def answers_new(handle: int, seconds: float) -> bool:
    """Return whether the server at the other end of a connection answers a new one."""
    with socket.socket(fileno=os.dup(handle)) as known:
        family, address = known.family, known.getpeername()
    with socket.socket(family) as another:
        another.settimeout(min(seconds, limit.seconds()))
        try:
            another.connect(address)
            another.sendall(SSL_REQUEST)
            return bool(another.recv(1))
        except OSError:
            return False
