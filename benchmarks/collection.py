"""Accepted submissions per second, beside what the same server could do at best.

The limit is `benchmarks/bare.py` behind the same granian with the same settings. Both
are driven by the same clients, in turns, on this machine; what counts is the ratio.

    python -m benchmarks.collection
"""

import argparse
import os
import secrets
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.bare import create_database
from benchmarks.database import set_up

QUESTIONS = 5
CLIENTS = 4
START_TIMEOUT_SECONDS = 20


def prepare(folder: Path) -> tuple[str, str, bytes]:
    """Create an open survey; return its path, its digest and its page."""
    set_up(folder)
    from django.contrib.auth.models import User
    from django.core.management import call_command
    from django.test import Client

    from surveys.models import Survey

    call_command("collectstatic", interactive=False, verbosity=0)
    owner = User.objects.create_user("benchmark", is_staff=True)
    survey = Survey.objects.create(
        title="Benchmark", slug="benchmark", organiser="Nobody", owner=owner
    )
    for number in range(1, QUESTIONS + 1):
        survey.add_question(f"Question {number}?")
    survey.open()
    path = survey.get_absolute_url()
    page = Client(headers={"host": "127.0.0.1"}).get(path).content
    return path, survey.design_digest, page


@contextmanager
def served(target: str, port: int) -> Iterator[None]:
    command = [
        *(sys.executable, "-m", "granian", "--interface", "wsgi"),
        *("--host", "127.0.0.1", "--port", str(port)),
        *("--workers", "2", "--blocking-threads", "1", "--log-level", "warning"),
        target,
    ]
    server = subprocess.Popen(command)  # noqa: S603
    try:
        deadline = time.monotonic() + START_TIMEOUT_SECONDS
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)
        yield
    finally:
        server.terminate()
        server.wait(timeout=20)


class Respondent(threading.Thread):
    """Loads the page and sends a submission, again and again, on one connection."""

    def __init__(self, port: int, path: str, digest: str, visits: int) -> None:
        super().__init__()
        self.path, self.digest, self.visits = path, digest, visits
        self.connection = socket.create_connection(("127.0.0.1", port))
        self.reader = self.connection.makefile("rb")
        self.seconds: list[float] = []
        self.error: OSError | RuntimeError | None = None

    def run(self) -> None:
        try:
            self.visit()
        except (OSError, RuntimeError) as error:
            self.error = error
        finally:
            self.connection.close()

    def visit(self) -> None:
        for _ in range(self.visits):
            start = time.perf_counter()
            self.ask(f"GET {self.path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
            body = (
                f'{{"design":"{self.digest}","submission":"{secrets.token_hex(16)}",'
                f'"reports":"{"00" * QUESTIONS}"}}'
            )
            self.ask(
                f"POST {self.path}reports/ HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(body)}"
                f"\r\n\r\n{body}".encode()
            )
            self.seconds.append(time.perf_counter() - start)

    def ask(self, request: bytes) -> None:
        self.connection.sendall(request)
        status = self.reader.readline()
        if b" 200 " not in status:
            raise RuntimeError(f"refused: {status!r}")
        length = 0
        while (line := self.reader.readline()) != b"\r\n":
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        self.reader.read(length)


def rate(port: int, path: str, digest: str, visits: int) -> tuple[float, list[float]]:
    """Return accepted submissions per second, and the seconds of each visit.

    Raises
    ------
    OSError, RuntimeError
        What stopped the first respondent that got no answer, or another one than 200.
    """
    people = [Respondent(port, path, digest, visits) for _ in range(CLIENTS)]
    start = time.perf_counter()
    for person in people:
        person.start()
    for person in people:
        person.join()
    duration = time.perf_counter() - start
    for person in people:
        if person.error is not None:
            raise person.error
    seconds = [second for person in people for second in person.seconds]
    return len(seconds) / duration, seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--visits", type=int, default=150, help="per client and round")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path, digest, page = prepare(folder)
        (folder / "page.html").write_bytes(page)
        os.environ["BARE_PAGE"] = str(folder / "page.html")
        os.environ["BARE_DATABASE"] = str(folder / "bare.sqlite3")
        create_database(folder / "bare.sqlite3")
        with (
            served("config.wsgi:application", 8101),
            served("benchmarks.bare:application", 8102),
        ):
            ratios, rates, visits = [], [], []
            for port in (8101, 8102):
                rate(port, path, digest, 20)  # warm
            for _ in range(options.rounds):
                ours, seconds = rate(8101, path, digest, options.visits)
                limit, _ignored = rate(8102, path, digest, options.visits)
                ratios.append(ours / limit)
                rates.append((ours, limit))
                visits += seconds
        from respondents.models import Response

        stored = Response.objects.count()
        sent = CLIENTS * (20 + options.rounds * options.visits)
        percentiles = statistics.quantiles(visits, n=100)
        print_table(ratios, rates, percentiles, stored, sent)


def print_table(
    ratios: list[float],
    rates: list[tuple[float, float]],
    percentiles: list[float],
    stored: int,
    sent: int,
) -> None:
    write = sys.stdout.write
    ours, limit = (statistics.median(column) for column in zip(*rates, strict=True))
    write(f"submissions/s, page and POST: {ours:8.0f}   limit {limit:8.0f}\n")
    write(f"share of the limit (goal >= 0.5): {statistics.median(ratios):.2f}\n")
    write(
        "p99 / p50 with four respondents at once (goal <= 3): "
        f"{percentiles[98] / percentiles[49]:.1f}\n"
    )
    write(f"accepted {sent}, stored {stored}\n")


if __name__ == "__main__":
    main()
