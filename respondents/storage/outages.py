"""A database that is away, locked, full or read-only: told at once, and why.

Whoever meets it first waits as long as the settings say. Until something succeeds, the
others hardly wait at all: there may be one thread, and pages that need no database are
waiting for it too.
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
"""Beyond the patience with locks, which PostgreSQL itself has an end of."""

FULL_SECONDS = 60
"""So long a full disk is believed to be full: PostgreSQL cannot be asked about it."""

logger = logging.getLogger(__name__)


class Cause(StrEnum):
    AWAY = "away"
    """It cannot be reached, or answers nobody."""
    LOCKED = "locked"
    FULL = "full"
    READ_ONLY = "read-only"
    STUCK = "stuck"
    """It is there and acknowledges nothing: its standby is away, or a disk hangs."""
    BROKEN = "broken"
    """Anything else, such as a table that is not there."""


class AwayError(OperationalError):
    """The database was away a moment ago, and nobody asks it again so soon."""


class LockedError(OperationalError):
    """Others had the right to write for too long."""


class StuckError(OperationalError):
    """The database acknowledges nothing: another response is waiting already."""


STATE_OF_POSTGRESQL = """
    SELECT current_setting('transaction_read_only'), EXISTS (
        SELECT FROM pg_stat_activity
        WHERE wait_event = 'SyncRep' AND query_start < now() - interval '1 second'
    )
"""
"""Who waits for a standby goes on waiting when nobody is there any more to be told. A
role sees its own."""

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


def cause_of(error: BaseException) -> Cause:
    """Return what is wrong, by the code of the database and never by its words."""
    if isinstance(error, AwayError):
        return Cause.AWAY
    if isinstance(error, LockedError):
        return Cause.LOCKED
    if isinstance(error, StuckError):
        return Cause.STUCK
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


def was_given_up(error: BaseException) -> bool:
    """Return whether PostgreSQL was waited for as long as it may take."""
    return getattr(error.__cause__ or error, "sqlstate", None) in {SILENT, OVERDUE}


def pool_of(database: Any) -> Any:
    """Return the pool of connections to PostgreSQL; None where there is none."""
    return getattr(database, "pool", None)


class Outage:
    """What this process knows of its database's troubles."""

    def __init__(self) -> None:
        self.cause: Cause | None = None
        self.noted_at = 0.0
        self.impatient: WeakSet[BaseDatabaseWrapper] = WeakSet()

    def note(self, error: BaseException) -> Cause:
        """Return the cause; who comes next waits less long for the same."""
        cause = cause_of(error)
        if not isinstance(error, AwayError):
            self.cause, self.noted_at = cause, monotonic()
            if cause in {Cause.AWAY, Cause.LOCKED}:
                self.wait_at_most(IMPATIENT_SECONDS)
                self.impatient.add(connections[connection.alias])
        return cause

    def refuse_while_away(self) -> None:
        """Raise `AwayError` where it was away less than a moment ago."""
        if self.cause is Cause.AWAY and self.seconds() < AWAY_SECONDS:
            raise AwayError

    def refuse_while_stuck(self) -> None:
        """Raise `StuckError` while somebody still waits for what he was not told.

        Whoever came would wait as well, and keep a connection of the database.
        """
        if self.cause is Cause.STUCK:
            _is_read_only, is_stuck = state_of_postgresql()
            if is_stuck:
                raise StuckError

    def end(self) -> None:
        """Note that something was stored."""
        if self.cause is None and not self.impatient:
            return  # as after nearly every response
        self.cause = None
        own = connections[connection.alias]
        # A pool is everybody's; a connection to SQLite is one thread's.
        if own in self.impatient or (self.impatient and own.vendor != "sqlite"):
            options = own.settings_dict["OPTIONS"]
            self.wait_at_most((options.get("pool") or options)["timeout"])
            self.impatient.discard(own)

    def reached(self) -> None:
        """Note that something was read: it is not away, whatever else it is."""
        if self.cause is Cause.AWAY:
            self.end()

    def seconds(self) -> float:
        return monotonic() - self.noted_at

    def wait_at_most(self, seconds: float) -> None:
        """Set how long is waited for SQLite's lock, or for a connection."""
        if connection.vendor == "sqlite":
            if connection.connection is not None:
                # Not through Django, which sends nothing while a transaction is broken.
                milliseconds = round(seconds * 1000)
                connection.connection.execute(f"PRAGMA busy_timeout = {milliseconds}")
        elif pool := pool_of(connection):
            pool.timeout = seconds

    def look(self) -> Cause | None:
        """Ask the database; return what is wrong with it, None where it can store."""
        try:
            self.refuse_while_away()
            if connection.vendor == "sqlite":
                with connection.cursor() as cursor:
                    # A number that nobody uses, as it is: written like any response.
                    cursor.execute("PRAGMA user_version = 0")
            else:
                is_read_only, is_stuck = state_of_postgresql()
                if is_read_only:
                    return Cause.READ_ONLY
                if is_stuck:
                    return Cause.STUCK
                if self.cause is Cause.FULL and self.seconds() < FULL_SECONDS:
                    return Cause.FULL
        except DATABASE_TROUBLE as error:
            return self.note(error)
        self.end()
        return None


def state_of_postgresql() -> tuple[bool, bool]:
    """Return whether it is read-only, and whether it acknowledges nothing."""
    with in_time(connections[connection.alias]), connection.cursor() as cursor:
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
def in_time(database: BaseDatabaseWrapper) -> Iterator[None]:
    """Limit what is done within to half a second more than the patience with locks.

    No setting of PostgreSQL ends a commit that waits for a standby, and none should: it
    would be acknowledged without. So the connection is given up and the commit may
    still happen. A second submission of the same waits for it, as for any lock. A limit
    within another cannot extend it.
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
        if was_given_up(error):
            database.close()
        raise
    finally:
        limit.end = outer


def told(answer: HttpResponse, cause: Cause, *, where: str) -> HttpResponse:
    """Return the answer 503, logged once: with the cause, and with nothing else."""
    answer["Retry-After"] = str(RETRY_AFTER_SECONDS)
    log_response(f"{where}: the database is {cause}", response=answer, logger=logger)
    return answer
