"""Run an image without a container engine: read-only, one volume, no capabilities."""

import http.client
import os
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path
from tempfile import mkdtemp

from scripts.check_installation import COUNT, RESEARCHER, SURVEY
from scripts.containers.image import Image
from scripts.installation.machine import fail, wait_for
from scripts.installation.visitor import HOST, Visitor

PUBLIC = {"ALLOWED_HOSTS": HOST, "BEHIND_PROXY": "on"}

START = """
set -e
umask 022
mount --bind "$ROOT" "$PLACE"
mount -o remount,bind,ro "$PLACE"
mount -t proc proc "$PLACE/proc"
mount --bind /dev "$PLACE/dev"
mount -t tmpfs -o mode=1777 tmpfs "$PLACE/tmp"
mount --bind "$VOLUME" "$PLACE/data"
if [ "$SHARED" ]; then
    mkdir -p "$PLACE$SHARED"
    mount --bind "$SHARED" "$PLACE$SHARED"
fi
exec chroot "$PLACE" setpriv --reuid="$USER" --regid="$USER" --clear-groups \
    --no-new-privs --bounding-set=-all --inh-caps=-all env -C "$FOLDER" -i "$@"
"""


class Container:
    def __init__(
        self,
        image: Image,
        folder: Path,
        environment: Mapping[str, str],
        port: int = 8000,
    ) -> None:
        self.image, self.port = image, port
        self.place, self.volume = (Path(mkdtemp(dir=folder)) for _each in range(2))
        self.log = self.volume.with_suffix(".log")
        os.chown(self.volume, image.user, image.user)
        self.environment = {"PORT": str(port), **environment}

    def command(self, *arguments: str, **more: str) -> dict[str, object]:
        database = self.environment.get("DATABASE_URL", "")
        variables = [
            f"{name}={value}" for name, value in (self.environment | more).items()
        ]
        config = self.image.config
        arguments = (*config["Env"], *variables, *config["Entrypoint"], *arguments)
        return {
            "args": [
                "unshare", "--mount", "--pid", "--fork", "--kill-child",
                "sh", "-c", START, "sh", *arguments,
            ],
            "env": {
                "PATH": os.environ["PATH"],
                "ROOT": str(self.image.root),
                "PLACE": str(self.place),
                "VOLUME": str(self.volume),
                # The folder of PostgreSQL's socket, if there is one.
                "SHARED": database.partition("@/")[2].rpartition("/")[0],
                "USER": str(self.image.user),
                "FOLDER": config["WorkingDir"],
            },
            "stderr": subprocess.STDOUT,
            "text": True,
        }  # fmt: skip

    def start(self, *arguments: str) -> None:
        with self.log.open("a") as log:
            self.process = subprocess.Popen(stdout=log, **self.command(*arguments))  # type: ignore[call-overload]

    def finish(self, *arguments: str, **more: str) -> tuple[int, str]:
        """Run a command to its end; return its status and output."""
        done = subprocess.run(
            stdout=subprocess.PIPE, timeout=120, **self.command(*arguments, **more)
        )  # type: ignore[call-overload]
        return done.returncode, done.stdout

    def manage(self, *arguments: str) -> str:
        password = {"DJANGO_SUPERUSER_PASSWORD": "not-used-by-anyone"}
        status, output = self.finish("manage", *arguments, **password)
        if status:
            fail(f"candor manage {' '.join(arguments)}: {status}\n{output}")
        return output

    def ask(self, address: str) -> str:
        """Return a page as soon as the server answers."""

        def answer() -> str | None:
            if self.process.poll() is not None:
                fail(f"It stopped:\n{self.read_log()}")
            try:
                return self.guest().ask(address)
            except OSError:
                return None

        return wait_for(answer)

    def guest(self) -> Visitor:
        public = "ALLOWED_HOSTS" in self.environment

        def connect() -> http.client.HTTPConnection:
            return http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)

        if public:
            return Visitor(connect)
        return Visitor(connect, host=f"127.0.0.1:{self.port}", scheme="http")

    def make_survey(self) -> str:
        """Return the design digest of an open survey at /s/study/."""
        self.manage(
            "createsuperuser", "--noinput", f"--username={RESEARCHER}",
            "--email=researcher@example.org",
        )  # fmt: skip
        return self.python(SURVEY.format(owner=RESEARCHER))

    def count(self) -> int:
        return int(self.python(COUNT))

    def python(self, program: str) -> str:
        return self.manage("shell", "-v", "0", "-c", program).split()[-1]

    def processes(self) -> list[Path]:
        """Return the folders in /proc of its processes, beginning with the first."""
        found, left = [], [self.process.pid]
        while left:
            folder = Path(f"/proc/{left.pop()}")
            for task in folder.glob("task/*/children"):
                children = [int(each) for each in task.read_text().split()]
                found += [Path(f"/proc/{each}") for each in children]
                left += children
        return found

    def users(self) -> set[int]:
        return {each.stat().st_uid for each in self.processes()}

    def work(self) -> float:
        """Return the seconds of CPU of the first process and of the busiest worker."""
        first, *others = map(count_seconds, self.processes())
        return first + max(others)

    def left_in(self, folder: str) -> list[str]:
        return [each.name for each in (self.processes()[0] / "root" / folder).iterdir()]

    def read_log(self) -> str:
        return self.log.read_text()

    def signal(self, number: signal.Signals) -> None:
        os.kill(int(self.processes()[0].name), number)

    def wait(self) -> int:
        return self.process.wait(30)

    def stop(self) -> None:
        self.signal(signal.SIGTERM)
        if status := self.wait():
            fail(f"It stopped with {status}:\n{self.read_log()}")


def count_seconds(process: Path) -> float:
    fields = (process / "stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
