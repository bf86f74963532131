"""exports.md names exactly the existing files, columns and keys."""

import re
from pathlib import Path

import pytest

from candor.mechanisms.draws import NOT_ASKED
from estimation.files.codebook import (
    list_variables,
    make_codebook_rows,
    serialize_codebook,
)
from estimation.files.estimates import serialize_document
from estimation.files.exports import EXPORTS
from estimation.files.reports import (
    SPSS_FILE_LABEL_BYTES,
    SPSS_LABEL_BYTES,
    SPSS_VALUE_LABEL_BYTES,
    STATA_LABEL_LETTERS,
)
from estimation.rows.shares import get_results
from tests.docs.documents import DOCS, text_of
from tests.estimation.exports.exported import csv_of, make_sealed

pytestmark = pytest.mark.django_db

PAGE = (Path(__file__).parents[3] / "docs" / "researchers" / "exports.md").read_text()


def section(name):
    return PAGE.partition(f"\n## {name}\n")[2].partition("\n## ")[0]


def named_in(text, column=0):
    """Return the code in the cells of a column, over all tables of a text."""
    return [
        name
        for line in text.splitlines()
        if line.startswith("| `")
        for name in re.findall(r"`([\w.]+)`", line.split("|")[column + 1])
    ]


def test_every_export_file_is_listed():
    assert named_in(PAGE.partition("\n## ")[0]) == list(EXPORTS)


def test_every_column_of_the_codebook_is_described():
    rows = make_codebook_rows(list_variables(make_sealed()))
    described = named_in(section("The codebook").partition("`codebook.json`")[0])
    assert set(described) == set(rows[0])


def test_every_key_of_the_codebook_is_described():
    found = serialize_codebook(list_variables(make_sealed()))
    _, top, inner = section("The codebook").split("\n\n| key")
    assert set(named_in(top)) == set(found)
    (question, *_) = found["questions"]
    assert set(named_in(inner)) == set(question)
    for name in ("code", "label"):
        assert set(question[name]) <= set(named_in(inner, 1))
    assert set(question["scores"][0]) <= set(named_in(inner, 1))


def test_every_key_of_the_estimates_is_described():
    found = serialize_document(get_results(make_sealed()))
    (question, *_) = found["questions"]
    columns = text_of(DOCS / "reference" / "commands.md").partition("**CSV**")[2]
    described = set(re.findall(r"`(\w+)`", columns + section("Estimates as JSON")))
    assert {*found, *question, *question["estimates"][0]} <= described


@pytest.mark.usefixtures("no_minimum_responses")
def test_the_example_file_matches_a_real_export():
    die = ("forced_response", {"forced_yes": "1/6", "forced_no": "1/6"})
    patterns = {b"\1\0": 1, bytes([0, NOT_ASKED]): 1, b"\0\1": 1}
    written = csv_of(make_sealed(patterns, ["coin", die])).splitlines()
    shown = re.search(r"```csv\n(.*?)```", PAGE, re.DOTALL)[1].splitlines()
    assert shown[0] == written[0]
    assert sorted(shown) == sorted(written)


def test_the_documented_limits_match_the_code():
    text = section("SPSS, Stata and workbooks")
    for limit in (
        SPSS_LABEL_BYTES,
        SPSS_VALUE_LABEL_BYTES,
        SPSS_FILE_LABEL_BYTES,
        STATA_LABEL_LETTERS,
        EXPORTS["workbook.xlsx"].most_cells,
        EXPORTS["reports.dta"].most_cells,
    ):
        assert re.search(rf"\b{limit:,}\b", text)
