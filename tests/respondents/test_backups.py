"""A copy of the database, made while people answer, and the way back."""

import errno
import os
import re
import stat
import subprocess
import sys
from datetime import date
from functools import partial
from importlib import import_module
from io import StringIO
from itertools import chain, count
from pathlib import Path
from threading import Event

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, OperationalError, connection
from django.utils import timezone

from respondents.backups import choose_engine
from respondents.distribution.deletion import purge
from respondents.distribution.sealed_reports import (
    NothingToOpenError,
    read_batch,
    store_result,
)
from respondents.models import Response, SealedPattern, close
from surveys.models import Survey
from surveys.triggers import drop_trigger, read_triggers, recreate_triggers
from tests.concurrency import database_url, run_concurrently
from tests.factories import make_responses, make_survey
from tests.sealed import make_sealed_survey, open_file, seal


def run(*arguments, **options):
    shown = StringIO()
    call_command(*arguments, stdout=shown, **options)
    return shown.getvalue()


@pytest.fixture(autouse=True)
def apart(committed, tmp_path):
    """A file of its own: servers of other tests keep the usual one open."""
    if connection.vendor != "sqlite":
        yield
        return
    usual, own = connection.settings_dict["NAME"], tmp_path / "apart.sqlite3"
    with connection.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(own)])
    connection.close()
    connection.settings_dict["NAME"] = str(own)
    # VACUUM leaves the log out, and of two who bring it back at once one is refused;
    # anyone who makes a database in earnest, migrate or restore, is alone with it.
    connection.ensure_connection()
    connection.close()
    yield
    connection.close()
    connection.settings_dict["NAME"] = usual


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "backups"
    folder.mkdir(mode=0o700)
    return folder


def back_up(folder):
    """Return the only copy in the folder, made now."""
    run("backup", folder)
    [copy] = folder.iterdir()
    return copy


def copies(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.storage
def test_a_restored_backup_contains_the_earlier_data(folder):
    survey = make_survey(["coin", "die"])
    make_responses(survey, [b"\0\1"] * 50)
    Response.objects.seal(survey)
    counts = SealedPattern.objects.counts(survey)
    sealed = {slug: make_sealed(slug) for slug in ("opened", "awaiting")}
    store_result(*sealed["opened"])
    copy = back_up(folder)
    close(survey)
    for each, _result in sealed.values():
        purge(each)
    make_survey(slug="later")

    text = run("restore", copy, asks=False)

    assert text == "Restored. Surveys: 3, responses: 110.\n"
    survey.refresh_from_db()
    assert survey.is_open
    assert SealedPattern.objects.counts(survey) == counts
    make_responses(survey, [b"\0\1"] * 3)  # and it goes on
    store_result(*sealed["awaiting"])
    for each, result in sealed.values():
        assert SealedPattern.objects.counts(each, (1, 2)) == {b"\0\1": 30}
        with pytest.raises(NothingToOpenError):
            store_result(each, result)


def make_sealed(slug):
    """Return a closed survey of declared tables, and what the key holder returns."""
    survey = make_sealed_survey(["coin", "direct"], slug=slug, declared_tables=True)
    make_responses(survey, seal(survey, *[b"\0\1"] * 30))
    close(survey)
    return survey, open_file(read_batch(survey).write())


def test_a_backup_is_readable_by_its_owner_only(folder):
    copy = back_up(folder)
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600


@pytest.fixture
def quick(monkeypatch):
    """Copies that hold nothing, where only their names matter."""
    engine = type(choose_engine())
    monkeypatch.setattr(engine, "dump", lambda _engine, file: file.write_bytes(b"a"))


@pytest.mark.usefixtures("quick")
def test_one_backup_a_day_and_the_newest_ones_are_kept(folder, monkeypatch):
    (folder / "notes.txt").touch()
    for day in (1, 2, 2, 3, 4):
        monkeypatch.setattr(timezone, "localdate", partial(date, 2026, 1, day))
        run("backup", folder, keep=2)
    dates = [name[: len("candor-2026-01-03")] for name in copies(folder)]
    assert dates == ["candor-2026-01-03", "candor-2026-01-04", "notes.txt"]


def test_a_failed_backup_keeps_the_others(folder, monkeypatch):
    def fill_the_disk(_engine, file):
        file.write_bytes(b"half of it")
        raise OperationalError("database or disk is full")

    copy = back_up(folder)
    before = copy.read_bytes()
    monkeypatch.setattr(type(choose_engine()), "dump", fill_the_disk)
    with pytest.raises(CommandError, match=r"No backup was made: .* disk is full"):
        run("backup", folder)
    assert [copy] == list(folder.iterdir())
    assert copy.read_bytes() == before


@pytest.mark.usefixtures("quick")
def test_a_wrong_clock_does_not_delete_the_new_backup(folder, monkeypatch):
    """Copies of days to come are newer by name; the one made now stays all the same."""
    for day in (1, 2, 3):
        (folder / f"candor-2099-01-0{day}{choose_engine().suffix}").touch()
    monkeypatch.setattr(timezone, "localdate", partial(date, 2026, 1, 1))
    for keep, days in ((2, ["2026-01-01", "2099-01-03"]), (1, ["2026-01-01"])):
        text = run("backup", folder, keep=keep)
        assert "candor-2026-01-01" in text
        assert [name[len("candor-") :][:10] for name in copies(folder)] == days


@pytest.mark.usefixtures("quick")
def test_the_next_backup_removes_leftovers_of_a_killed_one(folder):
    """Leftovers would keep data that closing a survey deletes."""
    copy = back_up(folder)
    for end in (".4711", ".4712-journal"):
        (folder / f".{copy.name}{end}").write_bytes(b"half of it")
    (folder / ".notes").touch()
    run("backup", folder)
    assert copies(folder) == [".notes", copy.name]


@pytest.mark.usefixtures("quick")
def test_a_planted_symbolic_link_is_not_followed(folder, tmp_path):
    """Where others may write in the folder: by a name that they can foretell."""
    copy = back_up(folder)
    copy.unlink()
    others = tmp_path / "others"
    others.write_text("another's")
    for name in (copy.name, f".{copy.name}.{os.getpid()}", f".{copy.name}.1-journal"):
        (folder / name).symlink_to(others)
    run("backup", folder)
    assert others.read_text() == "another's"
    assert [(each.name, each.is_symlink()) for each in folder.iterdir()] == [
        (copy.name, False)
    ]


def start_python(program, *arguments):
    return subprocess.Popen(  # noqa: S603
        [sys.executable, "-c", program, *arguments],
        env={
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "tests.settings",
            "DATABASE_URL": database_url(),
        },
    )


def test_a_folder_that_does_not_exist_is_not_created(folder):
    """A mistyped mount point would fill the disk of the system."""
    mistyped = folder.with_name("backup")
    with pytest.raises(CommandError, match=r"backup does not exist; create it first"):
        run("backup", mistyped)
    assert not mistyped.exists()


@pytest.mark.parametrize("keep", [0, -1])
def test_at_least_one_backup_must_be_kept(folder, keep):
    with pytest.raises(CommandError, match=f"1 or more; got {keep}"):
        run("backup", folder, keep=keep)


@pytest.mark.storage
def test_a_backup_under_load_contains_acknowledged_responses(folder):
    survey = make_survey(batch_size=10_000)
    has_begun, is_done = Event(), Event()
    acknowledged = []

    def answer():
        for number in count():
            Response.objects.store(survey, f"{number:032x}", b"\1")
            acknowledged.append(number)
            if number == 20:
                has_begun.set()
            if is_done.is_set():
                return

    def copy():
        has_begun.wait()
        before = len(acknowledged)
        run("backup", folder)
        after = len(acknowledged)
        is_done.set()
        return before, after

    _nothing, (before, after) = run_concurrently(answer, copy)
    [file] = folder.iterdir()
    run("restore", file, asks=False)

    assert before <= Response.objects.count() <= after + 1


@pytest.mark.storage
def test_a_backup_contains_no_bytes_of_deleted_rows(folder):
    marker = b"pattern-that-can-be-found"
    survey = make_survey(batch_size=10_000)
    for number in range(40):
        Response.objects.store(survey, f"{number:032x}", marker)
    Response.objects.filter(survey=survey).delete()

    run("backup", folder)

    [copy] = folder.iterdir()
    assert marker not in copy.read_bytes()


@pytest.mark.storage
def test_a_file_that_is_not_a_backup_changes_nothing(tmp_path):
    survey = make_survey()
    file = tmp_path / "copy"
    for content in (b"", b"no database at all", b"PGDMP and no more"):
        file.write_bytes(content)
        with pytest.raises(CommandError, match="Nothing was changed"):
            run("restore", file, asks=False)
    survey.refresh_from_db()


def test_a_backup_of_a_newer_version_changes_nothing(folder):
    survey = make_survey()
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO django_migrations (app, name, applied) "
            "VALUES ('surveys', '9999_from_the_future', CURRENT_TIMESTAMP)"
        )
        run("backup", folder)
        cursor.execute("DELETE FROM django_migrations WHERE name LIKE '9999%'")
    [copy] = folder.iterdir()
    with pytest.raises(CommandError, match=r"newer Candor, with surveys\.9999"):
        run("restore", copy, asks=False)
    survey.refresh_from_db()


def set_aside(table):
    aside = f"aside_{table}"
    renamed = f"ALTER TABLE {table} RENAME TO {aside}"
    return "", renamed, f"ALTER TABLE {aside} RENAME TO {table}"


KEYS = {
    "respondents_response": "id bigint PRIMARY KEY",
    "respondents_receipt": "id integer PRIMARY KEY DESC",
    "respondents_sealedpattern": "id integer",
}

# What is found, where anything is; how it is made, and how it is undone.
PREPARED = {
    "sqlite": [
        (
            "respondents_invitation.came",
            "ALTER TABLE respondents_invitation ADD COLUMN came date",
            "ALTER TABLE respondents_invitation DROP COLUMN came",
        ),
        (
            "respondents_invitation.spy",
            "CREATE TRIGGER spy AFTER INSERT ON respondents_invitation "
            "BEGIN SELECT 1; END",
            "DROP TRIGGER spy",
        ),
        *(
            each
            for table, key in KEYS.items()
            for each in (
                set_aside(table),
                (
                    f"{table}.id, by which its rows are not sorted",
                    f"CREATE TABLE {table} ({key}, survey_id, pattern, count)",
                    f"DROP TABLE {table}",
                ),
            )
        ),
    ],
    "postgresql": [
        (
            "respondents_response.came",
            "ALTER TABLE respondents_response ADD COLUMN came date",
            "ALTER TABLE respondents_response DROP COLUMN came",
        ),
        (
            "respondents_response.spy",
            "CREATE RULE spy AS ON INSERT TO respondents_response DO ALSO NOTHING",
            "DROP RULE spy ON respondents_response",
        ),
        (
            "respondents_response.a_check",
            "ALTER TABLE respondents_response ADD CONSTRAINT a_check "
            "CHECK (clock_timestamp() > '2026-01-01')",
            "ALTER TABLE respondents_response DROP CONSTRAINT a_check",
        ),
        (
            "respondents_response.an_index",
            "CREATE INDEX an_index ON respondents_response (abs(id))",
            "DROP INDEX an_index",
        ),
        *(
            (
                f"{table}.a_policy",
                f"CREATE POLICY a_policy ON {table} USING (true)",
                f"DROP POLICY a_policy ON {table}",
            )
            # The second runs when the survey is read, as it is for each response.
            for table in ("respondents_response", "surveys_survey")
        ),
        ("", "CREATE DOMAIN kind AS bytea", "DROP DOMAIN kind"),
        (
            "respondents_sealedpattern.pattern, which is a kind",
            "ALTER TABLE respondents_sealedpattern ALTER pattern TYPE kind",
            "ALTER TABLE respondents_sealedpattern ALTER pattern TYPE bytea",
        ),
        set_aside("respondents_receipt"),
        (
            "respondents_receipt.which is no table",
            "CREATE VIEW respondents_receipt AS "
            "SELECT * FROM aside_respondents_receipt",
            "DROP VIEW respondents_receipt",
        ),
    ],
}[connection.vendor]


@pytest.mark.storage
def test_a_backup_that_would_record_times_changes_nothing(folder):
    """Someone may have prepared it: each response would be kept with its time."""
    with connection.cursor() as cursor:
        for _name, prepare, _undo in PREPARED:
            cursor.execute(prepare)
        try:
            copy = back_up(folder)
        finally:
            for _name, _prepare, undo in reversed(PREPARED):
                cursor.execute(undo)
    survey = make_survey()
    with pytest.raises(CommandError, match="Nothing was changed") as raised:
        run("restore", copy, asks=False)
    survey.refresh_from_db()
    names = {name for name, _prepare, _undo in PREPARED}
    assert [each for each in names if each not in str(raised.value)] == []


@pytest.mark.storage
def test_restore_is_refused_while_the_server_runs(folder):
    copy = back_up(folder)
    survey = make_survey()
    is_open, is_over = Event(), Event()

    def serve():
        Response.objects.count()
        is_open.set()
        is_over.wait()

    def attempt_restore():
        is_open.wait()
        try:
            with pytest.raises(CommandError, match="in use: stop the server"):
                run("restore", copy, asks=False)
        finally:
            is_over.set()

    run_concurrently(serve, attempt_restore)
    survey.refresh_from_db()


@pytest.mark.parametrize("typed", ["", "\n", "no\n", "y\n"])
def test_restore_asks_for_confirmation(folder, monkeypatch, typed):
    monkeypatch.setattr("sys.stdin", StringIO(typed))
    with pytest.raises(CommandError, match=r"^Nothing was changed\.$"):
        run("restore", folder / "any.dump")


def reopen(survey):
    """Make the survey a draft again, which its triggers prevent."""
    with connection.schema_editor() as editor:
        for table, name in read_triggers():
            drop_trigger(table, name)
        editor.execute(
            "UPDATE surveys_survey SET state = 'draft', design_digest = '' "
            "WHERE id = %s",
            [survey.pk],
        )
    recreate_triggers()


ALTERED_TRIGGERS = {
    "sqlite": {
        "frozen_survey_update": ["DROP TRIGGER frozen_survey_update"],
        "frozen_surveys_choice_update": [
            "DROP TRIGGER frozen_surveys_choice_update",
            "CREATE TRIGGER frozen_surveys_choice_update BEFORE UPDATE "
            "ON surveys_choice WHEN false BEGIN SELECT 1; END",
        ],
        "promote": [
            "CREATE TRIGGER promote AFTER UPDATE ON auth_user "
            "BEGIN UPDATE auth_user SET is_superuser = 1; END"
        ],
    },
    "postgresql": {
        "frozen_survey_update": ["DROP TRIGGER frozen_survey_update ON surveys_survey"],
        "frozen_surveys_choice_update": [
            "ALTER TABLE surveys_choice DISABLE TRIGGER frozen_surveys_choice_update"
        ],
        "frozen_surveys_question_delete": [
            "CREATE OR REPLACE FUNCTION frozen_surveys_question_delete() "
            "RETURNS trigger AS 'BEGIN RETURN OLD; END' LANGUAGE plpgsql"
        ],
        "promote": [
            "CREATE FUNCTION promote() RETURNS trigger AS "
            "'BEGIN NEW.is_superuser = true; RETURN NEW; END' LANGUAGE plpgsql",
            "CREATE TRIGGER promote BEFORE UPDATE ON auth_user "
            "FOR EACH ROW EXECUTE FUNCTION promote()",
        ],
    },
}[connection.vendor]


@pytest.mark.storage
def test_an_altered_backup_changes_nothing_unless_accepted(folder):
    """A draft with responses could be reworded; without triggers, any survey."""
    redesigned = make_survey(slug="redesigned", opened=False)
    changed = {"state": Survey.State.OPEN, "design_digest": "0" * 64}
    Survey.objects.filter(pk=redesigned.pk).update(**changed)
    reopened = make_survey(slug="reopened")
    make_responses(reopened, [b"\0"] * 3)
    reopen(reopened)
    draft = make_survey(slug="attested", opened=False)
    Survey.objects.filter(pk=draft.pk).update(plan_attested_by="survey.example")
    opened, as_made = make_survey(), read_triggers()
    with connection.cursor() as cursor:
        for statement in chain(*ALTERED_TRIGGERS.values()):
            cursor.execute(statement)
    altered_triggers = read_triggers()
    copy = back_up(folder)
    later = make_survey(slug="later")
    altered = (
        "the design of 'redesigned' does not match its digest; the state of "
        "'attested', 'reopened' was changed; triggers were changed "
        f"({', '.join(sorted(ALTERED_TRIGGERS))})"
    )

    with pytest.raises(CommandError, match=f"Nothing was .* {re.escape(altered)}"):
        run("restore", copy, asks=False)
    later.refresh_from_db()
    assert read_triggers() == altered_triggers != as_made
    assert has_no_leftovers(folder.parent)

    warned = StringIO()
    shown = run("restore", copy, asks=False, accept_altered=True, stderr=warned)
    assert shown.startswith("Restored. Surveys: 4,")
    assert altered in warned.getvalue()
    assert read_triggers() == as_made
    assert not Survey.objects.filter(pk=later.pk).exists()
    assert has_no_leftovers(folder.parent)
    with pytest.raises(IntegrityError, match="an opened survey is frozen"):
        Survey.objects.filter(pk=opened.pk).update(title="Other")


def has_no_leftovers(place):
    """Return whether neither a file nor a schema of a restore is left."""
    if connection.vendor == "postgresql":
        return schemas() == ["public"]
    connection.close()
    return [path.name for path in place.glob("*apart*")] == ["apart.sqlite3"]


@pytest.mark.storage
def test_an_unreadable_restored_database_is_rolled_back(folder, monkeypatch):
    """The first look is at the copy next to it, the second at the copy in its place."""
    copy = back_up(folder)
    later = make_survey(slug="later")
    engine = import_module(type(choose_engine()).__module__)
    counts = []

    def look():
        counts.append(Survey.objects.count())
        if len(counts) == 2:
            raise OperationalError("disk I/O error")
        return counts

    monkeypatch.setattr(engine, "read_contents", look)
    with pytest.raises(CommandError, match="Nothing was changed: disk I/O error"):
        run("restore", copy, asks=False)
    assert counts == [0, 0]
    later.refresh_from_db()
    assert has_no_leftovers(folder.parent)


RESTORE_KILLED = """\
import os, sys
from importlib import import_module
import django
from django.core.management import call_command
django.setup()
from respondents.backups import choose_engine
engine = import_module(type(choose_engine()).__module__)
look, left = engine.read_contents, [int(sys.argv[2])]
def look_or_die():
    left[0] -= 1
    return os.kill(os.getpid(), 9) if left[0] == 0 else look()
engine.read_contents = look_or_die
call_command("restore", sys.argv[1], "--no-input")
"""


@pytest.mark.storage
@pytest.mark.parametrize(("look", "is_replaced"), [(1, False), (2, True)])
def test_a_killed_restore_leaves_the_old_or_the_checked_database(
    folder, look, is_replaced
):
    copy = back_up(folder)
    make_survey(slug="later")
    connection.close()
    if connection.vendor == "postgresql":
        connection.close_pool()
    assert start_python(RESTORE_KILLED, copy, str(look)).wait() == -9
    assert Survey.objects.count() == (0 if is_replaced else 1)
    assert not has_no_leftovers(folder.parent)

    run("backup", folder)  # by night, say: it has what counts, and no more
    run("restore", copy, asks=False)
    assert Survey.objects.count() == (0 if is_replaced else 1)
    assert has_no_leftovers(folder.parent)


FUNCTIONS = """
    SELECT oid::regprocedure::text, prosrc, proacl::text FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace AND prosecdef ORDER BY 1
"""


@pytest.mark.storage
class TestFunctionsOfPostgreSQL:
    __test__ = connection.vendor == "postgresql"

    def test_a_backup_does_not_replace_database_functions(self, folder):
        def functions():
            with connection.cursor() as cursor:
                cursor.execute(FUNCTIONS)
                return cursor.fetchall()

        as_made = functions()
        make_survey()
        with connection.cursor() as cursor:
            cursor.execute(
                "CREATE OR REPLACE FUNCTION respondents_knows(survey bigint, mark "
                "bytea) RETURNS boolean AS 'BEGIN RETURN true; END' LANGUAGE plpgsql;"
                "GRANT EXECUTE ON FUNCTION respondents_knows(bigint, bytea) TO PUBLIC;"
                "DROP FUNCTION respondents_spend(bigint, bytea)"
            )
        assert functions() != as_made
        run("restore", back_up(folder), asks=False)
        assert functions() == as_made


class TestFilesOfSQLite:
    __test__ = connection.vendor == "sqlite"

    def test_a_missing_database_does_not_replace_backups(
        self, folder, tmp_path, monkeypatch
    ):
        """Where a disk is missing SQLite makes an empty file; in a week of nights there
        would be no other copy."""
        run("backup", folder)
        before = copies(folder)
        connection.close()
        empty = str(tmp_path / "missing.sqlite3")
        # Before its own file gives way to the usual one, which the tests after it have.
        with monkeypatch.context() as elsewhere:
            elsewhere.setitem(connection.settings_dict, "NAME", empty)
            with pytest.raises(CommandError, match="is DATABASE_URL right"):
                run("backup", folder)
            connection.close()
        assert copies(folder) == before

    def test_a_backup_with_a_write_ahead_log_is_rejected(self, folder):
        """Someone took the file of a running server and not all of it."""
        copy = back_up(folder)
        copy.with_name(f"{copy.name}-wal").write_bytes(b"what came last")
        survey = make_survey()
        with pytest.raises(CommandError, match="was not written by `backup`"):
            run("restore", copy, asks=False)
        survey.refresh_from_db()

    def test_restore_works_on_disks_without_hard_links(self, folder, monkeypatch):
        def refuse(*_names):
            raise OSError(errno.EPERM, "Operation not permitted")

        copy = back_up(folder)
        make_survey()
        monkeypatch.setattr(os, "link", refuse)
        assert run("restore", copy, asks=False).startswith("Restored. Surveys: 0")
        assert has_no_leftovers(folder.parent)

    def test_restore_keeps_a_symbolic_link_to_the_database(
        self, folder, tmp_path, monkeypatch
    ):
        copy = back_up(folder)
        make_survey()
        connection.close()
        link, place = tmp_path / "link.sqlite3", connection.settings_dict["NAME"]
        link.symlink_to(place)
        monkeypatch.setitem(connection.settings_dict, "NAME", str(link))
        assert run("restore", copy, asks=False).startswith("Restored. Surveys: 0")
        connection.close()
        monkeypatch.undo()
        assert link.is_symlink()
        assert Survey.objects.count() == 0  # where it leads to

    @pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
    def test_a_restored_database_keeps_its_owner(self, folder):
        copy = back_up(folder)
        place = connection.settings_dict["NAME"]
        connection.close()
        os.chown(place, 12345, 12346)
        run("restore", copy, asks=False)
        found = Path(place).stat()
        assert (found.st_uid, found.st_gid) == (12345, 12346)
        assert stat.S_IMODE(found.st_mode) == 0o600


@pytest.mark.storage
class TestSchemasOfPostgreSQL:
    __test__ = connection.vendor == "postgresql"

    def test_a_backup_restores_only_the_public_schema(self, folder):
        make_survey()
        copy, usual = folder / "all.dump", connection.settings_dict
        address = f"host={usual['HOST']} user={usual['USER']} dbname={usual['NAME']}"
        others = "restoring", "replaced", "other"
        with connection.cursor() as cursor:
            for schema in others:
                cursor.execute(f"CREATE SCHEMA {schema}")
                cursor.execute(f"CREATE TABLE {schema}.reports (pattern bytea)")
            command = ["pg_dump", "--format=custom", f"--file={copy}", address]
            subprocess.run(command, check=True)  # noqa: S603
            for schema in others:
                cursor.execute(f"DROP SCHEMA {schema} CASCADE")
        assert run("restore", copy, asks=False).startswith("Restored. Surveys: 1")
        assert schemas() == ["public"]

    def test_restore_does_not_need_roles_of_another_machine(self, folder):
        with connection.cursor() as cursor:
            cursor.execute("CREATE ROLE door_of_a_copy")
            cursor.execute("GRANT SELECT ON surveys_survey TO door_of_a_copy")
            run("backup", folder)
            cursor.execute("DROP OWNED BY door_of_a_copy")
            cursor.execute("DROP ROLE door_of_a_copy")
        [copy] = folder.iterdir()
        assert run("restore", copy, asks=False).startswith("Restored.")

    def test_restore_recovers_after_a_killed_restore(self, folder, tmp_path):
        """Killed before the copy is loaded, all is as before; right after, who
        interrupted it decides."""
        copy = back_up(folder)
        survey, broken = make_survey(), tmp_path / "broken"
        broken.touch()
        with connection.cursor() as cursor:
            cursor.execute("ALTER SCHEMA public RENAME TO before_restore")
            cursor.execute("CREATE SCHEMA public")
        connection.close()
        with pytest.raises(CommandError, match="Nothing was changed"):
            run("restore", broken, asks=False)
        survey.refresh_from_db()

        with connection.cursor() as cursor:
            cursor.execute("CREATE SCHEMA before_restore")
            cursor.execute("CREATE TABLE before_restore.reports (pattern bytea)")
        with pytest.raises(CommandError, match="Drop before_restore to keep the copy"):
            run("restore", copy, asks=False)
        survey.refresh_from_db()
        with connection.cursor() as cursor:
            cursor.execute("DROP SCHEMA before_restore CASCADE")
        assert run("restore", copy, asks=False).startswith("Restored. Surveys: 0")
        assert schemas() == ["public"]


def schemas():
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nspname FROM pg_namespace "
            "WHERE nspname NOT LIKE 'pg\\_%' AND nspname <> 'information_schema'"
        )
        return [name for (name,) in cursor.fetchall()]


@pytest.mark.storage
class TestSeveralServers:
    __test__ = connection.vendor == "postgresql"

    def test_a_backup_reads_the_server_named_in_the_settings(self, folder, monkeypatch):
        options = connection.settings_dict["OPTIONS"]
        monkeypatch.setitem(options, "target_session_attrs", "standby")
        with pytest.raises(CommandError, match="server is not in hot standby mode"):
            run("backup", folder)
