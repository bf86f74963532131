"""Read known shares of a population from text, a CSV or a workbook."""

import re
from collections.abc import Collection, Iterator
from fractions import Fraction
from typing import NamedTuple

from candor.files.table import FileError, shorten, use_decimal_point
from candor.files.workbook import read_table
from candor.mechanisms.parameters import exact, shown
from candor.messages import Message, said
from candor.weighting.margins import sums_to_one

COLUMNS = ("question", "answer", "share")

PERCENT = re.compile(r"\s*%$")

ALL = 100
"""The whole in percent."""


class WrittenShare(NamedTuple):
    """A share as it is written; `detect_whole` decides whether it is in percent."""

    number: Fraction
    is_percent: bool
    """Whether it has a percent sign."""


class KnownShare(NamedTuple):
    """One row of a file of margins."""

    question: str
    answer: str
    share: WrittenShare
    line: int


def read_share(text: str) -> WrittenShare | None:
    """Return the share in "51.5", "51,5", "51.5 %" or "1/3"; None for other texts."""
    bare = PERCENT.sub("", text.strip())
    number = exact(use_decimal_point(bare))
    if number is None or not 0 <= number <= ALL:
        return None
    return WrittenShare(number, is_percent=bare != text.strip())


def detect_whole(
    shares: Collection[WrittenShare], *, has_gap: bool = False
) -> int | None:
    """Return whether the shares of a question are parts of 1 or of 100.

    Typed shares and files follow this rule. A percent sign means 100; otherwise the sum
    of the shares decides. While one answer has no share (`has_gap`), a sum of up to 1
    is ambiguous.

    Returns
    -------
    int or None
        1 or 100; None if the shares sum to neither, or if both are possible.
    """
    total = sum(share.number for share in shares)
    wholes = [1, ALL]
    # A sum of 0 is the same with both.
    if any(share.is_percent for share in shares) or (has_gap and total == 0):
        wholes = [ALL]
    fitting = [
        whole
        for whole in wholes
        if sums_to_one(share.number / whole for share in shares)
        or (has_gap and total <= whole)
    ]
    return fitting[0] if len(fitting) == 1 else None


def read_margins(content: bytes) -> dict[str, dict[str, float]]:
    """Return {question: {answer: share}} of a file; shares of a question sum to 1.

    Parameters
    ----------
    content : bytes
        A CSV or workbook with the columns question, answer and share. Shares are in
        percent or parts of 1, as their sum shows.

    Raises
    ------
    FileError
        With all rows that cannot be read, or for a question whose shares do not sum to
        the whole.
    """
    found: dict[str, dict[str, WrittenShare]] = {}
    problems = []
    for row in parse_rows_of_shares(content):
        if isinstance(row, Message):
            problems.append(row)
        elif row.answer in found.setdefault(row.question, {}):
            message = said(
                "line %(line)s: %(question)s, %(answer)s has a share already",
                line=str(row.line),
                question=shown(row.question),
                answer=shown(row.answer),
            )
            problems.append(message)
        else:
            found[row.question][row.answer] = row.share
    if problems:
        raise FileError(shorten(problems))
    if not found:
        message = said("The file needs a header and at least one row")
        raise FileError([message])
    return {
        question: normalise_shares(question, margin)
        for question, margin in found.items()
    }


def parse_rows_of_shares(content: bytes) -> Iterator[KnownShare | Message]:
    table = read_table(content)
    header = [name.lower() for name in table.header]
    absent = [name for name in COLUMNS if header.count(name) != 1]
    if absent:
        message = said(
            "The margins need one column %(needed)s; found %(found)s",
            needed=", ".join(map(repr, absent)),
            found=", ".join(map(repr, table.header)),
        )
        raise FileError([message])
    places = [header.index(name) for name in COLUMNS]
    for line, row in table.rows():
        if isinstance(row, Message):
            yield said("line %(line)s: %(problem)s", line=str(line), problem=row)
        else:
            question, answer, text = (row[place].strip() for place in places)
            share = read_share(text)
            if share is None:
                yield said(
                    "line %(line)s, column %(column)s: must be a number from 0 to 100, "
                    "such as 51.5; got %(value)s",
                    line=str(line),
                    column=repr("share"),
                    value=shown(text) if text else said("nothing"),
                )
            else:
                yield KnownShare(question, answer, share, line)


def normalise_shares(
    question: str, margin: dict[str, WrittenShare]
) -> dict[str, float]:
    """Return shares that sum to 1 or 100 % as parts of 1, or raise `FileError`."""
    if whole := detect_whole(margin.values()):
        return {answer: float(each.number / whole) for answer, each in margin.items()}
    total = float(sum(share.number for share in margin.values()))
    message = said(
        "The shares of %(question)s must sum to 100 %% (or 1); got %(total)s",
        question=shown(question),
        total=f"{total:g}",
    )
    raise FileError([message])
