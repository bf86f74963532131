"""While the database is away, everyone is informed and no one waits for long."""

import json
import os
import subprocess
import sys

import pytest
from django.conf import settings

pytestmark = pytest.mark.server

LONG = 10
"""Seconds. The pool's own limit was 30, and a browser gives up at 30."""

SHORT = 2
"""Seconds. Who comes after the first waits for some 50 ms, on an idle machine."""


def test_an_outage_is_reported_at_once_and_cleared_when_it_ends():
    environment = {
        "PATH": os.environ["PATH"],
        "ENV_FILE": os.devnull,
        "SECRET_KEY": "0123456789abcdefghijklmnopqrstuvwxyz-ABCDEFGHIJKLMNOP",
        "ALLOWED_HOSTS": "localhost",
        "HTTPS": "off",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    done = subprocess.run(  # noqa: S603
        [
            settings.BASE_DIR / "scripts" / "with_postgresql",
            sys.executable,
            "-m",
            "tests.config.outage",
        ],
        env=environment,
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["before"][0] == 404
    status, seconds, retry_after = found["away"]
    assert (status, retry_after) == (503, "5")
    assert seconds < LONG
    status, seconds, retry_after = found["away for the next"]
    assert (status, retry_after) == (503, "5")
    assert seconds < SHORT
    assert found["health"] == {"database": "away"}
    assert found["page before"][0] == found["page meanwhile"][0] == 200
    assert found["page meanwhile"][1] < SHORT
    assert found["without a database"][0] == 200
    assert found["back"][0] == 404
    assert found["seconds until back"] < LONG
