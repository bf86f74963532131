"""`make run` and `make check` work with the commands of macOS, tested on Linux.

macOS has GNU make 3.81, bash 3.2 as `sh`, no `nproc`, no `apt-get`, no options of GNU
coreutils, and refuses to set the number of open files to "unlimited".
"""

import os
import re
import shutil
import subprocess

import pytest

from tests.docs.documents import PROJECT

COMMANDS = ("awk", "dirname", "env", "getconf", "id", "printf", "sh", "touch")

ULIMIT = """
ulimit() {
    case "$*" in
    "-H -n") echo unlimited ;;
    "-n unlimited") return 1 ;;
    *) echo "ulimit $*" ;;
    esac
}
"""


@pytest.fixture
def path(tmp_path):
    """Return a PATH with only commands that macOS has."""
    for name in COMMANDS:
        (tmp_path / name).symlink_to(shutil.which(name))
    refuses_options = tmp_path / "df"
    refuses_options.write_text("#!/bin/sh\necho 'usage: df' >&2\nexit 64\n")
    refuses_options.chmod(0o755)
    return str(tmp_path)


def run(*words, path, **given):
    return subprocess.run(  # noqa: S603
        words,
        cwd=PROJECT,
        env={"PATH": path, "ENV_FILE": os.devnull, **given},
        capture_output=True,
        check=False,
        text=True,
    )


def test_the_server_starts_with_a_worker_for_each_processor(path):
    script = (PROJECT / "scripts" / "serve").read_text("utf-8")
    shown = script.replace("exec .venv/bin/granian", "echo granian")
    given = {
        "SECRET_KEY": 60 * "x",
        "ALLOWED_HOSTS": "localhost",
        "HTTPS": "off",
        "DATABASE_URL": f"sqlite:///{path}/candor.sqlite3",
    }
    command = (shutil.which("sh"), "-c", ULIMIT + shown, "scripts/serve")
    done = run(*command, path=path, **given)
    assert done.stderr == ""
    files, cores, server = done.stdout.splitlines()
    assert (files, cores) == ("ulimit -n 10240", "ulimit -c 0")
    online = os.sysconf("SC_NPROCESSORS_ONLN")
    assert f" --workers {online} " in server


@pytest.mark.parametrize("name", ["need", "serve", "with_postgresql"])
def test_bash_3_can_parse_the_script(name):
    """It misreads single quotes in a command substitution in double quotes."""
    script = (PROJECT / "scripts" / name).read_text("utf-8")
    assert re.findall(r""""\$\([^)]*'""", script) == []


def test_a_missing_program_is_named_on_systems_without_apt(path):
    done = run(PROJECT / "scripts" / "need", "chromium", "false", path=path)
    assert done.returncode == 1
    assert done.stdout == ""
    assert "chromium is missing." in done.stderr
    assert "On other systems" in done.stderr


@pytest.mark.parametrize("target", ["run", "check", "test"])
def test_an_old_make_gets_no_unknown_option(path, target):
    ready = [f"--old-file=.venv/installed{each}" for each in ("", "-dev")]
    make = [shutil.which("make"), "--dry-run", *ready, "--old-file=.env"]
    done = run(*make, ".FEATURES=", target, path=path)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "--output-sync" not in done.stdout
    if target != "run":
        assert "--output-sync" in run(*make, target, path=path).stdout
