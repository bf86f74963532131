"""Lets systemd and nginx read what the deployment guide says: `make check-deployment`.

Candor runs without either of them, and so do the tests, which hold the same text to
what is promised (tests/scripts/test_check_deployment.py).
"""

import re
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import dedent, indent

PROJECT = Path(__file__).parents[1]
GUIDE = PROJECT / "docs" / "administrators" / "deployment.md"

BLOCK = re.compile(r"^ *```\w*\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)

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
    return the_block("server {\n").replace(
        "    location / {", f"{doors}\n    location / {{"
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


def ask_nginx(folder: Path) -> None:
    key, certificate, whole = (folder / name for name in ("key", "cert", "nginx.conf"))
    run(
        "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", 1,
        "-subj", "/CN=localhost", "-keyout", key, "-out", certificate,
    )  # fmt: skip
    text = re.sub(r"/etc/letsencrypt/\S+fullchain.pem", str(certificate), proxy())
    text = re.sub(r"/etc/letsencrypt/\S+privkey.pem", str(key), text)
    text = text.replace("/var/log/nginx/", f"{folder}/")
    for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"):
        text += f"{kind}_temp_path {folder}/{kind};\n"
    whole.write_text(f"pid {folder}/pid;\nevents {{}}\nhttp {{\n{text}}}\n")
    print(run("nginx", "-t", "-e", folder / "log", "-p", folder, "-c", whole))


if __name__ == "__main__":
    with TemporaryDirectory() as name:
        ask_systemd(Path(name))
        ask_nginx(Path(name))
