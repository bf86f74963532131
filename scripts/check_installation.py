"""Follows the guides of administrators to the letter: `make check-installation`.

As root, with a network. In a small Debian of its own (debootstrap, kept in var/), seen
as the root file system, it runs the blocks of the deployment guide and of the upgrade
guide one after the other, as they stand, at a terminal, and answers what they ask. Then
it does what people do, through nginx: opens pages, answers a survey, logs in. Three
things are not as on a server: the address of the repository and the day of a backup are
put in, the certificate is one that nobody signed, and for systemd there is a stand-in.
"""

import json
import re
import secrets
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from candor import __version__
from scripts.check_deployment import GUIDE, PROJECT, blocks_of, proxy, the_block, units
from scripts.installation.debian import make_root
from scripts.installation.machine import Machine, fail, here
from scripts.installation.visitor import (
    HOST,
    answer_the_survey,
    at_nginx,
    give_certificate,
)

UPGRADING = GUIDE.with_name("upgrading.md")

REPOSITORY, NEW = "repository.git", "refs/candor/new"
"""In the root file system; its branch main is where a guide is followed."""

VERSIONED = ("candor/__init__.py", "pyproject.toml")
"""The files that state the version, now and before 0.2.0 was done."""

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
    "apt-get install -y certbot": "the certificate is one that nobody signed",
    "chmod 755 /etc/letsencrypt": "the same",
    "as_candor .venv/bin/python manage.py shell -c": "asks for nobody's new password",
    "as_candor .venv/bin/python manage.py reset_second_factor": "nobody has one",
    ".venv/bin/gunicorn": "the other server",
    "createuser ": "of PostgreSQL",
    "systemctl stop postgresql": "of a second machine",
}
"""Blocks of commands that the way from the first to the last does not come by."""

SHELL_WORDS = (
    "apt-get ", "sed ", "as_candor", ".venv/", "systemctl ", "curl ", "crontab ",
    "rm ", "createuser ", "git ", "chmod ",
)  # fmt: skip

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
    visitor, researcher = at_nginx(machine), at_nginx(machine)
    digest = python(machine, SURVEY.format(owner=RESEARCHER))
    answer_the_survey(visitor, digest, times=3)
    if visitor.cookies:
        fail(f"A respondent was given {visitor.cookies}")
    researcher.post("/admin/login/", {"login": RESEARCHER, "password": PASSWORD}, 302)
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
    changes = here(
        "git", "-C", machine.root / REPOSITORY, "log", "--reverse", "--format=%H",
        f'-S = "{__version__}"', NEW, "--", *VERSIONED,
    )  # fmt: skip
    change = changes.split()[0]
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
    visitor = at_nginx(machine)
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
    at_nginx(machine).ask("/help/")
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
    machine = make_root(folder, host=HOST, answers=ANSWERS)
    repository = machine.root / REPOSITORY
    here("git", "clone", "--quiet", "--bare", PROJECT, repository)
    here("git", "-C", repository, "update-ref", NEW, "HEAD")
    lead_to(machine, NEW)
    follow_deployment(machine)
    follow_upgrading(machine)
    print("All of it works as written.")


if __name__ == "__main__":
    main()
