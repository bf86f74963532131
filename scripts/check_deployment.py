"""Validate deploy/debian with systemd, nginx and Caddy: `make check-deployment`.

Both proxies then forward a request with a marked address to a server that echoes it:
the address may reach the login page, but no other page and no file.
"""

import json
import re
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http import HTTPStatus
from http.client import HTTPConnection, HTTPSConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

PROJECT = Path(__file__).parents[1]
FILES = PROJECT / "deploy" / "debian"

HOST = "survey.example.org"

MARKED = "127.77.77.77"
"""The address of a visitor, which the checks search for."""

CHALLENGES = "/.well-known/acme-challenge/"

SECONDS = 20
"""Seconds for a proxy to start."""

MAX_EXPOSED = 30
"""On the scale to 100 of `systemd-analyze security --threshold`."""


def read(name: str) -> str:
    return (FILES / name).read_text("utf-8")


def units() -> dict[str, list[str]]:
    """Return the texts of each unit and its drop-ins, by unit name."""
    unit = read("candor.service")
    door, sealing, postgresql = (
        read(f"two-services/{name}.conf")
        for name in ("candor-respondents", "candor-sealing", "postgresql")
    )
    return {
        "candor": [unit],
        "candor-respondents": [unit, door],
        "candor-respondents-on-postgresql": [unit, door, postgresql],
        "candor-sealing": [unit, sealing],
    }


def enable_two_services(configuration: str) -> str:
    """Return a proxy's configuration with the lines that two services need."""
    before, heading, lines = configuration.partition("Two services")
    return (
        before
        + heading
        + re.sub(r"^( *|\t)#(?=[^ \n])", r"\1", lines, flags=re.MULTILINE)
    )


def run(*command: object) -> str:
    done = subprocess.run(  # noqa: S603
        [str(each) for each in command], capture_output=True, text=True, check=False
    )
    output = done.stdout + done.stderr
    assert done.returncode == 0, output
    return output.rstrip()


def check_units(folder: Path) -> None:
    # The programs of the units are linked in this folder, because they are checked too.
    for program in ("scripts/serve", ".venv/bin/python"):
        place = folder / "srv" / "candor" / program
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(PROJECT / program)
    for name, (text, *drop_ins) in units().items():
        unit = folder / f"{name}.service"
        (folder / f"{unit.name}.d").mkdir()
        for number, each in enumerate([text, *drop_ins]):
            place = folder / f"{unit.name}.d" / f"{number}.conf" if number else unit
            place.write_text(each.replace("/srv/candor/", f"{folder}/srv/candor/"))
        output = run("systemd-analyze", "verify", "--man=no", unit)
        assert unit.name not in output, output
        output = run(
            "systemd-analyze", "security", "--offline=yes",
            f"--threshold={MAX_EXPOSED}", unit,
        )  # fmt: skip
        print(output.splitlines()[-1])


def free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        held = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in held:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in held]


def nginx_command(folder: Path, ports: dict[int, int]) -> list[object]:
    """Write nginx's configuration for these ports; return the command that uses it."""
    text = enable_two_services(read("nginx.conf"))
    text = re.sub(r"/etc/letsencrypt/live/[^/]+|/var/log/nginx", str(folder), text)
    text = text.replace("/var/www/html", f"{folder}/html")
    for usual, port in ports.items():
        text = re.sub(rf"listen {usual}\b", f"listen 127.0.0.1:{port}", text)
        text = re.sub(rf"127.0.0.1:{usual}\b", f"127.0.0.1:{port}", text)
    for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"):
        text += f"{kind}_temp_path {folder}/{kind};\n"
    whole = folder / "nginx.conf"
    whole.write_text(f"pid {folder}/pid;\nevents {{}}\nhttp {{\n{text}}}\n")
    run(
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
        "ec_paramgen_curve:P-256", "-nodes", "-days", 1,
        "-subj", f"/CN={HOST}", "-keyout", folder / "privkey.pem",
        "-out", folder / "fullchain.pem",
    )  # fmt: skip
    command = ["nginx", "-e", folder / "log", "-p", folder, "-c", whole]
    print(run(*command, "-t"))
    return [*command, "-g", "daemon off;"]


def caddy_command(folder: Path, ports: dict[int, int]) -> list[object]:
    """Write Caddy's configuration for these ports; return the command that uses it."""
    text = enable_two_services(read("Caddyfile"))
    assert run("caddy", "fmt", FILES / "Caddyfile") == read("Caddyfile").rstrip()
    for usual in (8000, 8001):
        text = text.replace(f"127.0.0.1:{usual}", f"127.0.0.1:{ports[usual]}")
    # A local certificate instead of one from Let's Encrypt.
    own = f"local_certs\n\tskip_install_trust\n\thttp_port {ports[80]}\n\t"
    own += f"https_port {ports[443]}\n\tstorage file_system {folder}/caddy"
    text = re.sub("email .*", own, text)
    whole = folder / "Caddyfile"
    whole.write_text(text)
    given = ["--config", whole, "--adapter", "caddyfile"]
    print(run("caddy", "validate", *given).splitlines()[0])
    return ["caddy", "run", *given]


class Repeat(BaseHTTPRequestHandler):
    """Answers with the headers of the request and the number of the port."""

    def do_GET(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        body = json.dumps(headers | {"port": self.server.server_address[1]}).encode()
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_args: object) -> None:
        pass


def wait_for(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SECONDS
    while not is_so():
        assert time.monotonic() < deadline, f"nothing happened in {SECONDS} seconds"
        time.sleep(0.1)


@contextmanager
def running(command: list[object], port: int, log: Path) -> Iterator[None]:
    def serves() -> bool:
        try:
            return ask(port, "/s/", tls=True)[0] > 0
        except OSError:
            return False

    with log.open("wb") as file:
        arguments = [str(each) for each in command]
        process = subprocess.Popen(arguments, stdout=file, stderr=file)  # noqa: S603
    try:
        wait_for(serves)
        yield
    finally:
        process.terminate()
        process.wait()


def ask(port: int, path: str, *, tls: bool) -> tuple[int, str]:
    """Return the status of a page, and its text or the target of its redirect."""
    line = socket.create_connection(("127.0.0.1", port), SECONDS, (MARKED, 0))
    connection: HTTPConnection = HTTPConnection(HOST)
    if tls:
        trusting = ssl._create_unverified_context()  # noqa: S323
        connection = HTTPSConnection(HOST, context=trusting)
        line = trusting.wrap_socket(line, server_hostname=HOST)
    connection.sock = line
    forged = {"X-Real-IP": "192.0.2.1", "X-Forwarded-For": "192.0.2.1"}
    connection.request("GET", path, headers=forged)
    reply = connection.getresponse()
    text = reply.getheader("Location") or reply.read().decode()
    connection.close()
    return reply.status, text


def check_proxy(
    folder: Path, command: Callable[[Path, dict[int, int]], list[object]]
) -> None:
    folder.mkdir(mode=0o755)
    with ExitStack() as stack:
        servers = [
            stack.enter_context(ThreadingHTTPServer(("127.0.0.1", 0), Repeat))
            for _door in range(2)
        ]
        behind = [each.server_address[1] for each in servers]
        for each in servers:
            Thread(target=each.serve_forever, daemon=True).start()
        http, https = free_ports(2)
        ports = {80: http, 443: https, 8000: behind[0], 8001: behind[1]}
        challenge = folder / "html" / CHALLENGES.strip("/") / "token"
        challenge.parent.mkdir(parents=True)
        challenge.write_text("proof")
        with running(command(folder, ports), https, folder / "output"):
            for path, address, port in (
                ("/s/study/", None, behind[1]),
                ("/admin/login/", MARKED, behind[0]),
                ("/admin/", None, behind[0]),
            ):
                got = json.loads(ask(https, path, tls=True)[1])
                assert got.get("x-real-ip") == address, got
                assert "x-forwarded-for" not in got
                assert got["x-forwarded-proto"] == "https"
                assert (got["host"], got["port"]) == (HOST, port)
            status, place = ask(http, "/s/study/?x=1", tls=False)
            assert status in {301, 308}
            assert place == f"https://{HOST}/s/study/?x=1"
            if command is nginx_command:
                proof = ask(http, f"{CHALLENGES}token", tls=False)
                assert proof == (HTTPStatus.OK, "proof")
            for each in servers:
                each.shutdown()
                each.server_close()
            assert ask(https, "/s/study/", tls=True)[0] == HTTPStatus.BAD_GATEWAY
    files = [each for each in folder.rglob("*") if each.is_file()]
    found = [each for each in files if MARKED.encode() in each.read_bytes()]
    assert found == [], found
    print(f"{command.__name__.partition('_')[0]} passes addresses to the login alone")


if __name__ == "__main__":
    with TemporaryDirectory() as name:
        Path(name).chmod(0o755)  # nginx's workers are another user's
        check_units(Path(name))
        check_proxy(Path(name) / "nginx", nginx_command)
        check_proxy(Path(name) / "caddy", caddy_command)
