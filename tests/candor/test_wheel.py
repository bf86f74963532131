"""The wheel of the library, installed into a clean environment."""

import os
import subprocess
import sys
from importlib.metadata import Distribution
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest
import scipy
from packaging.requirements import Requirement

import candor

PROJECT = Path(candor.__file__).parents[1]
PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")


def run(*command, **environment):
    found = subprocess.run(  # noqa: S603 - our own commands
        [*map(str, command)],
        check=False,
        capture_output=True,
        text=True,
        env={"PATH": os.environ["PATH"], "HOME": "/nonexistent", **environment},
    )
    assert found.returncode == 0, found.stderr
    return found.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Build the wheel with the pinned build system, which needs no network."""
    folder = tmp_path_factory.mktemp("wheel")
    run(
        *PIP, "wheel", "--no-build-isolation", "--no-deps", "--no-index",
        "--wheel-dir", folder, PROJECT, PATH=f"{Path(sys.executable).parent}",
    )  # fmt: skip
    [built] = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def python(wheel, tmp_path_factory):
    """Return the Python of an environment with only the wheel, numpy and scipy."""
    environment = tmp_path_factory.mktemp("environment")
    run(sys.executable, "-m", "venv", "--without-pip", environment)
    python = environment / "bin" / "python"
    run(*PIP, "--python", python, "install", "--no-deps", "--no-index", wheel)
    [packages] = environment.glob("lib/python*/site-packages")
    for library in (np, scipy):
        installed = Path(library.__file__).parent
        for each in (installed, installed.with_name(f"{installed.name}.libs")):
            if each.exists():
                (packages / each.name).symlink_to(each)
    return python


def test_it_contains_one_package_with_its_types_and_the_licence(wheel):
    names = ZipFile(wheel).namelist()
    [information] = {name.split("/")[0] for name in names} - {"candor"}
    assert information == f"candor_surveys-{candor.__version__}.dist-info"
    assert "candor/py.typed" in names
    assert "candor/__init__.pyi" in names
    assert f"{information}/licenses/LICENSE" in names


def test_it_requires_numpy_and_scipy_and_nothing_else(wheel):
    with ZipFile(wheel) as files:
        [name] = [each for each in files.namelist() if each.endswith("/METADATA")]
        metadata = files.read(name).decode()

    class Wheel(Distribution):
        def read_text(self, filename):
            return metadata if filename == "METADATA" else None

        def locate_file(self, path):
            raise NotImplementedError

    stated = Wheel()
    required = [Requirement(each) for each in stated.requires]
    assert {each.name for each in required if each.marker is None} == {"numpy", "scipy"}
    assert stated.name == "candor-surveys"
    assert stated.version == candor.__version__


def test_it_has_the_command(python):
    command = python.with_name("candor")
    assert run(command, "--version") == f"candor {candor.__version__}\n"
    typed = ("estimate", "--family", "coin", "--reports", "yes=40", "no=60")
    assert "yes        40  0.300000" in run(command, *typed)
