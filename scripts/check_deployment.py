"""Lets systemd, nginx and certbot read the deployment guide: `make check-deployment`.

It also renews a certificate as far as one machine can: nginx serves a challenge from
the documented configuration, and the documented hook makes it serve a new certificate.
Candor runs without these programs, and so do the tests, which hold the same text to
what is promised (tests/scripts/test_check_deployment.py).
"""

import os
import re
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import dedent, indent

PROJECT = Path(__file__).parents[1]
GUIDE = PROJECT / "docs" / "administrators" / "deployment.md"

BLOCK = re.compile(r"^ *```\w*\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)

HOST = "survey.example.org"

CHALLENGES = "/.well-known/acme-challenge/"

WEB_ROOT = "/var/www/html"

SECONDS = 20
"""For nginx to start, or to be reloaded."""

MOST_EXPOSED = 30
"""Of 100, as `systemd-analyze security --threshold` counts."""


def blocks_of(page: Path) -> list[str]:
    """Return the blocks of code, those in lists without their indentation."""
    return [dedent(each) for each in BLOCK.findall(page.read_text("utf-8"))]


def the_block(beginning: str) -> str:
    """Return the one block of code that begins so."""
    [block] = [each for each in blocks_of(GUIDE) if each.startswith(beginning)]
    return block


def changed(unit: str, changes: str) -> str:
    """Return a unit with the values of `changes`, each in the place of the old one."""
    for line in changes.splitlines():
        name, _equals, _value = line.partition("=")
        old = re.findall(rf"^{name}=.*\n", unit, re.MULTILINE)
        assert len(old) == 1, f"The first unit has {len(old)} lines {name}="
        unit = unit.replace(old[0], f"{line}\n")
    return unit


def units() -> dict[str, str]:
    """Return the text of each unit by name, put together as the guide says."""
    both = the_block("[Unit]\n")
    respondents = changed(both, the_block("Description=Candor, the respondents' door"))
    sealing = changed(both, the_block("Description=Candor, folding"))
    return {
        "candor": both,
        "candor-respondents": respondents,
        "candor-respondents-on-postgresql": changed(respondents, the_block("User=")),
        "candor-sealing": re.sub(r"^ExecReload=.*\n", "", sealing, flags=re.MULTILINE),
    }


def proxy() -> str:
    """Return nginx's configuration, with the respondents' door where it belongs."""
    doors = indent(the_block("location ~ "), "    ")
    # The first of the two servers: the other one only redirects.
    return the_block("server {\n").replace(
        "    location / {", f"{doors}\n    location / {{", 1
    )


def run(*command: object) -> str:
    done = subprocess.run(  # noqa: S603
        [str(each) for each in command], capture_output=True, text=True, check=False
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    return said.rstrip()


def ask_systemd(folder: Path) -> None:
    # What the units start stands there in this folder, because it is checked too.
    for program in ("scripts/serve", ".venv/bin/python"):
        place = folder / "srv" / "candor" / program
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(PROJECT / program)
    for name, text in units().items():
        unit = folder / f"{name}.service"
        unit.write_text(text.replace("/srv/candor/", f"{folder}/srv/candor/"))
        said = run("systemd-analyze", "verify", "--man=no", unit)
        assert unit.name not in said, said
        said = run(
            "systemd-analyze", "security", "--offline=yes",
            f"--threshold={MOST_EXPOSED}", unit,
        )  # fmt: skip
        print(said.splitlines()[-1])


def hook() -> str:
    """Return what certbot is to run after a renewal."""
    return the_block("#!/bin/sh\n")


def make_certificate(folder: Path) -> str:
    """Put a new certificate where the configuration looks for one, and return it."""
    run(
        "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", 1,
        "-subj", f"/CN={HOST}", "-keyout", folder / "privkey.pem",
        "-out", folder / "fullchain.pem",
    )  # fmt: skip
    return (folder / "fullchain.pem").read_text()


def write_configuration(folder: Path, ports: dict[int, int]) -> list[object]:
    """Write nginx's configuration for these ports; return the command that uses it."""
    text = re.sub(r"/etc/letsencrypt/live/[^/]+", str(folder), proxy())
    text = text.replace("/var/log/nginx/", f"{folder}/").replace(
        WEB_ROOT, f"{folder}/html"
    )
    for usual, port in ports.items():
        text, found = re.subn(rf"listen {usual}\b", f"listen 127.0.0.1:{port}", text)
        assert found == 1
    for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"):
        text += f"{kind}_temp_path {folder}/{kind};\n"
    whole = folder / "nginx.conf"
    whole.write_text(f"pid {folder}/pid;\nevents {{}}\nhttp {{\n{text}}}\n")
    return ["nginx", "-e", folder / "log", "-p", folder, "-c", whole]


def free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        held = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in held:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in held]


def wait_for(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SECONDS
    while not is_so():
        assert time.monotonic() < deadline, f"nothing happened in {SECONDS} seconds"
        time.sleep(0.1)


@contextmanager
def running(nginx: list[object], port: int) -> Iterator[None]:
    def listens() -> bool:
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", port)) == 0

    command = [str(each) for each in (*nginx, "-g", "daemon off;")]
    process = subprocess.Popen(command)  # noqa: S603
    try:
        wait_for(listens)
        yield
    finally:
        process.terminate()
        process.wait()


def ask(port: int, path: str) -> tuple[int, str]:
    """Return the status of a page, and what it says or where it leads."""
    connection = HTTPConnection("127.0.0.1", port, timeout=SECONDS)
    connection.request("GET", path, headers={"Host": HOST})
    reply = connection.getresponse()
    said = reply.getheader("Location") or reply.read().decode()
    connection.close()
    return reply.status, said


def ask_nginx(folder: Path) -> None:
    folder.chmod(0o755)  # nginx's workers are another user's
    port, tls = free_ports(2)
    nginx = write_configuration(folder, {80: port, 443: tls})
    first = make_certificate(folder)
    print(run(*nginx, "-t"))
    challenge = folder / "html" / CHALLENGES.strip("/") / "token"
    challenge.parent.mkdir(parents=True)
    challenge.write_text("proof")
    with running(nginx, port):
        assert ask(port, f"{CHALLENGES}token") == (HTTPStatus.OK, "proof")
        assert ask(port, f"{CHALLENGES}another")[0] == HTTPStatus.NOT_FOUND
        for path in ("/", "/s/study/?x=1", "/.well-known/security.txt"):
            moved = HTTPStatus.MOVED_PERMANENTLY, f"https://{HOST}{path}"
            assert ask(port, path) == moved, path
        print(f"nginx serves {CHALLENGES} on port 80 and redirects the rest")
        renew(folder, nginx, tls, first)


def renew(folder: Path, nginx: list[object], port: int, first: str) -> None:
    """Replace the certificate and run the hook, with this nginx for the machine's."""

    def served() -> str:
        return ssl.get_server_certificate(("127.0.0.1", port)).strip()

    second = make_certificate(folder)
    assert served() == first.strip() != second.strip()
    programs = folder / "bin"
    programs.mkdir()
    reload = " ".join(str(each) for each in (*nginx, "-s", "reload"))
    for path, text in (
        (programs / "systemctl", f'#!/bin/sh\n[ "$*" = "reload nginx" ] && {reload}\n'),
        (folder / "hook", hook()),
    ):
        path.write_text(text)
        path.chmod(0o755)
    run("sh", "-n", folder / "hook")
    run("env", f"PATH={programs}:{os.environ['PATH']}", folder / "hook")
    wait_for(lambda: served() == second.strip())
    print("After a renewal the hook makes nginx serve the new certificate")


def ask_certbot(folder: Path) -> None:
    """Let certbot read its options; the authority that it would ask is not there."""
    block = the_block("apt-get install -y certbot")
    [command] = re.findall(r"^certbot certonly .*", block, re.MULTILINE)
    (folder / "html").mkdir(exist_ok=True)
    said = subprocess.run(  # noqa: S603
        [
            *command.replace(WEB_ROOT, f"{folder}/html").split(),
            "--non-interactive", "--agree-tos", "--register-unsafely-without-email",
            "--server", "http://127.0.0.1:9/directory",
            *(f"--{each}-dir={folder}/{each}" for each in ("config", "work", "logs")),
        ],
        capture_output=True, text=True, check=False,
    ).stderr  # fmt: skip
    assert "Connection refused" in said, said
    hooks = folder / "config" / "renewal-hooks" / "deploy"
    assert hooks.is_dir(), "certbot looks for hooks elsewhere"
    print("certbot understands its options and made the folder of the hook")


if __name__ == "__main__":
    with TemporaryDirectory() as name:
        ask_systemd(Path(name))
        ask_nginx(Path(name))
        ask_certbot(Path(name))
