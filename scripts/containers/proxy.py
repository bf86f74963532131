"""Check that no file contains a visitor's address, behind Caddy and Candor."""

import http.client
import os
import re
import socket
import socketserver
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp
from threading import Thread

from scripts.check_deployment import PROJECT
from scripts.containers.container import Container
from scripts.containers.image import Image
from scripts.installation.machine import here, wait_for
from scripts.installation.visitor import Visitor, answer_the_survey

SITE = "localhost"
"""A host for which Caddy signs certificates itself, with the file as shipped."""

CADDYFILE = PROJECT / "deploy" / "Caddyfile"
NOBODY = 65534


@contextmanager
def caddy(folder: Path, text: str) -> Iterator[Path]:
    """Run Caddy with this configuration; yield the folder that it writes to."""
    home = Path(mkdtemp(dir=folder))
    (home / "Caddyfile").write_text(text)
    os.chown(home, NOBODY, NOBODY)
    with (home / "log").open("w") as log:
        process = subprocess.Popen(  # noqa: S603
            [  # noqa: S607
                "setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups",
                "caddy", "run", "--config", home / "Caddyfile",
                "--adapter", "caddyfile",
            ],
            env={
                "PATH": os.environ["PATH"], "HOME": str(home), "SITE": SITE,
                "XDG_DATA_HOME": str(home), "XDG_CONFIG_HOME": str(home),
            },
            stdin=subprocess.DEVNULL, stdout=log, stderr=log,
        )  # fmt: skip
    try:
        wait_for(lambda: is_ready(home) or None)
        yield home
    finally:
        process.terminate()
        process.wait(30)


def authority(home: Path) -> Path | None:
    return next(home.glob("caddy/pki/authorities/local/root.crt"), None)


def is_open(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
        return True
    return False


def is_ready(home: Path) -> bool:
    """Return whether Caddy has signed the certificate of the site."""
    with suppress(OSError), closing(visit(home, "127.0.0.1").connect()):
        return True
    return False


def visit(home: Path, address: str) -> Visitor:
    """Return a visitor who comes from this address, by HTTPS."""
    trusted = ssl.create_default_context(cafile=str(authority(home)))

    def connect() -> http.client.HTTPConnection:
        line = http.client.HTTPSConnection(SITE, context=trusted)
        plain = socket.create_connection(("127.0.0.1", 443), 20, (address, 0))
        line.sock = trusted.wrap_socket(plain, server_hostname=SITE)
        return line

    return Visitor(connect, host=SITE)


def check_address_traces(image: Image, folder: Path, address: str) -> None:
    Path("/proc/sys/net/ipv4/ip_unprivileged_port_start").write_text("0")
    hosts = folder / "hosts"
    hosts.write_text("127.0.0.1 localhost candor\n")
    here("mount", "--bind", hosts, "/etc/hosts")
    shipped = CADDYFILE.read_text("utf-8")
    server = Container(image, folder, {"ALLOWED_HOSTS": SITE, "BEHIND_PROXY": "on"})
    server.start("serve")
    wait_for(lambda: is_open(server.port) or None)
    digest = server.make_survey()
    with caddy(folder, shipped) as home:
        visitor = visit(home, address)
        answer_the_survey(visitor, digest)
        for path, expected in (("/", 200), ("/s/none/", 404), ("/admin/login/", 200)):
            visitor.ask(path, expected=expected)
        # For this host only: without subdomains and without the preload list.
        assert visitor.headers["Strict-Transport-Security"] == "max-age=31536000"
        visitor.ask("/s/study/reports/", "{", "application/json", expected=400)
        visitor.post("/admin/login/", {"login": "x", "password": "x"}, 200)
        send_bad_requests(address)
        texts = [
            each.read_bytes()
            for each in (process / "environ" for process in server.processes())
        ]
        server.stop()
        visitor.ask("/s/study/", expected=502)
    files = [each for place in (server.volume, home) for each in place.rglob("*")]
    texts += [each.read_bytes() for each in (server.log, *files) if each.is_file()]
    assert len(texts) > 10
    assert not any(names(address, each) for each in texts)
    # Control: with other messages in the log, the search finds the address.
    with caddy(folder, shipped.replace("include tls", "level INFO")) as home:
        visit(home, address).ask("/s/study/", expected=502)
    assert names(address, (home / "log").read_bytes())
    check_headers(folder, address, shipped)
    print("  Of a visitor from a marked address no file and no variable has a trace")


def names(address: str, text: bytes) -> bool:
    return address.encode() in text or socket.inet_aton(address) in text


def check_headers(folder: Path, address: str, shipped: str) -> None:
    """Check headers that Caddy forwards to a recording server."""
    came: list[str] = []

    class Recorder(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            while (line := self.rfile.readline().decode()) not in {"\r\n", ""}:
                came.append(line)
            self.wfile.write(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")

    class Server(socketserver.ThreadingTCPServer):
        allow_reuse_address = True

    with Server(("127.0.0.1", 8000), Recorder) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        for text, passed_on in (
            (shipped, 0),
            (re.sub(r"\theader_up -.*\n", "", shipped), 3),
        ):
            came.clear()
            with caddy(folder, text) as home:
                visitor = visit(home, address)
                for path in ("/", "/s/study/", "/r/study/"):
                    visitor.ask(path, expected=204)
            assert len([each for each in came if address in each]) == passed_on, came
            assert sum(each == "X-Forwarded-Proto: https\r\n" for each in came) == 3
        server.shutdown()


def send_bad_requests(address: str) -> None:
    """Send invalid TLS, a request to redirect and an incomplete request."""
    for port, sent in (
        (443, b"\x16\x03\x01nonsense\r\n\r\n"),
        (80, b"GET /s/study/ HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        (80, b"POST /s/study/ HTTP/1.1\r\nHost: localhost\r\nContent-Le"),
    ):
        line = socket.create_connection(("127.0.0.1", port), 20, (address, 0))
        with closing(line):
            line.sendall(sent)
            line.settimeout(1)
            with suppress(TimeoutError, ConnectionError):
                line.recv(4096)
