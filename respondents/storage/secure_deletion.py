"""Overwrites the bytes that deleted rows leave in the files of the database."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from django.db import OperationalError, connection, models
from django.db.backends.utils import CursorWrapper
from django.db.models import ManyToOneRel, Model, QuerySet

from respondents.storage.exactly_once import draw_random_id
from respondents.storage.write_lock import hold_write_lock
from surveys.models import Survey

logger = logging.getLogger(__name__)

PATIENCE_MILLISECONDS = 100
"""How long an overwrite waits for a reader, because respondents queue behind it."""

FORGET_LARGEST = "DELETE FROM sqlite_sequence WHERE name LIKE 'respondents_%'"
"""SQLite records the largest id of each table. The id of a receipt is its fingerprint,
and random ids do not need this record."""


class UnerasedQuerySet(models.QuerySet["Unerased"]):
    def note_deletion(self) -> None:
        """Record, in the deleting transaction, that rows must be overwritten."""
        self.create(id=draw_random_id())


class Unerased(models.Model):
    """A note that deleted rows must still be overwritten, without any detail."""

    id = models.BigAutoField(primary_key=True)

    objects = UnerasedQuerySet.as_manager()

    def __str__(self) -> str:
        return "unerased"


def overwrite_deleted_rows() -> None:
    """Overwrite deleted rows in the files of the database.

    Raises `OperationalError` if other connections block it. The note stays, and the
    next aggregation or closing, or the command `seal` or `close_due`, tries again.
    """
    noted = list(Unerased.objects.values_list("pk", flat=True))
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            with hold_write_lock(is_long=True):
                cursor.execute(FORGET_LARGEST)
                cursor.execute("VACUUM")
            with (
                hold_write_lock(is_long=True),
                limit_busy_timeout(PATIENCE_MILLISECONDS),
            ):
                # Before the log is emptied, so that the log does not contain this.
                Unerased.objects.filter(pk__in=noted).delete()
                cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                is_busy, _frames, _moved = cursor.fetchone()
            if is_busy:
                Unerased.objects.note_deletion()
                raise OperationalError(
                    "readers keep the write-ahead log from shrinking"
                )
        else:
            # FULL, because plain VACUUM frees the space of a row but keeps its bytes.
            tables = sorted(model._meta.db_table for model in list_answer_models())
            with limit_lock_timeout(cursor):
                cursor.execute(f"VACUUM FULL {', '.join(tables)}")
            Unerased.objects.filter(pk__in=noted).delete()


def retry_overwriting() -> None:
    """Try again if `overwrite_deleted_rows` failed before.

    Within a transaction it does nothing, because nothing can be overwritten there.
    """
    if not connection.in_atomic_block and Unerased.objects.exists():
        try:
            overwrite_deleted_rows()
        except OperationalError:
            logger.warning("Deleted rows are still to be overwritten", exc_info=True)


@contextmanager
def limit_busy_timeout(milliseconds: int) -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout")
        [usual] = cursor.fetchone()
        cursor.execute(f"PRAGMA busy_timeout = {milliseconds}")
        try:
            yield
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {usual}")


@contextmanager
def limit_lock_timeout(cursor: CursorWrapper) -> Iterator[None]:
    """Limit how long PostgreSQL waits for a lock.

    While a statement waits for a long reader, such as a backup, no response can be
    stored.
    """
    cursor.execute(f"SET lock_timeout = {PATIENCE_MILLISECONDS}")
    try:
        yield
    finally:
        cursor.execute("RESET lock_timeout")


def overwrite_recent_pairs() -> None:
    """Overwrite traces that join aggregated responses to links, receipts or an order.

    A response and its link or receipt are written in one transaction. They are adjacent
    in SQLite's write-ahead log, and share a transaction number in PostgreSQL's rows,
    deleted ones included. This hardly waits for other connections, because respondents
    are waiting; the next aggregation tries again.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            with hold_write_lock(is_long=True), limit_busy_timeout(0):
                cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        else:
            cursor.execute(
                "VACUUM (SKIP_LOCKED) "
                "respondents_sealedpattern, respondents_sealedtally"
            )
            # Until it is overwritten, a deleted row keeps its bytes and the number of
            # its transaction, which its link shares: in a test, 25 of 25 were joined.
            with suppress(OperationalError), limit_lock_timeout(cursor):
                cursor.execute("VACUUM FULL respondents_response")


def list_relations() -> Iterator[tuple[type[Model], str]]:
    """Yield each model that refers to a survey, and its field, hidden ones included.

    This includes models of apps that this one cannot import; see docs/decisions/0003.
    """
    for relation in Survey._meta.get_fields(include_hidden=True):
        if isinstance(relation, ManyToOneRel) and relation.related_model != Survey:
            yield relation.related_model, relation.field.name


def list_answer_models() -> list[type[Model]]:
    """Return the models whose rows are derived from responses.

    Models of the app `surveys` describe questions and researchers. All other rows that
    refer to a survey are derived from its responses.
    """
    label = Survey._meta.app_label
    return [
        model for model, _field in list_relations() if model._meta.app_label != label
    ]


def list_rows(survey_id: int) -> Iterator[QuerySet[Model]]:
    for model, field in list_relations():
        yield model._base_manager.filter(**{field: survey_id})


def list_answer_rows(survey_id: int) -> Iterator[QuerySet[Model]]:
    models = list_answer_models()
    for rows in list_rows(survey_id):
        if rows.model in models:
            yield rows
