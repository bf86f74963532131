"""Write the counts of a closed survey as an archive."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from glob import escape
from itertools import islice
from pathlib import Path

import numpy as np

from candor.files.table import FileError
from respondents.backups.files import lock_folder, replace_when_complete, sync
from respondents.imports.archives.archive import DESIGN, PATTERNS, Archive, make_archive
from respondents.imports.archives.rows import (
    ROWS_AT_ONCE,
    Batch,
    CountsDigest,
    write_rows,
)
from respondents.least_responses import TooFewResponsesError, has_too_few
from respondents.models import SealedPattern
from surveys.design import get_design
from surveys.models import Survey


def write_archive(survey: Survey, folder: Path) -> Archive:
    """Write the archive of a closed survey, completely or not at all.

    Raises
    ------
    FileError
        If there is nothing to archive, or if the folder is not empty or not writable.
    """
    if message := find_obstacle(survey):
        raise FileError([message])
    try:
        with unfinished_folder(folder) as draft:
            return write_files(survey, draft)
    except OSError as error:
        raise FileError([f"{folder}: {error.strerror}"]) from error


def find_obstacle(survey: Survey) -> str:
    """Return why a survey cannot be archived, or "" if it can."""
    if survey.is_rehearsal:
        return f"{survey.slug!r} is the test of a draft"
    if survey.is_draft:
        return f"{survey.slug!r} is a draft: it has no reports yet"
    if survey.is_open:
        return f"{survey.slug!r} is open: its counts still move"
    if survey.purged_on:
        return f"the reports of {survey.slug!r} were deleted"
    if has_too_few(survey, respondents := SealedPattern.objects.respondents(survey)):
        return str(TooFewResponsesError(survey, respondents))
    if get_design(survey).tables:
        return f"{survey.slug!r} has counts of declared tables, and no whole responses"
    return ""


def write_files(survey: Survey, folder: Path) -> Archive:
    digest = CountsDigest(survey.design_digest)
    respondents = 0

    def count_rows() -> Iterator[Batch]:
        nonlocal respondents
        for patterns, counts in read_sealed_rows(survey):
            digest.add(patterns, counts)
            respondents += int(counts.sum())
            yield patterns, counts

    with replace_when_complete(folder / PATTERNS) as file:
        write_rows(file, get_design(survey), count_rows())
    # Checked last, to detect reports that were deleted before the first row was read.
    survey.refresh_from_db(fields=["purged_on"])
    if survey.purged_on or respondents != SealedPattern.objects.respondents(survey):
        raise FileError([f"the reports of {survey.slug!r} are just being deleted"])
    archive = make_archive(survey, counts_digest=str(digest), respondents=respondents)
    with replace_when_complete(folder / DESIGN) as file:
        file.write_text(archive.to_json(), "utf-8")
    return archive


def read_sealed_rows(survey: Survey) -> Iterator[Batch]:
    """Yield sealed patterns and counts in batches, sorted by pattern."""
    rows = SealedPattern.objects.filter(survey=survey).order_by("pattern")
    read = rows.values_list("pattern", "count").iterator(ROWS_AT_ONCE)
    while batch := list(islice(read, ROWS_AT_ONCE)):
        patterns, counts = zip(*batch, strict=True)
        joined = np.frombuffer(b"".join(patterns), dtype=np.uint8)
        yield joined.reshape(len(batch), -1), np.array(counts, dtype=np.int64)


@contextmanager
def unfinished_folder(folder: Path) -> Iterator[Path]:
    """Yield a private folder that becomes `folder` on success.

    Raises
    ------
    FileError
        If `folder` exists and is not empty.
    """
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise FileError([f"{folder} holds something else: name a folder that is empty"])
    whole = folder.absolute()
    whole.parent.mkdir(parents=True, exist_ok=True)
    with lock_folder(whole.parent):
        # The lock allows one writer, so killed processes left these hidden folders.
        for abandoned in whole.parent.glob(f".{escape(whole.name)}.*"):
            if is_unfinished(abandoned):
                shutil.rmtree(abandoned)
        draft = whole.with_name(f".{whole.name}.{os.getpid()}")
        draft.mkdir(mode=0o700)
        try:
            yield draft
            # Replaces an empty folder, but nothing else.
            draft.rename(folder)
            sync(whole.parent)
        finally:
            shutil.rmtree(draft, ignore_errors=True)


def is_unfinished(path: Path) -> bool:
    """Return whether a killed process left this folder; it is not a user's own."""
    return (
        path.suffix[1:].isdecimal()
        and path.is_dir()
        and not path.is_symlink()
        and all(PATTERNS in each.name or DESIGN in each.name for each in path.iterdir())
    )
