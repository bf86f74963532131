"""Known shares of a population as people have them: typed, or as a CSV."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from django.utils.translation import gettext as _

from estimation.maths.weights.margins import sums_to_one
from respondents.arriving.studies.table import read_table
from surveys.authoring.forms.typed_numbers import with_point
from surveys.design import DesignQuestion
from surveys.files.values import FileError
from surveys.mechanisms.parameters import exact, shown
from surveys.sentence import Sentence, said

COLUMNS = ("question", "answer", "share")

PERCENT = re.compile(r"\s*%$")

MOST_SHOWN = 20
"""Problems that are told: one screen."""


class KnownShare(NamedTuple):
    """One row: a share of the population, as it is written."""

    question: str
    answer: str
    share: float
    line: int


def read_share(text: str) -> float | None:
    """Return the number of "51.5", "51,5", "51.5 %" or "1/3"; None of what is none."""
    number = exact(with_point(PERCENT.sub("", text.strip())))
    return None if number is None or number < 0 else float(number)


def read_margins(content: bytes) -> dict[str, dict[str, float]]:
    """Return {question: {answer: share}} of a CSV, the shares of each summing to 1.

    Parameters
    ----------
    content : bytes
        With the columns question, answer and share; shares in percent or as parts of 1,
        whichever their sum shows.

    Raises
    ------
    FileError
        With every row that cannot be read, or every question whose shares do not sum.
    """
    found: dict[str, dict[str, float]] = {}
    problems = []
    for row in rows_of(content):
        if isinstance(row, Sentence):
            problems.append(row)
        elif row.answer in found.setdefault(row.question, {}):
            told = said(
                "line %(line)s: %(question)s, %(answer)s has a share already",
                line=str(row.line),
                question=shown(row.question),
                answer=shown(row.answer),
            )
            problems.append(told)
        else:
            found[row.question][row.answer] = row.share
    if problems:
        more = len(problems) - MOST_SHOWN
        ending = [said("... and %(count)s more", count=more)] if more > 0 else []
        raise FileError([*problems[:MOST_SHOWN], *ending])
    if not found:
        told = said("The margins need a header and one row or more; found none")
        raise FileError([told])
    return {question: as_parts(question, margin) for question, margin in found.items()}


def places_of(
    margins: Mapping[str, Mapping[str, float]], questions: Mapping[int, DesignQuestion]
) -> dict[tuple[int, int], float]:
    """Return {(number of a question, number of its answer): share}, both from 1.

    Parameters
    ----------
    margins : mapping
        From `read_margins`: a question is named by its number or its text, an answer by
        its wording.
    questions : mapping of int to DesignQuestion
        The direct questions by their numbers.

    Raises
    ------
    FileError
        With every question or answer that there is not.
    """
    found: dict[tuple[int, int], float] = {}
    problems = []
    for asked, margin in margins.items():
        number = number_of(asked, questions)
        if number is None:
            told = _("No direct question has this number or text: %s.")
            problems.append(told % shown(asked))
            continue
        labels = [label.casefold() for label in questions[number].choices]
        for answer, share in margin.items():
            if answer.casefold() in labels:
                found[number, labels.index(answer.casefold()) + 1] = share
            else:
                told = _("Question %(number)s has no answer %(answer)s.")
                words = {"number": number, "answer": shown(answer)}
                problems.append(told % words)
    if problems:
        raise FileError(problems)
    return found


def number_of(asked: str, questions: Mapping[int, DesignQuestion]) -> int | None:
    """Return which question is meant."""
    for number, question in questions.items():
        if asked.casefold() in {str(number), question.text.strip().casefold()}:
            return number
    return None


def rows_of(content: bytes) -> Iterator[KnownShare | Sentence]:
    """Yield each row, or what is wrong with it."""
    table = read_table(content)
    header = [name.lower() for name in table.header]
    absent = [name for name in COLUMNS if header.count(name) != 1]
    if absent:
        told = said(
            "The margins need one column %(needed)s; found %(found)s",
            needed=", ".join(map(repr, absent)),
            found=", ".join(map(repr, table.header)),
        )
        raise FileError([told])
    places = [header.index(name) for name in COLUMNS]
    for line, row in table.rows():
        if isinstance(row, str):
            yield said("line %(line)s: %(problem)s", line=str(line), problem=row)
        elif len(row) != len(header):
            told = said(
                "%(cells)s cells; the header has %(columns)s",
                cells=len(row),
                columns=len(header),
            )
            yield said("line %(line)s: %(problem)s", line=str(line), problem=told)
        else:
            question, answer, text = (row[place].strip() for place in places)
            share = read_share(text)
            if share is None:
                yield said(
                    "line %(line)s, column %(column)s: must be a number, 0 or more, "
                    "such as 51.5; got %(value)s",
                    line=str(line),
                    column=repr("share"),
                    value=shown(text) if text else said("nothing"),
                )
            else:
                yield KnownShare(question, answer, share, line)


def as_parts(question: str, margin: dict[str, float]) -> dict[str, float]:
    """Return shares that sum to 1 or to 100 % as parts of 1."""
    for whole in (1, 100):
        if sums_to(margin.values(), whole):
            return {answer: share / whole for answer, share in margin.items()}
    total = sum(margin.values())
    told = said(
        "The shares of %(question)s must sum to 100 %% (or 1); got %(total)s",
        question=shown(question),
        total=f"{total:g}",
    )
    raise FileError([told])


def sums_to(shares: Iterable[float], whole: float) -> bool:
    """Return whether shares sum to the whole, apart from their own rounding."""
    return sums_to_one(share / whole for share in shares)
