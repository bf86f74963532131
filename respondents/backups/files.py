"""Files that only their owner can read, written completely or not at all."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from glob import escape
from pathlib import Path

OWNERS_ONLY = 0o600


@contextmanager
def replace_when_complete(file: Path, *, named: str = "") -> Iterator[Path]:
    """Yield an empty file that replaces `file` on success.

    A lock allows one writer per folder. Any other draft there was left by a process
    that was killed, and is deleted: otherwise it would be a hidden copy that no rule
    deletes. These are the drafts of files that match `named`, by default of `file`.
    """
    with lock_folder(file.parent):
        for abandoned in file.parent.glob(f".{named or escape(file.name)}.*"):
            abandoned.unlink()
        draft = file.with_name(f".{file.name}.{os.getpid()}")
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNERS_ONLY))
        try:
            yield draft
            for path in (draft, file.parent):
                sync(path)
            draft.replace(file)
        finally:
            # Including the files that SQLite keeps next to an open database.
            for path in file.parent.glob(f"{escape(draft.name)}*"):
                path.unlink()


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Lock a folder, waiting for other processes; the lock ends with its process."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def sync(path: Path) -> None:
    """Wait until a file, or a folder's list of names, is written to disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
