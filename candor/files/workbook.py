"""Read one sheet of an .xlsx workbook as text, within fixed size limits."""

import csv
import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time
from io import BytesIO, StringIO
from itertools import takewhile
from typing import Any
from zipfile import ZipFile

from candor.files.table import FileError, Table, read_text
from candor.messages import translatable

WORKBOOK = b"PK\x03\x04"
"""First bytes of a zip file, and so of every .xlsx."""

OLD_WORKBOOK = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""First bytes of an .xls file, and of an .xlsx with a password."""

SHEET_OF_REPORTS = "Reports"
"""Sheet of reports in workbooks that Candor exports; it is not the first sheet."""

MAX_BYTES = 50_000_000
"""Unpacked size: ten times the size of `MAX_TAGS` tags in an ordinary sheet."""

MAX_TAGS = 2_000_000
"""About 500,000 numbers. openpyxl stores each element of a row in memory: a row with
this many empty elements takes 16 seconds and 640 MB (measured)."""

MAX_CELLS = 500_000
"""Cells from the first to the last used column, including empty rows."""

MERGED = re.compile(rb"<(?:\w+:)?mergeCell\s[^>]*ref=\"([A-Z0-9:]+)\"")

MAX_TAG_LENGTH = 200

PIECE = 1_000_000
"""Bytes that are unpacked in one step."""


def read_table(content: bytes) -> Table:
    """Return the rows of a file.

    Raises
    ------
    FileError
        If the file is neither text nor a readable workbook.
    """
    if not content.startswith((WORKBOOK, OLD_WORKBOOK)):
        return read_text(content)
    sheet, text = read_sheet(content)
    return Table(text, "utf-8", ",", sheet=sheet)


def read_sheet(content: bytes) -> tuple[str, str]:
    """Return the name of the sheet, and its rows as CSV: row n is line n.

    The sheet is `SHEET_OF_REPORTS`, or else the first visible one.

    Raises
    ------
    FileError
        If the file cannot be read or is too large, or the sheet has merged cells or
        formulas. The last computed values of formulas are not used, because a file may
        lack them, and an empty cell would be a missing report.
    """
    # Imported here, because importing openpyxl takes as long as all other imports.
    from openpyxl import load_workbook

    try:
        check_size(content)
        book = load_workbook(BytesIO(content), read_only=True)
        sheets = [each for each in book.worksheets if each.sheet_state == "visible"]
        named = [each for each in sheets if each.title == SHEET_OF_REPORTS]
        sheet = (named or sheets)[0]
        check_merged(content, sheet)
        return sheet.title, convert_to_csv(sheet)
    except FileError:
        raise
    except Exception as error:
        # openpyxl has no common error class: a broken file raises KeyError, TypeError,
        # an XML error, or others.
        raise make_unreadable_error() from error


def check_size(content: bytes) -> None:
    with ZipFile(BytesIO(content)) as archive:
        # zipfile unpacks at most the size that the archive states.
        unpacked = sum(part.file_size for part in archive.infolist())
        if unpacked <= MAX_BYTES:
            tags = sum(
                piece.count(b"<")
                for name in archive.namelist()
                for piece in read_pieces(archive, name)
            )
            if tags <= MAX_TAGS:
                return
    raise make_unreadable_error()


def make_unreadable_error() -> FileError:
    return FileError(
        [translatable("This workbook cannot be read. Save the sheet as CSV.")]
    )


def read_pieces(archive: ZipFile, name: str) -> Iterator[bytes]:
    with archive.open(name) as part:
        yield from iter(lambda: part.read(PIECE), b"")


def check_merged(content: bytes, sheet: Any) -> None:
    """Raise `FileError` for merged cells, of which only the first has a value."""
    with ZipFile(BytesIO(content)) as archive:
        seen = b""
        for piece in read_pieces(archive, sheet._worksheet_path):
            seen = seen[-MAX_TAG_LENGTH:] + piece
            if found := MERGED.search(seen):
                message = translatable(
                    "The sheet “%(sheet)s” has merged cells (%(cells)s). Unmerge them.",
                    sheet=sheet.title,
                    cells=found[1].decode(),
                )
                raise FileError([message])


def convert_to_csv(sheet: Any) -> str:
    """Return the rows of a sheet as CSV, one line each, as wide as the first."""
    # The stated size may be the whole grid, and openpyxl would fill rows up to it.
    sheet.reset_dimensions()
    written = StringIO()
    writer = csv.writer(written)
    width = cells = 0
    for row in sheet.iter_rows():
        cells += 1 + len(row)
        if cells > MAX_CELLS:
            raise make_unreadable_error()
        texts = strip_empty_end([format_cell(cell, sheet) for cell in row])
        width = width or len(texts)
        missing = width - len(texts) if texts else 0
        writer.writerow([*texts, *[""] * missing])
    return written.getvalue()


def strip_empty_end(texts: Sequence[str]) -> list[str]:
    empty = len(list(takewhile(lambda text: not text, reversed(texts))))
    return list(texts[: len(texts) - empty])


def format_cell(cell: Any, sheet: Any) -> str:
    """Return the text that a spreadsheet shows for a cell without a number format."""
    value = cell.value
    if value is None:
        return ""
    if cell.data_type == "f":
        message = translatable(
            "Cell %(cell)s of the sheet “%(sheet)s” holds a formula. Save the sheet as "
            "CSV.",
            cell=cell.coordinate,
            sheet=sheet.title,
        )
        raise FileError([message])
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime) and value.time() == time():
        value = value.date()
    if isinstance(value, date | time):
        return value.isoformat()
    # A line of the CSV is a row of the sheet.
    return " ".join(str(value).splitlines())
