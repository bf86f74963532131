"""Back up and restore the whole database; a backup is a file for its owner alone.

A copy is made in one transaction: what was acknowledged before it began is in it, and
of what comes meanwhile either all or nothing. It is written from scratch, so that it
holds no bytes of what was deleted.
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
    """Write a copy named by today's date and delete all but the newest of them.

    A second one of the same day takes the place of the first. Where it fails, the ones
    from before are all there.

    The folder has to exist: a mistyped mount point would fill the system's own disk. Of
    the copies there `keep` stay, 1 or more; other files are left alone.

    Raises `BackupError` where the folder is not there, or the database or the folder
    refuses.
    """
    engine = choose_engine()
    try:
        if not MigrationRecorder(connection).has_table():
            # It would soon have taken the place of all copies.
            raise BackupError("no tables are in the database: is DATABASE_URL right?")
        if not folder.exists():
            raise BackupError(f"{folder} does not exist; create it first")
        copy = folder / f"candor-{timezone.localdate():%Y-%m-%d}{engine.suffix}"
        named = f"candor-????-??-??{engine.suffix}"
        with replace_when_complete(copy, named=named) as file:
            engine.dump(file)
        # Whatever the clock said when the others were made, this one is the newest.
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
    """Replace the database by a copy that was checked, and brought up to date, before.

    Of a copy that was altered, if accepted, missing triggers are created again.

    Raises `BackupError` where the file is no complete copy, was altered, comes from a
    newer Candor, or the database is in use. The database is as before.
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
