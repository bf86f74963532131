"""Detects a database that is away, locked, full or read-only, and limits waiting.

The first request during an outage waits as long as the settings allow. Until a request
succeeds, the others hardly wait: there may be a single thread, and pages that need no
database wait for it too.
"""

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from math import inf
from threading import local
from time import monotonic
from typing import Any
from weakref import WeakSet

from django.conf import settings
from django.db import (
    InterfaceError,
    InternalError,
    OperationalError,
    connection,
    connections,
)
from django.db.backends.base.base import BaseDatabaseWrapper
from django.http import HttpResponse
from django.utils.log import log_response

# Nothing was stored, and the browser may send the same bytes again.
DATABASE_TROUBLE = (OperationalError, InterfaceError, InternalError)

RETRY_AFTER_SECONDS = 5

AWAY_SECONDS = 0.5
"""The pause between two attempts to reach a database that is away."""

IMPATIENT_SECONDS = 0.05

SECONDS_FOR_THE_REST = 0.5
"""Time in addition to the lock timeout, which PostgreSQL applies itself."""

FULL_SECONDS = 60
"""How long a full disk is assumed to stay full: PostgreSQL cannot report it."""

logger = logging.getLogger(__name__)


class Cause(StrEnum):
    AWAY = "away"
    """It cannot be reached, or does not answer."""
    LOCKED = "locked"
    FULL = "full"
    READ_ONLY = "read-only"
    STUCK = "stuck"
    """It answers, but acknowledges nothing: its standby is away, or a disk hangs."""
    BROKEN = "broken"
    """Anything else, such as a missing table."""


class OutageError(OperationalError):
    def __init__(self, cause: Cause) -> None:
        super().__init__(cause)
        self.cause = cause


STATE_OF_POSTGRESQL = """
    SELECT current_setting('transaction_read_only'), EXISTS (
        SELECT FROM pg_stat_activity
        WHERE wait_event = 'SyncRep' AND query_start < now() - interval '1 second'
    )
"""
"""A commit that waits for a standby keeps waiting after its client has disconnected. A
role can see its own sessions."""

OF_SQLITE = {
    sqlite3.SQLITE_BUSY: Cause.LOCKED,
    sqlite3.SQLITE_LOCKED: Cause.LOCKED,
    sqlite3.SQLITE_FULL: Cause.FULL,
    sqlite3.SQLITE_READONLY: Cause.READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: Cause.AWAY,
}
"""By primary result code, https://sqlite.org/rescode.html."""

SILENT, OVERDUE = "08S01", "HYT00"
"""Why watched_connection.py closed a connection, as ODBC codes: communication link
failure, timeout expired. No server sends them."""

OF_POSTGRESQL = {
    OVERDUE: Cause.STUCK,
    "53100": Cause.FULL,
    "53300": Cause.AWAY,  # too many connections
    "25006": Cause.READ_ONLY,
    "55P03": Cause.LOCKED,
    "57014": Cause.LOCKED,  # statement timeout
    "40001": Cause.LOCKED,
    "40P01": Cause.LOCKED,
}
AWAY_IN_POSTGRESQL = ("08", "57P")
"""Error classes: the connection broke, the server shuts down or starts."""


def classify_error(error: BaseException) -> Cause:
    """Return the cause by the error code of the database, never by its message."""
    if isinstance(error, OutageError):
        return error.cause
    origin = error.__cause__
    if isinstance(origin, sqlite3.Error):
        primary = getattr(origin, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        return OF_SQLITE.get(primary, Cause.BROKEN)
    if isinstance(origin, OSError):
        return Cause.AWAY  # its folder cannot be opened
    if origin is not None and hasattr(origin, "sqlstate"):
        state: str | None = origin.sqlstate
        if state is None or state.startswith(AWAY_IN_POSTGRESQL):
            return Cause.AWAY
        return OF_POSTGRESQL.get(state, Cause.BROKEN)
    return Cause.BROKEN


def has_given_up(error: BaseException) -> bool:
    """Return whether PostgreSQL did not answer in time."""
    return getattr(error.__cause__ or error, "sqlstate", None) in {SILENT, OVERDUE}


def get_pool(database: Any) -> Any:
    return getattr(database, "pool", None)


class Outage:
    """The last outage that this process has met."""

    def __init__(self) -> None:
        self.cause: Cause | None = None
        self.noted_at = 0.0
        self.impatient: WeakSet[BaseDatabaseWrapper] = WeakSet()

    def note(self, error: BaseException) -> Cause:
        """Record the outage and return its cause; the next requests wait less."""
        cause = classify_error(error)
        if not (cause is Cause.AWAY and isinstance(error, OutageError)):
            self.cause, self.noted_at = cause, monotonic()
            if cause in {Cause.AWAY, Cause.LOCKED}:
                self.set_patience(IMPATIENT_SECONDS)
                self.impatient.add(connections[connection.alias])
        return cause

    def refuse_while_away(self) -> None:
        """Raise `OutageError` if the database was away a moment ago."""
        if self.cause is Cause.AWAY and self.seconds() < AWAY_SECONDS:
            raise OutageError(Cause.AWAY)

    def refuse_while_stuck(self) -> None:
        """Raise `OutageError` while another response waits for an acknowledgement.

        A further one would wait as well, and occupy a database connection.
        """
        if self.cause is Cause.STUCK:
            _is_read_only, is_stuck = read_postgresql_state()
            if is_stuck:
                raise OutageError(Cause.STUCK)

    def note_stored(self) -> None:
        if self.cause is None and not self.impatient:
            return  # the usual case
        self.cause = None
        own = connections[connection.alias]
        # All threads share a pool; a connection to SQLite belongs to one thread.
        if own in self.impatient or (self.impatient and own.vendor != "sqlite"):
            options = own.settings_dict["OPTIONS"]
            self.set_patience((options.get("pool") or options)["timeout"])
            self.impatient.discard(own)

    def note_reachable(self) -> None:
        if self.cause is Cause.AWAY:
            self.note_stored()

    def seconds(self) -> float:
        return monotonic() - self.noted_at

    def set_patience(self, seconds: float) -> None:
        """Set the timeout for SQLite's lock, or for a connection of the pool."""
        if connection.vendor == "sqlite":
            if connection.connection is not None:
                # Not through Django, which refuses queries in a broken transaction.
                milliseconds = round(seconds * 1000)
                connection.connection.execute(f"PRAGMA busy_timeout = {milliseconds}")
        elif pool := get_pool(connection):
            pool.timeout = seconds

    def check(self) -> Cause | None:
        """Query the database; return the cause of an outage, or None if it works."""
        try:
            self.refuse_while_away()
            if connection.vendor == "sqlite":
                with connection.cursor() as cursor:
                    # An unused number; setting it is a write, like any response.
                    cursor.execute("PRAGMA user_version = 0")
            else:
                is_read_only, is_stuck = read_postgresql_state()
                if is_read_only:
                    return Cause.READ_ONLY
                if is_stuck:
                    return Cause.STUCK
                if self.cause is Cause.FULL and self.seconds() < FULL_SECONDS:
                    return Cause.FULL
        except DATABASE_TROUBLE as error:
            return self.note(error)
        self.note_stored()
        return None


def read_postgresql_state() -> tuple[bool, bool]:
    """Return whether PostgreSQL is read-only, and whether commits are stuck."""
    with limit_waiting(connections[connection.alias]), connection.cursor() as cursor:
        cursor.execute(STATE_OF_POSTGRESQL)
        is_read_only, is_stuck = cursor.fetchone()
    return is_read_only == "on", is_stuck


outage = Outage()


class Limit(local):
    """The time at which a thread stops waiting for PostgreSQL, for any reason."""

    end = inf

    def seconds(self) -> float:
        """Return the seconds left: 0 after the end, infinity without a limit."""
        return max(0.0, self.end - monotonic())


limit = Limit()


@contextmanager
def limit_waiting(database: BaseDatabaseWrapper) -> Iterator[None]:
    """Limit the block to half a second more than the lock timeout.

    No setting of PostgreSQL ends a commit that waits for a standby, because it would
    then be acknowledged without one. So the connection is closed, and the commit may
    still happen: a retry of the same submission waits for it as for any lock. An inner
    limit cannot extend an outer one.
    """
    if database.vendor == "sqlite":
        yield
        return
    outer = limit.end
    seconds = settings.DATABASE_PATIENCE + SECONDS_FOR_THE_REST
    limit.end = min(outer, monotonic() + seconds)
    try:
        yield
    except Exception as error:
        if has_given_up(error):
            database.close()
        raise
    finally:
        limit.end = outer


def answer_unavailable(
    answer: HttpResponse, cause: Cause, *, where: str
) -> HttpResponse:
    """Return the 503 response; log the cause once, and nothing else."""
    answer["Retry-After"] = str(RETRY_AFTER_SECONDS)
    log_response(f"{where}: the database is {cause}", response=answer, logger=logger)
    return answer
