"""Every page, file and command of results matches its record.

`python -m tests.golden.record` writes the records again, for a change that is intended.
"""

import difflib
import os

import pytest

from tests.golden.record import RECORDS, WRITES
from tests.golden.site import TODAY, Site
from tests.golden.surveys import CASES, audited

MAX_LINES = 400


@pytest.fixture
def today(monkeypatch):
    monkeypatch.setattr("django.utils.timezone.now", lambda: TODAY)


@pytest.mark.parametrize("name", CASES)
def test_pages_and_files_match_the_record(name, client, db, today, tmp_path):
    site = Site(client, tmp_path)
    CASES[name](site)
    compare(name, site.records)


@pytest.mark.server
def test_an_audit_matches_the_record(site, client, today, tmp_path):
    visited = Site(client, tmp_path)
    audited(visited, site.url)
    compare("audited", visited.records)


def compare(name, records):
    """Fail with the lines that differ from a folder of records."""
    folder = RECORDS / name
    found = {each: "\n".join(lines) + "\n" for each, lines in records.items()}
    if os.environ.get(WRITES):
        write(folder, found)
    recorded = {path.stem: path.read_text("utf-8") for path in folder.glob("*.txt")}
    different = [
        line
        for each in sorted(recorded.keys() | found.keys())
        for line in difflib.unified_diff(
            recorded.get(each, "").splitlines(),
            found.get(each, "").splitlines(),
            fromfile=f"{name}/{each}.txt, recorded",
            tofile=f"{name}/{each}.txt, now",
            lineterm="",
        )
    ]
    more = len(different) - MAX_LINES
    if more > 0:
        different[MAX_LINES:] = [f"... {more} more lines"]
    assert not different, "\n".join(different)


def write(folder, message):
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.glob("*.txt"):
        path.unlink()
    for name, text in message.items():
        (folder / f"{name}.txt").write_text(text, "utf-8")
