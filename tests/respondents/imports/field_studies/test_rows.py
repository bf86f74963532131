import pytest
from django.utils.translation import override
from hypothesis import given, settings
from hypothesis import strategies as st

from candor.files.table import FileError, parse_rows
from candor.mechanisms import build
from candor.mechanisms.draws import NOT_ASKED
from respondents.imports.field_studies import rows
from respondents.imports.field_studies.rows import MAX_PROBLEMS, RowsError
from surveys.files.definition import Definition, QuestionDefinition


def study(*columns):
    """A study of coins that were tossed elsewhere: 1 is yes, 0 is no, -9 missing."""
    return Definition(
        fields={},
        questions=tuple(
            QuestionDefinition(
                text="?",
                mechanism=build("coin"),
                choices=["Yes", "No"],
                innocuous_question="",
                column=column,
                codes={"1": "yes", "0": "no"},
                missing=frozenset(["", "NA", "-9"]),
            )
            for column in columns
        ),
    )


def count_patterns(study, text):
    return rows.count_patterns(study, parse_rows(text))


def problems_in(text, *columns):
    with pytest.raises(FileError) as error:
        count_patterns(study(*columns), text)
    return error.value


@pytest.mark.parametrize(
    "text",
    [
        "a,x,b\n1,?,1\n0,?,NA\n1,?,1\n",
        "a,x,b\r\n1,?,1\r\n0,?,-9\r\n1,?,1\r\n",
        "\n\na,x,b\n\n1,?, 1 \n0,?,\n\n1 ,?,1",
        'b,"x",a\n1,"two\nlines",1\n"","",0\n1,",",1\n',
    ],
    ids=["plain", "windows", "blank lines and spaces", "quoted"],
)
def test_combinations_of_reports_are_counted(text):
    assert count_patterns(study("a", "b"), text) == {
        b"\0\0": 2,
        bytes([1, NOT_ASKED]): 1,
    }


def test_invalid_cells_are_reported_in_the_page_language():
    with override("de"):
        error = problems_in("a\n1\n7\n", "a")
        text = (
            "Zeile 3, Spalte 'a': muss '1', '0', '-9', 'NA' oder leer sein; es kam '7'"
        )
        assert list(map(str, error.problems)) == [text]
        error = problems_in("b\n1\n", "a")
        assert str(error) == "Die Meldungen brauchen eine Spalte 'a'; gefunden: 'b'"


def test_wrong_rows_and_cells_are_listed_together_in_their_order():
    error = problems_in('a,b\n1,1\n1\n7,8\n\n1,2,3\n0,1\n"', "a", "b")
    assert [(each.line, each.column) for each in error.problems] == [
        (3, ""),
        (4, "a"),
        (4, "b"),
        (6, ""),
        (8, ""),
    ]
    assert [each.problem for each in error.problems if not each.column] == [
        "1 cells; the header has 2",
        "3 cells; the header has 2",
        "this is not CSV: unexpected end of data",
    ]


@pytest.mark.parametrize(("wrong", "kept"), [(1, 1), (200, 200), (3000, 200)])
def test_the_first_problems_are_kept_and_all_are_counted(wrong, kept):
    error = problems_in("a\n1\n" + "x\n" * wrong, "a")
    assert isinstance(error, RowsError)
    assert (len(error.problems), error.count) == (kept, wrong)
    assert kept <= MAX_PROBLEMS
    lines = str(error).splitlines()
    assert len(lines) <= 21
    if wrong > 20:
        assert lines[-1] == f"... and {wrong - 20} more"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "at least one row"),
        ("\n\n", "at least one row"),
        ("a\n", "at least one row"),
        ("a,a\n1,1\n", "'a' twice"),
        ('a\n"1\n', "line 2: this is not CSV"),
        ('"a', "line 1: this is not CSV"),
        ("a\n1\n \n0\n", "line 3: spaces are neither a row nor empty"),
        ("a\n1,2\n", "line 2: 2 cells; the header has 1"),
        ("A\n1\n", "need a column 'a'; found 'A'"),
    ],
    ids=repr,
)
def test_a_broken_file_is_refused(text, message):
    assert message in str(problems_in(text, "a"))


@settings(deadline=None)
@given(st.text(alphabet='a1,"\n\r \t\0x\u2028', max_size=30))
def test_any_text_is_counted_or_refused(text):
    try:
        found = count_patterns(study("a"), text)
    except FileError:
        return
    assert found
    assert set(found) <= {b"\0", b"\1", bytes([NOT_ASKED])}


def test_a_row_without_any_report_is_a_respondent_too():
    found = count_patterns(study("a"), 'a\n1\n""\n\nNA\n')
    assert found == {b"\0": 1, b"\xff": 2}
