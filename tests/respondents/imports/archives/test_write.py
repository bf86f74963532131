import hashlib
import json
import os
import signal
import stat
import subprocess
import sys

import pyarrow.parquet as pq
import pytest
from django.core.management import CommandError

from candor.files.table import FileError
from candor.mechanisms.draws import NOT_ASKED
from respondents.distribution.deletion import purge
from respondents.imports.archives.write import write_archive
from respondents.models import SealedPattern
from surveys.files.read import read_parsed
from surveys.frozen import compute_digest
from surveys.models import Survey
from surveys.version import get_software_version
from tests.archives import archived, make_closed, patterns_of, run
from tests.factories import make_survey

pytestmark = pytest.mark.django_db

COUNTS = patterns_of(1)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "site"


def rows_in(folder):
    """Every row as a pattern, in the order of the file, and its count."""
    *columns, counts = pq.read_table(folder / "patterns.parquet").columns
    for *reports, count in zip(*map(list, [*columns, counts]), strict=True):
        places = [each.as_py() for each in reports]
        pattern = bytes(NOT_ASKED if each is None else each for each in places)
        yield pattern, count.as_py()


@pytest.mark.storage
def test_an_archive_contains_counts_sorted_by_pattern(folder):
    archived(make_closed(COUNTS), folder)
    assert list(rows_in(folder)) == sorted(COUNTS.items())
    modes = [stat.S_IMODE(each.stat().st_mode) for each in (folder, *folder.iterdir())]
    assert modes == [0o700, 0o600, 0o600]
    assert pq.read_metadata(folder / "patterns.parquet").metadata is None
    # Anyone can work the digest out.
    written = json.loads((folder / "design.json").read_text("utf-8"))
    counted = hashlib.sha256(written["design_digest"].encode())
    for pattern, count in rows_in(folder):
        counted.update(pattern + count.to_bytes(8, "big"))
    assert counted.hexdigest() == written["counts_digest"]


def test_an_archive_contains_the_design_and_no_server_settings(folder):
    survey = make_closed(COUNTS, closes_on="2031-01-31", target=700, batch_size=50)
    archived(survey, folder)
    written = json.loads((folder / "design.json").read_text("utf-8"))
    assert sorted(each.name for each in folder.iterdir()) == [
        "design.json",
        "patterns.parquet",
    ]
    assert (
        written["design_digest"]
        == compute_digest(written["design"])
        == survey.design_digest
    )
    assert written["software"] == get_software_version()
    assert written["respondents"] == sum(COUNTS.values())
    # A file of a survey, from which the same can be made again.
    assert read_parsed(written["survey"]).fields["draws"] == survey.draws
    assert written["survey"]["batch_size"] == 50
    assert not {"closes_on", "target"} & written["survey"].keys()
    assert "2031" not in (folder / "design.json").read_text("utf-8")


def test_an_archive_does_not_depend_on_the_order_of_responses(tmp_path):
    survey = make_closed(COUNTS)
    archived(survey, tmp_path / "not there yet" / "first")
    # Other ids, and so other rows of the table in another order.
    SealedPattern.objects.filter(survey=survey).delete()
    SealedPattern.objects.write(survey, dict(reversed(COUNTS.items())))
    archived(survey, tmp_path / "second")
    for name in ("patterns.parquet", "design.json"):
        first, second = (
            tmp_path / each / name for each in ("not there yet/first", "second")
        )
        assert first.read_bytes() == second.read_bytes()


def test_an_archive_is_written_only_to_an_empty_folder(tmp_path):
    survey = make_closed(COUNTS)
    empty, full, file = tmp_path / "empty", tmp_path / "full", tmp_path / "file"
    empty.mkdir()
    full.mkdir()
    for path in (full / "thesis.txt", file):
        path.write_text("mine")
    archived(survey, empty)
    for path in (full, file, empty):
        with pytest.raises(CommandError, match=f"{path} holds something else"):
            archived(survey, path)
    assert (full / "thesis.txt").read_text() == file.read_text() == "mine"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["empty", "file", "full"]


@pytest.mark.parametrize(
    ("state", "message"),
    [
        ({"opened": False}, "is a draft"),
        ({}, "is open: its counts still move"),
        ({"is_simulated": True, "rehearses": True}, "is the test of a draft"),
        ({"purged_on": "2030-01-01"}, "were deleted"),
    ],
)
def test_only_complete_closed_surveys_are_archived(folder, state, message):
    state = dict(state)
    if state.pop("rehearses", False):
        state["rehearsal_of"] = make_survey(opened=False, slug="the-draft")
    survey = make_survey(**state)
    if survey.purged_on:
        Survey.objects.filter(pk=survey.pk).update(state="closed")
    with pytest.raises(CommandError, match=message):
        run("archive", survey.slug, folder)
    assert list(folder.parent.iterdir()) == []


def test_counts_being_deleted_leave_no_archive(folder):
    survey = make_closed(COUNTS)
    SealedPattern.objects.filter(survey=survey, pattern=min(COUNTS)).delete()
    with pytest.raises(CommandError, match="just being deleted"):
        run("archive", survey.slug, folder)
    assert list(folder.parent.iterdir()) == []


def test_just_deleted_counts_are_not_archived_as_empty(folder):
    """Anyone who asked for it has a copy of the survey from before."""
    survey = make_closed(COUNTS)
    purge(Survey.objects.get(pk=survey.pk))
    with pytest.raises(FileError, match="just being deleted"):
        write_archive(survey, folder)
    assert list(folder.parent.iterdir()) == []


KILLED = """
import os, signal, sys
from pathlib import Path
import django
django.setup()
from respondents.imports.archives.write import unfinished_folder
from respondents.backups.files import replace_when_complete
with unfinished_folder(Path(sys.argv[1])) as folder:
    (folder / "patterns.parquet").touch()
    with replace_when_complete(folder / "design.json"):
        os.kill(os.getpid(), signal.SIGKILL)
"""


def test_the_next_archive_removes_leftovers_of_a_killed_one(folder):
    """It would be a copy of all reports that no one sees and no rule deletes."""
    survey = make_closed(COUNTS)
    killed = subprocess.run(  # noqa: S603
        [sys.executable, "-c", KILLED, folder],
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings"},
        check=False,
    )
    assert killed.returncode == -signal.SIGKILL
    [left] = folder.parent.iterdir()
    # Of a killed one that had this process's number, too.
    left.rename(left.with_name(f".{folder.name}.{os.getpid()}"))
    mine, diary, link = (
        folder.with_name(f".{folder.name}.{end}") for end in ("2026", "notes", "1")
    )
    mine.mkdir()
    (mine / "thesis.txt").touch()
    diary.mkdir()
    link.symlink_to(mine)

    archived(survey, folder)

    assert {*folder.parent.iterdir()} == {folder, mine, diary, link}
    assert (mine / "thesis.txt").exists()


def test_a_missing_library_is_reported_with_its_requirements_file(folder, monkeypatch):
    survey = make_closed(COUNTS)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(CommandError, match=r"needs pyarrow.* requirements-archives"):
        run("archive", survey.slug, folder)
    assert list(folder.parent.iterdir()) == []


def test_a_survey_without_respondents_is_archived(folder):
    archived(make_closed({}), folder)
    assert list(rows_in(folder)) == []
