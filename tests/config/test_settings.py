"""The start, as a deployment sees it: manage.py in a process with its environment."""

import os
import runpy
import sqlite3
import subprocess
import sys
from types import SimpleNamespace
from unittest import mock

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import connection, transaction

from config.env import database, read_settings_file
from config.start import read_server_settings

PRODUCTION = {
    "ENV_FILE": os.devnull,
    "SECRET_KEY": "0123456789abcdefghijklmnopqrstuvwxyz-ABCDEFGHIJKLMNOP",
    "ALLOWED_HOSTS": "survey.example,www.survey.example",
}


def start(*command, **changes):
    """Run Python with production's variables; a change to None takes one away."""
    environment = PRODUCTION | changes
    return subprocess.run(  # noqa: S603
        [sys.executable, *command],
        env={name: value for name, value in environment.items() if value is not None},
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=False,
    )


def read_settings(**changes):
    """Return the settings that `config/settings.py` makes of production's variables."""
    given = {name: value for name, value in (PRODUCTION | changes).items() if value}
    with mock.patch.dict(os.environ, given, clear=True):
        return SimpleNamespace(
            **runpy.run_path(settings.BASE_DIR / "config" / "settings.py")
        )


def show(expression, **changes):
    """Return the values of an expression over the settings, with spaces between."""
    found = eval(expression, {"settings": read_settings(**changes)})  # noqa: S307
    return " ".join(map(str, found if isinstance(found, tuple) else [found]))


@pytest.mark.server
def test_production_passes_every_check():
    started = start("manage.py", "check", "--deploy", "--fail-level", "WARNING")

    assert started.stderr == ""
    assert started.returncode == 0


REFUSED = {
    "no secret": ({"SECRET_KEY": None}, "SECRET_KEY"),
    "a short secret": ({"SECRET_KEY": "secret-of-17-char"}, "17 characters"),
    "any host": ({"ALLOWED_HOSTS": "survey.example,*"}, "got '*'"),
    "all hosts below one": ({"ALLOWED_HOSTS": "a.example, .example"}, "got '.example'"),
    "an address as a host": (
        {"ALLOWED_HOSTS": "https://a.example"},
        "ALLOWED_HOSTS must name each host, such as survey.example.org; got 'https:",
    ),
    "a port of a host": ({"ALLOWED_HOSTS": "a.example:443"}, "got 'a.example:443'"),
    "hosts without commas": ({"ALLOWED_HOSTS": "a.example b.example"}, "got 'a.exam"),
    "no hosts": ({"ALLOWED_HOSTS": None}, "ALLOWED_HOSTS"),
    "a gap in the hosts": ({"ALLOWED_HOSTS": "a.example,,"}, "ALLOWED_HOSTS"),
    "a switch half on": ({"DEBUG": "maybe"}, "DEBUG must be on or off; got 'maybe'"),
    "no limit of epsilon": (
        {"MAX_TOTAL_EPSILON": "0"},
        "MAX_TOTAL_EPSILON must be a number above 0, such as 5; got '0'",
    ),
    "a limit without an end": ({"MAX_TOTAL_EPSILON": "inf"}, "got 'inf'"),
    "a limit that is no number": ({"MAX_TOTAL_EPSILON": "nan"}, "got 'nan'"),
    "another database": ({"DATABASE_URL": "mysql://h/candor"}, "got 'mysql'"),
    "no database": ({"DATABASE_URL": "candor.sqlite3"}, "DATABASE_URL must begin"),
    "another mail server": ({"EMAIL_URL": "imap://h"}, "got 'imap'"),
    "mail from nobody": ({"EMAIL_URL": "smtp://h"}, "DEFAULT_FROM_EMAIL must be an"),
    "results of four": (
        {"LEAST_RESPONSES": "4"},
        "LEAST_RESPONSES must be a whole number from 5 to 10000; got '4'",
    ),
    "results of ten and a half": ({"LEAST_RESPONSES": "10.5"}, "got '10.5'"),
    "a time on Mars": ({"TIME_ZONE": "Mars"}, "TIME_ZONE must be a time zone such as"),
    "an origin without HTTPS": (
        {"CSRF_TRUSTED_ORIGINS": "survey.example"},
        "CSRF_TRUSTED_ORIGINS must list origins",
    ),
    "a page as an origin": (
        {"CSRF_TRUSTED_ORIGINS": "https://a.example/admin/"},
        "got 'https://a.example/admin/'",
    ),
    "origins of all machines": (
        {"CSRF_TRUSTED_ORIGINS": "https://*.example"},
        "got 'https://*.example'",
    ),
    "a provider without a client": (
        {"OIDC_URL": "https://login.example"},
        "OIDC_CLIENT_ID is missing",
    ),
    "a provider without HTTPS": ({"OIDC_URL": "http://h"}, "OIDC_URL must begin with"),
    "a neutral page that is none": (
        {"LEAVE_TO": "weather"},
        "LEAVE_TO must begin with",
    ),
    "a third second factor": (
        {"SECOND_FACTOR": "yes"},
        "SECOND_FACTOR must be optional",
    ),
    "no landing page, perhaps": (
        {"LANDING_PAGE": "2"},
        "LANDING_PAGE must be on or off",
    ),
    "HSTS, perhaps": ({"HSTS_PRELOAD": "2"}, "HSTS_PRELOAD must be on or off"),
    "a proxy, perhaps": ({"BEHIND_PROXY": "2"}, "BEHIND_PROXY must be on or off"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_invalid_settings_are_rejected(case):
    changes, complaint = REFUSED[case]

    with pytest.raises(ImproperlyConfigured) as refusal:
        read_settings(**changes)

    assert complaint in str(refusal.value)


SERVER = {
    "no address": ({"ADDRESS": "here"}, "ADDRESS must be the address of this machine"),
    "no port": ({"PORT": "http"}, "PORT must be a whole number from 1 to 65535"),
    "no workers": ({"WORKERS": "0"}, "WORKERS must be a whole number from 1 to 1000"),
    "many threads": ({"THREADS": "8"}, "THREADS must be a whole number from 1 to 7"),
    "a third door": ({"DOOR": "back"}, "DOOR must be both or respondents; got 'back'"),
}


@pytest.mark.parametrize("case", SERVER)
def test_invalid_server_settings_are_rejected(case):
    changes, complaint = SERVER[case]
    with (
        mock.patch.dict(os.environ, changes),
        pytest.raises(ImproperlyConfigured, match=complaint),
    ):
        read_server_settings()


SENTENCES = {
    "no secret": ({"SECRET_KEY": None}, "SECRET_KEY is missing"),
    "no file of settings": (
        {"ENV_FILE": "/none"},
        "The settings in /none cannot be read: No such file or directory",
    ),
    "a folder of settings": ({"ENV_FILE": "/"}, "The settings in / cannot be read: Is"),
    "no HTTPS": ({"HTTPS": "off"}, "HTTPS is off and ALLOWED_HOSTS names"),
    "error pages": ({"DEBUG": "on"}, "DEBUG is on and ALLOWED_HOSTS names"),
    "no patience": ({"DATABASE_PATIENCE": "-1"}, "DATABASE_PATIENCE must be a number"),
    "patience without an end": (
        {"DATABASE_PATIENCE": "1e400"},
        "DATABASE_PATIENCE must be a number above 0, such as 20, and at most 3600; got",
    ),
    "all addresses": ({"ADDRESS": "::"}, "ADDRESS is :: and BEHIND_PROXY is off."),
    "no folder": (
        {"DATABASE_URL": "sqlite:////none/candor.sqlite3"},
        "DATABASE_URL names the folder /none, which this user cannot write",
    ),
}


@pytest.mark.server
@pytest.mark.parametrize("case", SENTENCES)
def test_a_startup_error_names_the_setting_in_one_line(case):
    changes, complaint = SENTENCES[case]
    started = start("-m", "config.start", **changes)
    assert started.returncode != 0
    assert started.stderr.startswith(complaint)
    assert started.stderr.count("\n") == 1


@pytest.mark.server
def test_commands_and_other_servers_reject_invalid_settings():
    assert start("manage.py", "check", SECRET_KEY=None).stderr == (
        "SECRET_KEY is missing\n"
    )
    assert "candor.E001" in start("-c", "import config.wsgi", HTTPS="off").stderr


def test_error_messages_contain_no_secret():
    for changes in (
        {"SECRET_KEY": "too-short-and-so-refused"},
        {"DATABASE_URL": "mysql://candor:too-short-and-so-refused@db.example/candor"},
        {"EMAIL_URL": "imap://candor:too-short-and-so-refused@mail.example"},
        # Up to the slash, "too-short" would be the port.
        {"DATABASE_URL": "postgres://candor:too-short-and-so-refused/x@db.example/c"},
        {
            "EMAIL_URL": "smtp://candor:too-short-and-so-refused/x@mail.example",
            "DEFAULT_FROM_EMAIL": "a@mail.example",
        },
    ):
        with pytest.raises(ImproperlyConfigured) as refusal:
            read_settings(**changes)
        assert "too-short-and-so-refused" not in str(refusal.value)


def test_debug_is_off_and_https_on_by_default():
    assert show("settings.DEBUG, settings.HTTPS") == "False True"
    # No list of the browsers' makers, unless asked for.
    assert show("settings.SECURE_HSTS_PRELOAD") == "False"
    assert show("settings.SECURE_HSTS_PRELOAD", HSTS_PRELOAD="on") == "True"
    # Nor for other hosts of the domain; the lists take none without them.
    subdomains = "settings.SECURE_HSTS_INCLUDE_SUBDOMAINS"
    assert show(subdomains) == "False"
    assert show(subdomains, HSTS_SUBDOMAINS="on") == "True"
    assert show(subdomains, HSTS_PRELOAD="on") == "True"
    assert show(subdomains, HSTS_SUBDOMAINS="on", HTTPS="off") == "False"
    assert show("settings.SECURE_SSL_REDIRECT, settings.SESSION_COOKIE_SECURE") == (
        "True True"
    )


def test_the_default_epsilon_limit_is_five():
    assert show("settings.MAX_TOTAL_EPSILON") == "5"
    assert show("settings.MAX_TOTAL_EPSILON", MAX_TOTAL_EPSILON=" 2.5") == "2.5"


def test_the_env_file_supplies_missing_variables(tmp_path):
    file = tmp_path / "candor.env"
    file.write_text("TIME_ZONE=Africa/Lagos\nALLOWED_HOSTS=from-the-file.example\n")

    program = (
        "from config import settings; print(settings.TIME_ZONE, settings.ALLOWED_HOSTS)"
    )
    shown = start("-c", program, ENV_FILE=str(file)).stdout
    assert shown.startswith("Africa/Lagos ['survey.example'")


def test_a_file_of_settings_is_read_from_any_editor(tmp_path):
    file = tmp_path / "candor.env"
    text = "\ufeffFIRST=1\r\n\r\n# Second\r\nexport SECOND=two # words\r\n"
    file.write_bytes(text.encode())
    with mock.patch.dict(os.environ):
        read_settings_file(file)
        assert (os.environ["FIRST"], os.environ["SECOND"]) == ("1", "two # words")


@pytest.mark.parametrize("line", ["KEY = se-cret", " KEY=se-cret", "KEY: se-cret"])
def test_a_line_that_is_no_setting_is_named_without_its_text(tmp_path, caplog, line):
    file = tmp_path / "candor.env"
    file.write_text(f"TIME_ZONE=UTC\n{line}\n")
    with pytest.raises(ImproperlyConfigured, match=r"Line 2 of .*NAME=value") as error:
        read_settings_file(file)
    assert "se-cret" not in f"{error.value}{caplog.text}"


def test_a_file_in_another_encoding_is_refused(tmp_path):
    file = tmp_path / "candor.env"
    file.write_bytes(b"OIDC_NAME=Universit\xe4t\n")
    with pytest.raises(ImproperlyConfigured, match="must be a text in UTF-8"):
        read_settings_file(file)


def test_a_secret_may_begin_with_any_character():
    secret = "$" + "0123456789" * 5
    assert show("settings.SECRET_KEY", SECRET_KEY=secret) == secret


def test_the_address_of_the_database_keeps_its_options():
    address = "postgres://candor:word@db.example:6432/candor?sslmode=verify-full"
    database = "settings.DATABASES['default']"

    options = f"{database}['PORT'], {database}['OPTIONS']['sslmode']"
    shown = show(
        f"{options}, {database}['OPTIONS']['pool']['max_size']", DATABASE_URL=address
    )

    assert shown == "6432 verify-full 8"


SEVERAL = "postgres://candor:word@db1.example:5432,db2.example:5433/candor"


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        (SEVERAL, "db1.example,db2.example 5432,5433 read-write"),
        (
            f"{SEVERAL}?target_session_attrs=any",
            "db1.example,db2.example 5432,5433 any",
        ),
        ("postgres://candor@db1,db2/candor", "db1,db2  read-write"),
        ("postgres://candor@db1:5432/candor", "db1 5432 None"),
        ("postgres://a@[::1]:1,[::2]:2/candor", "::1,::2 1,2 read-write"),
    ],
)
def test_several_database_hosts_connect_to_the_writable_one(
    monkeypatch, address, expected
):
    monkeypatch.setenv("DATABASE_URL", address)

    found = database()

    attributes = found["OPTIONS"].get("target_session_attrs")
    assert f"{found['HOST']} {found['PORT']} {attributes}" == expected
    # Also a machine that goes without a word is noticed soon.
    assert found["OPTIONS"]["keepalives_idle"] == 2


@pytest.mark.parametrize("hosts", ["db1,db2:5433", "db1:5432,db2", "[::1]:1,[::2]"])
def test_several_database_hosts_need_a_port_each_or_none(monkeypatch, hosts):
    monkeypatch.setenv("DATABASE_URL", f"postgres://candor:word@{hosts}/candor")

    with pytest.raises(ImproperlyConfigured, match="a port for each of its hosts"):
        database()


def test_the_mail_server_url_is_parsed():
    shown = show(
        "settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_HOST_USER,"
        "settings.EMAIL_HOST_PASSWORD, settings.EMAIL_USE_TLS, settings.SENDS_MAIL",
        EMAIL_URL="smtp+tls://candor:p%40ss@mail.example:587",
        DEFAULT_FROM_EMAIL="candor@survey.example",
    )

    assert shown == "mail.example 587 candor p@ss True True"
    assert show("settings.SENDS_MAIL, settings.EMAIL_BACKEND") == (
        "False django.core.mail.backends.console.EmailBackend"
    )


def run_sql(statement):
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchone()[0]


IN_FORCE = {
    "sqlite": {
        "PRAGMA journal_mode": "wal",
        "PRAGMA synchronous": 2,  # FULL
        "PRAGMA fullfsync": 1,
        "PRAGMA secure_delete": 1,
        "PRAGMA busy_timeout": 20_000,
        "PRAGMA foreign_keys": 1,
    },
    "postgresql": {
        "SHOW synchronous_commit": "on",
        "SHOW transaction_isolation": "read committed",
    },
}


@pytest.mark.storage
@pytest.mark.django_db
@pytest.mark.parametrize("asked", IN_FORCE[connection.vendor])
def test_the_database_has_the_settings_that_storage_requires(asked):
    assert run_sql(asked) == IN_FORCE[connection.vendor][asked]


@pytest.mark.usefixtures("committed")
def test_sqlite_transactions_lock_for_writing_immediately():
    other = sqlite3.connect(connection.settings_dict["NAME"], timeout=0.1)

    with transaction.atomic(), pytest.raises(sqlite3.OperationalError, match="locked"):
        other.execute("BEGIN IMMEDIATE")
    other.close()


@pytest.fixture(scope="module")
def worker():
    """The modules a worker loads at startup, and a stored password hash."""
    program = (
        "import sys, config.wsgi; loaded = ' '.join(sys.modules);"
        "from django.contrib.auth.hashers import make_password;"
        "print(make_password('only-for-tests')); print(loaded)"
    )
    started = start("-c", program)
    assert started.returncode == 0, started.stderr
    return started.stdout.splitlines()


def test_researchers_passwords_are_hashed_with_argon2(worker):
    assert worker[0].startswith("argon2$argon2id$")


def test_startup_does_not_load_optional_libraries(worker):
    loaded = set(worker[1].split())
    assert "candor.regression.formula" in loaded
    assert loaded.isdisjoint({
        "scipy.special", "scipy.optimize", "scipy.stats", "pandas", "matplotlib",
        "pyreadstat", "formulaic", "openpyxl", "xlsxwriter",
    })  # fmt: skip


@pytest.mark.parametrize(
    ("written", "given", "expected"),
    [
        ("PORT=8123\nTHREADS=3\n", {}, ("8123", "3")),
        ("PORT=8123\n", {"PORT": "8124"}, ("8124", "1")),
        ("", {}, ("8000", "1")),
    ],
)
def test_the_server_reads_its_port_from_the_env_file(
    tmp_path, written, given, expected
):
    file = tmp_path / "env"
    file.write_text(written)
    script = (settings.BASE_DIR / "scripts" / "serve").read_text()
    text = subprocess.run(  # noqa: S603
        [
            "/bin/sh",
            "-c",
            script.replace("exec .venv/bin/granian", 'echo "THREADS $THREADS "'),
            "scripts/serve",
        ],
        cwd=settings.BASE_DIR,
        env=PRODUCTION | {"PATH": os.environ["PATH"], "ENV_FILE": str(file)} | given,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    port, threads = expected
    assert f"--port {port} " in text
    assert f"THREADS {threads} " in text


@pytest.mark.parametrize(("chosen", "found"), [(None, "1"), ("4", "4")])
def test_linear_algebra_uses_one_thread_by_default(chosen, found):
    program = "import config, os, sys; print(os.environ['{0}'], 'numpy' in sys.modules)"
    name = "OPENBLAS_NUM_THREADS"
    text = start("-c", program.format(name), **{name: chosen}).stdout.split()
    # With numpy there it would change nothing.
    assert text == [found, "False"]
