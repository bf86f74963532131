"""The reports for SPSS and Stata, with labels of variables and of values."""

from collections.abc import Callable
from pathlib import Path
from textwrap import wrap

import numpy as np

from candor.mechanisms.draws import NOT_ASKED
from estimation import libraries
from estimation.files.reports import Reports
from estimation.files.variables import make_note, make_title

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
"""SPSS shows two decimals unless told otherwise."""


def write_spss(reports: Reports, path: Path) -> None:
    """Write a .sav file; without a report a cell is system-missing."""
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
    """Write a .dta file for Stata 14 and later; without a report a cell is "."."""
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
    """Return codes and scores; labels stand in the file's head, not on each row."""
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
    """Return the label of each variable by its name."""
    found = {}
    for question in reports.questions:
        found[question.name] = question.label
        for answer, name in enumerate(question.score_names):
            found[name] = question.score_label(answer)
    return found


def value_labels(reports: Reports, most: int) -> dict[str, dict[int | float, str]]:
    """Return {code: label} by variable, each label of at most `most` bytes."""
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
    """Return how many bytes a text takes."""
    return len(text.encode())
