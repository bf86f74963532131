"""All files of one survey in one, so that they cannot be of different moments."""

from collections.abc import Iterable
from pathlib import Path
from shutil import copyfileobj
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from estimation.exports.files import EXPORTS, AnyFile, Export, Source, TextFile


def filename(source: Source, export: Export) -> str:
    """Return what a file is called, alone and among all."""
    return f"{source.survey.slug}-{export.name}"


def all_files(source: Source, *, with_reports: bool) -> list[AnyFile]:
    """Return the files that somebody may have, where there are not too many reports."""
    return [
        export
        for export in EXPORTS.values()
        if not export.holds_reports or (with_reports and export.takes(source.cells))
    ]


def write_archive(source: Source, exports: Iterable[AnyFile], path: Path) -> None:
    """Write the files as one zip. It says of none when it was made."""
    with ZipFile(path, "w") as archive:
        for export in exports:
            # Of 1980, as ZipInfo is where nobody says otherwise.
            entry = ZipInfo(filename(source, export))
            entry.compress_type = ZIP_DEFLATED
            with archive.open(entry, "w", force_zip64=True) as written:
                if isinstance(export, TextFile):
                    text = export.text(source)
                    for piece in [text] if isinstance(text, str) else text:
                        written.write(piece.encode())
                    continue
                file = path.with_name(export.name)
                export.write(source, file)
                with file.open("rb") as read:
                    copyfileobj(read, written)
                file.unlink()
