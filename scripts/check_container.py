"""Build the container image and use it: `make check-container`.

Needs root, and a network for the build. buildah makes the image from a small Debian
(debootstrap, kept in var/). Its containers run in a network of their own, read-only, as
the image's user and without capabilities. The checks are the promises of
docs/administrators/container.md.
"""

import json
import os
import re
import secrets
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

from scripts.check_deployment import PROJECT
from scripts.check_installation import RESEARCHER
from scripts.containers.container import HOST, PUBLIC, Container
from scripts.containers.image import Image, build
from scripts.containers.proxy import check_address_traces
from scripts.installation.machine import here, wait_for
from scripts.installation.visitor import answer_the_survey
from tests.clusters import Cluster, run

MARKED = "203.0.113.77"
LARGEST, LARGEST_UNPACKED = 300e6, 500e6  # bytes: as it is fetched, and on the disk
SLOWEST_START = 5  # seconds, to the first page
STARTS = 3
MIN_RESPONSES = 3


def check_image(image: Image) -> None:
    """Check size and configuration, and that tools and secrets are absent."""
    fetched, unpacked = image.measure()
    print(f"  {fetched / 1e6:.0f} MB to fetch, {unpacked / 1e6:.0f} MB unpacked")
    assert fetched < LARGEST
    assert unpacked < LARGEST_UNPACKED
    assert image.config["User"] == "candor"
    assert image.config["Volumes"] == {"/data": {}}
    assert image.config["Healthcheck"]["Test"] == ["CMD", "candor", "health"]
    assert not [each for each in image.config["Env"] if "SECRET" in each]
    tools = ("cc", "gcc", "ld", "strip", "make", "git", "pip", "pip3", "curl", "wget")
    for folder in ("usr/bin", "usr/sbin", "usr/local/bin", "srv/candor/.venv/bin"):
        left = [each for each in tools if (image.root / folder / each).exists()]
        assert not left, left
    program = image.root / "srv/candor"
    for name in (".git", ".env", "tests", "benchmarks", "var/installation"):
        assert not (program / name).exists(), name
    for pattern in ("**/.*_history", "srv/candor/*.sqlite3*", "**/pip/__main__.py"):
        assert not any(image.root.glob(pattern)), pattern


def check_refusals(image: Image, folder: Path) -> None:
    """Check that each bad setting stops the start with a sentence that names it."""
    for environment, named in (
        ({}, "ALLOWED_HOSTS"),
        ({"ALLOWED_HOSTS": HOST}, "BEHIND_PROXY"),
        ({**PUBLIC, "HTTPS": "off"}, "HTTPS"),
        ({**PUBLIC, "PORT": "http"}, "PORT"),
        ({**PUBLIC, "DOOR": "front"}, "DOOR"),
        ({**PUBLIC, "SECRET_KEY": "short"}, "SECRET_KEY"),
        ({**PUBLIC, "DATABASE_URL": "mysql://a"}, "DATABASE_URL"),
        ({**PUBLIC, "DATABASE_URL": "postgres://a@127.0.0.1:9/a"}, "DATABASE_URL"),
    ):
        status, output = Container(image, folder, environment).finish("serve")
        assert status == 1, output
        *before, last = output.splitlines()
        assert re.fullmatch(rf"candor: .*\b{named}\b.*", last), output
        # For PostgreSQL, errors of the attempts precede it.
        assert not before or "postgres" in environment["DATABASE_URL"], output
    closed = Container(image, folder, PUBLIC)
    closed.volume.chmod(0o500)
    os.chown(closed.volume, 0, 0)
    status, output = closed.finish("serve")
    assert (status, output.count("\n")) == (1, 1), output
    assert "/data" in output
    print("  Each stops the start with one sentence")


def check_server(image: Image, folder: Path) -> None:
    """Start, answer, stop in the middle of a request, back up and restore."""
    server = Container(image, folder, PUBLIC)
    times = []
    for _start in range(STARTS):
        began = time.monotonic()
        server.start("serve")
        server.ask("/")
        times += [time.monotonic() - began, server.work()]
        print(
            "  First page after {:.1f} s, of which {:.1f} s are work".format(
                *times[-2:]
            )
        )
        server.stop()
    # The minimum, because other processes slow the starts down.
    assert min(times) < SLOWEST_START
    server.start("serve")
    server.ask("/")
    assert server.finish("health") == (0, "")
    assert server.users() == {image.user}
    key = server.volume / "secret_key"
    assert key.stat().st_mode & 0o777 == 0o600
    secret = key.read_text()
    digest = server.make_survey()
    answer_the_survey(server.guest(), digest, times=MIN_RESPONSES)
    backup = wait_for(
        lambda: next(server.volume.glob("backups/candor-*.sqlite3"), None)
    )
    assert backup.stat().st_mode & 0o777 == 0o600
    server.manage("backup", "/data/backups")  # the first may be older
    answer_the_survey(server.guest(), digest)
    assert server.count() == MIN_RESPONSES + 1
    assert server.left_in("tmp") == []
    stop_during_a_request(server, digest)
    server.manage("restore", f"/data/backups/{backup.name}", "--no-input")
    server.start("serve")
    server.ask("/")
    assert server.count() == MIN_RESPONSES
    assert key.read_text() == secret
    server.stop()
    print("  A backup was written by itself, and restored")
    check_upgrade(server)


def stop_during_a_request(server: Container, digest: str) -> None:
    report = {"design": digest, "submission": secrets.token_hex(16), "reports": "00"}
    body = json.dumps(report)
    with closing(socket.create_connection(("127.0.0.1", server.port))) as line:
        head = (
            f"POST /s/study/reports/ HTTP/1.1\r\nHost: {HOST}\r\n"
            "X-Forwarded-Proto: https\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        line.sendall(head.encode() + body[:9].encode())
        time.sleep(0.5)
        server.signal(signal.SIGTERM)
        time.sleep(0.5)
        line.sendall(body[9:].encode())
        line.settimeout(10)
        answered = line.recv(65536).decode()
    assert answered.startswith("HTTP/1.1 200"), answered
    assert server.wait() == 0
    print("  Stopped by SIGTERM: the request under way was answered, exit status 0")


def check_upgrade(server: Container) -> None:
    """Check an upgrade with its backup, and that a newer database is rejected."""
    last = "SELECT name FROM django_migrations WHERE app = 'surveys' ORDER BY id"
    file = server.volume / "candor.sqlite3"
    with closing(sqlite3.connect(file)) as database:
        *_, (before,), (newest,) = database.execute(last).fetchall()
    server.manage("migrate", "surveys", before)
    server.start("serve")
    server.ask("/")
    server.stop()
    with closing(sqlite3.connect(file)) as database, database:
        assert database.execute(last).fetchall()[-1] == (newest,)
        database.execute(
            "INSERT INTO django_migrations (app, name, applied) "
            "VALUES ('surveys', '9999_future', '2099-01-01')"
        )
    [backup] = server.volume.glob("before-upgrade/candor-*.sqlite3")
    status, output = server.finish("serve")
    assert status == 1
    assert "newer Candor" in output
    server.manage("restore", f"/data/before-upgrade/{backup.name}", "--no-input")
    server.start("serve")
    server.ask("/")
    server.stop()
    print("  An upgrade made a backup first, and going back to it works")


def check_pairs(image: Image, folder: Path) -> None:
    """Start two containers together: on one volume, and on one PostgreSQL."""
    first = Container(image, folder, PUBLIC)
    second = Container(image, folder, PUBLIC, port=first.port + 1)
    second.volume = first.volume
    start_both(first, second)
    print("  Two on one volume")
    with postgresql(folder) as database:
        environment = {**PUBLIC, "DATABASE_URL": database.format("candor")}
        first = Container(image, folder, environment)
        second = Container(image, folder, environment, port=first.port + 1)
        start_both(first, second)
        print("  Two on one PostgreSQL")
        first.environment["RESPONDENTS_ROLE"] = "candor-door"
        second.environment |= {
            "DATABASE_URL": database.format("candor-door"),
            "DOOR": "respondents",
        }
        first.start("serve")
        first.ask("/")
        digest = first.make_survey()
        second.start("serve")
        second.ask("/health/")
        answer_the_survey(second.guest(), digest, times=MIN_RESPONSES)
        second.guest().ask("/admin/login/", expected=404)
        assert first.count() == MIN_RESPONSES
        for each in (first, second):
            each.stop()
        print("  A site for respondents alone, with a role of its own")


def start_both(*pair: Container) -> None:
    for each in pair:
        each.start("serve")
    for each in pair:
        each.ask("/health/")
        wait_for(lambda each=each: any(each.volume.glob("backups/candor-*")) or None)
    for each in pair:
        each.stop()
        # Only granian wrote lines, so nothing failed.
        lines = filter(None, each.read_log().splitlines())
        assert all(line.startswith("[") for line in lines), each.read_log()


@contextmanager
def postgresql(folder: Path) -> Iterator[str]:
    """Yield the address of a server with the roles of compose.postgresql.yml."""
    place = Path(mkdtemp(dir=folder))
    place.chmod(0o755)
    shutil.chown(place, "postgres")
    cluster = Cluster(place, 5432)
    run("initdb", "--auth=trust", "--username=postgres", f"--pgdata={cluster.place}")
    cluster.start(wal_recycle="off", archive_timeout="1min")
    try:
        here(
            "env", "CANDOR_PASSWORD=a", "DOOR_PASSWORD=b", "psql", "--quiet",
            "--no-psqlrc", "--set=ON_ERROR_STOP=1", f"--host={place}",
            "--username=postgres", f"--file={PROJECT}/deploy/roles.sql",
        )  # fmt: skip
        yield f"postgres://{{}}@/{place}/candor"
    finally:
        cluster.kill()


def check_demo(image: Image, folder: Path) -> None:
    demo = Container(image, folder, {})
    began = time.monotonic()
    demo.start("demo")
    page = demo.ask("/")
    print(f"  First page after {time.monotonic() - began:.1f} s")
    assert "Candor" in page
    password = re.search(r"Password +(\S+)", demo.read_log())
    address = r"Results to look at +http://127.0.0.1:8000(\S+)"
    results = re.search(address, demo.read_log())
    assert password
    assert results
    researcher = demo.guest()
    researcher.post(
        "/admin/login/", {"login": RESEARCHER, "password": password[1]}, 302
    )
    assert "<svg" in researcher.ask(results[1])
    for kind in ("png", "pdf"):
        researcher.ask(f"{results[1]}1/chart.{kind}")
    demo.stop()
    typed = ("estimate", "--family", "coin", "--reports", "yes=40", "no=60")
    mine = here(sys.executable, "-m", "candor", *typed)
    status, output = demo.finish(*typed)
    assert (status, output.strip()) == (0, mine)


def main() -> None:
    if len(sys.argv) == 1:
        build()
        # A separate network and mounts, which end with the check.
        apart = ["unshare", "--net", "--mount", sys.executable, "-m", __spec__.name]
        sys.exit(subprocess.run([*apart, "run"], check=False).returncode)  # noqa: S603
    here("ip", "link", "set", "lo", "up")
    here("ip", "address", "add", f"{MARKED}/32", "dev", "lo")
    image = Image()
    with TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        for title, check in (
            ("The image", lambda: check_image(image)),
            ("Bad settings", lambda: check_refusals(image, folder)),
            ("A server", lambda: check_server(image, folder)),
            ("Two servers", lambda: check_pairs(image, folder)),
            ("The demonstration", lambda: check_demo(image, folder)),
            ("Addresses", lambda: check_address_traces(image, folder, MARKED)),
        ):  # fmt: skip
            print(title, flush=True)
            check()
    print("All of it works as written.")


if __name__ == "__main__":
    main()
