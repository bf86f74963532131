"""Accepted submissions per second, compared with django-survey-and-report.

It is installed in a separate environment with the same Django and granian. wrk sends
requests for its page and its form, interleaved with those for Candor. SQLite is
measured with Candor's settings and with Django's defaults. Refused and lost submissions
do not count.

    python -m benchmarks.peer
    FSYNC=on scripts/with_postgresql python -m benchmarks.peer --threads 2
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import urllib.request
import venv
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import NamedTuple

from benchmarks.collection import (
    OURS,
    SCRIPTS,
    Run,
    Server,
    count_stored,
    drive,
    get_bare_database,
    prepare,
    run_wrk,
    served,
)
from benchmarks.database import set_up

HERE = Path(__file__).parent
WANTED = ("django-survey-and-report==1.5.0", "psycopg[binary]")
SHARED = ("django", "granian", "psycopg")
"""Packages that both use in the same version."""
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')
QUESTIONS = "5"


class Stored(NamedTuple):
    """Rate and cost of stored responses in one run."""

    rate: float
    cpu: float
    """CPU seconds of the workers for one response, its page included."""

    @classmethod
    def of(cls, count: int, run: Run) -> "Stored":
        return cls(count / run.seconds, run.cpu / count)


@dataclass(frozen=True)
class Peer:
    """A site of the peer, with the data that a browser takes from its page."""

    server: Server
    environment: dict[str, str]
    python: Path
    arguments: tuple[str, ...]

    def count(self) -> int:
        return int(run_site(self.python, self.environment, "count"))

    def drive(self, *, clients: int, seconds: int) -> Stored:
        before = self.count()
        run = run_wrk(
            self.server,
            HERE / "visits.lua",
            self.arguments,
            clients=clients,
            seconds=seconds,
        )
        return Stored.of(self.count() - before, run)


def install(folder: Path) -> Path:
    """Install the peer in a new environment; return its Python."""
    venv.create(folder, with_pip=True)
    same = [f"{name}=={version(name)}" for name in SHARED]
    python = folder / "bin" / "python"
    subprocess.run(  # noqa: S603
        [python, "-m", "pip", "install", "--quiet", *WANTED, *same], check=True
    )
    return python


def run_site(python: Path, environment: dict[str, str], *arguments: str) -> str:
    done = subprocess.run(  # noqa: S603
        [python, HERE / "survey_site.py", *arguments],
        check=True,
        capture_output=True,
        text=True,
        env=os.environ | environment,
    )
    return done.stdout


@contextmanager
def peer(python: Path, environment: dict[str, str], threads: int) -> Iterator[Peer]:
    path = run_site(python, environment)
    command = [
        *(str(python), "-m", "granian", "--interface", "wsgi", "--no-ws"),
        *("--host", "127.0.0.1", "--port", "{port}", "--log-level", "warning"),
        *("--workers", "2", "--blocking-threads", "{threads}", "--backlog", "8192"),
        *("--working-dir", str(HERE), "--workers-kill-timeout", "5"),
        "survey_site:application",
    ]
    with served(command, threads=threads, environment=environment) as server:
        address = f"http://127.0.0.1:{server.port}{path}"
        with urllib.request.urlopen(address) as answer:
            cookie = answer.headers["Set-Cookie"].partition(";")[0].partition("=")[2]
            found = TOKEN.search(answer.read().decode())
        assert found, f"no form at {address}"  # noqa: S101
        yield Peer(server, environment, python, (path, cookie, found[1], QUESTIONS))


def databases(folder: Path) -> dict[str, dict[str, str]]:
    """Return the settings of each database, by its description."""
    place = get_bare_database(folder)
    if "dbname=" in place:
        import psycopg
        from psycopg.conninfo import make_conninfo

        with psycopg.connect(place, autocommit=True) as opened:
            opened.execute("CREATE DATABASE peer")
        return {"PostgreSQL": {"PEER_DATABASE": make_conninfo(place, dbname="peer")}}
    return {
        "tuned SQLite": {"PEER_DATABASE": f"{folder}/tuned.sqlite3", "PEER_TUNED": "1"},
        "stock SQLite": {"PEER_DATABASE": f"{folder}/stock.sqlite3"},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--clients", type=int, nargs="+", default=[4, 64])
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1, help="of each worker")
    options = parser.parse_args()
    subprocess.run([SCRIPTS / "need", "wrk", "which", "wrk"], check=True)  # noqa: S603
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        set_up(folder)
        from django.core.management import call_command

        call_command("collectstatic", interactive=False, verbosity=0)
        target = prepare("benchmark")
        python = install(folder / "peer")
        server = stack.enter_context(served(OURS, threads=options.threads))
        peers = {
            text: stack.enter_context(peer(python, environment, options.threads))
            for text, environment in databases(folder).items()
        }
        write = sys.stdout.write
        for clients in options.clients:
            timing = {"clients": clients, "seconds": options.seconds}
            ours: list[Stored] = []
            of_peers: dict[str, list[Stored]] = {text: [] for text in peers}
            for _ in range(options.rounds):
                before = count_stored(target)
                run = drive(server, target, **timing)
                ours.append(Stored.of(count_stored(target) - before, run))
                for text, each in peers.items():
                    of_peers[text].append(each.drive(**timing))
            rate = median(each.rate for each in ours)
            write(f"{clients} clients: Candor {rate:.0f}/s\n")
            for text, theirs in of_peers.items():
                pairs = list(zip(ours, theirs, strict=True))
                ratios = sorted(mine.rate / other.rate for mine, other in pairs)
                cpu = median(other.cpu / mine.cpu for mine, other in pairs)
                write(
                    f"  django-survey-and-report, {text:12} "
                    f"{median(each.rate for each in theirs):6.0f}/s   "
                    f"Candor {median(ratios):.0f} times "
                    f"({ratios[0]:.0f} to {ratios[-1]:.0f}), by CPU {cpu:.0f}\n"
                )
            sys.stdout.flush()


if __name__ == "__main__":
    main()
