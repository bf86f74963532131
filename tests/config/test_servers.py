"""The server as it is shipped logs no address of a visitor and no page."""

import os
import re
import resource
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

import pytest
from django.conf import settings

from tests.ports import find_free_port

pytestmark = pytest.mark.server

MARKER = "whoever-came-by"
MAX_START_SECONDS = 120  # seconds, on a busy machine


def running(port, folder, **changes):
    """Run the server on an empty database, so that asking for a survey fails."""
    return started(["scripts/serve"], folder, PORT=str(port), **changes)


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
            server.wait(MAX_START_SECONDS)


def ask(port, method, address):
    """Return the status of the answer, waiting for the server's start."""
    for _ in range(10 * MAX_START_SECONDS):
        connection = HTTPConnection("127.0.0.1", port, timeout=MAX_START_SECONDS)
        try:
            connection.request(method, address, body=MARKER)
            return connection.getresponse().status
        except ConnectionError:
            time.sleep(0.1)
        finally:
            connection.close()
    raise AssertionError("the server did not start")


def send_invalid_http(port):
    with socket.create_connection(("127.0.0.1", port), timeout=30) as visitor:
        visitor.sendall(f"{MARKER}\r\n\r\n".encode())
        visitor.recv(1000)


def test_the_server_log_contains_no_visitor_data(tmp_path):
    port = find_free_port()

    with running(port, tmp_path):
        assert ask(port, "GET", f"/s/{MARKER}/") >= 500
        assert ask(port, "GET", f"/s/{MARKER}/?{MARKER}") == 302
        assert ask(port, "POST", f"/s/{MARKER}/reports/") == 415
        send_invalid_http(port)

    log = (tmp_path / "log").read_text()
    assert "Error on a respondent's page" in log
    assert MARKER not in log
    assert "/s/" not in log
    # The server says where it listens, and nothing else names an address.
    assert re.findall(r"\d+\.\d+\.\d+\.\d+\S*", log) in ([], [f"127.0.0.1:{port}"])


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_core_dumps_are_disabled(tmp_path):
    """In mode server an answer is there for an instant; the guide's unit is not all."""
    if resource.getrlimit(resource.RLIMIT_CORE)[1] == 0:
        pytest.skip("whoever began the tests has forbidden it already")
    port = find_free_port()
    with running(port, tmp_path) as server:
        ask(port, "GET", "/health/")
        listed = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text()
        pids = [server.pid, *map(int, listed.split())]
        limits = [Path(f"/proc/{pid}/limits").read_text() for pid in pids]
    assert len(pids) > 1
    found = {
        re.search(r"core file size +(\w+) +(\w+)", each).groups() for each in limits
    }
    assert found == {("0", "0")}


HIDDEN = f"GET /{MARKER} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
IN_CHUNKS = b"Transfer-Encoding: chunked"
NO_CHUNK = b"0\r\n\r\n"
AMBIGUOUS_REQUESTS = {
    "a length, then chunks": (b"Content-Length: 5|" + IN_CHUNKS, NO_CHUNK),
    "chunks, then a length": (IN_CHUNKS + b"|Content-Length: 5", NO_CHUNK),
    "chunks that are none": (b"Transfer-Encoding: xchunked", NO_CHUNK),
    "chunks and a space": (b"Transfer-Encoding : chunked|Content-Length: 5", NO_CHUNK),
    "two lengths": (b"Content-Length: 0|Content-Length: 3", b"abc"),
    "a list of lengths": (b"Content-Length: 0, 3", b"abc"),
    "a length with a sign": (b"Content-Length: +3", b"abc"),
    "a line folded": (b"X: a|\tContent-Length: 3", b"abc"),
    "a line with half an end": (b"X: a\rContent-Length: 3", b"abc"),
    "a line with an end in it": (b"X: a\0b", b""),
}
"""Heads that a proxy and a server could read differently, and what follows them."""


def test_request_smuggling_is_rejected(tmp_path):
    """Each gets one answer, which refuses it, and what comes after it gets none."""
    port, answers = find_free_port(), {}
    with running(port, tmp_path, DOOR="respondents"):
        ask(port, "GET", "/health/")
        for name, (head, body) in AMBIGUOUS_REQUESTS.items():
            with socket.create_connection(("127.0.0.1", port), timeout=30) as visitor:
                visitor.sendall(
                    b"POST /s/any/reports/ HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                    b"Content-Type: text/plain\r\n"
                    + head.replace(b"|", b"\r\n") + b"\r\n\r\n" + body + HIDDEN
                )  # fmt: skip
                visitor.shutdown(socket.SHUT_WR)
                got = b"".join(iter(lambda: visitor.recv(65536), b""))
            answers[name] = re.findall(rb"HTTP/1\.1 (\d)\d\d", got)
    assert answers == {name: [b"4"] for name in AMBIGUOUS_REQUESTS}
