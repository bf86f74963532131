"""The rows of a field study: cells of reports become patterns, or problems by line."""

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import NamedTuple

from respondents.models import NOT_ASKED
from surveys.files.definition import Definition, QuestionDefinition
from surveys.files.values import FileError
from surveys.mechanisms.parameters import shown

MOST_PROBLEMS = 200
"""Problems that are kept; one systematic error would otherwise fill the memory."""

MOST_SHOWN = 20
"""Of these a command shows so many: one screen."""


class RowProblem(NamedTuple):
    """What is wrong with one row, or with one cell of it."""

    line: int
    """Where the row starts; 1 is the first line of the file."""
    column: str
    """Empty where it is the whole row."""
    problem: str

    def __str__(self) -> str:
        column = f", column {self.column!r}" if self.column else ""
        return f"line {self.line}{column}: {self.problem}"


class RowsError(FileError):
    """Rows that cannot be read: the first problems, and how many there are in all."""

    def __init__(self, problems: Sequence[RowProblem], count: int) -> None:
        more = count - min(MOST_SHOWN, len(problems))
        ending = [f"... and {more} more"] if more > 0 else []
        super().__init__([*map(str, problems[:MOST_SHOWN]), *ending])
        self.problems = problems
        self.count = count


def count_patterns(study: Definition, text: str) -> Counter[bytes]:
    """Return {pattern: count} of the rows of a CSV with a header.

    A respondent without any report is one all the same.

    Raises
    ------
    FileError
        Where the header does not do, or there is no row; `RowsError` where rows or
        cells cannot be read.
    """
    rows = numbered_rows(text)
    header = checked_header(study, rows)
    codes = [
        (header.index(question.column), codes_of(question))
        for question in study.questions
    ]
    counts: Counter[bytes] = Counter()
    problems: list[RowProblem] = []
    found = 0
    for line, row in rows:
        if isinstance(row, str):
            wrong = [RowProblem(line, "", row)]
        elif len(row) != len(header):
            told = f"{len(row)} cells; the header has {len(header)}"
            wrong = [RowProblem(line, "", told)]
        elif row[0].isspace() and len(row) == 1:
            wrong = [RowProblem(line, "", "spaces are neither a row nor empty")]
        else:
            try:
                pattern = bytes(
                    [by_cell[row[place].strip()] for place, by_cell in codes]
                )
            except KeyError:
                wrong = list(wrong_cells(study, header, line, row))
            else:
                counts[pattern] += 1
                continue
        found += len(wrong)
        problems += wrong[: MOST_PROBLEMS - len(problems)]
    if problems:
        raise RowsError(problems, found)
    if not counts:
        raise FileError(["The reports need a header and one row or more; found none"])
    return counts


def numbered_rows(text: str) -> Iterator[tuple[int, list[str] | str]]:
    """Yield on which line each row starts, and its cells; blank lines are left out.

    Where the text stops being CSV, the last row is what is wrong with it.
    """
    reader = csv.reader(StringIO(text, newline=""), strict=True)
    start = 1
    try:
        for row in reader:
            if row:
                yield start, row
            start = reader.line_num + 1
    except csv.Error as error:
        yield start, f"this is not CSV: {error}"


def checked_header(
    study: Definition, rows: Iterator[tuple[int, list[str] | str]]
) -> list[str]:
    """Return the first row, which names every column once and all that are needed."""
    line, header = next(rows, (1, []))
    if isinstance(header, str):
        raise FileError([f"line {line}: {header}"])
    for name, count in Counter(header).items():
        if count > 1:
            raise FileError([f"The header names the column {shown(name)} twice"])
    if not header:
        raise FileError(["The reports need a header and one row or more; found none"])
    found = ", ".join(map(repr, header))
    absent = [each.column for each in study.questions if each.column not in header]
    if absent:
        raise FileError(
            [f"The reports need a column {name!r}; found {found}" for name in absent]
        )
    return header


def codes_of(question: QuestionDefinition) -> dict[str, int]:
    """Return the byte of a pattern for each cell that can be read."""
    reports = question.mechanism.reports
    codes = {cell: reports.index(report) for cell, report in question.codes.items()}
    return codes | dict.fromkeys(question.missing, NOT_ASKED)


def wrong_cells(
    study: Definition, header: Sequence[str], line: int, row: Sequence[str]
) -> Iterator[RowProblem]:
    """Yield the cells of a row that cannot be read."""
    for question in study.questions:
        cell = row[header.index(question.column)].strip()
        if cell not in question.codes and cell not in question.missing:
            named = [*question.codes, *sorted(question.missing - {""})]
            allowed = f"{', '.join(map(repr, named))} or empty"
            told = f"must be {allowed}; got {shown(cell)}"
            yield RowProblem(line, question.column, told)
