"""A fair queue for those who write what respondents send, where SQLite has none.

SQLite lets one transaction write at a time, and who has to wait sleeps: 1, 2, 5, 10 up
to 100 ms. Who comes in that moment is served first, so a few wait for very long. Here
everybody waits for a lock on the folder of the database, which the system hands on as
soon as it is free, and takes back from a process that dies.

That lock knows no time limit, so nobody has it for long. Who has a tenth of a second's
work lets the next one come forward, whom SQLite itself keeps out, and that has a limit.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from time import monotonic
from weakref import WeakKeyDictionary, finalize

from django.db import DEFAULT_DB_ALIAS, OperationalError, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from respondents.storage.outages import LockedError

LONG_SECONDS = 0.1

QUEUE_SHARE = 1 / 2
"""Of the time limit for SQLite's lock. Together they are the three seconds after which
a respondent is told that nothing was stored."""


class Place:
    """Where a connection queues: a folder, open because that takes more than a lock."""

    def __init__(self, folder: str, handle: int) -> None:
        self.folder, self.handle = folder, handle
        finalize(self, os.close, handle)

    def leave(self) -> None:
        fcntl.flock(self.handle, fcntl.LOCK_UN)


places: WeakKeyDictionary[BaseDatabaseWrapper, Place] = WeakKeyDictionary()


def place_of(database: BaseDatabaseWrapper) -> Place:
    # Of its folder: closing the file itself would drop SQLite's own locks on it.
    folder = os.path.dirname(database.settings_dict["NAME"]) or "."  # noqa: PTH120
    place = places.get(database)
    if place is None or place.folder != folder:
        try:
            handle = os.open(folder, os.O_RDONLY)
        except OSError as error:
            raise OperationalError("the database's folder cannot be opened") from error
        place = places[database] = Place(folder, handle)
    return place


@contextmanager
def turn(*, is_long: bool = False) -> Iterator[None]:
    """Wait until those who came earlier have written.

    Raises
    ------
    LockedError
        Where that took so long that somebody else must have the database.
    OperationalError
        Where there is no folder to queue at: the database is away.
    """
    database = connections[DEFAULT_DB_ALIAS]
    # Whoever writes already must not queue behind those who wait for the end of that.
    if database.vendor != "sqlite" or database.in_atomic_block:
        yield
        return
    place = place_of(database)
    begin = monotonic()
    fcntl.flock(place.handle, fcntl.LOCK_EX)
    timer = Timer(LONG_SECONDS, place.leave) if is_long else None
    try:
        limit = database.settings_dict["OPTIONS"]["timeout"] * QUEUE_SHARE
        if monotonic() - begin > limit:
            raise LockedError
        if timer:
            timer.start()
        yield
    finally:
        if timer:
            timer.cancel()
        place.leave()


@contextmanager
def writing() -> Iterator[None]:
    """Open a transaction in one's turn, which may be a long one."""
    with turn(is_long=True), transaction.atomic():
        yield
