"""Files as Excel, LibreOffice, R, SPSS, ODK and KoboToolbox write them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from candor.files.table import FileError, normalise_code, parse_rows
from candor.files.workbook import read_table
from respondents.imports.field_studies.mapping import describe_file

ROWS = "id;größe\n1;ja\n2;nein\n"


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        (ROWS.encode(), "UTF-8"),
        (ROWS.encode("utf-8-sig"), "UTF-8"),
        (ROWS.encode("cp1252"), "Windows-1252"),
        (ROWS.encode("utf-16"), "UTF-16"),
        (b"\xfe\xff" + ROWS.encode("utf-16-be"), "UTF-16"),
        (ROWS.encode("utf-16-le"), "UTF-16"),
        (ROWS.encode("utf-16-be"), "UTF-16"),
    ],
    ids=["utf-8", "mark", "windows", "utf-16", "big mark", "little", "big"],
)
def test_the_encoding_is_detected(content, encoding):
    table = read_table(content)
    assert table.header == ["id", "größe"]
    assert [row for _line, row in table.rows()] == [["1", "ja"], ["2", "nein"]]
    assert describe_file(table) == f"Read as {encoding}, separated by semicolons."


@pytest.mark.parametrize(
    ("text", "separator", "header"),
    [
        ("a,b\n1,2\n", ",", ["a", "b"]),
        ("a;b\n1,5;2\n", ";", ["a", "b"]),
        ("a;b, or c;d\n1;2,5;3\n1,0;2;3\n", ";", ["a", "b, or c", "d"]),
        ("a\tb;c\n1\t2\n", "\t", ["a", "b;c"]),
        ("a|b\n1|2\n", "|", ["a", "b"]),
        ('"a,b";"c"\n1;2\n', ";", ["a,b", "c"]),
        ('a;"two\nlines"\n1;2\n', ";", ["a", "two\nlines"]),
        ("sep=;\na;b,c\n1;2\n", ";", ["a", "b,c"]),
        ('"sep=|"\r\na|b\r\n1|2\r\n', "|", ["a", "b"]),
        ("a\n1\n0\n", ",", ["a"]),
        ('"a"\n1,0\n0,0\nNA\n', ";", ["a"]),
        ("a b\n1 2\n", ",", ["a b"]),
    ],
    ids=repr,
)
def test_the_separator_is_detected(text, separator, header):
    table = parse_rows(text)
    assert (table.separator, table.header) == (separator, header)


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        ("1.0", "1"),
        ("1,0", "1"),
        ("-9.00", "-9"),
        ("10,000", "10"),
        ("1", "1"),
        ("1.5", "1.5"),
        ("A.0", "A.0"),
        ("1.", "1."),
        (".0", ".0"),
        ("", ""),
        ("\N{ARABIC-INDIC DIGIT ONE}.0", "\N{ARABIC-INDIC DIGIT ONE}.0"),
    ],
)
def test_only_a_whole_number_loses_its_decimals(cell, code):
    assert normalise_code(cell) == code


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a,b\n\x81,1\n", "UTF-8, UTF-16 or Windows-1252; byte 4 is not"),
        (b"\xff\xfea", "must be .xlsx, or text in .*; byte 2 is not"),
        (b"\xff\xfe\x00\x00a\x00\x00\x00", "the character NUL"),
        (b"\xef\xbb\xbf\xff", "must be .xlsx, or text in .*; byte"),
        (b"\x1f\x8b\x08\x00\x00\x00\x00\x00", "The file must be"),
    ],
    ids=["no text", "half", "utf-32", "marked wrongly", "gzip"],
)
def test_content_that_is_not_text_is_rejected(content, message):
    with pytest.raises(FileError, match=message):
        read_table(content)


@settings(deadline=None)
@given(st.binary(max_size=60))
def test_any_content_is_read_or_refused(content):
    try:
        table = read_table(content)
        assert table.header
        table.values([0])
    except FileError:
        return
    assert describe_file(table)


@settings(deadline=None)
@given(st.text(alphabet='a1,;|\t"\n\r \x85\u2028', max_size=40))
def test_any_text_is_read_or_refused(text):
    table = parse_rows(text)
    try:
        header = table.header
    except FileError:
        return
    (_line, first), *others = table.numbered_rows()
    assert header == [cell.strip() for cell in first]
    assert [line for line, _row in table.rows()] == [line for line, _row in others]


def test_line_numbers_count_a_leading_sep_line():
    table = parse_rows("sep=;\na;b\n\n1;2\n")
    assert list(table.rows()) == [(4, ["1", "2"])]
