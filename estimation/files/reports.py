"""The reports, one row a respondent, in an order that chance draws anew each time."""

import csv
from array import array
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import islice

import numpy as np
import numpy.typing as npt

from candor.cli.rows import Cell, format_cell
from candor.mechanisms import randomness
from candor.mechanisms.draws import NOT_ASKED
from estimation.files.variables import (
    QuestionVariables,
    SurveyVariables,
    list_variables,
)
from estimation.rows.counts import Joint, Patterns, Tallied

END_OF_LINE = "\r\n"

ROWS_AT_ONCE = 1000
"""Rows that are sent together: some 100 KB."""


class Shuffled(Collection[bytes]):
    """Each pattern as often as it was counted, all orders equally likely.

    Rows get their places as they are first asked for, and keep them: drawing those of
    10,000,000 takes seconds, in which a worker would answer nobody.
    """

    def __init__(self, patterns: Patterns, draw: randomness.Draw) -> None:
        self._width = patterns.sent.shape[1]
        self._written = patterns.sent.tobytes()
        # Numbers of patterns: of four bytes each, where a list takes eight.
        numbers = np.arange(len(patterns.counts), dtype=np.uint32)
        self._numbers = array("I", np.repeat(numbers, patterns.counts).tobytes())
        self._settling = randomness.shuffling(self._numbers, draw)
        self._settled = len(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def __contains__(self, pattern: object) -> bool:
        return any(pattern == self._pattern(number) for number in self._numbers)

    def __iter__(self) -> Iterator[bytes]:
        for place in range(len(self._numbers) - 1, -1, -1):
            if place < self._settled:
                self._settled = next(self._settling)
            yield self._pattern(self._numbers[place])

    def _pattern(self, number: int) -> bytes:
        start = number * self._width
        return self._written[start : start + self._width]


@dataclass(frozen=True)
class Reports(SurveyVariables):
    """What the respondents of one survey sent, as far as it is sealed."""

    patterns: Collection[bytes]
    """One for each respondent, shuffled."""

    def bytes_by_question(self) -> npt.NDArray[np.uint8]:
        """Return the patterns as one array, shape (questions, respondents)."""
        found = np.frombuffer(b"".join(self.patterns), dtype=np.uint8)
        return found.reshape(len(self.patterns), len(self.questions)).T


def list_reports(tallies: Joint, draw: randomness.Draw = randomness.word) -> Reports:
    """Return the reports that were counted, one row for each respondent.

    `draw` gives the words that the order of the rows is drawn with.
    """
    variables = list_variables(tallies.survey)
    patterns = Shuffled(tallies.patterns, draw)
    return Reports(tallies.survey, variables.questions, patterns)


def cells_by_byte(question: QuestionVariables) -> dict[int, list[Cell]]:
    """Return code, label and scores by the byte of a pattern; empty: no report."""
    found: dict[int, list[Cell]] = {NOT_ASKED: [""] * len(question.columns)}
    for byte, (code, label) in enumerate(question.labels.items()):
        found[byte] = [code, label, *map(float, question.scores[byte])]
    return found


def reports_as_csv(reports: Reports) -> Iterator[str]:
    """Yield the file in pieces, so that it is never in memory as a whole.

    A question without a report has empty cells.
    """
    yield format_line(reports.columns) + END_OF_LINE
    written = lines_by_byte(reports)
    rows = iter(reports.patterns)
    while piece := "".join(
        ",".join(map(dict.__getitem__, written, pattern)) + END_OF_LINE
        for pattern in islice(rows, ROWS_AT_ONCE)
    ):
        yield piece


def size_of_csv(tallies: Tallied) -> int:
    """Return how many bytes the file will have, from what was sent to each question.

    Whoever saves it can then tell a whole file from one that broke off.
    """
    variables = list_variables(tallies.survey)
    line_ends = len(variables.questions) - 1 + len(END_OF_LINE)
    size = len(format_line(variables.columns).encode()) + len(END_OF_LINE)
    size += tallies.respondents * line_ends
    for lines, counts in zip(lines_by_byte(variables), tallies.added_up, strict=True):
        not_asked = tallies.respondents - sum(counts)
        size += not_asked * len(lines[NOT_ASKED].encode())
        size += sum(
            count * len(lines[byte].encode()) for byte, count in enumerate(counts)
        )
    return size


def lines_by_byte(variables: SurveyVariables) -> list[dict[int, str]]:
    """Return, for each question, its part of a row by the byte of a pattern.

    Written once for each report, not once for each respondent.
    """
    return [
        {byte: format_line(cells) for byte, cells in cells_by_byte(question).items()}
        for question in variables.questions
    ]


def format_line(cells: Sequence[Cell]) -> str:
    """Return cells as CSV, without the end of the line; RFC 4180."""
    line = StringIO()
    csv.writer(line).writerow([format_cell(cell) for cell in cells])
    return line.getvalue().removesuffix(END_OF_LINE)
