#!/usr/bin/python3
"""Does for the units of Candor and for nginx what systemd would, where there is none.

It is `systemctl` in the root file system of scripts/check_installation.py, run by the
Python of Debian. Of a unit it keeps to whom it runs as, where, with which environment,
umask and limits, without capabilities, and with nothing that it can write but its own
folders. Restart= and the filter of system calls it knows nothing of.
"""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

UNITS, RUNNING = Path("/etc/systemd/system"), Path("/run")
LONGEST = 30  # seconds


def settings_of(name: str) -> dict[str, str]:
    text = (UNITS / f"{name}.service").read_text("utf-8")
    return dict(re.findall(r"^(\w+)=(.*)$", text, re.MULTILINE))


def folder_of(unit: dict[str, str], kind: str, root: str) -> Path:
    """Make a unit's own folder as systemd does: its user's, with the mode it names."""
    folder = Path(root) / unit[f"{kind}Directory"]
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(int(unit[f"{kind}DirectoryMode"], 8))
    for path in (folder, *folder.rglob("*")):
        shutil.chown(path, unit["User"], unit["User"])
    return folder


def command_of(unit: dict[str, str]) -> list[str]:
    user = unit["User"]
    own = [
        folder_of(unit, "State", "/var/lib"),
        folder_of(unit, "Cache", "/var/cache"),
    ]
    sandbox = [f"mount --bind {each} {each}" for each in own]
    sandbox += ["mount -t tmpfs tmpfs /tmp", "mount -o remount,bind,ro /"]
    sandbox += [
        f"ulimit -H -n {unit['LimitNOFILE']} -S -n {unit['LimitNOFILE']}",
        f"ulimit -c {unit['LimitCORE']}",
        f"umask {unit['UMask']}",
        f"cd {unit['WorkingDirectory']}",
        f"exec env -i PATH=/usr/local/bin:/usr/bin:/bin {unit['Environment']}"
        f" setpriv --reuid={user} --regid={user} --init-groups --no-new-privs"
        f" --bounding-set=-all --inh-caps=-all {unit['ExecStart']}",
    ]
    return ["unshare", "--mount", "bash", "-c", "\n".join(["set -e", *sandbox])]


def process_of(name: str) -> int | None:
    """Return the number of its first process; None where it does not run."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError, ValueError):
        number = int((RUNNING / f"{name}.pid").read_text())
        os.kill(number, 0)
        if (
            Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
            != "Z"
        ):
            return number
    return None


def start(name: str) -> None:
    if process_of(name):
        return
    if name == "nginx":
        subprocess.run(["/usr/sbin/nginx"], check=True)
        return
    with Path(f"/var/log/{name}.journal").open("ab") as journal:
        service = subprocess.Popen(  # noqa: S603
            command_of(settings_of(name)),
            stdin=subprocess.DEVNULL,
            stdout=journal,
            stderr=journal,
            start_new_session=True,
        )
    (RUNNING / f"{name}.pid").write_text(str(service.pid))


def stop(name: str) -> None:
    number = process_of(name)
    if number is None:
        return
    os.kill(number, signal.SIGTERM)
    end = time.monotonic() + LONGEST
    while process_of(name) and time.monotonic() < end:
        time.sleep(0.1)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(number, signal.SIGKILL)


def reload(name: str) -> None:
    number = process_of(name)
    if number is None:
        sys.exit(f"{name} is not active, cannot reload.")
    if name != "nginx":
        assert settings_of(name)["ExecReload"] == "/bin/kill -HUP $MAINPID"
    os.kill(number, signal.SIGHUP)


def main() -> None:
    verb, *names = [each for each in sys.argv[1:] if not each.startswith("--")]
    for name in (each.removesuffix(".service") for each in names):
        if verb in {"stop", "restart"}:
            stop(name)
        if verb in {"start", "enable", "restart"}:
            start(name)
        if verb == "reload":
            reload(name)


if __name__ == "__main__":
    main()
