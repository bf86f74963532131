"""Build the image with buildah, without a registry."""

import json
import os
import shutil
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from scripts.check_deployment import PROJECT
from scripts.installation.debian import fetch_debian, find_certificates
from scripts.installation.machine import here

KEPT = PROJECT / "var" / "container"
BASE, NAME = "localhost/debian", "localhost/candor"

NOT_IN_SLIM = ("doc", "info", "lintian", "locale", "man")
"""Folders of /usr/share that debian:12-slim does not have either."""


def buildah(*arguments: object) -> str:
    where = (
        "--storage-driver",
        "vfs",
        "--root",
        KEPT / "store",
        "--runroot",
        KEPT / "run",
    )
    return here("buildah", *where, *arguments)


def build() -> None:
    """Build the image from deploy/Containerfile, on a base like debian:12-slim."""
    shutil.rmtree(KEPT, ignore_errors=True)
    KEPT.mkdir(parents=True)
    with TemporaryDirectory() as name:
        folder = Path(name)
        excluded = "".join(
            f"path-exclude /usr/share/{each}/*\n" for each in NOT_IN_SLIM
        )
        (folder / "slim").write_text(excluded)
        (folder / "Containerfile").write_text(
            "FROM scratch\nADD base.tar /\nCOPY slim /etc/dpkg/dpkg.cfg.d/slim\n"
        )
        left_out = [f"--exclude=./usr/share/{each}/*" for each in NOT_IN_SLIM]
        left_out += ["--exclude=./var/lib/apt/lists/*", "--exclude=./var/cache/apt/*"]
        here("tar", *left_out, "-C", fetch_debian(), "-cf", folder / "base.tar", ".")
        buildah("build", "--quiet", "--isolation=chroot", f"--tag={BASE}", folder)
        # Only the certificates of this machine, so that pip can use its proxy.
        (folder / "pip.conf").write_text("[global]\ncert = /etc/certificates\n")
        buildah(
            "build", "--quiet", "--isolation=chroot", "--format=docker",
            f"--build-arg=BASE={BASE}", f"--tag={NAME}",
            f"--volume={folder}/pip.conf:/etc/pip.conf:ro",
            f"--volume={find_certificates()}:/etc/certificates:ro",
            f"--file={PROJECT}/deploy/Containerfile", PROJECT,
        )  # fmt: skip
    buildah("from", "--name=check", NAME)


class Image:
    """The files and the configuration of the image."""

    @cached_property
    def root(self) -> Path:
        return Path(buildah("mount", "check"))

    @cached_property
    def config(self) -> dict[str, Any]:
        described = json.loads(buildah("inspect", "--type=image", NAME))
        config: dict[str, Any] = described["Docker"]["config"]
        return config

    @cached_property
    def user(self) -> int:
        lines = (self.root / "etc/passwd").read_text().splitlines()
        [user] = [each for each in lines if each.startswith(f"{self.config['User']}:")]
        return int(user.split(":")[2])

    def measure(self) -> tuple[int, int]:
        """Return its size in bytes: compressed, as in a registry, and unpacked."""
        packed = here("sh", "-c", 'tar -C "$0" -c . | gzip | wc -c', self.root)
        files = (
            Path(folder, name).lstat()
            for folder, _folders, names in os.walk(self.root)
            for name in names
        )
        return int(packed), sum(each.st_size for each in files)
