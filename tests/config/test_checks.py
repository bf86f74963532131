import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings as configured
from django.core.checks import Tags, run_checks
from django.db import connection


def found():
    return {message.id for message in run_checks() if message.id.startswith("candor.")}


PUBLIC, LOCAL = ["survey.example", "localhost"], ["localhost", "127.0.0.1"]


@pytest.mark.parametrize(
    ("hosts", "https", "debug", "expected"),
    [
        (PUBLIC, True, False, set()),
        (PUBLIC, False, False, {"candor.E001"}),
        (PUBLIC, True, True, {"candor.E002"}),
        (PUBLIC, False, True, {"candor.E001", "candor.E002"}),
        (LOCAL, False, True, set()),
    ],
)
def test_only_local_hosts_may_run_without_https_or_with_debug(
    settings, hosts, https, debug, expected
):
    settings.ALLOWED_HOSTS, settings.HTTPS, settings.DEBUG = hosts, https, debug

    assert found() == expected


@pytest.mark.parametrize(
    ("address", "behind_proxy", "expected"),
    [
        ("127.0.0.1", False, set()),
        ("127.8.0.1", False, set()),
        ("::1", False, set()),
        ("localhost", False, set()),
        ("0.0.0.0", True, set()),  # noqa: S104 - within a container, say
        ("0.0.0.0", False, {"candor.E003"}),  # noqa: S104
        ("192.168.1.7", False, {"candor.E003"}),
        ("::", False, {"candor.E003"}),
        ("survey.example", False, {"candor.E003"}),
    ],
)
def test_a_public_address_requires_a_proxy(settings, address, behind_proxy, expected):
    """Three connections that send one of 200 announced bytes blocked all clients."""
    settings.ADDRESS, settings.BEHIND_PROXY = address, behind_proxy

    assert found() == expected


def messages_of(number):
    of_database = run_checks(tags=[Tags.database], databases=["default"])
    return [each.msg for each in of_database if each.id == number]


@pytest.mark.storage
@pytest.mark.django_db
def test_kept_write_ahead_logs_are_reported():
    """Three minutes after a closing, 50 of 50 responses lay there, in order."""

    if connection.vendor == "sqlite":
        assert messages_of("candor.W001") == []
        return
    expected = "PostgreSQL keeps its log: by archive_timeout and wal_recycle."
    assert messages_of("candor.W001") == [expected]
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL wal_recycle = off")
    assert messages_of("candor.W001") == [
        "PostgreSQL keeps its log: by archive_timeout."
    ]


@pytest.mark.storage
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("setting", "noted"),
    [
        ("log_statement = 'mod'", True),
        ("log_statement = 'all'", True),
        ("log_statement = 'ddl'", False),
        ("log_duration = on", True),
        ("log_min_duration_statement = 0", True),
        ("log_min_duration_statement = -1", False),
        ("log_min_duration_sample = 250", True),
        ("log_transaction_sample_rate = 0.01", True),
    ],
)
def test_statement_logging_is_reported(setting, noted):
    """Its lines have parameters, which are reports, and times."""
    assert messages_of("candor.W002") == []
    if connection.vendor == "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL {setting}")
    name = setting.partition(" ")[0]
    expected = [f"PostgreSQL notes what is stored when: by {name}."]
    assert messages_of("candor.W002") == (expected if noted else [])


USE = """
import django
from django.core.checks import Tags, run_checks
from django.db import connection
django.setup()
with connection.cursor() as cursor:
    cursor.execute("CREATE TABLE IF NOT EXISTS some (number)")
found = run_checks(tags=[Tags.database], databases=["default"])
print(*[each.id for each in found if each.id.startswith("candor.")])
"""


def warned(file):
    """Open a database where the shell lets all read what is made; return warnings."""
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", USE],
        cwd=configured.BASE_DIR,
        env={
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "tests.settings",
            "DATABASE_URL": f"sqlite:///{file}",
        },
        umask=0o022,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split()


def rights(folder):
    return {stat.S_IMODE(each.stat().st_mode) for each in Path(folder).iterdir()}


def test_a_new_database_file_is_private_under_any_umask(tmp_path):
    file = tmp_path / "new.sqlite3"
    assert warned(file) == []
    assert rights(tmp_path) == {0o600}
    # The doors of two users share it in a group.
    file.chmod(0o660)
    assert warned(file) == []
    assert stat.S_IMODE(file.stat().st_mode) == 0o660


@pytest.mark.parametrize("right", [0o604, 0o602])
def test_a_world_accessible_database_file_is_reported(tmp_path, monkeypatch, right):
    file = tmp_path / "old.sqlite3"
    file.touch()
    file.chmod(right)
    monkeypatch.setitem(connection.settings_dict, "NAME", str(file))
    assert len(messages_of("candor.W003")) == 1
