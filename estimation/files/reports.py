"""The reports, one row per respondent, in a new random order each time."""

import csv
from array import array
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import islice
from pathlib import Path
from textwrap import wrap

import numpy as np
import numpy.typing as npt

from candor.cli.rows import Cell, format_cell
from candor.mechanisms import randomness
from candor.mechanisms.draws import NOT_ASKED
from estimation import libraries
from estimation.files.codebook import (
    QuestionVariables,
    SurveyVariables,
    list_variables,
    make_note,
    make_title,
)
from estimation.rows.counts import JointCounts, Patterns, SurveyCounts

END_OF_LINE = "\r\n"

ROWS_AT_ONCE = 1000
"""Rows that are sent together: some 100 KB."""


class Shuffled(Collection[bytes]):
    """Each pattern as often as it was counted, all orders equally likely.

    Rows get their places as they are first asked for, and keep them: drawing those of
    10,000,000 takes seconds, in which a worker would answer no one.
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
    patterns: Collection[bytes]

    def bytes_by_question(self) -> npt.NDArray[np.uint8]:
        """Return the patterns as one array, shape (questions, respondents)."""
        found = np.frombuffer(b"".join(self.patterns), dtype=np.uint8)
        return found.reshape(len(self.patterns), len(self.questions)).T


def list_reports(
    survey_counts: JointCounts, draw: randomness.Draw = randomness.word
) -> Reports:
    variables = list_variables(survey_counts.survey, survey_counts.design)
    patterns = Shuffled(survey_counts.patterns, draw)
    return Reports(survey_counts.survey, variables.questions, patterns)


def cells_by_byte(question: QuestionVariables) -> dict[int, list[Cell]]:
    found: dict[int, list[Cell]] = {NOT_ASKED: [""] * len(question.columns)}
    for byte, (code, label) in enumerate(question.labels.items()):
        found[byte] = [code, label, *map(float, question.scores[byte])]
    return found


def format_reports(reports: Reports) -> Iterator[str]:
    """Yield the file in pieces, so that it is never in memory as a whole."""
    yield format_line(reports.columns) + END_OF_LINE
    written = lines_by_byte(reports)
    rows = iter(reports.patterns)
    while piece := "".join(
        ",".join(map(dict.__getitem__, written, pattern)) + END_OF_LINE
        for pattern in islice(rows, ROWS_AT_ONCE)
    ):
        yield piece


def size_of_csv(survey_counts: SurveyCounts) -> int:
    variables = list_variables(survey_counts.survey, survey_counts.design)
    line_ends = len(variables.questions) - 1 + len(END_OF_LINE)
    size = len(format_line(variables.columns).encode()) + len(END_OF_LINE)
    size += survey_counts.respondents * line_ends
    for lines, counts in zip(
        lines_by_byte(variables), survey_counts.added_up, strict=True
    ):
        not_asked = survey_counts.respondents - sum(counts)
        size += not_asked * len(lines[NOT_ASKED].encode())
        size += sum(
            count * len(lines[byte].encode()) for byte, count in enumerate(counts)
        )
    return size


def lines_by_byte(variables: SurveyVariables) -> list[dict[int, str]]:
    return [
        {byte: format_line(cells) for byte, cells in cells_by_byte(question).items()}
        for question in variables.questions
    ]


def format_line(cells: Sequence[Cell]) -> str:
    line = StringIO()
    csv.writer(line).writerow([format_cell(cell) for cell in cells])
    return line.getvalue().removesuffix(END_OF_LINE)


# Tried: pyreadstat cuts longer ones in the middle, those for Stata it refuses.
SPSS_FILE_LABEL_BYTES = 64
SPSS_LABEL_BYTES = 256
SPSS_NOTE_LETTERS = 80
SPSS_VALUE_LABEL_BYTES = 120
STATA_LABEL_LETTERS = 80
STATA_VALUE_LABEL_BYTES = 32_000

STATA_VERSION = 14
"""Everything from it on reads this format; that of version 15 is for Stata/MP alone."""

CODE_FORMAT, SCORE_FORMAT = "F3.0", "F12.6"
"""SPSS shows two decimals unless set otherwise."""


def write_spss(reports: Reports, path: Path) -> None:
    labels = collect_labels(reports)
    codes = [question.name for question in reports.questions]
    scores = [name for name in labels if name not in codes]
    libraries.pyreadstat.write_sav(
        make_frame(reports),
        path,
        row_compress=True,
        file_label=shortened(make_title(reports), SPSS_FILE_LABEL_BYTES, size_in_utf8),
        note=[
            line
            for sentence in make_note(reports)
            for line in wrap(sentence, SPSS_NOTE_LETTERS, break_on_hyphens=False)
        ],
        column_labels={
            name: shortened(label, SPSS_LABEL_BYTES, size_in_utf8)
            for name, label in labels.items()
        },
        variable_value_labels=value_labels(reports, SPSS_VALUE_LABEL_BYTES),
        variable_measure=dict.fromkeys(codes, "nominal")
        | dict.fromkeys(scores, "scale"),
        variable_format=dict.fromkeys(codes, CODE_FORMAT)
        | dict.fromkeys(scores, SCORE_FORMAT),
    )


def write_stata(reports: Reports, path: Path) -> None:
    libraries.pyreadstat.write_dta(
        make_frame(reports),
        path,
        version=STATA_VERSION,
        file_label=shortened(make_title(reports), STATA_LABEL_LETTERS),
        column_labels={
            name: shortened(label, STATA_LABEL_LETTERS)
            for name, label in collect_labels(reports).items()
        },
        variable_value_labels=value_labels(reports, STATA_VALUE_LABEL_BYTES),
    )


def make_frame(reports: Reports) -> "libraries.pandas.DataFrame":
    columns: dict[str, object] = {}
    by_question = reports.bytes_by_question()
    for question, sent in zip(reports.questions, by_question, strict=True):
        is_missing = sent == NOT_ASKED
        codes = np.where(is_missing, np.nan, sent + 1.0)
        columns[question.name] = libraries.pandas.Series(codes, dtype="Int16")
        scores = question.scores_by_byte[sent]
        columns |= dict(zip(question.score_names, scores.T, strict=True))
    return libraries.pandas.DataFrame(columns)


def collect_labels(reports: Reports) -> dict[str, str]:
    found = {}
    for question in reports.questions:
        found[question.name] = question.label
        for answer, name in enumerate(question.score_names):
            found[name] = question.score_label(answer)
    return found


def value_labels(reports: Reports, most: int) -> dict[str, dict[int | float, str]]:
    return {
        question.name: {
            code: shortened(label, most, size_in_utf8)
            for code, label in question.labels.items()
        }
        for question in reports.questions
    }


def shortened(text: str, most: int, size: Callable[[str], int] = len) -> str:
    """Return a text of at most `most`, as `size` counts, with whole letters only."""
    if size(text) <= most:
        return text
    while size(f"{text}\N{HORIZONTAL ELLIPSIS}") > most:
        text = text[:-1]
    return f"{text}\N{HORIZONTAL ELLIPSIS}"


def size_in_utf8(text: str) -> int:
    return len(text.encode())
