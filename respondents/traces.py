"""What deleted rows leave in the database's own files, and how it is removed."""

from django.db import OperationalError, connection


def erase_traces() -> None:
    """Overwrite what deleted rows have left in the database's files.

    Raises
    ------
    OperationalError
        Where other connections are in the way for too long. The next closing of a
        survey erases everything once more.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("VACUUM")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            is_busy, _frames, _moved = cursor.fetchone()
            if is_busy:
                raise OperationalError(
                    "readers keep the write-ahead log from shrinking"
                )
        else:
            # FULL: plain VACUUM frees the space of a row and leaves its bytes there.
            # While it waits for a long reader, such as a backup, nobody could answer.
            cursor.execute("SET lock_timeout = '10s'")
            try:
                cursor.execute(
                    "VACUUM FULL respondents_invitation, respondents_receipt, "
                    "respondents_response, respondents_sealedpattern, "
                    "respondents_sealedtally"
                )
            finally:
                cursor.execute("RESET lock_timeout")


def erase_pairs() -> None:
    """Erase where the database still says what came together, and after what.

    A response and its link or receipt are written in one transaction, and one after the
    other: side by side in SQLite's write-ahead log, with one number in PostgreSQL's
    rows, deleted ones included. Waits for nobody, because respondents are waiting: what
    is in the way today is gone at the next sealing.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA busy_timeout")
            [usual] = cursor.fetchone()
            cursor.execute("PRAGMA busy_timeout = 0")
            try:
                cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            finally:
                cursor.execute(f"PRAGMA busy_timeout = {usual}")
        else:
            cursor.execute(
                "VACUUM (SKIP_LOCKED) respondents_response, respondents_sealedpattern, "
                "respondents_sealedtally"
            )
