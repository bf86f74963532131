"""Read the rows of a field study as patterns, or list the problems by line."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _

from candor.files.table import (
    FileError,
    Table,
    find_column,
    make_empty_file_message,
    normalise_code,
)
from candor.mechanisms.draws import NOT_ASKED
from candor.mechanisms.parameters import shown
from candor.messages import Message
from surveys.files.definition import Definition, QuestionDefinition

MAX_PROBLEMS = 200
"""The most problems stored; a systematic error would otherwise fill the memory."""

MAX_SHOWN = 20
"""The most problems that a command shows: one screen."""


class RowProblem(NamedTuple):
    """A problem of one row, or of one cell in it."""

    line: int
    """The line on which the row starts; 1 is the first line of the file."""
    column: str
    """The column, or "" if the problem concerns the whole row."""
    problem: str

    def __str__(self) -> str:
        message = _("line %(line)s: %(problem)s")
        if self.column:
            message = _("line %(line)s, column %(column)s: %(problem)s")
        column = repr(self.column)
        return message % {"line": self.line, "column": column, "problem": self.problem}


class RowsError(FileError):
    """Rows that cannot be read: the first problems, and the number of all."""

    def __init__(self, problems: Sequence[RowProblem], count: int) -> None:
        more = count - min(MAX_SHOWN, len(problems))
        ending = [_("... and %s more") % more] if more > 0 else []
        super().__init__([*map(str, problems[:MAX_SHOWN]), *ending])
        self.problems = problems
        self.count = count


class Codes(dict[str, int]):
    """{cell: byte of a pattern}; "1.0" is read as "1"."""

    def __missing__(self, cell: str) -> int:
        code = normalise_code(cell)
        if code == cell or code not in self:
            raise KeyError(cell)
        self[cell] = self[code]
        return self[cell]


def count_patterns(study: Definition, reports: Table) -> Counter[bytes]:
    """Return {pattern: count} of the rows of a CSV with a header.

    Rows without any report are counted as respondents.

    Raises `FileError` if the header lacks a column or there are no rows, and
    `RowsError` if rows or cells cannot be read.
    """
    places = find_places(study, reports.header)
    codes = [
        (place, map_codes(question))
        for place, question in zip(places, study.questions, strict=True)
    ]
    counts: Counter[bytes] = Counter()
    problems: list[RowProblem] = []
    found = 0
    for line, row in reports.rows():
        if isinstance(row, Message):
            wrong = [RowProblem(line, "", str(row))]
        elif row[0].isspace() and len(row) == 1:
            message = _("spaces are neither a row nor empty")
            wrong = [RowProblem(line, "", message)]
        else:
            try:
                pattern = bytes(
                    [by_cell[row[place].strip()] for place, by_cell in codes]
                )
            except KeyError:
                wrong = list(find_wrong_cells(study, places, line, row))
            else:
                counts[pattern] += 1
                continue
        found += len(wrong)
        problems += wrong[: MAX_PROBLEMS - len(problems)]
    if problems:
        raise RowsError(problems, found)
    if not counts:
        raise FileError([make_empty_file_message()])
    return counts


def find_places(study: Definition, header: Sequence[str]) -> list[int]:
    places = [find_column(question.column, header) for question in study.questions]
    found = ", ".join(map(repr, header))
    message = _("The reports need a column %(column)s; found %(found)s")
    absent = [
        message % {"column": repr(question.column), "found": found}
        for question, place in zip(study.questions, places, strict=True)
        if place is None
    ]
    if absent:
        raise FileError(absent)
    return [place for place in places if place is not None]


def map_codes(question: QuestionDefinition) -> Codes:
    reports = question.mechanism.reports
    codes = {cell: reports.index(report) for cell, report in question.codes.items()}
    return Codes(codes | dict.fromkeys(question.missing, NOT_ASKED))


def find_wrong_cells(
    study: Definition, places: Sequence[int], line: int, row: Sequence[str]
) -> Iterator[RowProblem]:
    for question, place in zip(study.questions, places, strict=True):
        cell = row[place].strip()
        if not {cell, normalise_code(cell)} & (
            question.codes.keys() | question.missing
        ):
            named = [*question.codes, *sorted(question.missing - {""})]
            message = _("must be %(allowed)s or empty; got %(cell)s") % {
                "allowed": ", ".join(map(repr, named)),
                "cell": shown(cell),
            }
            yield RowProblem(line, question.column, message)
