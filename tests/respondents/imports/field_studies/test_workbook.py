"""Workbooks as Excel, LibreOffice, pandas and this software write them, and others."""

import contextlib
import re
from datetime import date, datetime, time
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

import openpyxl
import pytest
import xlsxwriter
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from candor.files import workbook
from candor.files.table import FileError
from candor.files.workbook import read_table
from respondents.imports.field_studies.mapping import describe_file
from respondents.imports.field_studies.rows import RowsError, count_patterns
from surveys.files.definition import Definition
from tests.respondents.imports.field_studies.test_mapping import asked

SPREADSHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
NOON, NIGHT = (
    datetime(2026, 3, 1, hour)  # noqa: DTZ001 - workbooks know no time zones
    for hour in (12, 0)
)
CANNOT = "cannot be read. Save the sheet as CSV"


def book_of(rows, *, title="Data", before=()):
    """What Excel writes: numbers, texts, dates and truth values by their type."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = title
    for row in rows:
        sheet.append(row)
    for name in before:
        book.create_sheet(name, 0)
    return saved(book)


def saved(book):
    file = BytesIO()
    book.save(file)
    return file.getvalue()


def with_parts(content, **parts):
    """A workbook with other bytes in some of its parts, by the ends of their names."""
    file = BytesIO()
    with ZipFile(BytesIO(content)) as old, ZipFile(file, "w", ZIP_DEFLATED) as new:
        for part in old.infolist():
            kept = old.read(part)
            for name, other in parts.items():
                if part.filename.endswith(f"{name}.xml"):
                    kept = other
            new.writestr(part.filename, kept)
    return file.getvalue()


def with_sheet(inner, head=""):
    data = f"<sheetData>{inner}</sheetData>"
    xml = f'{head}<worksheet xmlns="{SPREADSHEET}">{data}</worksheet>'
    return with_parts(book_of([["q1"], ["yes"]]), sheet1=xml.encode())


def rows_of(content):
    table = read_table(content)
    return [table.header, *(row for _line, row in table.rows())]


def test_cells_are_read_by_their_type():
    content = book_of(
        [
            ["id", "number", "text", "true", "day", "time", "nothing"],
            [7, 1, "01", True, date(2026, 3, 1), NOON, None],
            [8, 1.0, ' a,b\n"c" ', False, NIGHT, time(8), None],
            [9, -2.5, "=1+1".replace("=", "'="), True, None, None, "end"],
        ]
    )
    assert rows_of(content) == [
        ["id", "number", "text", "true", "day", "time", "nothing"],
        ["7", "1", "01", "TRUE", "2026-03-01", "2026-03-01T12:00:00", ""],
        ["8", "1", ' a,b "c" ', "FALSE", "2026-03-01", "08:00:00", ""],
        ["9", "-2.5", "'=1+1", "TRUE", "", "", "end"],
    ]
    assert describe_file(read_table(content)) == "Read from the sheet “Data”."


def test_workbooks_of_other_writers_are_read():
    file = BytesIO()
    with xlsxwriter.Workbook(file, {"constant_memory": True}) as book:
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, ["id", "q1"])
        sheet.write_row(1, 0, [1, "yes"])
        # Empty rows, as people leave them, and a text that looks like a formula.
        sheet.write_row(4, 0, [2.0, "no"])
        sheet.write_string(5, 1, "=1+1")
    table = read_table(file.getvalue())
    assert list(table.rows()) == [
        (2, ["1", "yes"]),
        (5, ["2", "no"]),
        (6, ["", "=1+1"]),
    ]


def test_problems_name_the_row_number_of_the_sheet():
    content = book_of([["q1"], ["yes"], [None], ["two\nlines"], ["=".join("ab"), "x"]])
    study = Definition({}, (asked(column="q1", codes={"yes": "yes"}),))
    with pytest.raises(RowsError) as error:
        count_patterns(study, read_table(content))
    assert [(each.line, each.column) for each in error.value.problems] == [
        (4, "q1"),
        (5, ""),
    ]


@pytest.mark.parametrize(
    ("sheets", "read"),
    [(["A", "B"], "A"), (["Estimates", "Reports"], "Reports"), (["hidden", "B"], "B")],
    ids=str,
)
def test_the_reports_sheet_or_the_first_visible_sheet_is_read(sheets, read):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name in sheets:
        sheet = book.create_sheet(name)
        sheet.append(["name"])
        sheet.append([name])
        sheet.sheet_state = "hidden" if name == "hidden" else "visible"
    table = read_table(saved(book))
    assert table.sheet == read
    assert list(table.rows()) == [(2, [read])]


class TestRefused:
    def test_formulas_are_rejected_with_their_cell(self):
        content = book_of([["id", "q1"], [1, "yes"], [2, "=IF(A3>1,1,0)"]])
        message = "Cell B3 of the sheet “Data” holds a formula. Save the sheet"
        with pytest.raises(FileError, match=message):
            read_table(content)

    @pytest.mark.parametrize("cells", ["A1:B1", "A2:A3", "B4000:B4001"])
    def test_merged_cells_are_rejected_with_their_range(self, cells):
        book = openpyxl.Workbook()
        book.active.title = "Data"
        for _row in range(4001):
            book.active.append(["q1", "no"])
        book.active.merge_cells(cells)
        message = rf"“Data” has merged cells \({cells}\). Unmerge them"
        with pytest.raises(FileError, match=message):
            read_table(saved(book))

    def test_merged_cells_are_found_across_chunk_boundaries(self, monkeypatch):
        book = openpyxl.Workbook()
        book.active.append(["q1", "no"])
        book.active.merge_cells("A1:B1")
        for size in range(1, 40, 3):
            monkeypatch.setattr(workbook, "PIECE", size)
            with pytest.raises(FileError, match="merged cells"):
                read_table(saved(book))

    @pytest.mark.parametrize(
        "content",
        [
            # Old workbooks, and new ones with a password, are OLE files.
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(2000),
            b"PK\x03\x04",
            b"PK\x03\x04" + bytes(range(256)) * 20,
            book_of([["q1"]])[:-30],
            with_parts(book_of([["q1"]]), workbook=b"<workbook/>"),
            with_parts(book_of([["q1"]]), sheet1=b"<worksheet>"),
            with_sheet('<row r="x"><c r="A1"><v>1</v></c></row>'),
            with_sheet('<row r="1"><c r="A1" t="s"><v>99</v></c></row>'),
            with_sheet('<row r="1"><c r="A1"><v>nan</v></c></row>'),
            with_sheet(f'<row r="1"><c r="A1"><v>{"9" * 5000}</v></c></row>'),
        ],
        ids=range(10),
    )
    def test_files_that_are_not_workbooks_are_rejected_with_advice(self, content):
        with pytest.raises(FileError, match=CANNOT):
            read_table(content)

    def test_expanding_xml_entities_are_rejected(self):
        entities = '<!ENTITY a0 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa">'
        entities += "".join(
            f'<!ENTITY a{number} "{f"&a{number - 1};" * 10}">' for number in range(1, 8)
        )
        cell = '<row r="1"><c r="A1" t="inlineStr"><is><t>&a7;</t></is></c></row>'
        with pytest.raises(FileError, match=CANNOT):
            read_table(with_sheet(cell, f"<!DOCTYPE x [{entities}]>"))

    def test_xml_entities_cannot_read_files(self, tmp_path):
        (tmp_path / "secret").write_text("secret")
        entity = f'<!DOCTYPE x [<!ENTITY a SYSTEM "file://{tmp_path}/secret">]>'
        cell = '<row r="1"><c r="A1" t="inlineStr"><is><t>q&a;</t></is></c></row>'
        with contextlib.suppress(FileError):
            assert "secret" not in read_table(with_sheet(cell, entity)).text

    def test_merged_cells_in_other_sheets_are_ignored(self):
        book = openpyxl.Workbook()
        book.active.append(["q1"])
        book.active.append(["yes"])
        book.create_sheet("About").merge_cells("A1:B1")
        assert rows_of(saved(book)) == [["q1"], ["yes"]]


FIRST = '<row r="1"><c r="A1" t="inlineStr"><is><t>q1</t></is></c></row>'


SMALL_LIMITS = {"MAX_BYTES": 100_000, "MAX_TAGS": 20_000, "MAX_CELLS": 5_000}


@pytest.mark.parametrize(
    "inner",
    [
        # One cell in the last corner; a row far below; more cells, tags or bytes.
        f'{FIRST}<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>',
        f'{FIRST}<row r="999999999"><c><v>1</v></c></row>',
        FIRST + '<row><c r="XFD1"><v>1</v></c></row>' * 40,
        FIRST + "<row/>" * (SMALL_LIMITS["MAX_CELLS"] + 1),
        f"<row>{'<x/>' * (SMALL_LIMITS['MAX_TAGS'] + 1)}</row>",
        FIRST + " " * (SMALL_LIMITS["MAX_BYTES"] + 1),
    ],
    ids=["corner", "far", "wide", "rows", "tags", "bytes"],
)
def test_a_small_file_with_a_huge_sheet_is_rejected(inner, monkeypatch):
    for name, limit in SMALL_LIMITS.items():
        monkeypatch.setattr(workbook, name, limit)
    content = with_sheet(inner)
    assert len(content) < 10_000
    with pytest.raises(FileError, match=r"cannot be read\. Save the sheet as CSV"):
        read_table(content)


def test_the_documented_number_of_reports_can_be_read(monkeypatch):
    """40,000 rows of ten questions and an id: a tenth within a tenth of the limits."""
    for name in SMALL_LIMITS:
        monkeypatch.setattr(workbook, name, getattr(workbook, name) // 10)
    names = "".join(f"<c><v>{number}</v></c>" for number in range(11))
    cells = '<c s="0"><v>1</v></c>' * 10
    rows = "".join(f"<row><c><v>{each}</v></c>{cells}</row>" for each in range(4_000))
    (counted,) = read_table(with_sheet(f"<row>{names}</row>{rows}")).values([10])
    assert counted == {"1": 4_000}


@settings(deadline=None, max_examples=30, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(
        st.lists(
            st.none()
            | st.booleans()
            | st.integers(-(10**15), 10**15)
            | st.integers(-(10**9), 10**9).map(lambda number: number / 8)
            | st.text(st.characters(codec="utf-8", exclude_categories=["Cc"])).filter(
                lambda text: not text.startswith("=")
            ),
            max_size=4,
        ),
        max_size=4,
    )
)
def test_any_sheet_is_read_or_refused(rows):
    try:
        table = read_table(book_of(rows))
        header = table.header
    except FileError:
        return
    for line, row in table.rows():
        assert len(row) >= len(header)
        assert [cell for cell in row if cell] == [
            text for cell in rows[line - 1] if (text := shown(cell))
        ]


def shown(value):
    """What a cell is read as; a text may lose what XML cannot hold."""
    if isinstance(value, bool):
        return str(value).upper()
    if value is None:
        return ""
    if isinstance(value, int | float):
        return str(int(value)) if value == int(value) else str(value)
    return re.sub(r"[\n\r\x85\u2028\u2029]", " ", value)
