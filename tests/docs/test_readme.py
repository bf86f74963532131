"""Statements about the project in README, CITATION.cff and pyproject.toml."""

import re
import tomllib

import yaml

from candor import __version__
from tests.docs.documents import PROJECT, text_of

README = text_of(PROJECT / "README.md")
STATED = tomllib.loads(text_of(PROJECT / "pyproject.toml"))["project"]


def test_the_stated_licence_matches_the_package():
    licence = text_of(PROJECT / "LICENSE").split()
    assert licence[:4] == ["Apache", "License", "Version", "2.0,"]
    assert STATED["license"] == "Apache-2.0"
    assert STATED["license-files"] == ["LICENSE"]
    assert "[Apache-2.0](LICENSE)" in README


def test_the_version_is_the_current_one():
    assert f"Version {__version__}," in README


def test_the_documented_dockerfile_exists():
    [file] = re.findall(r"docker build -f (\S+) ", README)
    assert (PROJECT / file).is_file()


def test_citation_metadata_match_the_package():
    cited = yaml.safe_load(text_of(PROJECT / "CITATION.cff"))
    assert cited["cff-version"] == "1.2.0"
    assert cited["version"] == __version__
    assert cited["license"] == STATED["license"]
    assert cited["authors"] == [{"name": STATED["authors"][0]["name"]}]
    assert cited.get("repository-code") == STATED["urls"].get("Repository")


def test_the_python_example_prints_the_stated_estimates(capsys):
    (program,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    exec(program, {})  # noqa: S102 - our own lines
    _head, _rule, yes, _no = capsys.readouterr().out.splitlines()
    assert yes.split()[:6] == ["yes", "0.3000", "0.3000", "0.0985", "0.1142", "0.5000"]
    # The text below states them.
    assert "between 11 % and 50 % of the group" in README
