"""What the README states about the project as a whole."""

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
