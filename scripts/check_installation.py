"""Follows the guides of administrators to the letter: `make check-installation`.

As root, with a network. In a small Debian of its own (debootstrap, kept in var/), seen
as the root file system, it runs the blocks of the deployment guide and of the upgrade
guide one after the other, as they stand, at a terminal, and answers what they ask. Then
it does what people do, through nginx: opens pages, answers a survey, logs in. Three
things are not as on a server: the address of the repository and the day of a backup are
put in, the certificate is one that nobody signed, and for systemd there is a stand-in.
"""

import contextlib
import ctypes
import http.client
import json
import os
import pty
import re
import secrets
import shutil
import socket
import ssl
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NoReturn, TypeVar
from urllib.parse import urlencode

from scripts.check_deployment import GUIDE, PROJECT, blocks_of, proxy, the_block, units

UPGRADING = GUIDE.with_name("upgrading.md")
KEPT = PROJECT / "var" / "installation"
SUITE = "bookworm"

REPOSITORY, NEW = "repository.git", "refs/candor/new"
"""In the root file system; its branch main is where a guide is followed."""

HOST = "survey.example.org"
RESEARCHER, PASSWORD = "researcher", secrets.token_urlsafe(12)
ANSWERS = {
    "Username": RESEARCHER,
    "Email address:": f"{RESEARCHER}@example.org",
    "Password:": PASSWORD,
    "Password (again):": PASSWORD,
    "Type yes:": "yes",
}
"""By the end of what a command asks for."""

OF_THE_GUIDE = "candor-2026-11-22"
"""The day in the names of backups that the guides write."""

NOT_RUN = {
    "as_candor .venv/bin/python manage.py axes_reset": "asks for nobody's new password",
    "as_candor .venv/bin/python manage.py reset_second_factor": "nobody has one",
    ".venv/bin/gunicorn": "the other server",
    "createuser ": "of PostgreSQL",
    "systemctl stop postgresql": "of a second machine",
}
"""Blocks of commands that the way from the first to the last does not come by."""

SHELL_WORDS = (
    "apt-get ", "sed ", "as_candor", ".venv/", "systemctl ", "curl ", "crontab ",
    "rm ", "createuser ", "git ",
)  # fmt: skip

CLONE_NEWNET = 0x40000000
LONGEST_START = 60  # seconds

SURVEY = """
from django.contrib.auth.models import User
from surveys.models import Survey
owner = User.objects.get(username="{owner}")
survey = Survey.objects.create(
    title="Study", slug="study", organiser="Institute of Examples", owner=owner
)
survey.add_question("Question?")
survey.open()
print(survey.design_digest)
"""


def fail(why: str) -> NoReturn:
    print(f"\n*** {why}", flush=True)
    sys.exit(1)


def here(*command: object) -> str:
    """Run a command of this machine; return what it wrote."""
    words = [str(each) for each in command]
    done = subprocess.run(  # noqa: S603
        words, check=True, stdout=subprocess.PIPE, text=True
    )
    return done.stdout.strip()


class Machine:
    """A root file system, and what is done in it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.definitions = ""
        self.outside = os.open("/proc/self/ns/net", os.O_RDONLY)
        # A network of its own, in which every port is free, for all but fetching.
        holder = ["unshare", "--net", "sleep", "infinity"]
        process = subprocess.Popen(holder).pid  # noqa: S603
        self.inside = wait_for(lambda: network_of(process, self.outside))
        with self.alone():
            here("ip", "link", "set", "lo", "up")

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Be in the network of the service, which leads nowhere."""
        enter(self.inside)
        try:
            yield
        finally:
            enter(self.outside)

    def write(self, path: str, text: str, *, mode: int = 0o644) -> None:
        file = self.root / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        file.chmod(mode)

    def run(self, block: str, *, shown: bool = True) -> str:
        """Run a block as somebody does who pastes it; return what was written.

        Only who fetches something has the way out.
        """
        needs = re.search(r"\b(apt-get|pip install|git (clone|pull))\b", block)
        with contextlib.nullcontext() if needs else self.alone():
            status, said = at_a_terminal(
                ["chroot", str(self.root), "/bin/bash", "-ec",
                 f"cd /srv/candor 2>/dev/null || cd /\n{self.definitions}\n{block}"]
            )  # fmt: skip
        if shown:
            print("\n".join(f"  $ {line}" for line in block.splitlines()), flush=True)
        if status:
            for journal in sorted((self.root / "var/log").glob("*.journal")):
                said += f"\n{journal.name}:\n{journal.read_text('utf-8')[-3000:]}"
            fail(f"This does not work as written ({status}):\n{block}\n{said}")
        return said


def network_of(process: int, other: int) -> int | None:
    """Return the network of a process once it has one of its own."""
    found = os.open(f"/proc/{process}/ns/net", os.O_RDONLY)
    return found if os.fstat(found).st_ino != os.fstat(other).st_ino else None


def enter(network: int) -> None:
    if ctypes.CDLL(None, use_errno=True).setns(network, CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), "setns")


Found = TypeVar("Found")


def wait_for(condition: Callable[[], Found | None]) -> Found:
    end = time.monotonic() + LONGEST_START
    while (found := condition()) is None:
        if time.monotonic() > end:
            fail("It takes too long.")
        time.sleep(0.1)
    return found


def at_a_terminal(command: list[str]) -> tuple[int, str]:
    """Return the status and the output of a command that may ask."""
    process, terminal = pty.fork()
    if process == 0:
        os.execvpe(command[0], command, environment())  # noqa: S606
    said, answered = "", 0
    with contextlib.suppress(OSError):  # the end of a terminal
        while part := os.read(terminal, 4096):
            said += part.decode("utf-8", "replace")
            asked = said[answered:].rpartition("\n")[2]
            for question, answer in ANSWERS.items():
                if asked.startswith(question) or asked.endswith(f"{question} "):
                    answered = len(said)
                    os.write(terminal, f"{answer}\n".encode())
                    break
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), said


def environment() -> dict[str, str]:
    """Return root's after a login, and what this machine needs to get out."""
    ways = {
        name: value for name, value in os.environ.items()
        if name.lower() in {"http_proxy", "https_proxy", "no_proxy"}
    }  # fmt: skip
    return {
        "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "HOME": "/root",
        "TERM": "dumb",
        "LANG": "C.UTF-8",
        "DEBIAN_FRONTEND": "noninteractive",
        "PIP_CERT": "/root/certificates",
        "PIP_CACHE_DIR": "/root/pip",
        "PIP_PROGRESS_BAR": "off",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "safe.directory",
        "GIT_CONFIG_VALUE_0": "*",
        **ways,
    }


def make_root(folder: Path) -> Machine:
    """Lay a file system over a small Debian, which stays as it is."""
    base = KEPT / SUITE
    if not (base / "etc" / "debian_version").exists():
        print("Fetching a small Debian", flush=True)
        draft = KEPT / "draft"
        shutil.rmtree(draft, ignore_errors=True)
        draft.parent.mkdir(parents=True, exist_ok=True)
        here("debootstrap", "--variant=minbase", SUITE, draft, mirror())
        draft.rename(base)
    upper, work, root = (folder / name for name in ("upper", "work", "root"))
    for each in (upper, work, root):
        each.mkdir(mode=0o755)
    folder.chmod(0o755)
    mount("overlay", root, "-t", "overlay", "-o",
          f"lowerdir={base},upperdir={upper},workdir={work}")  # fmt: skip
    mount("proc", root / "proc", "-t", "proc")
    make_devices(root / "dev")
    # What was fetched once need not be fetched again.
    for name, place in (("archives", "var/cache/apt/archives"), ("pip", "root/pip")):
        (KEPT / name).mkdir(exist_ok=True)
        (root / place).mkdir(parents=True, exist_ok=True)
        mount(KEPT / name, root / place, "--bind")
    machine = Machine(root)
    shutil.copy("/etc/resolv.conf", root / "etc" / "resolv.conf")
    machine.write("/etc/hosts", f"127.0.0.1 localhost {HOST} {os.uname().nodename}\n")
    certificates = ssl.get_default_verify_paths().cafile or (
        "/etc/ssl/certs/ca-certificates.crt"
    )
    shutil.copy(certificates, root / "root" / "certificates")
    # Packages shall start nothing: what is on this machine's ports is not theirs.
    machine.write("/usr/sbin/policy-rc.d", "#!/bin/sh\nexit 101\n", mode=0o755)
    machine.write("/etc/apt/apt.conf.d/keep", 'APT::Keep-Downloaded-Packages "true";\n')
    stand_in = (PROJECT / "scripts" / "stand_in_for_systemd.py").read_text("utf-8")
    machine.write("/usr/local/bin/systemctl", stand_in, mode=0o755)
    return machine


def make_devices(folder: Path) -> None:
    """Make those that programs take for granted, none of them this machine's disks."""
    mount("tmpfs", folder, "-t", "tmpfs", "-o", "mode=755")
    os.umask(0)
    for name, minor in (("null", 3), ("zero", 5), ("full", 7), ("random", 8),
                        ("urandom", 9)):  # fmt: skip
        os.mknod(folder / name, 0o666 | stat.S_IFCHR, os.makedev(1, minor))
    os.mknod(folder / "tty", 0o666 | stat.S_IFCHR, os.makedev(5, 0))
    os.umask(0o022)
    (folder / "shm").mkdir(mode=0o1777)
    (folder / "pts").mkdir()
    mount("devpts", folder / "pts", "-t", "devpts", "-o", "newinstance,ptmxmode=0666")
    (folder / "ptmx").symlink_to("pts/ptmx")
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        (folder / name).symlink_to(f"/proc/self/fd/{number}")
    (folder / "fd").symlink_to("/proc/self/fd")


def mount(what: str | Path, place: Path, *how: str) -> None:
    here("mount", *how, what, place)


def mirror() -> str:
    """Return where apt of this machine gets Debian from, if it does."""
    found = here("apt-get", "indextargets", "--format", "$(REPO_URI) $(CODENAME)")
    of_suite = re.findall(rf"^(\S+) {SUITE}$", found, re.MULTILINE)
    return of_suite[0] if of_suite else "http://deb.debian.org/debian"


def give_certificate(machine: Machine) -> None:
    place = machine.root / "etc/letsencrypt/live" / HOST
    place.mkdir(parents=True)
    here(
        "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", 2,
        "-subj", f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST}",
        "-keyout", place / "privkey.pem", "-out", place / "fullchain.pem",
    )  # fmt: skip


class Visitor:
    """A browser, as far as headers and cookies go, at nginx's door."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.cookies: dict[str, str] = {}
        self.trusted = ssl.create_default_context(
            cafile=str(machine.root / "etc/letsencrypt/live" / HOST / "fullchain.pem")
        )

    def ask(
        self, address: str, body: str | None = None, kind: str = "", expected: int = 200
    ) -> str:
        headers = {"Host": HOST, "Referer": f"https://{HOST}{address}"}
        if kind:
            headers["Content-Type"] = kind
        if self.cookies:
            pairs = (f"{name}={value}" for name, value in self.cookies.items())
            headers["Cookie"] = "; ".join(pairs)
        with self.machine.alone():
            line = http.client.HTTPSConnection(HOST, context=self.trusted)
            line.sock = self.trusted.wrap_socket(
                socket.create_connection(("127.0.0.1", 443)),
                server_hostname=HOST,
            )
            line.request("GET" if body is None else "POST", address, body, headers)
            answer = line.getresponse()
            text = answer.read().decode()
        for cookie in answer.headers.get_all("Set-Cookie") or []:
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        if answer.status != expected:
            fail(f"{address}: {answer.status}, not {expected}\n{text[:2000]}")
        print(f"  {'GET' if body is None else 'POST'} {address}: {answer.status}")
        return text

    def post(self, address: str, fields: dict[str, str], expected: int) -> str:
        self.ask(address)
        fields = {**fields, "csrfmiddlewaretoken": self.cookies["csrftoken"]}
        return self.ask(
            address, urlencode(fields), "application/x-www-form-urlencoded", expected
        )


def answer_the_survey(visitor: Visitor, digest: str, *, times: int = 1) -> None:
    visitor.ask("/s/study/")
    for _ in range(times):
        body = {
            "design": digest,
            "submission": secrets.token_hex(16),
            "reports": f"{secrets.randbelow(2):02x}",
        }
        visitor.ask("/s/study/reports/", json.dumps(body), "application/json")


class Guide:
    """The blocks of a document, each run once or named as one that is not."""

    def __init__(self, page: Path) -> None:
        self.page = page
        self.left = [
            block for block in blocks_of(page) if block.startswith(SHELL_WORDS)
        ]  # fmt: skip

    def take(self, beginning: str) -> str:
        """Return the block that begins so, as it stands."""
        found = [block for block in self.left if block.startswith(beginning)]
        if len(found) != 1:
            fail(f"{self.page.name} has {len(found)} blocks left with {beginning!r}")
        self.left.remove(found[0])
        today = f"candor-{datetime.now(UTC):%Y-%m-%d}"
        return found[0].replace(OF_THE_GUIDE, today)

    def end(self) -> None:
        if left := [each for each in self.left if not each.startswith(tuple(NOT_RUN))]:
            fail(f"{self.page.name}: nobody ran\n{left[0]}")


def install(machine: Machine, guide: Guide) -> None:
    """Do what stands under "Installing", to the tables and the first researcher."""
    fetching = guide.take("apt-get update")
    machine.run(fetching.replace("ADDRESS_OF_THIS_REPOSITORY", f"/{REPOSITORY}"))
    machine.run(guide.take("sed -i '/^SECRET_KEY="))
    preparing = guide.take("as_candor() {")
    machine.definitions = preparing.partition("\n")[0]
    machine.run(preparing)


def serve(machine: Machine, guide: Guide) -> None:
    """Write the unit and the proxy's configuration where the guide has them."""
    machine.write("/etc/systemd/system/candor.service", units()["candor"])
    machine.run("systemctl daemon-reload\nsystemctl enable --now candor\n")
    give_certificate(machine)
    machine.write("/etc/nginx/conf.d/candor.conf", the_block("server {\n"))
    machine.run("systemctl start nginx", shown=False)  # as the package has done
    machine.run(guide.take("rm -f /etc/nginx/sites-enabled/default"))
    health = guide.take("curl -fsS -H 'Host: survey.example.org'")
    wait_until_well(machine)
    assert json.loads(machine.run(health)) == {"database": "ok"}


def wait_until_well(machine: Machine, *, port: int = 8000) -> None:
    machine.run(
        f"for _ in $(seq 600); do curl -fs -o /dev/null -H 'Host: {HOST}' "
        f"http://127.0.0.1:{port}/health/ && exit 0; sleep 0.5; done; exit 1",
        shown=False,
    )


def python(machine: Machine, program: str) -> str:
    machine.write("/root/program", program)
    return machine.run(
        'as_candor .venv/bin/python manage.py shell -v 0 -c "$(cat /root/program)"',
        shown=False,
    ).split()[-1]


COUNT = """
from respondents.models import Response, SealedPattern
from django.db.models import Sum
sealed = SealedPattern.objects.aggregate(Sum("count", default=0))["count__sum"]
print(sealed + Response.objects.count())
"""


def check_owners(machine: Machine) -> None:
    """Nobody else reads the data, and the service cannot change its program."""
    data = [machine.root / place for place in ("var/lib/candor", "var/backups/candor")]
    for path in [each for folder in data for each in (folder, *folder.iterdir())]:
        found = path.stat()
        owner = found.st_uid
        assert owner != 0, path
        assert found.st_mode & 0o077 == 0, path
    secret = (machine.root / "srv/candor/.env").stat()
    assert (secret.st_uid, secret.st_mode & 0o777) == (0, 0o640)
    machine.run(
        "sudo -u candor find /srv/candor -writable -not -type l "
        "-printf 'candor may write %p\\n' -exec false {} +",
        shown=False,
    )


def follow_deployment(machine: Machine) -> None:
    guide = Guide(GUIDE)
    print("Installing", flush=True)
    install(machine, guide)
    print("The service, and nginx in front of it", flush=True)
    serve(machine, guide)
    visitor, researcher = Visitor(machine), Visitor(machine)
    digest = python(machine, SURVEY.format(owner=RESEARCHER))
    answer_the_survey(visitor, digest, times=3)
    if visitor.cookies:
        fail(f"A respondent was given {visitor.cookies}")
    researcher.post(
        "/admin/login/", {"username": RESEARCHER, "password": PASSWORD}, 302
    )
    researcher.ask("/admin/")
    researcher.ask("/admin/surveys/survey/")
    print("Every hour, and a backup and back", flush=True)
    follow_crontab(machine, guide)
    machine.run(guide.take("as_candor .venv/bin/python manage.py backup"))
    answer_the_survey(visitor, digest)
    restoring = guide.take(
        "systemctl stop candor\nas_candor .venv/bin/python manage.py"
    )
    print(machine.run(restoring).strip().splitlines()[-1])
    wait_until_well(machine)
    assert python(machine, COUNT) == "3"
    answer_the_survey(visitor, digest)
    assert python(machine, COUNT) == "4"
    machine.run("systemctl reload candor\n")
    answer_the_survey(visitor, digest)
    check_owners(machine)
    print("Two doors", flush=True)
    for name in ("candor-respondents", "candor-sealing"):
        machine.write(f"/etc/systemd/system/{name}.service", units()[name])
        machine.run(f"systemctl enable --now {name}\n")
    machine.write("/etc/nginx/conf.d/candor.conf", proxy())
    machine.run("nginx -t\nsystemctl reload nginx\n")
    wait_until_well(machine, port=8001)
    machine.run("systemctl stop candor\n")
    answer_the_survey(visitor, digest, times=3)
    visitor.ask("/admin/login/", expected=502)
    machine.run("systemctl start candor\n")
    wait_until_well(machine)
    visitor.ask("/admin/login/")
    assert python(machine, COUNT) == "8"
    guide.end()
    logs = machine.run("cat /var/log/nginx/*.log /var/log/*.journal", shown=False)
    if re.search(r"127\.0\.0\.1(?!:80)|/s/", logs):
        fail(f"A log names a visitor or a page:\n{logs}")


def follow_upgrading(machine: Machine) -> None:
    """Bring a server of the version before up to this one, and back again."""
    print("A server of the version before, with responses", flush=True)
    machine.run(
        "systemctl stop candor-respondents candor-sealing candor\n"
        "rm -r /srv/candor /var/lib/candor /var/backups/candor\n",
        shown=False,
    )
    change = here(
        "git", "-C", machine.root / REPOSITORY, "log", "-1", "--format=%H",
        f"-S{version()}", NEW, "--", "pyproject.toml",
    )  # fmt: skip
    lead_to(machine, f"{change}^")
    machine.definitions = ""
    fetching = Guide(GUIDE).take("apt-get update").partition("git clone")[2]
    machine.run(
        "git clone" + fetching.replace("ADDRESS_OF_THIS_REPOSITORY", f"/{REPOSITORY}"),
        shown=False,
    )
    guide = Guide(GUIDE)
    machine.run(guide.take("sed -i '/^SECRET_KEY="), shown=False)
    preparing = guide.take("as_candor() {")
    machine.definitions = preparing.partition("\n")[0]
    machine.run(preparing + "systemctl start candor", shown=False)
    wait_until_well(machine)
    machine.write("/etc/nginx/conf.d/candor.conf", the_block("server {\n"))
    machine.run("systemctl reload nginx", shown=False)
    visitor = Visitor(machine)
    digest = python(machine, SURVEY.format(owner=RESEARCHER))
    answer_the_survey(visitor, digest, times=3)
    print("Upgrading", flush=True)
    guide = Guide(UPGRADING)
    machine.run(guide.take("as_candor .venv/bin/python manage.py backup"))
    lead_to(machine, NEW)
    machine.run(guide.take("git pull"))
    machine.run(
        guide.take("systemctl stop candor\nas_candor .venv/bin/python manage.py")
    )
    wait_until_well(machine)
    answer_the_survey(visitor, digest)
    assert python(machine, COUNT) == "4"
    Visitor(machine).ask("/help/")
    print("Going back", flush=True)
    block = guide.take("systemctl stop candor\ngit checkout")
    # A service that is started where something is fetched is in the wrong network.
    fetching, restoring, rest = block.partition("as_candor")
    machine.run(fetching)
    machine.run(restoring + rest)
    wait_until_well(machine)
    assert python(machine, COUNT) == "3"
    answer_the_survey(visitor, digest)
    guide.end()


def version() -> str:
    text = (PROJECT / "pyproject.toml").read_text("utf-8")
    [found] = re.findall(r'^version = ".*"$', text, re.MULTILINE)
    return str(found)


def lead_to(machine: Machine, commit: str) -> None:
    """Let the branch that is cloned and pulled be at this commit."""
    repository = machine.root / REPOSITORY
    here("git", "-C", repository, "update-ref", "refs/heads/main", commit)
    here("git", "-C", repository, "symbolic-ref", "HEAD", "refs/heads/main")


def follow_crontab(machine: Machine, guide: Guide) -> None:
    """Do once what cron is told to do, as cron does it."""
    machine.run(guide.take("crontab -u candor"))
    for line in machine.run("crontab -u candor -l", shown=False).splitlines():
        if found := re.match(r"(?:\S+ +){5}(.+)$", line):
            command = found[1].strip()
            print(f"  {command}")
            machine.run(
                "cd /tmp; sudo -u candor env -i HOME=/srv/candor LOGNAME=candor "
                f"PATH=/usr/bin:/bin SHELL=/bin/sh MPLCONFIGDIR=/var/cache/candor "
                f"/bin/sh -c '{command}'",
                shown=False,
            )


def main() -> None:
    if len(sys.argv) == 2:
        follow_all(Path(sys.argv[1]))
        return
    # Whatever is mounted or started in there is gone when it ends: so what is deleted
    # afterwards are files of nobody else.
    with TemporaryDirectory() as folder:
        apart = [
            "unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc",
            sys.executable, "-m", "scripts.check_installation", folder,
        ]  # fmt: skip
        done = subprocess.run(apart, check=False)  # noqa: S603
    sys.exit(done.returncode)


def follow_all(folder: Path) -> None:
    machine = make_root(folder)
    repository = machine.root / REPOSITORY
    here("git", "clone", "--quiet", "--bare", PROJECT, repository)
    here("git", "-C", repository, "update-ref", NEW, "HEAD")
    lead_to(machine, NEW)
    follow_deployment(machine)
    follow_upgrading(machine)
    print("All of it works as written.")


if __name__ == "__main__":
    main()
