"""Ten thousand submissions at once: each is stored once, and none is refused.

Runs against `scripts/serve` as deployed. Each client connects and sends all of its
submission except the last byte, which follows when all have done so, or after seven
seconds. Connections stay open until every client has an answer. Then all send the same
again, like browsers that received no answer. Fails unless each submission is confirmed
and has exactly one row.

    ulimit -n 20000
    python -m benchmarks.in_flight
    FSYNC=on scripts/with_postgresql python -m benchmarks.in_flight --threads 2
"""

import argparse
import asyncio
import json
import os
import resource
import secrets
import sys
import tempfile
import time
from asyncio import Event, StreamWriter
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from statistics import quantiles

from benchmarks.collection import (
    OURS,
    QUESTIONS,
    Server,
    Target,
    count_stored,
    prepare,
    served,
)
from benchmarks.database import set_up

MORE_FILES = 100
"""Files that this process has open in addition to its connections."""

SECONDS = 120
"""For one attempt of each client; then it counts as unanswered."""

HELD_SECONDS = 7
"""On a busy machine, where connecting takes longer, the first clients do not wait for
the last: the server allows ten seconds for a body."""

AT_ONCE = 1000
"""Connections being opened at the same time, limited by the host's backlog."""


class Crowd:
    """Clients that send their last byte after all have sent the rest."""

    def __init__(self, server: Server, target: Target, bodies: Sequence[bytes]) -> None:
        self.server, self.target, self.bodies = server, target, bodies

    async def send(self) -> Counter[str]:
        """Return the number of each answer."""
        self.opening, self.begun = asyncio.Semaphore(AT_ONCE), asyncio.Semaphore(0)
        self.goes, self.seconds = Event(), list[float]()
        self.open: list[StreamWriter] = []
        self.start = time.monotonic()
        clients = [asyncio.create_task(self.visit(body)) for body in self.bodies]
        for _ in clients:
            await self.begun.acquire()
        self.opened_in = time.monotonic() - self.start
        self.start = time.monotonic()
        self.goes.set()
        answers = Counter(await asyncio.gather(*clients))
        for writer in self.open:
            writer.close()
        return answers

    async def visit(self, body: bytes) -> str:
        """Return the status that a client received, or the name of its error."""
        is_begun = False
        try:
            async with asyncio.timeout(SECONDS):
                async with self.opening:
                    reader, writer = await asyncio.open_connection(
                        "127.0.0.1", self.server.port
                    )
                    writer.write(self.request(body)[:-1])
                    await writer.drain()
                is_begun = True
                self.begun.release()
                with suppress(TimeoutError):
                    async with asyncio.timeout(HELD_SECONDS):
                        await self.goes.wait()
                writer.write(body[-1:])
                head = await reader.readuntil(b"\r\n\r\n")
                self.seconds.append(time.monotonic() - self.start)
                self.open.append(writer)
                return head.split(b" ", 2)[1].decode()
        except (OSError, EOFError, TimeoutError) as error:
            return type(error).__name__
        finally:
            if not is_begun:
                self.begun.release()

    def request(self, body: bytes) -> bytes:
        head = (
            f"POST {self.target.path}reports/ HTTP/1.1\r\n"
            f"Host: 127.0.0.1:{self.server.port}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        return head.encode() + body


def make_submission(target: Target) -> bytes:
    """Return a make_submission as the page writes it."""
    fields = {
        "design": target.digest,
        "submission": secrets.token_hex(16),
        "reports": "".join(f"0{secrets.randbelow(2)}" for _ in range(QUESTIONS)),
    }
    return json.dumps(fields, separators=(",", ":")).encode()


def read_peak_megabytes(server: Server) -> list[int]:
    """Return the peak memory of each worker (VmHWM)."""
    children = Path(f"/proc/{server.process}/task/{server.process}/children")
    peaks = []
    for child in children.read_text().split():
        status = Path(f"/proc/{child}/status").read_text()
        peaks.append(int(status.partition("VmHWM:")[2].split()[0]) // 1000)
    return sorted(peaks)[-int(os.environ.get("WORKERS") or 2) :]


def attempt(server: Server, target: Target, bodies: Sequence[bytes]) -> bool:
    """Print the results of one attempt of all clients; return its success."""
    crowd, before = Crowd(server, target, bodies), server.cpu()
    answers = asyncio.run(crowd.send())
    cpu = (server.cpu() - before) / len(bodies)
    middle, late = (quantiles(crowd.seconds, n=100)[each] for each in (49, 98))
    stored = count_stored(target)
    sys.stdout.write(
        f"{len(bodies)} under way after {crowd.opened_in:.1f} s: {dict(answers)}, "
        f"stored {stored}; last answer after {max(crowd.seconds):.1f} s, "
        f"p50 {middle:.1f} s, p99 {late:.1f} s; {1e6 * cpu:.0f} us of CPU for each, "
        f"workers' memory up to {read_peak_megabytes(server)} MB\n"
    )
    sys.stdout.flush()
    return answers == {"200": len(bodies)} and stored == len(bodies)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--clients", type=int, default=10_000)
    parser.add_argument("--threads", type=int, default=1, help="of each worker")
    options = parser.parse_args()
    wanted = options.clients + MORE_FILES
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < wanted:
        sys.exit(f"{options.clients} connections need ulimit -n {wanted}; it is {hard}")
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    with tempfile.TemporaryDirectory() as name:
        set_up(Path(name))
        target = prepare("benchmark")
        bodies = [make_submission(target) for _ in range(options.clients)]
        with served(OURS, threads=options.threads) as server:
            are_recorded = [attempt(server, target, bodies) for _ in range(2)]
    sys.exit(not all(are_recorded))


if __name__ == "__main__":
    main()
