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

    One at a time in a folder. So what is there of others was left by who was killed,
    and goes: it would be a copy that no one sees and no rule deletes. Of others: of
    files that are `named` so, or like this one.
    """
    with lock_folder(file.parent):
        for left in file.parent.glob(f".{named or escape(file.name)}.*"):
            left.unlink()
        draft = file.with_name(f".{file.name}.{os.getpid()}")
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNERS_ONLY))
        try:
            yield draft
            for path in (draft, file.parent):
                sync(path)
            draft.replace(file)
        finally:
            # With the files that SQLite keeps next to an open database.
            for each in file.parent.glob(f"{escape(draft.name)}*"):
                each.unlink()


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Wait until no other process works here; the lock goes with who holds it."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
