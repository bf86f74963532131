"""Reports that were collected by hand elsewhere become a closed survey."""

import csv
from collections import Counter
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import models, transaction

from estimation.study import Study, StudyError, StudyQuestion, read_study
from respondents.models import NOT_ASKED, SealedPattern, close
from surveys.mechanisms.parameters import shown
from surveys.models import Question, Survey

MOST_PROBLEMS = 20
"""Wrong cells that are listed; one systematic error would otherwise fill the screen."""


def import_reports(study_path: Path, reports_path: Path, owner: User) -> Survey:
    """Return a closed survey with one response for each row of the file.

    Parameters
    ----------
    study_path, reports_path : Path
        JSON and CSV in UTF-8, as docs/import-format.md describes them.
    owner : User
        To whom the survey then belongs.

    Raises
    ------
    StudyError
        With one line for each problem; nothing is stored.
    """
    study = read_study(read_text(study_path))
    return store(study, count_patterns(study, read_text(reports_path)), owner)


def read_text(path: Path) -> str:
    """Return a file's text, without the mark that some programs put before it."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise StudyError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise StudyError(f"{path} must be UTF-8; byte {error.start} is not") from error


def count_patterns(study: Study, text: str) -> Counter[bytes]:
    """Return {pattern: count} of the rows of a CSV with a header.

    A respondent without any report is one all the same.
    """
    lines = lines_of_rows(text)
    wanted = {question.column for question in study.questions}
    frame = pd.read_csv(StringIO(text), dtype=str, na_filter=False)
    if len(frame) != len(lines):
        raise StudyError("The reports have lines that are neither rows nor empty")
    if absent := wanted - set(frame.columns):
        found = ", ".join(map(repr, frame.columns))
        raise StudyError(f"The reports need a column {min(absent)!r}; found {found}")
    problems: list[str] = []
    patterns = np.empty((len(frame), len(study.questions)), dtype=np.uint8)
    for number, question in enumerate(study.questions):
        cells = frame[question.column].str.strip()
        patterns[:, number] = read_cells(cells, question, lines, problems)
    if problems:
        more = len(problems) - MOST_PROBLEMS
        ending = [f"... and {more} more"] if more > 0 else []
        raise StudyError("\n".join([*problems[:MOST_PROBLEMS], *ending]))
    return Counter(bytes(pattern) for pattern in patterns)


def lines_of_rows(text: str) -> list[int]:
    """Return on which line of the file each row starts, blank lines left out.

    Raises
    ------
    StudyError
        Where the header names a column twice, there is no row, or a row has another
        number of cells than the header: pandas would rename, shift or fill cells.
    """
    reader = csv.reader(StringIO(text), strict=True)
    starts, start = [], 1
    header: list[str] = []
    try:
        for row in reader:
            if row and not header:
                header = row
            elif row:
                starts.append(start)
            if row and len(row) != len(header):
                raise StudyError(
                    f"line {start}: {len(row)} cells; the header has {len(header)}"
                )
            start = reader.line_num + 1
    except csv.Error as error:
        raise StudyError(f"line {start}: this is not CSV: {error}") from error
    for name in header:
        if header.count(name) > 1:
            raise StudyError(f"The header names the column {shown(name)} twice")
    if not starts:
        raise StudyError("The reports need a header and one row or more; found none")
    return starts


def read_cells(
    cells: "pd.Series[str]",
    question: StudyQuestion,
    lines: list[int],
    problems: list[str],
) -> npt.NDArray[np.uint8]:
    """Return the byte for each cell; what cannot be read is added to `problems`."""
    reports = question.mechanism.reports
    codes = {code: reports.index(report) for code, report in question.codes.items()}
    codes |= dict.fromkeys(question.missing, NOT_ASKED)
    wrong = np.flatnonzero(~cells.isin(list(codes)))
    problems += [
        f"line {lines[row]}, column {question.column!r}: must be {question.allowed}; "
        f"got {shown(cells.iloc[row])}"
        for row in wrong
    ]
    return cells.map(codes).fillna(NOT_ASKED).to_numpy().astype(np.uint8)


@transaction.atomic
def store(study: Study, counts: Counter[bytes], owner: User) -> Survey:
    """Return the study as a survey of mode hand, opened, filled and closed."""
    survey = Survey(owner=owner, mode=Survey.Mode.HAND, **study.texts)
    check(survey, "the study")
    survey.save()
    for number, each in enumerate(study.questions, start=1):
        fields: dict[str, Any] = {
            "text": each.text,
            "family": each.mechanism.family,
            "parameters": each.mechanism.parameters,
            "innocuous_question": each.innocuous_question,
        }
        # Before it is saved: PostgreSQL refuses a text that is too long in its own way.
        check(Question(survey=survey, position=number, **fields), f"question {number}")
        question = survey.add_question(**fields, choices=each.choices)
        for choice in question.choices.all():
            check(choice, f"question {number}")
    try:
        survey.open()
    except ValidationError as error:
        raise StudyError("\n".join(error.messages)) from error
    SealedPattern.objects.add(survey, counts)
    close(survey)
    return survey


def check(part: models.Model, name: str) -> None:
    """Refuse what the admin's forms would refuse too."""
    try:
        part.full_clean()
    except ValidationError as error:
        problems = [
            f"{name}: {field}: {' '.join(messages)}"
            for field, messages in error.message_dict.items()
        ]
        raise StudyError("\n".join(problems)) from error
