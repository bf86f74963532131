"""Run commands in a root file system, in a chosen network."""

import contextlib
import ctypes
import os
import pty
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NoReturn, TypeVar

CLONE_NEWNET = 0x40000000
MAX_START_SECONDS = 60  # seconds


def fail(why: str) -> NoReturn:
    print(f"\n*** {why}", flush=True)
    sys.exit(1)


def here(*command: object) -> str:
    """Run a command on this machine; return its output."""
    arguments = [str(each) for each in command]
    done = subprocess.run(  # noqa: S603
        arguments, check=True, stdout=subprocess.PIPE, text=True
    )
    return done.stdout.strip()


class Machine:
    """A root file system in which commands are run."""

    def __init__(self, root: Path, answers: Mapping[str, str]) -> None:
        """Set the answers to prompts, by a pattern for the end of each."""
        self.root, self.answers = root, dict(answers)
        self.outside = os.open("/proc/self/ns/net", os.O_RDONLY)
        # A separate network with all ports free, for everything except downloads.
        holder = ["unshare", "--net", "sleep", "infinity"]
        process = subprocess.Popen(holder).pid  # noqa: S603
        self.inside = wait_for(lambda: find_network(process, self.outside))
        self.write("/run/network", str(process))
        with self.alone():
            here("ip", "link", "set", "lo", "up")
            # Caddy's user may bind port 443 there, as its unit allows.
            Path("/proc/sys/net/ipv4/ip_unprivileged_port_start").write_text("0")

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Enter the isolated network of the service."""
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
        """Run a block as if it were pasted, and return its output.

        It can download; services and curl use the network of the machine.
        """
        if shown:
            print("\n".join(f"  $ {line}" for line in block.splitlines()), flush=True)
        status, output = run_at_terminal(
            ["chroot", str(self.root), "/bin/bash", "-ec",
             f"cd /srv/candor 2>/dev/null || cd /\n{block}"],
            self.answers,
        )  # fmt: skip
        if status:
            for journal in sorted((self.root / "var/log").glob("*.journal")):
                output += f"\n{journal.name}:\n{journal.read_text('utf-8')[-3000:]}"
            fail(f"This does not work as written ({status}):\n{block}\n{output}")
        return output


def find_network(process: int, other: int) -> int | None:
    """Return the network of a process if it differs from `other`, else None."""
    found = os.open(f"/proc/{process}/ns/net", os.O_RDONLY)
    return found if os.fstat(found).st_ino != os.fstat(other).st_ino else None


def enter(network: int) -> None:
    if ctypes.CDLL(None, use_errno=True).setns(network, CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), "setns")


Found = TypeVar("Found")


def wait_for(condition: Callable[[], Found | None]) -> Found:
    end = time.monotonic() + MAX_START_SECONDS
    while (found := condition()) is None:
        if time.monotonic() > end:
            fail("It takes too long.")
        time.sleep(0.1)
    return found


def run_at_terminal(command: list[str], answers: Mapping[str, str]) -> tuple[int, str]:
    """Return the status and the output of a command that may ask questions."""
    process, terminal = pty.fork()
    if process == 0:
        os.execvpe(command[0], command, environment())  # noqa: S606
    output, answered = "", 0
    with contextlib.suppress(OSError):  # the end of a terminal
        while part := os.read(terminal, 4096):
            output += part.decode("utf-8", "replace")
            asked = output[answered:].rpartition("\n")[2]
            for question, answer in answers.items():
                if re.search(f"{question}$", asked):
                    answered = len(output)
                    os.write(terminal, f"{answer}\n".encode())
                    break
    # Closing the terminal earlier would end the session by SIGHUP.
    status = os.waitpid(process, 0)[1]
    os.close(terminal)
    return os.waitstatus_to_exitcode(status), output


def environment() -> dict[str, str]:
    """Return root's environment after a login, with this machine's proxies."""
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
