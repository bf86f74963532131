"""PostgreSQL's own programs, for tests that stop its servers or start their own."""

import os
import signal
import subprocess
from contextlib import contextmanager, suppress
from pathlib import Path

# Debian keeps them out of PATH, one folder for each version.
PROGRAMS = max(Path("/usr/lib/postgresql").glob("*/bin"), default=Path())


def run(program, *arguments):
    """Run one of them as its owner, because a server refuses to be run by root."""
    owner = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
    command = [*owner, str(PROGRAMS / program), *map(str, arguments)]
    subprocess.run(command, check=True, cwd="/", stdout=subprocess.DEVNULL)  # noqa: S603


def is_idle(process):
    """Return whether PostgreSQL's title of a process says that its client waits."""
    with suppress(FileNotFoundError):
        title = Path(f"/proc/{process}/cmdline").read_bytes().rstrip(b"\0 ")
        return title.endswith(b" idle")
    return False


class Cluster:
    """A server in a folder, on a socket there: no one else comes in, nothing collides.

    `number` is a port all the same, so that several can lie side by side.
    """

    def __init__(self, folder, number):
        self.folder, self.number = folder, number
        self.place = folder / f"cluster-{number}"
        self.runs = False

    def copy(self, source, *options):
        """Take over all that `source` has: what is said to libpq to reach it."""
        run(
            "pg_basebackup", "--checkpoint=fast", "--no-sync", "--wal-method=stream",
            f"--dbname={source}", f"--pgdata={self.place}", *options,
        )  # fmt: skip

    def start(self, **settings):
        settings = {
            "fsync": "off",
            "listen_addresses": "",
            "port": self.number,
            "unix_socket_directories": self.folder,
            **settings,
        }
        text = " ".join(f"-c {name}='{value}'" for name, value in settings.items())
        self.control("-l", self.folder / f"log-{self.number}", "-o", text, "start")
        self.runs = True

    def promote(self):
        self.control("promote")

    def control(self, *order):
        run("pg_ctl", "-D", self.place, "-w", *order)

    def kill(self):
        """Kill -9, the server and all that it has forked, as when a machine dies."""
        if not self.runs:
            return  # someone else may have its number by now
        self.runs = False
        self.signal(signal.SIGKILL)

    @contextmanager
    def frozen(self, *, listens=False):
        """Stop all of its processes; idle ones of its clients alone where it `listens`.

        The system goes on to accept connections and data for it, and answers nothing.
        One that is stopped in a transaction would keep its locks from all others.
        """
        stopped = self.signal(signal.SIGSTOP, to_itself=not listens)
        try:
            yield
        finally:
            for process in stopped:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGCONT)

    def signal(self, number, *, to_itself=True):
        """Send a signal to the server and all that it has forked; return whom."""
        server = int((self.place / "postmaster.pid").read_text().partition("\n")[0])
        # First, or it forks others meanwhile.
        processes = [server] if to_itself else []
        for process in processes:
            os.kill(process, number)
        children = Path(f"/proc/{server}/task/{server}/children").read_text().split()
        for process in map(int, children):
            if to_itself or is_idle(process):
                with suppress(ProcessLookupError):  # it may see the server die, and go
                    os.kill(process, number)
                    processes.append(process)
        return processes
