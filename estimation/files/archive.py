"""All files of one survey in one, so that they cannot be of different moments."""

from collections.abc import Callable, Iterable, Iterator
from io import RawIOBase
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.utils import translation

from estimation.files.exports import (
    EXPORTS,
    AnyFile,
    Export,
    Source,
    TextFile,
)
from estimation.presentation.methods import LANGUAGE_OF_FILES


def filename(source: Source, export: Export) -> str:
    """Return what a file is called, alone and among all."""
    if export.is_static:
        return export.name
    return f"{source.survey.slug}-{export.name}"


def all_files(source: Source, *, with_reports: bool) -> list[AnyFile]:
    """Return the files that somebody may have, where there are not too many reports."""
    return [
        export
        for export in EXPORTS.values()
        if not export.holds_reports or (with_reports and export.takes(source.cells))
    ]


class Written(RawIOBase):
    """What was written since it was taken last: no archive is there as a whole."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, piece: Any) -> int:
        self._pieces.append(bytes(piece))
        return len(self._pieces[-1])

    def take(self) -> bytes:
        taken = b"".join(self._pieces)
        self._pieces.clear()
        return taken


def zip_files(source: Source, exports: Iterable[AnyFile]) -> Iterator[bytes]:
    """Yield the files as one zip, piece by piece. It says of none when it was made."""
    written = Written()
    with ZipFile(written, "w") as archive:
        for export in exports:
            # Of 1980, as ZipInfo is where nobody says otherwise.
            entry = ZipInfo(filename(source, export))
            entry.compress_type = ZIP_DEFLATED
            with archive.open(entry, "w", force_zip64=True) as file:
                for piece in read_contents(source, export):
                    file.write(piece)
                    yield written.take()
    yield written.take()


def read_contents(source: Source, export: AnyFile) -> Iterator[bytes]:
    """Yield what is in a file."""
    # Nothing is yielded within: somebody else's page may come before the next piece.
    with translation.override(LANGUAGE_OF_FILES):
        made = (
            export.text(source)
            if isinstance(export, TextFile)
            else made_here(lambda path: export.write(source, path))
        )
    if isinstance(made, bytes):
        yield made
    else:
        yield from map(str.encode, [made] if isinstance(made, str) else made)


def made_here(write: Callable[[Path], None]) -> bytes:
    """Return a file that is written into a folder of its own, and gone from there.

    Read as a whole, since all of these are compressed or of bounded size: a file left
    open would wait for whoever drops the answer unread.
    """
    with TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        write(path)
        return path.read_bytes()
