#!/usr/bin/python3
"""A minimal systemctl for the units of Candor and of the proxies.

It respects drop-ins, user, folders, environment, umask, limits and capabilities; only a
unit's own folders are writable. It ignores Restart= and system call filters.
"""

import contextlib
import os
import pwd
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

UNITS = Path("/etc/systemd/system"), Path("/lib/systemd/system")
RUNNING = Path("/run")
NETWORK = RUNNING / "network"
"""Number of the process whose network the services share (machine.py)."""

LONGEST = 30  # seconds


def merge_settings(*texts: str) -> dict[str, str]:
    """Return the settings of a unit and its drop-ins, with environments joined."""
    merged: dict[str, str] = {}
    for name, value in re.findall(r"^(\w+)=(.*)$", "\n".join(texts), re.MULTILINE):
        more = name == "Environment" and value and merged.get(name)
        merged[name] = f"{merged[name]} {value}" if more else value
    return merged


def read_settings(name: str) -> dict[str, str]:
    [file, *_] = [each / f"{name}.service" for each in UNITS
                  if (each / f"{name}.service").exists()]  # fmt: skip
    drop_ins = sorted((UNITS[0] / f"{name}.service.d").glob("*.conf"))
    return merge_settings(*(each.read_text("utf-8") for each in (file, *drop_ins)))


def make_folder(unit: dict[str, str], kind: str, root: str) -> Path:
    """Make a folder of a unit as systemd does, with the unit's user and mode."""
    folder = Path(root) / unit[f"{kind}Directory"]
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(int(unit[f"{kind}DirectoryMode"], 8))
    for path in (folder, *folder.rglob("*")):
        shutil.chown(path, unit["User"], unit["User"])
    return folder


def make_command(unit: dict[str, str]) -> list[str]:
    user = unit["User"]
    sandbox = ["set -e", f"ulimit -c {unit['LimitCORE']}"]
    capabilities = ""
    if unit["ProtectSystem"] == "strict":
        for kind, root in (("State", "/var/lib"), ("Cache", "/var/cache")):
            folder = make_folder(unit, kind, root)
            sandbox.append(f"mount --bind {folder} {folder}")
        limit = unit["LimitNOFILE"]
        sandbox += [
            "mount -t tmpfs tmpfs /tmp", "mount -o remount,bind,ro /",
            f"ulimit -H -n {limit} -S -n {limit}",
            f"umask {unit['UMask']}", f"cd {unit['WorkingDirectory']}",
        ]  # fmt: skip
        capabilities = " --bounding-set=-all --inh-caps=-all"
    home = pwd.getpwnam(user).pw_dir
    sandbox.append(
        f"exec env -i PATH=/usr/local/bin:/usr/bin:/bin HOME={home}"
        f" {unit.get('Environment', '')} setpriv --reuid={user} --regid={user}"
        f" --init-groups --no-new-privs{capabilities} {unit['ExecStart']}"
    )
    return [*inside(), "unshare", "--mount", "bash", "-c", "\n".join(sandbox)]


def inside() -> list[str]:
    return ["nsenter", f"--net=/proc/{NETWORK.read_text()}/ns/net"]


def find_process(name: str) -> int | None:
    """Return the number of its first process, or None if it does not run."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError, ValueError):
        number = int((RUNNING / f"{name}.pid").read_text())
        os.kill(number, 0)
        status = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
        if status != "Z":
            return number
    return None


def start(name: str) -> None:
    if find_process(name):
        return
    if name == "nginx":
        subprocess.run([*inside(), "/usr/sbin/nginx"], check=True)  # noqa: S603
        return
    with Path(f"/var/log/{name}.journal").open("ab") as journal:
        service = subprocess.Popen(  # noqa: S603
            make_command(read_settings(name)),
            stdin=subprocess.DEVNULL,
            stdout=journal,
            stderr=journal,
            start_new_session=True,
        )
    (RUNNING / f"{name}.pid").write_text(str(service.pid))


def stop(name: str) -> None:
    number = find_process(name)
    if number is None:
        return
    os.kill(number, signal.SIGTERM)
    end = time.monotonic() + LONGEST
    while find_process(name) and time.monotonic() < end:
        time.sleep(0.1)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(number, signal.SIGKILL)


def reload(name: str) -> None:
    number = find_process(name)
    if number is None:
        sys.exit(f"{name} is not active, cannot reload.")
    if name != "nginx":
        assert read_settings(name)["ExecReload"] == "/bin/kill -HUP $MAINPID"
    os.kill(number, signal.SIGHUP)


def main() -> None:
    verb, *names = [each for each in sys.argv[1:] if not each.startswith("--")]
    for name in (each.removesuffix(".service") for each in names):
        if verb in {"stop", "restart", "disable"}:
            stop(name)
        if verb in {"start", "restart"} or (verb, "--now" in sys.argv) == ("enable", 1):
            start(name)
        if verb == "reload":
            reload(name)


if __name__ == "__main__":
    main()
