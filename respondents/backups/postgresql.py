"""Backups of a PostgreSQL database.

The live database is the schema `public`. While a copy is loaded, it is renamed to
`before_restore`. While the copy is checked, the copy is named `restoring`. After the
two are exchanged, the old database is named `replaced` until the new one answers. So
the next restore finds the valid database, whichever step was interrupted.
"""

import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from time import sleep
from typing import IO, Any

import psycopg
from django.db import DatabaseError, connection
from django.db.backends.postgresql.client import DatabaseClient

from respondents.backups.checks import (
    BackupError,
    read_contents,
    refuse_extra_recording,
    refuse_newer,
)

ATTEMPTS, PAUSE_SECONDS = 10, 0.1
OTHERS = """
    SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid()
    AND datname = current_database() AND backend_type = 'client backend'
"""

ONE_SCHEMA = "--schema=public"
"""Other schemas contain what an interrupted restore left."""

INTERRUPTED = """
    SELECT to_regnamespace('before_restore'), to_regclass('public.django_migrations')
"""

COLUMNS_AND_ACTIONS = r"""
    WITH tables AS (
        SELECT oid, relname::text AS name, relkind FROM pg_class
        WHERE relnamespace = current_schema()::regnamespace
    )
    SELECT name, tgname::text, 'action'
    FROM pg_trigger JOIN tables ON tables.oid = tgrelid WHERE NOT tgisinternal
    UNION ALL
    SELECT tablename::text, rulename::text, 'action' FROM pg_rules
    WHERE schemaname = current_schema()
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
"""Everything that acts when a row is written or read: a view of a table that has an
additional column; a rule, a condition, an index or a type that calls a function."""


class PostgreSQL:
    suffix = ".dump"

    def dump(self, file: Path) -> None:
        # Passed as an open file, not by name: if this process is killed, pg_dump goes
        # on, and could create the file again after another process has deleted it.
        with file.open("wb") as copy:
            self.run("pg_dump", "--format=custom", "--no-owner", ONE_SCHEMA, to=copy)

    @contextmanager
    def stage(self, file: Path) -> Iterator[None]:
        """Load a copy into its own schema, and replace the database if the block ends.

        The guarantees are those of `SQLite.stage`.
        """
        self.disconnect()
        parameters = connection.get_connection_params()
        with closing(psycopg.connect(**parameters, autocommit=True)) as session:
            refuse_where_open(session)
            clean_up_after_interruption(session)
            self.run("pg_restore", "--list", str(file), knows_database=False)
            self.load(session, file)
            try:
                with connect_to("restoring"):
                    self.check()
                    yield
                    staged = read_contents()
                exchange(session, "restoring", kept_as="replaced")
            except BaseException:
                session.execute("DROP SCHEMA restoring CASCADE")
                raise
            try:
                if read_contents() != staged:
                    raise BackupError("the restored database differs from the copy")
            except (BackupError, DatabaseError):
                self.disconnect()
                exchange(session, "replaced", kept_as="restoring")
                session.execute("DROP SCHEMA restoring CASCADE")
                raise
            session.execute("DROP SCHEMA replaced CASCADE")

    def load(self, session: psycopg.Connection[Any], file: Path) -> None:
        """Load the copy as `restoring`; pg_restore only writes to `public`."""
        session.execute("ALTER SCHEMA public RENAME TO before_restore")
        session.execute("CREATE SCHEMA public")
        # The roles of another machine may not exist here; `grants` is run again anyway.
        options = ("--no-owner", "--no-privileges", "--single-transaction", ONE_SCHEMA)
        try:
            self.run("pg_restore", *options, str(file))
            exchange(session, "before_restore", kept_as="restoring")
        except BaseException:
            session.execute("DROP SCHEMA public CASCADE")
            session.execute("ALTER SCHEMA before_restore RENAME TO public")
            raise

    def check(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT to_regclass('django_migrations')")
            [migrations] = cursor.fetchone()
            applied = []
            if migrations:
                cursor.execute("SELECT app, name FROM django_migrations")
                applied = cursor.fetchall()
            refuse_newer(set(applied))
            cursor.execute(COLUMNS_AND_ACTIONS)
            refuse_extra_recording(cursor.fetchall())

    def disconnect(self) -> None:
        # The pool's own connections would look like those of a server.
        connection.close()
        connection.close_pool()  # type: ignore[attr-defined]

    def run(
        self,
        program: str,
        *options: str,
        knows_database: bool = True,
        to: IO[bytes] | int = subprocess.DEVNULL,
    ) -> None:
        # As Django runs psql: with the password in the environment, which no list of
        # processes shows.
        arguments, variables = DatabaseClient.settings_to_cmd_args_env(
            connection.settings_dict, []
        )
        *server, name = arguments[1:]
        reached = [*server, f"--dbname={name}"] if knows_database else []
        environment: Mapping[str, str] = {**os.environ, **(variables or {})}
        if wanted := connection.settings_dict["OPTIONS"].get("target_session_attrs"):
            # Of several servers, only the one that accepts writes can restore a copy.
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


@contextmanager
def connect_to(schema: str) -> Iterator[None]:
    try:
        with connection.cursor() as cursor:
            cursor.execute(f"SET search_path TO {schema}")
        yield
    finally:
        connection.close()
        connection.close_pool()  # type: ignore[attr-defined]


def exchange(session: psycopg.Connection[Any], schema: str, *, kept_as: str) -> None:
    with session.transaction():
        session.execute(f"ALTER SCHEMA public RENAME TO {kept_as}")
        session.execute(f"ALTER SCHEMA {schema} RENAME TO public")


def clean_up_after_interruption(session: psycopg.Connection[Any]) -> None:
    for schema in ("restoring", "replaced"):
        session.execute(f"DROP SCHEMA IF EXISTS {schema} CASCADE")
    [(before, loaded)] = session.execute(INTERRUPTED).fetchall()
    if before and loaded:
        # Interrupted between loading and exchange, or by an older Candor: a server may
        # have used either schema since.
        raise BackupError(
            "an earlier restore was interrupted: the schema before_restore holds the "
            "database from before it, the schema public the copy. Drop before_restore "
            "to keep the copy, or drop public and rename before_restore to public"
        )
    if before:
        session.execute("DROP SCHEMA IF EXISTS public CASCADE")
        session.execute("ALTER SCHEMA before_restore RENAME TO public")


def refuse_where_open(session: psycopg.Connection[Any]) -> None:
    for _attempt in range(ATTEMPTS):
        [(others,)] = session.execute(OTHERS).fetchall()
        if not others:
            return
        sleep(PAUSE_SECONDS)  # closed sessions remain listed for a moment
    raise BackupError("the database is in use: stop the server")
