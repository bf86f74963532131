"""Copies of the whole database, each a file for its owner alone, and the way back.

A copy is made in one transaction: what was acknowledged before it began is in it, and
of what comes meanwhile either all or nothing. It is written anew, so that it holds no
bytes of what was deleted.
"""

import fcntl
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from glob import escape
from importlib import import_module
from pathlib import Path
from time import sleep
from typing import IO, Any, Protocol

import psycopg
from django.apps import apps
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.db.backends.postgresql.client import DatabaseClient
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Sum
from django.utils import timezone

from respondents.models import Response, SealedPattern
from surveys.frozen import digest
from surveys.models import Survey
from surveys.triggers import make_triggers_anew

OWNERS_ONLY = 0o600

ATTEMPTS, PAUSE_SECONDS = 10, 0.1
OTHERS = """
    SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid()
    AND datname = current_database() AND backend_type = 'client backend'
"""

KILLED = (
    "SELECT to_regnamespace('before_restore'), to_regclass('public.django_migrations')"
)

NOTED_IN_SQLITE = """
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
"""A key with an index of its own is not the number by which SQLite keeps its rows: they
would lie in the order in which people came."""

NOTED_IN_POSTGRESQL = r"""
    WITH tables AS (
        SELECT oid, relname::text AS name, relkind FROM pg_class
        WHERE relnamespace = 'public'::regnamespace
    )
    SELECT name, tgname::text, 'action'
    FROM pg_trigger JOIN tables ON tables.oid = tgrelid WHERE NOT tgisinternal
    UNION ALL
    SELECT tablename::text, rulename::text, 'action' FROM pg_rules
    WHERE schemaname = 'public'
    UNION ALL
    SELECT name, attname::text, 'column'
    FROM pg_attribute JOIN tables ON tables.oid = attrelid
    WHERE attnum > 0 AND NOT attisdropped
    UNION ALL
    SELECT name, conname::text, 'action'
    FROM pg_constraint JOIN tables ON tables.oid = conrelid
    WHERE contype = 'c'
    AND pg_get_constraintdef(pg_constraint.oid) !~ '^CHECK \(\(\w+ >= \d+\)\)$'
    UNION ALL
    SELECT tables.name, indexes.name, 'action' FROM pg_index
    JOIN tables ON tables.oid = indrelid
    JOIN tables AS indexes ON indexes.oid = indexrelid
    WHERE indexprs IS NOT NULL OR indpred IS NOT NULL
    UNION ALL
    SELECT name, 'which is no table', 'reading' FROM tables
    WHERE relkind IN ('v', 'm', 'p', 'f')
    UNION ALL
    SELECT name, polname::text, 'reading'
    FROM pg_policy JOIN tables ON tables.oid = polrelid
    UNION ALL
    SELECT name, attname || ', which is a ' || typname, 'reading'
    FROM pg_attribute JOIN tables ON tables.oid = attrelid
    JOIN pg_type ON pg_type.oid = atttypid
    WHERE attnum > 0 AND typnamespace <> 'pg_catalog'::regnamespace
"""
"""What acts when a row is written, or already when it is read: a view of a table that
has one more column; a rule, a condition, an index, a type that calls a function."""


FUNCTIONS_MADE_BY = "respondents.migrations.0006_spend_links_by_function"


class BackupError(Exception):
    """Why there is no copy, or why none was brought back; all is as before."""


@dataclass(frozen=True)
class Contents:
    """What a database holds, to compare one with another."""

    surveys: int
    responses: int
    broken: tuple[str, ...]
    """Addresses of opened surveys that no longer say what was frozen."""
    unguarded: tuple[str, ...]
    """Triggers that keep opened surveys as they are, and were not as migrations make
    them: they are again."""


class Engine(Protocol):
    """What a kind of database does its own way."""

    suffix: str

    def dump(self, file: Path) -> None:
        """Write a copy into an empty file."""

    def load(self, file: Path) -> None:
        """Put the copy in the place of what is there; nothing where it fails."""


def back_up(folder: Path, *, keep: int) -> Path:
    """Write a copy named by today's date and delete all but the newest of them.

    A second one of the same day takes the place of the first. Where it fails, the ones
    from before are all there.

    Parameters
    ----------
    folder : Path
        Is made where it is not there, readable by its owner alone.
    keep : int
        How many copies stay, 1 or more; other files are left alone.

    Raises
    ------
    BackupError
        Where the database or the folder refuses.
    """
    engine = engine_at_hand()
    try:
        if not MigrationRecorder(connection).has_table():
            # It would soon have taken the place of all copies.
            raise BackupError("no tables are in the database: is DATABASE_URL right?")
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        copy = folder / f"candor-{timezone.localdate():%Y-%m-%d}{engine.suffix}"
        named = f"candor-????-??-??{engine.suffix}"
        with unfinished(copy, named=named) as file:
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


def restore(file: Path) -> Contents:
    """Bring a copy back, and the tables up to the present state of the program.

    Raises
    ------
    BackupError
        Where the file is no whole copy, comes from a newer Candor, or somebody has the
        database open.
    """
    if not file.is_file():
        raise BackupError(f"{file}: there is no such file")
    engine_at_hand().load(file)
    call_command("migrate", verbosity=0)
    make_functions()
    return contents(unguarded=tuple(make_triggers_anew()))


def make_functions() -> None:
    """Replace the functions that spend links: those of a copy could note more."""
    with connection.schema_editor() as editor:
        import_module(FUNCTIONS_MADE_BY).create(None, editor)


def contents(*, unguarded: tuple[str, ...]) -> Contents:
    """Return what the database at hand holds, after a copy was brought back."""
    opened = Survey.objects.exclude(state=Survey.State.DRAFT).order_by("slug")
    # Counted, and not read from the tallies: it says whether a copy is whole.
    [sealed] = SealedPattern.objects.aggregate(Sum("count", default=0)).values()
    return Contents(
        surveys=Survey.objects.count(),
        responses=sealed + Response.objects.count(),
        broken=tuple(
            survey.slug
            for survey in opened
            if digest(survey.definition()) != survey.design_digest
        ),
        unguarded=unguarded,
    )


@contextmanager
def unfinished(file: Path, *, named: str = "") -> Iterator[Path]:
    """Give an empty file that takes the place of `file` when all has gone well.

    One at a time in a folder. So what is there of others was left by who was killed,
    and goes: it would be a copy that nobody sees and no rule deletes. Of others: of
    files that are `named` so, or like this one.
    """
    with locked(file.parent):
        for left in file.parent.glob(f".{named or escape(file.name)}.*"):
            left.unlink()
        draft = file.with_name(f".{file.name}.{os.getpid()}")
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNERS_ONLY))
        try:
            yield draft
            for path in (draft, file.parent):
                synced(path)
            draft.replace(file)
        finally:
            draft.unlink(missing_ok=True)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Wait until no other process works here; the lock goes with who holds it."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def synced(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def refuse_newer(applied: set[tuple[str, str]]) -> None:
    """Raise `BackupError` for tables that this program does not know."""
    known = MigrationLoader(None).disk_migrations
    if not applied & set(known):
        raise BackupError("this is no copy of a Candor database")
    if newer := sorted(".".join(each) for each in applied - set(known)):
        raise BackupError(
            f"the copy comes from a newer Candor, with {', '.join(newer)}: "
            "bring the program up to date first"
        )


def refuse_notes(found: Iterable[tuple[str, str, str]]) -> None:
    """Raise `BackupError` where a table would note more than ours do of who answers.

    A trigger, or one more column with a default, would keep when each response came:
    in a copy that somebody has prepared, or of a database that somebody changed.

    Parameters
    ----------
    found : iterable of (table, name, kind)
        All columns, and what none of our tables has: an action on writing a row, or one
        on reading it, as each response does with its survey.
    """
    models = apps.get_app_config("respondents").get_models()
    ours = {
        model._meta.db_table: {field.column for field in model._meta.concrete_fields}
        for model in models
    }
    read = Survey._meta.db_table
    strange = [
        f"{table}.{name}"
        for table, name, kind in found
        if (table in ours and not (kind == "column" and name in ours[table]))
        or (table == read and kind == "reading")
    ]
    if strange:
        raise BackupError(
            "its database would note more of responses than Candor does, by "
            + ", ".join(sorted(strange))
        )


class SQLite:
    suffix = ".sqlite3"

    def dump(self, file: Path) -> None:
        # VACUUM writes what is there and no free pages; it takes an empty file.
        with connection.cursor() as cursor:
            cursor.execute("VACUUM INTO %s", [str(file)])

    def load(self, file: Path) -> None:
        log = file.with_name(f"{file.name}-wal")
        if log.exists():
            # Without what stands in it, the rest may be whole, and older.
            raise BackupError(f"{log} is there: {file} is no copy that backup made")
        # Of a link, what it leads to: another disk, say, where there is room.
        place = Path(connection.settings_dict["NAME"]).resolve()
        connection.close()
        self.refuse_where_open(place)
        with unfinished(place) as draft:
            shutil.copyfile(file, draft)
            self.check(draft, told=file)
            # Root may run this, and the service has to read it.
            before = place.stat()
            os.chown(draft, before.st_uid, before.st_gid)
        # They belong to the file that is gone, and would be read into the new one.
        for ending in ("-wal", "-shm"):
            place.with_name(place.name + ending).unlink(missing_ok=True)

    def check(self, file: Path, *, told: Path) -> None:
        try:
            with closing(
                sqlite3.connect(f"{file.absolute().as_uri()}?immutable=1", uri=True)
            ) as copy:
                [found] = copy.execute("PRAGMA integrity_check").fetchone()
                applied = set(copy.execute("SELECT app, name FROM django_migrations"))
                noted = copy.execute(NOTED_IN_SQLITE).fetchall()
        except sqlite3.Error as error:
            raise BackupError(f"{told}: {error}") from error
        if found != "ok":
            raise BackupError(f"{told} is damaged: {found}")
        refuse_newer(applied)
        refuse_notes(noted)

    def refuse_where_open(self, place: Path) -> None:
        with closing(sqlite3.connect(place, timeout=1)) as database:
            database.execute("PRAGMA locking_mode = EXCLUSIVE")
            try:
                database.execute("BEGIN EXCLUSIVE")
            except sqlite3.OperationalError as error:
                raise BackupError("the database is in use: stop the server") from error


class PostgreSQL:
    suffix = ".dump"

    def dump(self, file: Path) -> None:
        # Given open, and not by its name: where this process is killed, pg_dump goes on
        # and could make it anew after others have cleared it away.
        with file.open("wb") as copy:
            self.run("pg_dump", "--format=custom", "--no-owner", to=copy)

    def load(self, file: Path) -> None:
        # The pool's own connections would look like those of a server.
        connection.close()
        connection.close_pool()  # type: ignore[attr-defined]
        parameters = connection.get_connection_params()
        with closing(psycopg.connect(**parameters, autocommit=True)) as session:
            refuse_where_open(session)
            finish_what_was_killed(session)
            self.run("pg_restore", "--list", str(file), knows_database=False)
            # Out of the way and not gone: where the copy fails, it comes back.
            session.execute("ALTER SCHEMA public RENAME TO before_restore")
            session.execute("CREATE SCHEMA public")
            try:
                self.run("pg_restore", "--no-owner", "--single-transaction", str(file))
                applied = session.execute("SELECT app, name FROM django_migrations")
                refuse_newer(set(applied.fetchall()))
                refuse_notes(session.execute(NOTED_IN_POSTGRESQL).fetchall())
            except Exception:
                session.execute("DROP SCHEMA public CASCADE")
                session.execute("ALTER SCHEMA before_restore RENAME TO public")
                raise
            session.execute("DROP SCHEMA before_restore CASCADE")

    def run(
        self,
        program: str,
        *options: str,
        knows_database: bool = True,
        to: IO[bytes] | int = subprocess.DEVNULL,
    ) -> None:
        # As Django runs psql: the password is in the environment, where no list of
        # processes shows it.
        arguments, variables = DatabaseClient.settings_to_cmd_args_env(
            connection.settings_dict, []
        )
        *server, name = arguments[1:]
        reached = [*server, f"--dbname={name}"] if knows_database else []
        environment: Mapping[str, str] = {**os.environ, **(variables or {})}
        if wanted := connection.settings_dict["OPTIONS"].get("target_session_attrs"):
            # Of several servers one takes a copy back.
            environment = {**environment, "PGTARGETSESSIONATTRS": wanted}
        try:
            done = subprocess.run(  # noqa: S603
                [program, *reached, *options],
                env=environment,
                stdout=to,
                stderr=subprocess.PIPE,
                text=True,
                check=False,
            )
        except FileNotFoundError as error:
            raise BackupError(
                f"there is no {program}: apt-get install -y postgresql-client"
            ) from error
        if done.returncode:
            raise BackupError(done.stderr.strip() or f"{program} failed")


def finish_what_was_killed(session: psycopg.Connection[Any]) -> None:
    """Undo, or end, what an earlier `restore` was killed in the middle of.

    It fills the new schema in one transaction: with any table of the copy, it has all.
    """
    [(before, copied)] = session.execute(KILLED).fetchall()
    if before and copied:
        session.execute("DROP SCHEMA before_restore CASCADE")
    elif before:
        session.execute("DROP SCHEMA IF EXISTS public CASCADE")
        session.execute("ALTER SCHEMA before_restore RENAME TO public")


def refuse_where_open(session: psycopg.Connection[Any]) -> None:
    for _attempt in range(ATTEMPTS):
        [(others,)] = session.execute(OTHERS).fetchall()
        if not others:
            return
        sleep(PAUSE_SECONDS)  # who has just gone is seen a moment longer
    raise BackupError("the database is in use: stop the server")


def engine_at_hand() -> Engine:
    """Return what does it for the database of the settings."""
    return SQLite() if connection.vendor == "sqlite" else PostgreSQL()
