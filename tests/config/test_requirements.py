"""Every installed distribution is pinned by a hash."""

import re
import tomllib
from importlib.metadata import distributions

import pytest
from django.conf import settings
from packaging.requirements import Requirement

from scripts import licences

LISTS = [
    "requirements.txt",
    "requirements-archives.txt",
    "requirements-spark.txt",
    "requirements-audit.txt",
    "requirements-dev.txt",
    "requirements-release.txt",
]
ENTRY = re.compile(
    r"[\w.-]+(\[[\w, -]+\])?"  # name[extras]
    r"==[\w.]+"
    r"( ;[^-]+)?"  # on which machines
    r"(\s+--hash=sha256:[0-9a-f]{64})+\s*"
)


def entries(name):
    """Return the requirements of a list with their continuation lines joined."""
    text = (settings.BASE_DIR / name).read_text().replace("\\\n", " ")
    return [line for line in text.splitlines() if line and not line.startswith(" ")]


@pytest.mark.parametrize("name", LISTS)
def test_every_package_has_one_version_and_hashes(name):
    for entry in entries(name):
        assert ENTRY.fullmatch(entry), entry


@pytest.mark.parametrize("name", LISTS)
def test_requirements_name_no_package_index(name):
    text = (settings.BASE_DIR / name).read_text()

    assert "://" not in text
    assert "--index-url" not in text
    assert "--find-links" not in text


def normalised(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned(name):
    return {
        normalised(re.split(r"[=\[ ]", entry)[0]): entry.split("==")[1].split()[0]
        for entry in entries(name)
    }


def test_every_dependency_of_the_project_is_pinned():
    project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text())
    library = {
        normalised(re.match(r"[\w.-]+", dependency)[0])
        for dependency in project["project"]["dependencies"]
    }
    server, archives, audit, dev, release = (
        {
            normalised(re.match(r"[\w.-]+", dependency)[0])
            for dependency in project["dependency-groups"][group]
            if isinstance(dependency, str)  # else it includes another group
        }
        for group in ("server", "archives", "audit", "dev", "release")
    )

    assert library | server <= pinned("requirements.txt").keys()
    assert archives <= pinned("requirements-archives.txt").keys()
    assert dev <= pinned("requirements-dev.txt").keys()
    assert audit == pinned("requirements-audit.txt").keys()
    assert release <= pinned("requirements-release.txt").keys()


def required_with_extras():
    """Yield the name and extras of what installed packages require with extras."""
    for package in distributions():
        for text in package.requires or ():
            requirement = Requirement(text)
            needed = requirement.marker is None or requirement.marker.evaluate(
                {"extra": ""}
            )
            if requirement.extras and needed:
                yield normalised(requirement.name), requirement.extras


def test_packages_are_pinned_with_the_extras_that_others_require():
    # Without them, pip 23 refuses the whole list once a newer version is published.
    requirements = [
        Requirement(entry.split(" --hash")[0].split(";")[0])
        for entry in entries("requirements-dev.txt")
    ]
    pinned_with = {normalised(found.name): found.extras for found in requirements}
    required = list(required_with_extras())

    assert ("coverage", {"toml"}) in required
    for name, extras in required:
        assert extras <= pinned_with[name], name


def test_every_installation_requires_hashes():
    """What make installs has hashes, but for what works out the lists themselves."""
    makefile = (settings.BASE_DIR / "Makefile").read_text().replace("\\\n", " ")
    installing = [line for line in makefile.splitlines() if "pip install" in line]
    without = [line for line in installing if "--require-hashes" not in line]
    assert len(installing) > 3
    assert [re.search(r"--target (.*)", line)[1] for line in without] == ["var/uv uv"]


def test_every_licence_is_listed_as_the_package_states_it():
    page = licences.page()
    assert "not stated" not in page
    assert page == licences.PAGE.read_text("utf-8")


def test_tests_and_server_pin_the_same_versions():
    assert pinned("requirements.txt").items() <= pinned("requirements-dev.txt").items()
    audit = pinned("requirements-audit.txt").items()
    assert audit <= pinned("requirements-dev.txt").items()
    archives = pinned("requirements-archives.txt").items()
    assert pinned("requirements.txt").items() <= archives
    assert archives <= pinned("requirements-dev.txt").items()
    assert archives <= pinned("requirements-spark.txt").items()
