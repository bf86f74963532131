"""The workbook for Excel and LibreOffice; no cell is a formula."""

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any

from candor.cli.rows import Cell
from estimation import libraries
from estimation.files.codebook import make_codebook_rows, make_note
from estimation.files.estimates import make_estimates_rows
from estimation.files.methods import methods_text
from estimation.files.reports import Reports, cells_by_byte
from estimation.rows.shares import SurveyResults

COLUMN_WIDTH, TEXT_WIDTH = 16, 100
"""Widths in characters."""

MAX_CELL_LENGTH = 32_000
"""XlsxWriter silently omits texts of more than 32,767 characters."""

# The type of a cell decides whether it is text or a number, not its contents. Rows
# are removed from memory once they are written.
OPTIONS = {
    "constant_memory": True,
    "strings_to_formulas": False,
    "strings_to_numbers": False,
    "strings_to_urls": False,
}


def write_workbook(results: SurveyResults, reports: Reports, path: Path) -> None:
    # XlsxWriter keeps its temporary files in the caller's folder.
    options = {**OPTIONS, "tmpdir": str(path.parent)}
    with libraries.xlsxwriter.Workbook(str(path), options) as book:
        bold = book.add_format({"bold": True})
        write_rows(book.add_worksheet("Estimates"), make_estimates_rows(results), bold)
        write_reports(book.add_worksheet("Reports"), reports, bold)
        write_rows(book.add_worksheet("Codebook"), make_codebook_rows(reports), bold)
        write_text(book.add_worksheet("About"), about(results, reports), book)


def about(results: SurveyResults, reports: Reports) -> str:
    return "\n".join([*make_note(reports), "", methods_text(results)])


def write_rows(sheet: Any, rows: Sequence[Mapping[str, Cell]], bold: Any) -> None:
    write_header(sheet, list(rows[0]), bold)
    for number, row in enumerate(rows, start=1):
        write_cells(sheet, number, row.values())


def write_reports(sheet: Any, reports: Reports, bold: Any) -> None:
    write_header(sheet, reports.columns, bold)
    known = [cells_by_byte(question) for question in reports.questions]
    for number, pattern in enumerate(reports.patterns, start=1):
        parts = map(dict.__getitem__, known, pattern)
        write_cells(sheet, number, (cell for part in parts for cell in part))


def write_header(sheet: Any, names: Sequence[str], bold: Any) -> None:
    sheet.freeze_panes(1, 0)
    sheet.set_column(0, len(names) - 1, COLUMN_WIDTH)
    for column, name in enumerate(names):
        sheet.write_string(0, column, name, bold)


def write_cells(sheet: Any, row: int, cells: Iterable[Cell]) -> None:
    for column, cell in enumerate(cells):
        if isinstance(cell, str):
            if cell:
                sheet.write_string(row, column, cell)
        elif math.isfinite(cell):
            sheet.write_number(row, column, cell)
        elif math.isinf(cell):
            # Workbooks have no infinite numbers.
            sheet.write_string(row, column, repr(cell))


def write_text(sheet: Any, text: str, book: Any) -> None:
    sheet.set_column(0, 0, TEXT_WIDTH)
    wrapped = book.add_format({"text_wrap": True, "valign": "top"})
    lines = [
        piece
        for line in text.splitlines()
        for piece in wrap(line, MAX_CELL_LENGTH) or [""]
    ]
    for row, line in enumerate(lines):
        sheet.write_string(row, 0, line, wrapped)
