"""Read known shares of a population from text, a CSV or a workbook."""

import re
from collections.abc import Collection, Iterator
from fractions import Fraction
from typing import NamedTuple

from candor.files.table import FileError, Row, shorten, use_decimal_point
from candor.files.workbook import read_table
from candor.mechanisms.parameters import exact, shown
from candor.messages import Message, translatable
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
    for line, row in read_cells(content):
        if isinstance(row, Message):
            message = translatable(
                "line %(line)s: %(problem)s", line=str(line), problem=row
            )
            problems.append(message)
            continue
        question, answer, text = row
        share = read_share(text)
        if share is None:
            message = translatable(
                "line %(line)s, column %(column)s: must be a number from 0 to 100, "
                "such as 51.5; got %(value)s",
                line=str(line),
                column=repr("share"),
                value=shown(text) if text else translatable("nothing"),
            )
            problems.append(message)
        elif answer in found.setdefault(question, {}):
            message = translatable(
                "line %(line)s: %(question)s, %(answer)s has a share already",
                line=str(line),
                question=shown(question),
                answer=shown(answer),
            )
            problems.append(message)
        else:
            found[question][answer] = share
    if problems:
        raise FileError(shorten(problems))
    if not found:
        message = translatable("The file needs a header and at least one row")
        raise FileError([message])
    return {
        question: normalise_shares(question, margin)
        for question, margin in found.items()
    }


def read_cells(content: bytes) -> Iterator[Row]:
    """Yield the cells in the order of `COLUMNS`, or the problem, of each line."""
    table = read_table(content)
    header = [name.lower() for name in table.header]
    absent = [name for name in COLUMNS if header.count(name) != 1]
    if absent:
        message = translatable(
            "The margins need one column %(needed)s; found %(found)s",
            needed=", ".join(map(repr, absent)),
            found=", ".join(map(repr, table.header)),
        )
        raise FileError([message])
    places = [header.index(name) for name in COLUMNS]
    for line, row in table.rows():
        if isinstance(row, Message):
            yield line, row
        else:
            yield line, [row[place].strip() for place in places]


def normalise_shares(
    question: str, margin: dict[str, WrittenShare]
) -> dict[str, float]:
    """Return shares that sum to 1 or 100 % as parts of 1, or raise `FileError`."""
    if whole := detect_whole(margin.values()):
        return {answer: float(each.number / whole) for answer, each in margin.items()}
    total = float(sum(share.number for share in margin.values()))
    message = translatable(
        "The shares of %(question)s must sum to 100 %% (or 1); got %(total)s",
        question=shown(question),
        total=f"{total:g}",
    )
    raise FileError([message])
