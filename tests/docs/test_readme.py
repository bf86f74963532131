"""What README, CITATION.cff and pyproject.toml state about the project as a whole."""

import re
import tomllib

import yaml

from candor import __version__
from tests.docs.documents import PROJECT, text_of

README = text_of(PROJECT / "README.md")
STATED = tomllib.loads(text_of(PROJECT / "pyproject.toml"))["project"]


def test_the_licence_is_the_one_that_is_packaged():
    licence = text_of(PROJECT / "LICENSE").split()
    assert licence[:4] == ["Apache", "License", "Version", "2.0,"]
    assert STATED["license"] == "Apache-2.0"
    assert STATED["license-files"] == ["LICENSE"]
    assert "[Apache-2.0](LICENSE)" in README


def test_the_version_is_the_current_one():
    assert f"Version {__version__}," in README


def test_the_container_is_built_from_a_file_that_is_there():
    [file] = re.findall(r"docker build -f (\S+) ", README)
    assert (PROJECT / file).is_file()


def test_it_can_be_cited_as_what_it_is():
    cited = yaml.safe_load(text_of(PROJECT / "CITATION.cff"))
    assert cited["cff-version"] == "1.2.0"
    assert cited["version"] == __version__
    assert cited["license"] == STATED["license"]
    assert cited["authors"] == [{"name": STATED["authors"][0]["name"]}]
    assert cited.get("repository-code") == STATED["urls"].get("Repository")


def test_the_lines_of_python_show_the_estimates(capsys):
    (program,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    exec(program, {})  # noqa: S102 - our own lines
    _head, _rule, yes, _no = capsys.readouterr().out.splitlines()
    assert yes.split()[:6] == ["yes", "0.3000", "0.3000", "0.0985", "0.1142", "0.5000"]
    # Stated in words below them.
    assert "between 11 % and 50 % of the group" in README
