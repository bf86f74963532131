"""Response times of other visitors while 300 slow clients of each kind are connected.

Compares the server that scripts/serve starts with the same application under WSGI,
which occupies a thread as soon as it has read the head of a request. The results are
ratios to the median without slow clients; a page that takes ten seconds counts as lost.

    python -m benchmarks.slow_clients
"""

import os
import resource
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import quantiles

from benchmarks.collection import prepare
from benchmarks.database import set_up

CLIENTS_PER_KIND = 300
PAGES = 100
NONE_SECONDS = 10
START_SECONDS = 60

HEAD = b"HTTP/1.1\r\nHost: 127.0.0.1\r\n"


def list_requests(path: str) -> dict[str, bytes]:
    """Return what each kind of slow client sends before it stops."""
    page, reports = path.encode(), path.encode() + b"reports/"
    return {
        "half-open": b"",
        "slow head": b"GET " + page + b" HTTP/1.1\r\nHost: ",
        "slow body": b"POST " + reports + b" " + HEAD + b"Content-Length: 200\r\n"
        b"Content-Type: application/json\r\n\r\n{",
        "slow reader": (b"GET " + page + b" " + HEAD + b"\r\n") * 8,
    }


BY_WSGI = (
    *(sys.executable, "-m", "granian", "--interface", "wsgi", "--port", "8112"),
    *("--workers", "2", "--blocking-threads", "1", "--workers-kill-timeout", "5"),
    *("--http", "1", "--backlog", "8192", "--log-level", "warning", "--no-ws"),
    "config.wsgi:application",
)


@contextmanager
def served(*command: str, port: int) -> Iterator[None]:
    environment = os.environ | {"PORT": str(port), "WORKERS": "2"}
    server = subprocess.Popen(  # noqa: S603
        command, env=environment, stderr=subprocess.DEVNULL
    )
    try:
        deadline = time.monotonic() + START_SECONDS
        while load(port, "/how-it-works/") >= NONE_SECONDS:
            if time.monotonic() > deadline:
                raise TimeoutError(command[0])
            time.sleep(0.1)
        yield
    finally:
        server.terminate()
        server.wait(timeout=20)


def load(port: int, path: str) -> float:
    """Return the seconds that a page takes, or NONE_SECONDS without an answer."""
    begun = time.perf_counter()
    asked = b"GET " + path.encode() + b" " + HEAD + b"Connection: close\r\n\r\n"
    try:
        place = ("127.0.0.1", port)
        with socket.create_connection(place, timeout=NONE_SECONDS) as visitor:
            visitor.sendall(asked)
            answer = b"".join(iter(lambda: visitor.recv(65536), b""))
    except OSError:
        return NONE_SECONDS
    came = answer.startswith(b"HTTP/1.1 200 ")
    return time.perf_counter() - begun if came else NONE_SECONDS


def hold(port: int, sent: bytes) -> socket.socket:
    visitor = socket.socket()
    visitor.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    visitor.connect(("127.0.0.1", port))
    visitor.sendall(sent)
    return visitor


def measure(port: int, path: str, pages: int) -> None:
    everything = list_requests(path)
    each = {name: [name] for name in everything}
    cases = {"no one": [], **each, "all of them": list(everything)}
    usual = 0.0
    for name, held in cases.items():
        with ExitStack() as stack:
            for kind in held:
                for _ in range(CLIENTS_PER_KIND):
                    stack.enter_context(hold(port, everything[kind]))
            seconds = [load(port, path) for _ in range(pages)]
        middle, last = quantiles(seconds, n=100)[49], quantiles(seconds, n=100)[98]
        usual = usual or middle
        count = len(held) * CLIENTS_PER_KIND
        sys.stdout.write(
            f"  {name:12}{count:5} held   p50 {middle * 1000:8.1f} ms"
            f"   p99 {last * 1000:8.1f} ms   {last / usual:7.1f} x p50 of no one\n"
        )
        sys.stdout.flush()


def main() -> None:
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with tempfile.TemporaryDirectory() as folder:
        set_up(Path(folder))
        path = prepare("slow").path
        sys.stdout.write("read whole first (goal: p99 below 1000 ms)\n")
        with served("scripts/serve", port=8111):
            measure(8111, path, PAGES)
        # Only a few pages, because each takes ten seconds.
        sys.stdout.write("a thread for each request, by WSGI\n")
        with served(*BY_WSGI, port=8112):
            measure(8112, path, 2)


if __name__ == "__main__":
    main()
