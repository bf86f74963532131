"""A fair queue for the writers of SQLite, which does not have one.

SQLite lets one transaction write at a time. A waiting writer sleeps for 1, 2, 5, 10, up
to 100 ms. A writer that arrives in between goes first, so a few wait very long. Here
writers wait for a lock on the folder of the database. The operating system passes it on
at once, and releases the lock of a process that dies.

That lock has no time limit. So a writer releases it after a tenth of a second, and the
next one waits for SQLite's own lock, which has a limit.
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

from respondents.storage.outages import Cause, OutageError

LONG_SECONDS = 0.1

QUEUE_SHARE = 1 / 2
"""The time limit for this queue as a share of the one for SQLite's lock. Together they
are three seconds, after which respondents see that nothing was stored."""


class LockFolder:
    """The folder that a connection locks; it stays open because opening is slow."""

    def __init__(self, folder: str, handle: int) -> None:
        self.folder, self.handle = folder, handle
        finalize(self, os.close, handle)

    def release(self) -> None:
        fcntl.flock(self.handle, fcntl.LOCK_UN)


lock_folders: WeakKeyDictionary[BaseDatabaseWrapper, LockFolder] = WeakKeyDictionary()


def open_lock_folder(database: BaseDatabaseWrapper) -> LockFolder:
    # The folder, because closing the file itself would drop SQLite's own locks on it.
    folder = os.path.dirname(database.settings_dict["NAME"]) or "."  # noqa: PTH120
    lock_folder = lock_folders.get(database)
    if lock_folder is None or lock_folder.folder != folder:
        try:
            handle = os.open(folder, os.O_RDONLY)
        except OSError as error:
            raise OperationalError("the database's folder cannot be opened") from error
        lock_folder = lock_folders[database] = LockFolder(folder, handle)
    return lock_folder


@contextmanager
def hold_write_lock(*, is_long: bool = False) -> Iterator[None]:
    """Wait until earlier writers have finished, and make later writers wait.

    Raises `OutageError` if that took so long that a process outside the queue must be
    writing. Raises `OperationalError` if the folder cannot be opened: the database is
    away.
    """
    database = connections[DEFAULT_DB_ALIAS]
    # An open transaction must not queue behind writers that wait for it to end.
    if database.vendor != "sqlite" or database.in_atomic_block:
        yield
        return
    lock_folder = open_lock_folder(database)
    begin = monotonic()
    fcntl.flock(lock_folder.handle, fcntl.LOCK_EX)
    timer = Timer(LONG_SECONDS, lock_folder.release) if is_long else None
    try:
        limit = database.settings_dict["OPTIONS"]["timeout"] * QUEUE_SHARE
        if monotonic() - begin > limit:
            raise OutageError(Cause.LOCKED)
        if timer:
            timer.start()
        yield
    finally:
        if timer:
            timer.cancel()
        lock_folder.release()


@contextmanager
def open_write_transaction() -> Iterator[None]:
    with hold_write_lock(is_long=True), transaction.atomic():
        yield
