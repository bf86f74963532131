"""What the README states about the project as a whole."""

import re
import tomllib

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


def test_it_promises_no_more_than_the_documents_do():
    """PostgreSQL's log shows when responses came; some methods have no program."""
    plain = " ".join(README.split())
    assert "No record, log or backup says what anyone answered." in plain
    for claim in ("answered, when", "work it all out", "as a library"):
        assert claim not in plain


def test_the_lines_of_python_show_the_estimates(capsys):
    (program,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    exec(program, {})  # noqa: S102 - our own lines
    _head, _rule, yes, _no = capsys.readouterr().out.splitlines()
    assert yes.split()[:6] == ["yes", "0.3000", "0.3000", "0.0985", "0.1142", "0.5000"]
    # Stated in words above them.
    assert "Between 11 % and 50 % of the group" in README
