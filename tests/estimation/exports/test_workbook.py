"""The workbook, read as XML in a zip file."""

import re
from xml.etree import ElementTree as ET
from zipfile import ZipFile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from candor.cli.rows import FORMULA_STARTS
from estimation.files.workbook import write_workbook
from estimation.rows.shares import get_results
from tests.estimation.exports.exported import make_sealed, read_reports

SPREADSHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
SHEETS = ["Estimates", "Reports", "Codebook", "About"]

# Workbooks write characters that XML excludes as _x0001_.
ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")


def unescaped(text):
    return ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)


def read(path):
    """Return {sheet: rows of cells} and all tags of the sheets."""
    with ZipFile(path) as file:
        book = ET.fromstring(file.read("xl/workbook.xml"))  # noqa: S314 - ours
        names = [sheet.get("name") for sheet in book.iter(f"{SPREADSHEET}sheet")]
        sheets, tags = {}, set()
        for number, name in enumerate(names, start=1):
            xml = file.read(f"xl/worksheets/sheet{number}.xml")
            sheet = ET.fromstring(xml)  # noqa: S314 - ours
            tags |= {element.tag.removeprefix(SPREADSHEET) for element in sheet.iter()}
            sheets[name] = [
                {cell.get("r").rstrip("0123456789"): value_of(cell) for cell in row}
                for row in sheet.iter(f"{SPREADSHEET}row")
            ]
    return sheets, tags


def value_of(cell):
    if cell.get("t") == "inlineStr":
        return unescaped("".join(cell.itertext()))
    assert cell.get("t", "n") == "n"
    return float(cell[0].text)


@pytest.fixture
def survey(db):
    return make_sealed(title="=1+1", slug="risky")


@pytest.fixture
def path(survey, tmp_path):
    found = tmp_path / "workbook.xlsx"
    write_workbook(get_results(survey), read_reports(survey), found)
    return found


def test_there_are_four_sheets_and_no_formula(path):
    sheets, tags = read(path)
    assert list(sheets) == SHEETS
    assert not tags & {"f", "hyperlink", "hyperlinks"}
    assert sheets["Estimates"][1]["A"] == "=1+1"


def test_a_text_longer_than_a_cell_goes_on_in_the_next(survey, tmp_path, monkeypatch):
    monkeypatch.setattr(
        "estimation.files.workbook.methods_text", lambda _: "word " * 20_000
    )
    path = tmp_path / "long.xlsx"
    write_workbook(get_results(survey), read_reports(survey), path)
    sheets, _ = read(path)
    words = [row["A"].split() for row in sheets["About"] if "A" in row]
    words = [each for each in words if each[:1] == ["word"]]
    assert len(words) == 4
    assert sum(map(len, words)) == 20_000


def test_a_share_that_is_not_known_is_an_empty_cell(tmp_path, db):
    survey = make_sealed({}, ["direct"])
    write_workbook(get_results(survey), read_reports(survey), tmp_path / "w.xlsx")
    sheets, _ = read(tmp_path / "w.xlsx")
    names, yes, _ = sheets["Estimates"]
    places = {name: place for place, name in names.items()}
    assert places["raw"] not in yes
    assert yes[places["epsilon"]] == "inf"
    assert len(sheets["Reports"]) == 1


def test_any_title_survives(survey, tmp_path):
    results, reports = get_results(survey), read_reports(survey)
    path = tmp_path / "any.xlsx"

    @settings(deadline=None, max_examples=12)
    @given(
        st.one_of(
            st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])),
            st.sampled_from(FORMULA_STARTS).map(lambda start: f"{start}cmd|' /C'!A0"),
            st.sampled_from(["https://a.example", "1e3", "\ufffe", "_x0041_", " a "]),
        )
    )
    def check(title):
        results.survey.title = title
        write_workbook(results, reports, path)
        sheets, tags = read(path)
        assert "f" not in tags
        assert sheets["Estimates"][1].get("A", "") == title

    check()
