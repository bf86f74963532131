"""Start-up time, memory and recovery of a worker of each site.

`scripts/serve` starts one worker, so that no other one answers. It is killed with
SIGKILL while four clients send requests without a pause. They use part of the cores,
so the CPU time shows how much of the elapsed time was work.

    python -m benchmarks.starts
    scripts/with_postgresql .venv/bin/python -m benchmarks.starts

Memory has two figures. RSS counts shared pages in every process. PSS counts each page
once, and is what one more worker takes.

The researchers' site is also measured on its first page that needs the planner.
"""

import argparse
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from statistics import median
from urllib.parse import urlencode

from benchmarks.collection import OURS, Server, Target, prepare, served
from benchmarks.database import set_up

DOORS = ("respondents", "both")
CLIENTS = 4
GOAL_SECONDS, GOAL_MEGABYTES = 1.0, 60
"""Seconds until the first answer, and memory of the respondents' site (PSS)."""

LONGEST = 60  # seconds
MANY_PAGES = 300

PLANNED, GOAL_OF_A_PLAN = 20, 0.15
"""Questions, and seconds until the first answer about them."""

PAUSE = 3
"""Seconds between start and first plan: no one writes a survey sooner."""


@dataclass(frozen=True)
class Start:
    """Time from the command, or from the kill, to the first answer."""

    seconds: float
    cpu: float


@dataclass(frozen=True)
class Life:
    """One server: its start, its worker's megabytes after some pages, a kill."""

    start: Start
    rss: float
    pss: float
    after_kill: Start
    plan: Start | None


def is_answered(server: Server, target: Target) -> bool:
    line = HTTPConnection("127.0.0.1", server.port, timeout=LONGEST)
    try:
        line.request("GET", target.path)
        return line.getresponse().status == HTTPStatus.OK
    except (OSError, HTTPException):
        return False
    finally:
        line.close()


def wait_for_answer(server: Server, target: Target, begun: float) -> Start:
    while not is_answered(server, target):
        if time.monotonic() > begun + LONGEST:
            raise TimeoutError
        time.sleep(0.005)
    return Start(time.monotonic() - begun, server.cpu())


def find_worker(server: Server) -> int:
    children = Path(f"/proc/{server.process}/task/{server.process}/children")
    return int(children.read_text().split()[-1])


def read_megabytes(process: int) -> tuple[float, float]:
    """Return Rss and Pss (proc(5))."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()[1:]
    values = {name: value for name, value, *_unit in map(str.split, lines)}
    return int(values["Rss:"]) / 1024, int(values["Pss:"]) / 1024


def measure_first_plan(server: Server, session: str) -> Start:
    """Measure the figures of a plan in a worker that has computed none."""
    question = f"family=coin&{urlencode({'number': range(1, PLANNED + 1)}, doseq=True)}"
    time.sleep(PAUSE)
    line, cpu, begun = (
        HTTPConnection("127.0.0.1", server.port, timeout=LONGEST),
        server.cpu(),
        time.monotonic(),
    )
    line.request(
        "GET",
        f"/admin/surveys/plan/?{urlencode({'question': question, 'target': 1000})}",
        headers={"Cookie": f"sessionid={session}"},
    )
    answer = line.getresponse()
    answer.read()
    if answer.status != HTTPStatus.OK:
        raise RuntimeError(f"{answer.status}")
    return Start(time.monotonic() - begun, server.cpu() - cpu)


@contextmanager
def busy_clients(server: Server, target: Target) -> Iterator[None]:
    is_over = threading.Event()

    def send_requests() -> None:
        while not is_over.is_set():
            if not is_answered(server, target):
                time.sleep(0.05)

    clients = [threading.Thread(target=send_requests) for _ in range(CLIENTS)]
    for client in clients:
        client.start()
    try:
        yield
    finally:
        is_over.set()
        for client in clients:
            client.join()


def run_server(door: str, target: Target, session: str) -> Life:
    wanted = {"DOOR": door, "DEBUG": "on", "PYTHONDONTWRITEBYTECODE": ""}
    begun = time.monotonic()
    with served(OURS, threads=1, workers="1", environment=wanted) as server:
        start = wait_for_answer(server, target, begun)
        plan = measure_first_plan(server, session) if door == "both" else None
        for _ in range(MANY_PAGES):
            is_answered(server, target)
        rss, pss = read_megabytes(find_worker(server))
        # granian does not replace a worker that dies within seconds of its start.
        with busy_clients(server, target):
            time.sleep(1)
            os.kill(find_worker(server), signal.SIGKILL)
            killed = time.monotonic()
            after_kill = wait_for_answer(server, target, killed)
    return Life(start, rss, pss, after_kill, plan)


def log_in_researcher() -> str:
    from django.contrib.auth.models import User
    from django.test import Client

    visitor = Client()
    visitor.force_login(User.objects.get(username="benchmark"))
    return visitor.cookies["sessionid"].value


def spread(values: list[float], form: str) -> str:
    low, high = min(values), max(values)
    return f"{median(values):{form}} ({low:{form}} to {high:{form}})"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        set_up(Path(folder))
        target, session = prepare("starts"), log_in_researcher()
        lives: dict[str, list[Life]] = {door: [] for door in DOORS}
        for _ in range(rounds):
            for door, measured in lives.items():
                measured.append(run_server(door, target, session))
    load = os.getloadavg()[0]
    sys.stdout.write(
        f"goals: {GOAL_SECONDS:.0f} s, {GOAL_MEGABYTES} MB (Pss, respondents' door), "
        f"a plan {GOAL_OF_A_PLAN} s; "
        f"load {load:.0f} on {os.cpu_count()} cores\n"
    )
    for door, measured in lives.items():
        sys.stdout.write(f"{door}\n")
        for name, starts in (
            ("start", [each.start for each in measured]),
            ("after a kill", [each.after_kill for each in measured]),
            ("a first plan", [each.plan for each in measured if each.plan]),
        ):
            if not starts:
                continue
            seconds = spread([each.seconds for each in starts], ".2f")
            cpu = spread([each.cpu for each in starts], ".2f")
            sys.stdout.write(f"  {name:13} {seconds} s, of it CPU {cpu}\n")
        rss = spread([each.rss for each in measured], ".0f")
        pss = spread([each.pss for each in measured], ".0f")
        sys.stdout.write(f"  memory        {pss} MB, with shared pages {rss} MB\n")


if __name__ == "__main__":
    main()
