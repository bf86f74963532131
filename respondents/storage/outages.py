"""Detects a database that is away, locked, full or read-only, and limits the waiting.

The first request to meet an outage waits as long as the settings say. Until a request
succeeds, the others hardly wait: there may be one thread, and pages that need no
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

# Nothing was stored, and the same bytes may come again.
DATABASE_TROUBLE = (OperationalError, InterfaceError, InternalError)

RETRY_AFTER_SECONDS = 5

AWAY_SECONDS = 0.5
"""Between two attempts to reach a database that is away."""

IMPATIENT_SECONDS = 0.05

SECONDS_FOR_THE_REST = 0.5
"""Beyond the patience with locks, which PostgreSQL limits itself."""

FULL_SECONDS = 60
"""How long a full disk is taken to be full: PostgreSQL cannot be asked about it."""

logger = logging.getLogger(__name__)


class Cause(StrEnum):
    AWAY = "away"
    """It cannot be reached, or does not answer."""
    LOCKED = "locked"
    FULL = "full"
    READ_ONLY = "read-only"
    STUCK = "stuck"
    """It answers and acknowledges nothing: its standby is away, or a disk hangs."""
    BROKEN = "broken"
    """Anything else, such as a table that is not there."""


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
"""A commit that waits for a standby goes on waiting after its client has gone. A role
sees its own sessions."""

OF_SQLITE = {
    sqlite3.SQLITE_BUSY: Cause.LOCKED,
    sqlite3.SQLITE_LOCKED: Cause.LOCKED,
    sqlite3.SQLITE_FULL: Cause.FULL,
    sqlite3.SQLITE_READONLY: Cause.READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: Cause.AWAY,
}
"""By primary result code, https://sqlite.org/rescode.html."""

SILENT, OVERDUE = "08S01", "HYT00"
"""Why PostgreSQL was given up (watched_connection.py), in the codes of ODBC:
the line is dead, the time is over. No server sends them."""

OF_POSTGRESQL = {
    OVERDUE: Cause.STUCK,
    "53100": Cause.FULL,
    "53300": Cause.AWAY,  # too many connections
    "25006": Cause.READ_ONLY,
    "55P03": Cause.LOCKED,
    "57014": Cause.LOCKED,  # took longer than it may
    "40001": Cause.LOCKED,
    "40P01": Cause.LOCKED,
}
AWAY_IN_POSTGRESQL = ("08", "57P")
"""Classes of errors: the connection broke, the server shuts down or starts."""


def classify_error(error: BaseException) -> Cause:
    """Return the cause, by the error code of the database and never by its message."""
    if isinstance(error, OutageError):
        return error.cause
    origin = error.__cause__
    if isinstance(origin, sqlite3.Error):
        primary = getattr(origin, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        return OF_SQLITE.get(primary, Cause.BROKEN)
    if isinstance(origin, OSError):
        return Cause.AWAY  # its folder
    if origin is not None and hasattr(origin, "sqlstate"):
        state: str | None = origin.sqlstate
        if state is None or state.startswith(AWAY_IN_POSTGRESQL):
            return Cause.AWAY
        return OF_POSTGRESQL.get(state, Cause.BROKEN)
    return Cause.BROKEN


def has_given_up(error: BaseException) -> bool:
    """Return whether the time for an answer of PostgreSQL was over."""
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
        """Return the cause; the next requests wait less long for the same."""
        cause = classify_error(error)
        if not (cause is Cause.AWAY and isinstance(error, OutageError)):
            self.cause, self.noted_at = cause, monotonic()
            if cause in {Cause.AWAY, Cause.LOCKED}:
                self.set_patience(IMPATIENT_SECONDS)
                self.impatient.add(connections[connection.alias])
        return cause

    def refuse_while_away(self) -> None:
        """Raise `OutageError` where the database was away a moment ago."""
        if self.cause is Cause.AWAY and self.seconds() < AWAY_SECONDS:
            raise OutageError(Cause.AWAY)

    def refuse_while_stuck(self) -> None:
        """Raise `OutageError` while another response waits for an acknowledgement.

        One more would wait as well, and keep a connection of the database.
        """
        if self.cause is Cause.STUCK:
            _is_read_only, is_stuck = read_postgresql_state()
            if is_stuck:
                raise OutageError(Cause.STUCK)

    def note_stored(self) -> None:
        if self.cause is None and not self.impatient:
            return  # as after nearly every response
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
        """Set how long is waited for SQLite's lock, or for a connection."""
        if connection.vendor == "sqlite":
            if connection.connection is not None:
                # Not through Django, which sends nothing while a transaction is broken.
                milliseconds = round(seconds * 1000)
                connection.connection.execute(f"PRAGMA busy_timeout = {milliseconds}")
        elif pool := get_pool(connection):
            pool.timeout = seconds

    def check(self) -> Cause | None:
        """Ask the database; return the cause of an outage, None where it can store."""
        try:
            self.refuse_while_away()
            if connection.vendor == "sqlite":
                with connection.cursor() as cursor:
                    # An unused number, written like any response.
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
    """Return whether it is read-only, and whether it acknowledges nothing."""
    with limit_waiting(connections[connection.alias]), connection.cursor() as cursor:
        cursor.execute(STATE_OF_POSTGRESQL)
        is_read_only, is_stuck = cursor.fetchone()
    return is_read_only == "on", is_stuck


outage = Outage()


class Limit(local):
    """When a thread stops waiting for PostgreSQL, whatever it waits for."""

    end = inf

    def seconds(self) -> float:
        """Return how long is left: 0 where it is over, infinity where none is set."""
        return max(0.0, self.end - monotonic())


limit = Limit()


@contextmanager
def limit_waiting(database: BaseDatabaseWrapper) -> Iterator[None]:
    """Limit the block to half a second more than the patience with locks.

    No setting of PostgreSQL ends a commit that waits for a standby, because it would
    then be acknowledged without one. So the connection is given up, and the commit may
    still happen: the same submission, sent again, waits for it as for any lock. An
    inner limit cannot extend an outer one.
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
    """Return the answer 503, logged once: with the cause, and with nothing else."""
    answer["Retry-After"] = str(RETRY_AFTER_SECONDS)
    log_response(f"{where}: the database is {cause}", response=answer, logger=logger)
    return answer
