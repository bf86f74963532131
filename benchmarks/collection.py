"""Accepted submissions per second, compared with the upper limit of the server.

Candor runs as `scripts/serve` deploys it. The limit is `benchmarks/bare.py` on the same
granian with its fastest interface. wrk (visits.lua) drives both, interleaved, and the
result is the ratio. Latencies are those of single requests. On a shared machine,
the ratio of CPU time per visit is steadier.

    python -m benchmarks.collection
    FSYNC=on scripts/with_postgresql python -m benchmarks.collection
    python -m benchmarks.collection --links
    python -m benchmarks.collection --sealed
    python -m benchmarks.collection --sync-ms 4

A sealed survey may take 1.1 times the CPU time of an unsealed one. `--sync-ms` adds
that time to each sync of SQLite, for both.
"""

import argparse
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from types import MappingProxyType

from benchmarks.bare import create_database
from benchmarks.database import set_up
from candor.keys import PrivateKey

QUESTIONS = 5
START_TIMEOUT_SECONDS = 90
VISITS = Path(__file__).with_name("visits.lua")
SCRIPTS = Path(__file__).parents[1] / "scripts"

WORKERS = "2"

OURS = [str(SCRIPTS / "serve")]
"""The deployed command with all its options."""

LIMIT = [
    *(sys.executable, "-m", "granian", "--interface", "wsgi", "--no-ws"),
    *("--host", "127.0.0.1", "--port", "{port}", "--log-level", "warning"),
    *("--workers", WORKERS, "--blocking-threads", "{threads}"),
    *("--workers-kill-timeout", "5"),
    "benchmarks.bare:application",
]
"""By WSGI, the faster interface for an application that needs no request body first."""

NOTHING: Mapping[str, str] = MappingProxyType({})

TOKENS_PER_SECOND = 6000
"""Links per second of a run, more than it can use."""


@dataclass(frozen=True)
class Target:
    """A survey and the data that a respondent needs."""

    path: str
    digest: str
    page: bytes
    survey_id: int
    report_bytes: int


def prepare(slug: str, **fields: object) -> Target:
    """Return an open survey."""
    from django.contrib.auth.models import User
    from django.test import Client

    from surveys.design import get_design
    from surveys.models import Survey

    owner, _made = User.objects.get_or_create(username="benchmark", is_staff=True)
    survey = Survey.objects.create(
        title="Benchmark",
        slug=slug,
        organiser="No one",
        owner=owner,
        epsilon_reason="A benchmark asks no one.",
        **fields,
    )
    for number in range(1, QUESTIONS + 1):
        survey.add_question(f"Question {number}?")
    survey.open()
    path = survey.get_absolute_url()
    page = Client(headers={"host": "127.0.0.1", "accept-encoding": "gzip"}).get(path)
    width = get_design(survey).report_bytes
    return Target(path, survey.design_digest, page.content, survey.pk, width)


def find_free_port() -> int:
    """Return an unused port; granian would share one that is in use."""
    with socket.create_server(("127.0.0.1", 0)) as held:
        port: int = held.getsockname()[1]
    return port


@dataclass(frozen=True)
class Server:
    port: int
    process: int

    def cpu(self) -> float:
        """Return the seconds of CPU that its workers have used, as Linux counts."""
        children = Path(f"/proc/{self.process}/task/{self.process}/children")
        used = 0
        for child in children.read_text().split():
            # utime and stime, 12th and 13th after the name, in ticks (proc(5)).
            fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
            used += int(fields[11]) + int(fields[12])
        return used / os.sysconf("SC_CLK_TCK")


def slow_down_syncs(folder: Path, *, milliseconds: float) -> dict[str, str]:
    """Return environment variables that simulate a disk with slower syncs.

    Raises
    ------
    ValueError
        With PostgreSQL, whose server this benchmark does not start.
    """
    from django.conf import settings

    if not milliseconds:
        return {}
    if "sqlite" not in settings.DATABASES["default"]["ENGINE"]:
        raise ValueError("only syncs of SQLite can be slowed")
    library = folder / "slow_sync.so"
    source = Path(__file__).with_name("slow_sync.c")
    build = ["cc", "-O2", "-shared", "-fPIC", "-o", library, source]
    subprocess.run([SCRIPTS / "need", "gcc", *build], check=True)  # noqa: S603
    microseconds = str(round(milliseconds * 1000))
    return {"LD_PRELOAD": str(library), "SYNC_MICROSECONDS": microseconds}


@contextmanager
def served(
    command: list[str],
    *,
    threads: int,
    environment: Mapping[str, str] = NOTHING,
    workers: str = WORKERS,
) -> Iterator["Server"]:
    port = find_free_port()
    wanted = {"PORT": str(port), "WORKERS": workers, "THREADS": str(threads)}
    server = subprocess.Popen(  # noqa: S603
        [each.format(port=port, threads=threads) for each in command],
        env={**os.environ, **environment, **wanted},
    )
    try:
        deadline = time.monotonic() + START_TIMEOUT_SECONDS
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.01)
        yield Server(port, server.pid)
    finally:
        server.terminate()
        server.wait(timeout=30)


@dataclass(frozen=True)
class Run:
    """The results of wrk; a visit is two requests."""

    requests: int
    refused: int
    broken: int
    seconds: float
    p50: float
    p99: float
    cpu: float

    @property
    def rate(self) -> float:
        return self.requests / 2 / self.seconds

    @property
    def cpu_per_visit(self) -> float:
        return self.cpu / self.requests * 2


def drive(
    server: Server, target: Target, *, clients: int, seconds: int, tokens: str = ""
) -> Run:
    """Return one run.

    Raises
    ------
    RuntimeError
        If a request was refused or got no answer.
    """
    sent = str(target.report_bytes)
    arguments = [target.path, target.digest, sent, *filter(None, [tokens])]
    run = run_wrk(server, VISITS, arguments, clients=clients, seconds=seconds)
    if run.refused or run.broken:
        raise RuntimeError(f"{run.refused} refused, {run.broken} broken")
    return run


def run_wrk(
    server: Server,
    script: Path,
    arguments: Sequence[str],
    *,
    clients: int,
    seconds: int,
) -> Run:
    command = [
        *("wrk", "--threads", "1", "--connections", str(clients)),
        *("--duration", f"{seconds}s", "--timeout", "30s", "--script", str(script)),
        *(f"http://127.0.0.1:{server.port}", "--", *arguments),
    ]
    before = server.cpu()
    done = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603
    text = json.loads(done.stdout.splitlines()[-1])
    return Run(**text, cpu=server.cpu() - before)


def get_bare_database(folder: Path) -> str:
    """Return an SQLite file next to Candor's, or its PostgreSQL as a libpq string."""
    from django.conf import settings
    from psycopg.conninfo import make_conninfo

    ours = settings.DATABASES["default"]
    if "sqlite" in ours["ENGINE"]:
        return f"{folder}/bare.sqlite3"
    return make_conninfo(
        host=ours["HOST"] or None,
        port=ours["PORT"] or None,
        user=ours["USER"],
        password=ours["PASSWORD"] or None,
        dbname=ours["NAME"],
    )


def make_links(target: Target, count: int, folder: Path) -> str:
    """Return the name of a file with tokens of new links."""
    from respondents.storage.invitations import Invitation
    from surveys.models import Survey

    survey = Survey.objects.get(pk=target.survey_id)
    file = folder / "tokens"
    file.write_text("\n".join(Invitation.objects.make(survey, count)) + "\n")
    return str(file)


def count_stored(target: Target) -> int:
    from respondents.models import Response, SealedPattern
    from surveys.models import Survey

    survey = Survey.objects.get(pk=target.survey_id)
    tail = Response.objects.filter(survey=survey).count()
    return tail + SealedPattern.objects.respondents(survey)


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--clients", type=int, nargs="+", default=[4, 64, 256])
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1, help="of each worker")
    parser.add_argument("--sync-ms", type=float, default=0)
    parser.add_argument("--links", action="store_true", help="one-time links, too")
    parser.add_argument("--sealed", action="store_true", help="a sealed survey, too")
    return parser.parse_args()


def main() -> None:
    options = read_options()
    subprocess.run([SCRIPTS / "need", "wrk", "which", "wrk"], check=True)  # noqa: S603
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        set_up(folder)
        targets = {"open link": prepare("benchmark")}
        if options.links:
            targets["one-time links"] = prepare(
                "invited", access="invitation", least_links=10
            )
        if options.sealed:
            public = PrivateKey.make().publish(holder="Ethics Office", contact="")
            targets["sealed"] = prepare("sealed", holder_key=public.write().decode())
        (folder / "page").write_bytes(targets["open link"].page)
        os.environ["BARE_DATABASE"] = get_bare_database(folder)
        os.environ["BARE_PAGE"] = str(folder / "page")
        create_database()
        slow = slow_down_syncs(folder, milliseconds=options.sync_ms)
        with (
            served(OURS, threads=options.threads, environment=slow) as ours,
            served(LIMIT, threads=options.threads, environment=slow) as limit,
        ):
            for server in (ours, limit):  # fills the caches
                drive(server, targets["open link"], clients=4, seconds=4)
            for clients in options.clients:
                compare((ours, limit), targets, clients, options, folder)


def compare(
    servers: tuple[Server, Server],
    targets: dict[str, Target],
    clients: int,
    options: argparse.Namespace,
    folder: Path,
) -> None:
    """Print medians of several rounds with a run of each target and the limit."""
    ours, limit = servers
    runs: dict[str, list[Run]] = {name: [] for name in [*targets, "limit"]}
    before = {name: count_stored(target) for name, target in targets.items()}
    for _ in range(options.rounds):
        for name, target in targets.items():
            links = (
                options.seconds * TOKENS_PER_SECOND if name == "one-time links" else 0
            )
            tokens = make_links(target, links, folder) if links else ""
            runs[name].append(
                drive(
                    ours,
                    target,
                    clients=clients,
                    seconds=options.seconds,
                    tokens=tokens,
                )
            )
        open_target = targets["open link"]
        runs["limit"].append(
            drive(limit, open_target, clients=clients, seconds=options.seconds)
        )
    write = sys.stdout.write
    write(f"{clients} clients\n")
    for name, of_name in runs.items():
        pairs = list(zip(of_name, runs["limit"], strict=True))
        shares = sorted(run.rate / best.rate for run, best in pairs)
        cpu = [best.cpu_per_visit / run.cpu_per_visit for run, best in pairs]
        write(
            f"  {name:15} {median(run.rate for run in of_name):7.0f}/s   "
            f"share of the limit {median(shares):.2f} "
            f"({shares[0]:.2f} to {shares[-1]:.2f}), by CPU {median(cpu):.2f} "
            f"({1e6 * median(run.cpu_per_visit for run in of_name):.0f} us)   "
            f"p50 {median(run.p50 for run in of_name):6.2f} ms   "
            f"p99/p50 {median(run.p99 / run.p50 for run in of_name):.1f}\n"
        )
    for name, target in targets.items():
        stored = count_stored(target) - before[name]
        # Requests under way when wrk stops are stored but not counted as accepted.
        accepted = sum(run.requests for run in runs[name]) // 2
        write(f"  {name}: accepted {accepted}, stored {stored}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
