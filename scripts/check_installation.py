"""Follow the guides for administrators exactly: `make check-installation`.

Needs root and a network. In a small Debian (debootstrap, kept in var/) it runs the
blocks of the guides at a terminal and answers their prompts. Then it opens pages,
answers a survey and logs in. Three things differ from a server: the address of the
repository, the certificate authority, and a stand-in for systemd.
"""

import json
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import dedent

from candor import __version__
from scripts.check_deployment import MARKED, PROJECT, enable_two_services
from scripts.installation.certificates import (
    give_certificate,
    renew_certificate,
    start_authority,
)
from scripts.installation.debian import make_root
from scripts.installation.machine import Machine, fail, here
from scripts.installation.visitor import HOST, answer_the_survey, at_proxy, knock

PAGES = PROJECT / "docs" / "administrators"
BLOCK = re.compile(r"^ *```\w*\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)

REPOSITORY, NEW = "repository.git", "refs/candor/new"
"""In the root file system; guides install its branch main."""

VERSIONED = ("candor/__init__.py", "pyproject.toml")
"""The files that state the version, now and before 0.2.0."""

SCRIPT = "/srv/candor/scripts/install-server"

RESEARCHER = "researcher"
ANSWERS = {
    "site: ": HOST,
    "HTTPS: ": f"admin@{HOST}",
    "researcher: ": RESEARCHER,
    r"\]: ": "",
    "Type yes( to go on)?: ": "yes",
}
"""By the end of a prompt; the fourth pattern matches those with a previous answer."""

CHANGED = {
    "ADDRESS_OF_THIS_REPOSITORY": f"/{REPOSITORY}",
    "candor-2026-11-22": f"candor-{datetime.now(UTC):%Y-%m-%d}",
}

LEFT_BEHIND = (
    "etc/candor", "etc/cron.d/candor", "etc/caddy", "etc/systemd/system/candor.service",
    "etc/systemd/system/caddy.service.d", "usr/local/sbin/candor-manage",
    "var/cache/candor", "var/lib/caddy", "srv/candor/.venv", "usr/bin/caddy",
)  # fmt: skip
DATA = ("var/lib/candor", "var/backups/candor", "srv/candor/.env")

SURVEY = f"""
from django.contrib.auth.models import User
from surveys.models import Survey
survey = Survey.objects.create(
    title="Study", slug="study", organiser="Institute of Examples",
    owner=User.objects.get(username="{RESEARCHER}"),
)
survey.add_question("Question?")
survey.open()
print(survey.design_digest)
"""

COUNT = """
from respondents.models import Response, SealedPattern
from django.db.models import Sum
sealed = SealedPattern.objects.aggregate(Sum("count", default=0))["count__sum"]
print(sealed + Response.objects.count())
"""


def blocks_of(page: str) -> list[str]:
    """Return the code blocks of a page without their indentation."""
    text = (PAGES / f"{page}.md").read_text("utf-8")
    return [dedent(each) for each in BLOCK.findall(text)]


def take(page: str, text: str) -> str:
    """Return the only block of a page with this text, ready to be run."""
    [block] = [each for each in blocks_of(page) if text in each]
    for written, meant in CHANGED.items():
        block = block.replace(written, meant)
    return block


def python(machine: Machine, program: str) -> str:
    machine.write("/root/program", program)
    return machine.run(
        'candor-manage shell -v 0 -c "$(cat /root/program)"', shown=False
    ).split()[-1]


def count(machine: Machine) -> int:
    return int(python(machine, COUNT))


def install(machine: Machine) -> str:
    """Run the command of "One Debian machine"; return the password that it prints."""
    output = machine.run(take("deployment", f"{SCRIPT}\n"))
    [password] = re.findall(r"with the password (\S+) and", output)
    return str(password)


def log_in(machine: Machine, password: str) -> None:
    researcher = at_proxy(machine)
    wrong = {"login": RESEARCHER, "password": "not-this-one"}
    researcher.post("/admin/login/", wrong, 200)
    researcher.post("/admin/login/", wrong | {"password": password}, 302)
    researcher.ask("/admin/surveys/survey/")


def check_owners(machine: Machine) -> None:
    """Check that only the service reads the data and that it cannot write its code."""
    data = [machine.root / place for place in DATA[:2]]
    for path in [each for folder in data for each in (folder, *folder.iterdir())]:
        found = path.stat()
        assert found.st_uid != 0, path
        assert found.st_mode & 0o077 == 0, path
    secret = (machine.root / DATA[2]).stat()
    assert (secret.st_uid, secret.st_mode & 0o777) == (0, 0o640)
    machine.run(
        "runuser -u candor -- find /srv/candor -writable -not -type l "
        "-printf 'candor may write %p\\n' -exec false {} +",
        shown=False,
    )


def check_traces(machine: Machine) -> None:
    """Check that no file contains a visitor's address."""
    changed = machine.root.parent / "upper"
    logs = changed / "var/log"
    assert any(each.stat().st_size for each in logs.glob("*.journal"))
    search = [
        "grep", "--recursive", "--text", "--files-with-matches", "-F",
        "--exclude=check_deployment.py",
    ]  # fmt: skip
    for text, expected in ((HOST, True), (MARKED, False)):
        done = subprocess.run(  # noqa: S603
            [*search, text, str(changed)], capture_output=True, text=True, check=False
        )
        if bool(done.stdout) != expected:
            fail(f"{text!r} is in these files:\n{done.stdout}")


def follow_crontab(machine: Machine) -> None:
    """Run the crontab once, as cron does."""
    jobs = (machine.root / "etc/cron.d/candor").read_text("utf-8")
    [path] = re.findall(r"^PATH=(.+)$", jobs, re.MULTILINE)
    for user, command in re.findall(r"^[*/\d]+ (?:\S+ +){4}(\S+) (.+)$", jobs, re.M):
        machine.write("/root/job", command)
        machine.run(
            f"cd /; runuser -u {user} -- env -i PATH={path} /bin/sh /root/job",
            shown=False,
        )
        print(f"  {command}")
    journal = machine.root / "var/log/jobs.journal"
    assert journal.read_text() == "", journal.read_text()


def follow_deployment(machine: Machine) -> None:
    print("One Debian machine", flush=True)
    password = install(machine)
    start_authority(machine)
    visitor = at_proxy(machine)
    digest = python(machine, SURVEY)
    answer_the_survey(visitor, digest, times=3)
    assert json.loads(visitor.ask("/health/")) == {"database": "ok"}
    if visitor.cookies:
        fail(f"A respondent was given {visitor.cookies}")
    log_in(machine, password)
    machine.run("systemctl reload candor\n")
    answer_the_survey(visitor, digest)
    print("Jobs, a backup and back, a renewed certificate", flush=True)
    follow_crontab(machine)
    machine.run(take("deployment", "candor-manage backup"))
    answer_the_survey(visitor, digest)
    machine.run(take("deployment", "candor-manage restore"))
    wait_until_well(machine)
    assert count(machine) == 4
    renew_certificate(machine)
    answer_the_survey(visitor, digest)
    check_owners(machine)
    machine.run("systemctl stop candor\n")
    visitor.ask("/s/study/", expected=502)
    knock(machine)
    check_traces(machine)
    print("Again, and undone", flush=True)
    output = machine.run("echo '# mine' >>/etc/caddy/Caddyfile\nscripts/install-server")
    assert "Left as you changed it: /etc/caddy/Caddyfile" in output
    assert "password" not in output
    answer_the_survey(visitor, digest)
    machine.run("rm /etc/systemd/system/caddy.service.d/check.conf", shown=False)
    machine.run(take("deployment", f"{SCRIPT} --undo"))
    assert not [each for each in LEFT_BEHIND if (machine.root / each).exists()]
    assert all((machine.root / each).exists() for each in DATA)
    print("Behind a proxy that is there, and two services", flush=True)
    machine.answers["HTTPS: "] = "proxy"
    machine.run("apt-get install -y -qq nginx >/dev/null\nscripts/install-server")
    give_certificate(machine)
    machine.run("rm /etc/nginx/sites-enabled/default\nsystemctl start nginx\n")
    machine.run(take("deployment", "nginx.conf"))
    answer_the_survey(at_proxy(machine), digest)
    assert count(machine) == 7
    follow_two_services(machine, digest)
    check_traces(machine)


def follow_two_services(machine: Machine, digest: str) -> None:
    visitor = at_proxy(machine)
    machine.run(take("large-sites", "candor-respondents.service.d"))
    site = machine.root / "etc/nginx/conf.d/candor.conf"
    site.write_text(enable_two_services(site.read_text("utf-8")))
    machine.run("nginx -t\nsystemctl reload nginx\nsystemctl stop candor\n")
    wait_until_well(machine, port=8001)
    answer_the_survey(visitor, digest)
    visitor.ask("/admin/login/", expected=502)
    machine.run("systemctl start candor\n")
    wait_until_well(machine)
    visitor.ask("/admin/login/")
    assert count(machine) == 8


def wait_until_well(machine: Machine, *, port: int = 8000) -> None:
    machine.run(
        f"for _ in $(seq 600); do curl -fs -o /dev/null -H 'Host: {HOST}' "
        f"http://127.0.0.1:{port}/health/ && exit 0; sleep 0.5; done; exit 1",
        shown=False,
    )


def follow_upgrading(machine: Machine) -> None:
    """Upgrade servers from the previous version, and downgrade them."""
    print("A server of the version before, installed by hand", flush=True)
    changes = git(
        machine, "log", "--reverse", "--format=%H", f'-S = "{__version__}"', NEW, "--",
        *VERSIONED,
    )  # fmt: skip
    before = f"{changes.split()[0]}^"
    machine.run(take("deployment", "nginx.conf"), shown=False)
    machine.run(
        "systemctl disable --now candor-respondents candor-sealing candor\n"
        "rm -rf /etc/systemd/system/candor-* /var/lib/candor/* /var/backups/candor/*\n"
        "rm -rf /etc/candor /etc/cron.d/candor\n"
        f"git checkout --quiet -B main {git(machine, 'rev-parse', before)}\n"
        ".venv/bin/pip install -q --require-hashes -r requirements.txt\n"
        ".venv/bin/python manage.py collectstatic --no-input --verbosity 0\n"
        "candor-manage migrate --verbosity 0\n"
        "DJANGO_SUPERUSER_PASSWORD=x candor-manage createsuperuser --no-input "
        f"--username {RESEARCHER} --email ''\n"
        "echo '# none' | crontab -u candor -\nsystemctl start candor\n",
        shown=False,
    )
    wait_until_well(machine)
    visitor = at_proxy(machine)
    digest = python(machine, SURVEY)
    answer_the_survey(visitor, digest, times=3)
    machine.run("rm /usr/local/sbin/candor-manage", shown=False)
    machine.run(take("upgrading", "crontab -r"))
    answer_the_survey(visitor, digest)
    assert count(machine) == 4
    print("A version with the same tables, and back", flush=True)
    lead_to(machine, commit(machine, f"{NEW}^{{tree}}", NEW))
    machine.run(take("upgrading", f"{SCRIPT} --upgrade"))
    answer_the_survey(visitor, digest)
    assert "are lost" not in machine.run(take("upgrading", f"{SCRIPT} --back"))
    assert count(machine) == 5
    print("A server of the version before, installed by the script", flush=True)
    lead_to(machine, commit_current_script(machine, before))
    machine.run(
        "systemctl stop candor\nrm -r /var/lib/candor/*\ngit fetch --quiet\n"
        "git checkout --quiet --detach origin/main\nscripts/install-server",
        shown=False,
    )
    digest = python(machine, SURVEY)
    answer_the_survey(visitor, digest, times=3)
    lead_to(machine, NEW)
    machine.run(take("upgrading", f"{SCRIPT} --upgrade"))
    answer_the_survey(visitor, digest)
    assert count(machine) == 4
    visitor.ask("/help/")
    output = machine.run(take("upgrading", f"{SCRIPT} --back"))
    assert "Responses that arrived since then are lost." in output
    assert count(machine) == 3
    answer_the_survey(visitor, digest)
    machine.run(f"{SCRIPT} --undo --with-data")
    assert not [each for each in DATA if (machine.root / each).exists()]


def git(machine: Machine, *arguments: str) -> str:
    return here("git", "-C", machine.root / REPOSITORY, *arguments)


def commit(machine: Machine, tree: str, parent: str) -> str:
    person = ("-c", "user.name=-", "-c", "user.email=-")
    return git(machine, *person, "commit-tree", tree, "-p", parent, "-m", "Check")


def commit_current_script(machine: Machine, before: str) -> str:
    """Return a commit of an older version with the current script and templates."""
    script = git(machine, "rev-parse", f"{NEW}:scripts/install-server")
    git(machine, "read-tree", before)
    folder = f"--work-tree={machine.root}"
    git(machine, folder, "read-tree", "--prefix=deploy/", f"{NEW}:deploy")
    git(
        machine, "update-index", "--add", "--cacheinfo",
        f"100755,{script},scripts/install-server",
    )  # fmt: skip
    return commit(machine, git(machine, "write-tree"), before)


def lead_to(machine: Machine, commit: str) -> None:
    """Set the cloned and fetched branch to this commit."""
    git(machine, "update-ref", "refs/heads/main", commit)
    git(machine, "symbolic-ref", "HEAD", "refs/heads/main")


def main() -> None:
    if len(sys.argv) == 2:
        follow_all(Path(sys.argv[1]))
        return
    # Its mounts and processes end with it, before the folder is deleted.
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
    git(machine, "update-ref", NEW, "HEAD")
    lead_to(machine, NEW)
    follow_deployment(machine)
    follow_upgrading(machine)
    print("All of it works as written.")


if __name__ == "__main__":
    main()
