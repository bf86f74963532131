"""The servers as they are shipped write down nobody's address and no page."""

import os
import re
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from http.client import HTTPConnection

import pytest
from django.conf import settings

pytestmark = pytest.mark.server

MARKER = "whoever-came-by"
LONGEST_START = 30  # seconds, on a busy machine


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


COMMANDS = {
    "granian": lambda port: ["scripts/serve"],
    "gunicorn": lambda port: [
        sys.executable,
        "-m",
        "gunicorn",
        "--config=config/gunicorn_settings.py",
        f"--bind=127.0.0.1:{port}",
    ],
}


def running(name, port, folder, **changes):
    """Run a server on an empty database, so that asking for a survey fails."""
    return started(COMMANDS[name](port), folder, PORT=str(port), **changes)


@contextmanager
def started(command, folder, **changes):
    """Run a service as a deployment does, with its messages in the folder."""
    with (folder / "log").open("w") as log:
        server = subprocess.Popen(  # noqa: S603
            command,
            cwd=settings.BASE_DIR,
            env={
                "PATH": os.environ["PATH"],
                "WORKERS": "1",
                "ENV_FILE": os.devnull,
                "SECRET_KEY": settings.SECRET_KEY,
                "ALLOWED_HOSTS": "127.0.0.1",
                "HTTPS": "off",
                "DATABASE_URL": f"sqlite:///{folder}/empty.sqlite3",
                **changes,
            },
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            yield server
        finally:
            server.terminate()
            server.wait(LONGEST_START)


def ask(port, method, address):
    """Return the status of the answer, waiting for the server's start."""
    for _ in range(10 * LONGEST_START):
        connection = HTTPConnection("127.0.0.1", port, timeout=LONGEST_START)
        try:
            connection.request(method, address, body=MARKER)
            return connection.getresponse().status
        except ConnectionError:
            time.sleep(0.1)
        finally:
            connection.close()
    raise AssertionError("the server did not start")


def say_what_is_not_http(port):
    with socket.create_connection(("127.0.0.1", port), timeout=5) as visitor:
        visitor.sendall(f"{MARKER}\r\n\r\n".encode())
        visitor.recv(1000)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_log_names_no_visitor(name, tmp_path):
    port = free_port()

    with running(name, port, tmp_path):
        assert ask(port, "GET", f"/s/{MARKER}/?{MARKER}") >= 500
        assert ask(port, "POST", f"/s/{MARKER}/reports/") == 415
        say_what_is_not_http(port)

    log = (tmp_path / "log").read_text()
    assert "Error on a respondent's page" in log
    assert MARKER not in log
    assert "/s/" not in log
    # The server says where it listens, and nothing else names an address.
    assert re.findall(r"\d+\.\d+\.\d+\.\d+\S*", log) in (
        [],
        [f"127.0.0.1:{port}"],
    )
