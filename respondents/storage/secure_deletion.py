"""What deleted rows leave in the database's own files, and how it is removed."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from django.db import OperationalError, connection, models
from django.db.backends.utils import CursorWrapper

from respondents.storage.random_ids import random_id
from respondents.storage.related_rows import models_of_answers
from respondents.storage.write_lock import turn

logger = logging.getLogger(__name__)

PATIENCE_MILLISECONDS = 100
"""Respondents queue behind whoever waits for a reader: that long, and no longer."""

FORGET_LARGEST = "DELETE FROM sqlite_sequence WHERE name LIKE 'respondents_%'"
"""The largest number that each table ever had: of one receipt, the fingerprint. Numbers
are drawn, so nobody needs it."""


class UnerasedQuerySet(models.QuerySet["Unerased"]):
    def remember(self) -> None:
        """Note, in the transaction that deletes, that traces of it will be left."""
        self.create(id=random_id())


class Unerased(models.Model):
    """Says that deleted rows have still to be overwritten, and nothing of them."""

    id = models.BigAutoField(primary_key=True)

    objects = UnerasedQuerySet.as_manager()

    def __str__(self) -> str:
        return "unerased"


def erase_traces() -> None:
    """Overwrite what deleted rows have left in the database's files.

    Raises
    ------
    OperationalError
        Where other connections are in the way. It is noted, and the next sealing,
        closing, or command `seal` or `close_due`, tries again.
    """
    noted = list(Unerased.objects.values_list("pk", flat=True))
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            with turn(is_long=True):
                cursor.execute(FORGET_LARGEST)
                cursor.execute("VACUUM")
            with turn(is_long=True), patience(PATIENCE_MILLISECONDS):
                # Before the log is emptied, or it would hold this.
                Unerased.objects.filter(pk__in=noted).delete()
                cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                is_busy, _frames, _moved = cursor.fetchone()
            if is_busy:
                Unerased.objects.remember()
                raise OperationalError(
                    "readers keep the write-ahead log from shrinking"
                )
        else:
            # FULL: plain VACUUM frees the space of a row and leaves its bytes there.
            tables = sorted(model._meta.db_table for model in models_of_answers())
            with soon(cursor):
                cursor.execute(f"VACUUM FULL {', '.join(tables)}")
            Unerased.objects.filter(pk__in=noted).delete()


def erase_what_is_left() -> None:
    """Try once more where `erase_traces` could not; it may fail again.

    Within a transaction nothing can be erased, and what it deletes is not deleted yet.
    """
    if not connection.in_atomic_block and Unerased.objects.exists():
        try:
            erase_traces()
        except OperationalError:
            logger.warning("Deleted rows are still to be overwritten", exc_info=True)


@contextmanager
def patience(milliseconds: int) -> Iterator[None]:
    """Let SQLite wait for other connections so long, and as usual afterwards."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout")
        [usual] = cursor.fetchone()
        cursor.execute(f"PRAGMA busy_timeout = {milliseconds}")
        try:
            yield
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {usual}")


@contextmanager
def soon(cursor: CursorWrapper) -> Iterator[None]:
    """Let PostgreSQL wait for no lock longer than respondents should.

    While it waits for a long reader, such as a backup, nobody could answer.
    """
    cursor.execute(f"SET lock_timeout = {PATIENCE_MILLISECONDS}")
    try:
        yield
    finally:
        cursor.execute("RESET lock_timeout")


def erase_pairs() -> None:
    """Erase where the database still says what came together, and after what.

    A response and its link or receipt are written in one transaction, and one after the
    other: side by side in SQLite's write-ahead log, with one number in PostgreSQL's
    rows, deleted ones included. Hardly waits for anybody, because respondents are
    waiting: what is in the way today is gone at the next sealing.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            with turn(is_long=True), patience(0):
                cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        else:
            cursor.execute(
                "VACUUM (SKIP_LOCKED) "
                "respondents_sealedpattern, respondents_sealedtally"
            )
            # What is deleted keeps its bytes and the number of its transaction, which
            # is that of its link, until somebody writes there: 25 of 25 were joined.
            with suppress(OperationalError), soon(cursor):
                cursor.execute("VACUUM FULL respondents_response")
