#!/srv/candor/.venv/bin/python
"""The command `candor` of the container image.

`candor demo` and `candor serve` start a server, `candor manage` runs a management
command, and `candor health` checks a running server. Anything else, such as `candor
estimate`, is the library's command.
"""

import fcntl
import io
import logging
import os
import secrets
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Thread
from time import monotonic, sleep, time
from typing import NoReturn
from urllib.request import Request, urlopen

PROGRAM, VOLUME = Path(__file__).resolve().parents[1], Path("/data")
DATABASE = VOLUME / "candor.sqlite3"
EMPTY = PROGRAM / "var" / "empty.sqlite3"
"""An empty database in the image: creating its tables takes longer than a start."""

BACKUPS, BEFORE_UPGRADE, KEPT = VOLUME / "backups", VOLUME / "before-upgrade", 7
HOUR = 60 * 60
BACKUP_AGE = 23.5 * HOUR
"""A backup is written once the newest is older, so that restarts do not add any."""

TASKS = {"seal": 10, "close_due": HOUR, "clearsessions": HOUR, "backup": HOUR}
"""Management commands, and the seconds from one run to the next."""

ADVISORY_LOCK = 0x43616E646F72
"""The key of PostgreSQL's lock around `migrate`: "Candor" in ASCII."""

# The host of the demonstration publishes its port for itself only.
DEMO = {"ALLOWED_HOSTS": "127.0.0.1,localhost", "HTTPS": "off", "BEHIND_PROXY": "on"}


class StartError(Exception):
    """One sentence that names the setting to change."""


def main() -> None:
    command, *rest = sys.argv[1:] or ["--help"]
    if command == "health":
        sys.exit(check_health())
    os.umask(0o077)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    try:
        if command in {"demo", "serve", "manage"}:
            with lock_volume():
                fill_volume()
                if command != "manage":
                    prepare(DEMO if command == "demo" else {})
    except StartError as error:
        sys.exit(f"candor: {error}")
    if command == "demo":
        from django.core.management import call_command

        call_command("demo")
    if command in {"demo", "serve"}:
        serve()
    os.environ.setdefault("ALLOWED_HOSTS", "localhost")
    arguments = (
        ["manage.py", *rest] if command == "manage" else ["-m", "candor", *sys.argv[1:]]
    )
    os.execv(sys.executable, [sys.executable, *arguments])  # noqa: S606


def check_health() -> str | None:
    """Return what is wrong, or None."""
    host = os.environ.get("ALLOWED_HOSTS", "localhost").partition(",")[0].strip()
    address = f"http://127.0.0.1:{os.environ.get('PORT', '8000')}/health/"
    try:
        with urlopen(Request(address, headers={"Host": host}), timeout=5):
            return None
    except OSError as error:
        return f"candor: {error}"


@contextmanager
def lock_volume() -> Iterator[None]:
    """Lock the volume, so that one container at a time prepares it."""
    try:
        handle = os.open(VOLUME / ".start", os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as error:
        user = f"user {os.getuid()}: {error.strerror}"
        raise StartError(f"The volume {VOLUME} cannot be written by {user}") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def fill_volume() -> None:
    """Create the secret key, and a database without content, where there is none."""
    key = VOLUME / "secret_key"
    contents = {key: secrets.token_urlsafe(50).encode()}
    if os.environ["DATABASE_URL"] == f"sqlite:///{DATABASE}":
        contents[DATABASE] = EMPTY.read_bytes()
    for file, content in contents.items():
        if not file.exists():
            draft = file.with_suffix(".new")
            draft.write_bytes(content)  # mode 600, by the umask
            draft.replace(file)
    os.environ.setdefault("SECRET_KEY", key.read_text("ascii"))


def prepare(defaults: dict[str, str]) -> None:
    """Check the settings; bring the tables up to date, unless another site does."""
    # An address in the network of the container, which the checks treat as public.
    for name, value in {"ADDRESS": "0.0.0.0", **defaults}.items():  # noqa: S104
        os.environ.setdefault(name, value)
    sys.path.insert(0, str(PROGRAM))
    import django
    from django.core.checks import ERROR, run_checks
    from django.core.exceptions import ImproperlyConfigured

    from config.start import read_server_settings

    try:
        os.environ["DJANGO_SETTINGS_MODULE"] = read_server_settings()["settings"]
        django.setup()
    except ImproperlyConfigured as error:
        raise StartError(str(error)) from error
    # Other checks load every page, and the server runs all checks anyway.
    for message in run_checks(tags=["security"]):
        if message.level >= ERROR:
            raise StartError(f"{message.msg.rstrip('.')} ({message.id})")
    if os.environ["DJANGO_SETTINGS_MODULE"] == "config.settings":
        migrate()


def migrate() -> None:
    """Back up the database and run migrations, one container at a time."""
    from django.core.checks import run_checks
    from django.core.management import CommandError, call_command
    from django.db import DatabaseError, connection
    from django.db.migrations.executor import MigrationExecutor

    from respondents.backups import BackupError, back_up
    from respondents.backups.checks import refuse_newer
    from respondents.storage.outages import classify_error

    try:
        with lock_database():
            for message in run_checks(tags=["database"], databases=["default"]):
                sys.stderr.write(f"candor: {message.msg} ({message.id})\n")
            executor = MigrationExecutor(connection)
            applied = set(executor.loader.applied_migrations)
            if applied:
                refuse_newer(applied)
            if executor.migration_plan(executor.loader.graph.leaf_nodes()):
                if applied:
                    BEFORE_UPGRADE.mkdir(exist_ok=True)
                    back_up(BEFORE_UPGRADE, keep=KEPT)
                call_command("migrate", verbosity=0)
            if role := os.environ.get("RESPONDENTS_ROLE"):
                call_command("grants", role, apply=True)
    except (BackupError, CommandError) as error:
        raise StartError(f"The database of DATABASE_URL: {error}") from error
    except DatabaseError as error:
        cause = classify_error(error)
        raise StartError(f"The database of DATABASE_URL is {cause}") from error


@contextmanager
def lock_database() -> Iterator[None]:
    """Lock out containers with other volumes, by a lock of a separate session."""
    from django.db import connection

    if connection.vendor != "postgresql":
        yield
        return
    import psycopg

    connection.ensure_connection()  # raises Django's error if there is no database
    parameters = connection.get_connection_params()
    with closing(psycopg.connect(**parameters, autocommit=True)) as session:
        session.execute("SET lock_timeout = 0")
        session.execute("SELECT pg_advisory_lock(%s)", [ADVISORY_LOCK])
        yield


def serve() -> NoReturn:
    """Serve until a signal comes; requests that have begun are answered."""
    server = subprocess.Popen([PROGRAM / "scripts" / "serve"])  # noqa: S603
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda each, _frame: server.send_signal(each))
    if os.environ["DJANGO_SETTINGS_MODULE"] == "config.settings":
        Thread(target=run_tasks, daemon=True).start()
    sys.exit(server.wait())


def run_tasks() -> NoReturn:
    """Run the periodic tasks, which other deployments run by cron."""
    due = dict.fromkeys(TASKS, monotonic())
    while True:
        sleep(min(TASKS.values()))
        for task, seconds in TASKS.items():
            if monotonic() >= due[task]:
                due[task] = monotonic() + seconds
                run_task(task)


def run_task(task: str) -> None:
    from django.core.management import CommandError, call_command
    from django.db import close_old_connections

    arguments = [str(BACKUPS), f"--keep={KEPT}"] if task == "backup" else []
    try:
        BACKUPS.mkdir(exist_ok=True)
        # Unfinished backups have other names; the next backup deletes them.
        complete = BACKUPS.glob("candor-*")
        newest = max((each.stat().st_mtime for each in complete), default=0)
        if task != "backup" or newest < time() - BACKUP_AGE:
            call_command(task, *arguments, stdout=io.StringIO())
    except CommandError as error:
        sys.stderr.write(f"candor: {error}\n")
    except Exception:
        # The log shows only type and place of the error: a message may quote a report.
        logging.getLogger("respondents.tasks").exception(f"Not done: {task}")
    finally:
        close_old_connections()


if __name__ == "__main__":
    main()
