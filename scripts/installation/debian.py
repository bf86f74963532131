"""A small Debian in which the guides are followed."""

import os
import re
import shutil
import ssl
import stat
from collections.abc import Mapping
from pathlib import Path

from scripts.check_deployment import PROJECT
from scripts.installation.machine import Machine, here

KEPT = PROJECT / "var" / "installation"
SUITE = "bookworm"

STAND_INS = {
    "/usr/local/bin/systemctl":
        Path(__file__).with_name("stand_in_for_systemd.py").read_text("utf-8"),
    "/usr/local/bin/curl":
        "#!/bin/sh\n[ ! -e /root/root.crt ] || export CURL_CA_BUNDLE=/root/root.crt\n"
        'exec nsenter --net="/proc/$(cat /run/network)/ns/net" /usr/bin/curl "$@"\n',
    "/usr/bin/logger": "#!/bin/sh\nexec cat >>/var/log/jobs.journal\n",
    # Packages start no services, whose ports other programs here may use.
    "/usr/sbin/policy-rc.d": "#!/bin/sh\nexit 101\n",
}  # fmt: skip
"""Programs that differ from those of a server, by path."""


def fetch_debian() -> Path:
    base = KEPT / SUITE
    if not (base / "etc" / "debian_version").exists():
        print("Fetching a small Debian", flush=True)
        draft = KEPT / "draft"
        shutil.rmtree(draft, ignore_errors=True)
        draft.parent.mkdir(parents=True, exist_ok=True)
        here("debootstrap", "--variant=minbase", SUITE, draft, *mirror())
        draft.rename(base)
    return base


def make_root(folder: Path, *, host: str, answers: Mapping[str, str]) -> Machine:
    """Mount an overlay over a small Debian, which is not changed."""
    base = fetch_debian()
    upper, work, root = (folder / name for name in ("upper", "work", "root"))
    for each in (upper, work, root):
        each.mkdir(mode=0o755)
    folder.chmod(0o755)
    mount("overlay", root, "-t", "overlay", "-o",
          f"lowerdir={base},upperdir={upper},workdir={work}")  # fmt: skip
    mount("proc", root / "proc", "-t", "proc")
    make_devices(root / "dev")
    # Downloads are shared between runs.
    for name, place in (("archives", "var/cache/apt/archives"), ("pip", "root/pip")):
        (KEPT / name).mkdir(exist_ok=True)
        (root / place).mkdir(parents=True, exist_ok=True)
        mount(KEPT / name, root / place, "--bind")
    machine = Machine(root, answers)
    shutil.copy("/etc/resolv.conf", root / "etc" / "resolv.conf")
    machine.write("/etc/hosts", f"127.0.0.1 localhost {host} {os.uname().nodename}\n")
    shutil.copy(find_certificates(), root / "root" / "certificates")
    machine.write("/etc/apt/apt.conf.d/keep", 'APT::Keep-Downloaded-Packages "true";\n')
    for path, text in STAND_INS.items():
        machine.write(path, text, mode=0o755)
    return machine


def find_certificates() -> str:
    """Return the file of trusted certificates, which may include a proxy's."""
    return ssl.get_default_verify_paths().cafile or "/etc/ssl/certs/ca-certificates.crt"


def make_devices(folder: Path) -> None:
    """Make the devices that programs expect, but none of this machine's disks."""
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


def mirror() -> list[str]:
    """Return the Debian mirror of this machine's apt; empty for the default."""
    found = here("apt-get", "indextargets", "--format", "$(REPO_URI) $(CODENAME)")
    return re.findall(rf"^(\S+) {SUITE}$", found, re.MULTILINE)[:1]
