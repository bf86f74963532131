"""From every version that was released to this one and back, as the script does it.

tests/released/ has a database of each, with surveys in all states, as SQL: made by that
version's own program, in which it cannot be changed any more.
"""

import json
import os
import re
import shlex
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime

import pytest

from surveys.version import get_software_version
from tests.docs.documents import DOCS, PROJECT, text_of

pytestmark = pytest.mark.server

GUIDE = text_of(DOCS / "administrators" / "upgrading.md")
RELEASED = sorted((PROJECT / "tests" / "released").glob("*.sql"))
SCRIPT = text_of(PROJECT / "scripts" / "install-server")
MANAGE = re.compile(r"candor-manage ((?!migrate --check).+)")

TYPE = """
import json, sys
import django
from django.conf import settings
# No one has collected the static files of this server.
settings.STORAGES["staticfiles"]["BACKEND"] = (
    "django.contrib.staticfiles.storage.StaticFilesStorage"
)
django.setup()
from django.core.management import call_command
for words in json.loads(sys.argv[1]):
    call_command(*words)
"""
LOOK = """
from hashlib import sha256
from django.contrib.auth.models import User
from django.test import Client
from respondents.storage.invitations import Invitation
from respondents.models import Response, SealedPattern
from surveys.models import Survey

visitor, owner = Client(), Client()
owner.force_login(User.objects.get(username="researcher"))
surveys = {each.slug: each for each in Survey.objects.all()}

def ask(client, address):
    answer = client.get(address, secure=True)
    assert answer.status_code == 200, (address, answer.status_code)
    return b"".join(answer) if answer.streaming else answer.content

def stored(survey):
    # Whatever is sealed meanwhile.
    counts = SealedPattern.objects.counts(survey)
    return Response.objects.filter(survey=survey).count() + sum(counts.values())

found = {"counts": {}, "digests": {}}
for slug, survey in surveys.items():
    counts = SealedPattern.objects.counts(survey)
    found["counts"][slug] = {each.hex(): count for each, count in counts.items()}
for slug in "open", "invited":
    served = ask(visitor, f"/s/{slug}/design/")
    found["digests"][slug] = sha256(served).hexdigest()
    ask(visitor, f"/s/{slug}/")
ask(owner, f"/admin/surveys/survey/{surveys['closed'].pk}/results/")
few = ask(owner, f"/admin/surveys/survey/{surveys['open'].pk}/results/").decode()
found["five responses"] = "Results are shown from 10 responses on" in few
ask(owner, f"/admin/surveys/survey/{surveys['draft'].pk}/change/")
found["public"] = "What we found" in ask(visitor, "/r/EpcyiHrXRgjmGisXejyKuA/").decode()
before = stored(surveys["open"])
Response.objects.store(surveys["open"], f"{100:032x}", bytes([1, 0]))
found["sent again"] = stored(surveys["open"]) - before
Response.objects.store(surveys["open"], "f" * 32, bytes([1, 0]))
found["sent now"] = stored(surveys["open"]) - before
for name, token in (
    ("used link", "a2ga-5ayh-bacj-pjm0-89b7-q1c3-3p5j"),
    ("unused link", "1jdd-dscw-58ph-nk6g-52w2-rbtf-w7xv"),
):
    before = stored(surveys["invited"])
    Response.objects.store_all_invited(surveys["invited"], {token: bytes([0])})
    found[name] = stored(surveys["invited"]) - before
print(json.dumps(found))
"""


def commands_of(*functions):
    """Return what functions of the script give to manage.py, in their order."""
    bodies = [
        re.findall(rf"^{name}\(\) {{\n(.*?)^}}", SCRIPT, re.MULTILINE | re.DOTALL)[0]
        for name in functions
    ]
    return [shlex.split(each) for each in MANAGE.findall("".join(bodies))]


UPGRADING, GOING_BACK = ("upgrade", "continue_upgrade"), ("go_back",)


@pytest.fixture
def server(tmp_path):
    """A function that runs a program as the service of a server with its own file."""
    file = tmp_path / "candor.sqlite3"

    def run(program, *arguments):
        done = subprocess.run(  # noqa: S603
            [sys.executable, "-c", program, *arguments],
            cwd=PROJECT,
            env={
                "PATH": os.environ["PATH"],
                "DJANGO_SETTINGS_MODULE": "config.settings",
                "ENV_FILE": "/dev/null",
                "SECRET_KEY": "0123456789-only-for-tests-abcdefghijklmnopqrstuvwxyz",
                "ALLOWED_HOSTS": "testserver",
                "HTTPS": "on",
                "DATABASE_URL": f"sqlite:///{file}",
            },
            input="yes\n",
            check=False,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    run.file = file
    return run


KEPT = ("response", "receipt", "sealedpattern", "invitation")


def contents(file):
    """Return all that respondents sent; the tables of both versions hold the same."""
    with closing(sqlite3.connect(file)) as connection:
        return {
            name: sorted(connection.execute(f"SELECT * FROM respondents_{name}"))  # noqa: S608
            for name in KEPT
        }


@pytest.mark.parametrize("released", RELEASED, ids=lambda path: path.stem)
def test_data_survive_the_upgrade_and_the_way_back(server, released, tmp_path):
    with closing(sqlite3.connect(server.file)) as connection:
        connection.executescript(released.read_text("utf-8"))
    before = contents(server.file)

    def follow(functions, *more, then=""):
        copy = f"candor-{datetime.now(UTC):%Y-%m-%d}.sqlite3"
        here = {"$upgraded": str(tmp_path), "candor-*": copy}
        typed = json.dumps([*commands_of(*functions), *more])
        for written, meant in here.items():
            typed = typed.replace(written, meant)
        return server(TYPE + then, typed)

    assert [each[0] for each in commands_of(*UPGRADING)] == [
        "backup", "migrate", "check",
    ]  # fmt: skip
    assert "candor-manage migrate --check" in SCRIPT
    printed = follow(UPGRADING, ["migrate", "--check"], then=LOOK)
    found = json.loads(printed.splitlines()[-1])
    assert found["counts"] == {
        "open": {"0001": 3, "0102": 2},
        "draft": {},
        "invited": {},
        "closed": {"0101": 10, "0100": 10, "0000": 20, "0001": 20},
    }
    for slug, digest in found["digests"].items():
        assert f"'{digest}'" in text_of(released), slug
    assert found["public"]
    assert found["five responses"]
    assert (found["sent again"], found["sent now"]) == (0, 1)
    assert (found["used link"], found["unused link"]) == (0, 1)

    assert [each[0] for each in commands_of(*GOING_BACK)] == ["restore"]
    assert contents(server.file) != before
    follow(GOING_BACK)
    assert contents(server.file) == before


def test_every_released_version_has_a_test_database():
    versions = re.findall(r"^## (.+)$", text_of(PROJECT / "CHANGELOG.md"), re.M)
    assert versions[1:] == [each.stem for each in reversed(RELEASED)]


def test_this_version_has_a_changelog_entry_and_upgrade_notes():
    this, before = re.findall(r"^## (.+)$", text_of(PROJECT / "CHANGELOG.md"), re.M)[:2]
    assert get_software_version() == f"candor {this}"
    assert f"\n### {this}, from {before}\n" in GUIDE
