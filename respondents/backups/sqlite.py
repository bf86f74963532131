"""Backups of an SQLite database."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from django.db import DatabaseError, connection

from respondents.backups.checks import (
    BackupError,
    read_contents,
    refuse_extra_recording,
    refuse_newer,
)
from respondents.backups.files import replace_when_complete

COLUMNS_AND_ACTIONS = """
    SELECT tbl_name, name, 'action' FROM sqlite_master WHERE type = 'trigger'
    UNION ALL
    SELECT tables.name, columns.name, 'column'
    FROM sqlite_master AS tables, pragma_table_xinfo(tables.name) AS columns
    UNION ALL
    SELECT tables.name, 'id, by which its rows are not sorted', 'action'
    FROM sqlite_master AS tables, pragma_table_xinfo(tables.name) AS columns
    WHERE columns.name = 'id' AND (columns.pk = 0 OR EXISTS (
        SELECT 1 FROM pragma_index_list(tables.name) WHERE origin = 'pk'
    ))
"""
"""A primary key with a separate index is not the row id by which SQLite sorts rows:
they would be stored in the order in which responses arrived."""


class SQLite:
    suffix = ".sqlite3"

    def dump(self, file: Path) -> None:
        # VACUUM writes the rows and no free pages; it accepts an empty file.
        with connection.cursor() as cursor:
            cursor.execute("VACUUM INTO %s", [str(file)])

    @contextmanager
    def stage(self, file: Path) -> Iterator[None]:
        """Connect to a copy for the block, and then replace the database with it.

        If a check or the block fails, the database stays unchanged. The old database is
        deleted only when the new one answers.
        """
        log = file.with_name(f"{file.name}-wal")
        if log.exists():
            # Without its log, the file may be intact, but outdated.
            raise BackupError(f"{file} was not written by `backup`: {log} exists")
        # Follows a symbolic link, such as one to a larger disk.
        place = Path(connection.settings_dict["NAME"]).resolve()
        # `replace_when_complete` deletes it after a restore that was killed.
        kept = place.with_name(f".{place.name}.replaced.{os.getpid()}")
        connection.close()
        self.refuse_where_open(place)
        with replace_when_complete(place) as draft:
            shutil.copyfile(file, draft)
            self.check(draft, source=file)
            with connect_to(draft):
                yield
                staged = read_contents()
            # Root may run this, and the service must be able to read the file.
            before = place.stat()
            os.chown(draft, before.st_uid, before.st_gid)
            keep(place, as_file=kept)
        # They belong to the old file, and SQLite would apply them to the new one.
        for ending in ("-wal", "-shm"):
            place.with_name(place.name + ending).unlink(missing_ok=True)
        try:
            if read_contents() != staged:
                raise BackupError("the restored database differs from the copy")
        except (BackupError, DatabaseError):
            connection.close()
            kept.replace(place)
            raise
        kept.unlink()

    def check(self, file: Path, *, source: Path) -> None:
        try:
            with closing(
                sqlite3.connect(f"{file.absolute().as_uri()}?immutable=1", uri=True)
            ) as copy:
                [found] = copy.execute("PRAGMA integrity_check").fetchone()
                applied = set(copy.execute("SELECT app, name FROM django_migrations"))
                noted = copy.execute(COLUMNS_AND_ACTIONS).fetchall()
        except sqlite3.Error as error:
            raise BackupError(f"{source}: {error}") from error
        if found != "ok":
            raise BackupError(f"{source} is damaged: {found}")
        refuse_newer(applied)
        refuse_extra_recording(noted)

    def refuse_where_open(self, place: Path) -> None:
        with closing(sqlite3.connect(place, timeout=1)) as database:
            database.execute("PRAGMA locking_mode = EXCLUSIVE")
            try:
                database.execute("BEGIN EXCLUSIVE")
                database.rollback()
                # The old file is stored for a moment without its log.
                database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            except sqlite3.OperationalError as error:
                raise BackupError("the database is in use: stop the server") from error


def keep(file: Path, *, as_file: Path) -> None:
    """Rename a file, or copy it where the file system cannot rename."""
    try:
        os.link(file, as_file)
    except OSError:
        shutil.copy2(file, as_file)


@contextmanager
def connect_to(file: Path) -> Iterator[None]:
    usual = connection.settings_dict["NAME"]
    connection.settings_dict["NAME"] = str(file)
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = usual
