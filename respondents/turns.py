"""A fair queue for those who write what respondents send, where SQLite has none.

SQLite lets one transaction write at a time, and who has to wait sleeps: 1, 2, 5, 10 up
to 100 ms. Who comes in that moment is served first, so a few wait for very long. Here
everybody waits for a lock on the folder of the database, which the system hands on as
soon as it is free, and takes back from a process that dies.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from django.db import connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from respondents.outages import LockedError


@contextmanager
def turn(database: BaseDatabaseWrapper = connection) -> Iterator[None]:
    """Wait until those who came earlier have written.

    Raises
    ------
    LockedError
        Where that took so long that somebody outside the queue must be in the way.
    """
    # Whoever writes already must not queue behind those who wait for the end of that.
    if database.vendor != "sqlite" or database.in_atomic_block:
        yield
        return
    settings = database.settings_dict
    begin = monotonic()
    # Of its folder: closing the file itself would drop SQLite's own locks on it.
    place = os.open(os.path.dirname(settings["NAME"]) or ".", os.O_RDONLY)  # noqa: PTH120
    try:
        fcntl.flock(place, fcntl.LOCK_EX)
        if monotonic() - begin > settings["OPTIONS"]["timeout"] / 2:
            raise LockedError
        yield
    finally:
        os.close(place)


@contextmanager
def writing() -> Iterator[None]:
    """Open a transaction in one's turn."""
    with turn(), transaction.atomic():
        yield
