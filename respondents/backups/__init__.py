"""Back up and restore the whole database. Only its owner can read a backup file.

A copy is made in one transaction. It contains every response that was acknowledged
before the transaction began, and each later response completely or not at all. It is
written from scratch, so it contains no bytes of deleted rows.
"""

from pathlib import Path

import psycopg
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from respondents.backups.checks import (
    Alterations,
    BackupError,
    Contents,
    read_contents,
    repair,
)
from respondents.backups.files import replace_when_complete
from respondents.backups.postgresql import PostgreSQL
from respondents.backups.sqlite import SQLite

__all__ = ["BackupError", "back_up", "restore"]


def back_up(folder: Path, *, keep: int) -> Path:
    """Write a copy named after today's date and delete all but the newest `keep`.

    A second copy on the same day replaces the first. If writing fails, all earlier
    copies remain. `keep` is at least 1; other files in the folder are not touched.

    The folder must exist: a mistyped mount point would fill the system's own disk.

    Raises `BackupError` if the folder does not exist, or if the database or the folder
    cannot be read or written.
    """
    engine = choose_engine()
    try:
        if not MigrationRecorder(connection).has_table():
            # Copies of an empty database would soon replace all good ones.
            raise BackupError("no tables are in the database: is DATABASE_URL right?")
        if not folder.exists():
            raise BackupError(f"{folder} does not exist; create it first")
        copy = folder / f"candor-{timezone.localdate():%Y-%m-%d}{engine.suffix}"
        named = f"candor-????-??-??{engine.suffix}"
        with replace_when_complete(copy, named=named) as file:
            engine.dump(file)
        # This copy counts as the newest even if the clock was wrong for the others.
        others = sorted(set(folder.glob(named)) - {copy}, reverse=True)
        for old in others[keep - 1 :]:
            old.unlink(missing_ok=True)
    except OSError as error:
        raise BackupError(f"{folder}: {error.strerror}") from error
    except DatabaseError as error:
        raise BackupError(str(error)) from error
    return copy


def restore(
    file: Path, *, accepts_altered: bool = False
) -> tuple[Contents, Alterations]:
    """Check and migrate a copy, then replace the database with it.

    Missing or changed triggers are created again.

    Raises `BackupError` if the copy is incomplete or comes from a newer Candor, if it
    was altered and this is not accepted, or if the database is in use. The database is
    then unchanged.
    """
    if not file.is_file():
        raise BackupError(f"{file}: there is no such file")
    try:
        with choose_engine().stage(file):
            call_command("migrate", verbosity=0)
            altered = repair()
            if altered and not accepts_altered:
                raise BackupError(
                    f"the copy was altered: {altered}. Find out who had it; "
                    "--accept-altered restores it all the same"
                )
    except OSError as error:
        raise BackupError(f"{error.filename or file}: {error.strerror}") from error
    except (DatabaseError, psycopg.Error) as error:
        raise BackupError(str(error)) from error
    return read_contents(), altered


def choose_engine() -> SQLite | PostgreSQL:
    return SQLite() if connection.vendor == "sqlite" else PostgreSQL()
