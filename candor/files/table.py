"""Read a CSV or workbook, and detect encoding and separator."""

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import StringIO
from itertools import islice
from typing import Any

from candor.mechanisms.parameters import shown
from candor.messages import Message, translatable

MARKS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
"""Byte order marks, with the encodings that they indicate."""

SEPARATORS = (",", ";", "\t", "|")

# Excel reads and writes this line, which names the separator.
SEPARATOR_LINE = re.compile(r'"?sep=([,;\t|])"?\r?\n?')

ROWS_TO_JUDGE_BY = 50

BYTES_TO_JUDGE_BY = 4096

WHOLE_NUMBER = re.compile(r"([+-]?[0-9]+)[.,]0+")
"""A code that a program has converted to a decimal number: "1.0", "1,0"."""

MAX_VALUES = 40
"""Different values of a column that are counted: 20 reports and as many codes for
missing ones. A column with more values does not contain codes."""

DECIMAL_COMMA = re.compile(r"([+-]?\d*),(\d+)", re.ASCII)

THOUSANDS = re.compile(r"\d{1,3}(?:[., \u2009\u00a0\u202f']\d{3})+", re.ASCII)
"""A whole number in groups of three digits, with any separator."""

MAX_SHOWN = 20
"""Problems that are shown, which fit on one screen."""

Row = tuple[int, list[str] | Message]
"""The line on which the row starts, and its cells or the problem with it."""


class FileError(ValueError):
    """A file that cannot be read, with one or more problems.

    `kept` has the problems as messages, for an application to translate; `problems` has
    their text.
    """

    def __init__(self, problems: Sequence[object]) -> None:
        self.kept: Sequence[Any] = problems
        self.problems: Sequence[Any] = [str(each) for each in problems]
        super().__init__("\n".join(self.problems))


@dataclass(frozen=True)
class Table:
    """The rows of a file, read one by one, so that memory never contains all cells."""

    text: str
    encoding: str
    separator: str
    lines_before: int = 0
    """Lines of the file before the start of `text`."""
    sheet: str = ""
    """The name of the sheet, if the file is a workbook."""

    @cached_property
    def header(self) -> list[str]:
        """The names of the columns; `FileError` if there are none."""
        line, cells = next(self.numbered_rows(), (1, []))
        if isinstance(cells, Message):
            message = translatable(
                "line %(line)s: %(problem)s", line=str(line), problem=cells
            )
            raise FileError([message])
        if not cells:
            raise FileError([make_empty_file_message()])
        return [cell.strip() for cell in cells]

    def rows(self) -> Iterator[Row]:
        """Yield the rows below the header; an invalid row is a message."""
        columns = len(self.header)
        for line, row in islice(self.numbered_rows(), 1, None):
            if isinstance(row, list) and len(row) != columns:
                yield (
                    line,
                    translatable(
                        "%(cells)s cells; the header has %(columns)s",
                        cells=len(row),
                        columns=columns,
                    ),
                )
            else:
                yield line, row

    def numbered_rows(self) -> Iterator[Row]:
        """Yield all rows except blank lines.

        If the text is not valid CSV, the last item has the message of the error.
        """
        lines = StringIO(self.text, newline="")
        reader = csv.reader(lines, delimiter=self.separator, strict=True)
        start = 1
        try:
            for row in reader:
                if row:
                    yield self.lines_before + start, row
                start = reader.line_num + 1
        except csv.Error as error:
            problem = translatable("this is not CSV: %(error)s", error=str(error))
            yield self.lines_before + start, problem

    def values(self, columns: Sequence[int]) -> list[Counter[str]]:
        """Return how often each value occurs in these columns, stripped of spaces.

        In a column with more than `MAX_VALUES` values, only one more is counted.
        """
        found: list[Counter[str]] = [Counter() for _column in columns]
        for _line, row in self.rows():
            if isinstance(row, Message):
                continue
            for column, counter in zip(columns, found, strict=True):
                cell = row[column].strip()
                if cell in counter or len(counter) <= MAX_VALUES:
                    counter[cell] += 1
        return found


def find_column(name: str, header: Sequence[str]) -> int | None:
    """Return the index of a column by its name, with or without a group.

    ODK writes "group-name" for a question in a group, KoboToolbox "group/name".

    Raises
    ------
    FileError
        If two columns have the name.
    """
    places = [place for place, each in enumerate(header) if each == name]
    if not places and name:
        endings = (f"/{name}", f"-{name}")
        places = [place for place, each in enumerate(header) if each.endswith(endings)]
    if len(places) > 1:
        message = translatable(
            "The header names the column %(name)s twice", name=shown(name)
        )
        raise FileError([message])
    return places[0] if places else None


def normalise_code(cell: str) -> str:
    """Return a whole number without its decimals, and any other cell unchanged."""
    whole = WHOLE_NUMBER.fullmatch(cell)
    return whole[1] if whole else cell


def use_decimal_point(text: str) -> str:
    """Return the text with a decimal point, if it is a number with a decimal comma."""
    return text.replace(",", ".") if DECIMAL_COMMA.fullmatch(text) else text


def read_text(content: bytes) -> Table:
    encoding = detect_encoding(content)
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        message = translatable(
            "The file must be .xlsx, or text in UTF-8, UTF-16 or Windows-1252; byte "
            "%(byte)s is not",
            byte=str(error.start),
        )
        raise FileError([message]) from error
    return parse_rows(text, encoding)


def parse_rows(text: str, encoding: str = "utf-8") -> Table:
    if "\0" in text:
        raise FileError(
            [translatable("The file must be text; it holds the character NUL")]
        )
    if message := SEPARATOR_LINE.match(text):
        return Table(text[message.end() :], encoding, message[1], lines_before=1)
    return Table(text, encoding, detect_separator(text))


def detect_encoding(content: bytes) -> str:
    for mark, encoding in MARKS:
        if content.startswith(mark):
            return encoding
    # Only UTF-16 texts contain zero bytes: every second byte is zero if most
    # characters are ASCII.
    start = content[:BYTES_TO_JUDGE_BY]
    even, odd = start[::2].count(0), start[1::2].count(0)
    if even or odd:
        return "utf-16-be" if even > odd else "utf-16-le"
    try:
        content.decode()
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def detect_separator(text: str) -> str:
    """Return the separator with which most rows are as wide as the header.

    If there are several, it is the one with more columns. If none gives two columns,
    the file has a single column, and "1,0" is one cell.
    """
    best, found = (0.0, 1), ","
    for separator in SEPARATORS:
        rows = list(
            islice(Table(text, "", separator).numbered_rows(), ROWS_TO_JUDGE_BY)
        )
        widths = [len(row) if isinstance(row, list) else 0 for _line, row in rows]
        if not widths or widths[0] < 2:
            continue
        judged = (widths.count(widths[0]) / len(widths), widths[0])
        if judged > best:
            best, found = judged, separator
    if best[1] == 1 and are_whole_numbers(text):
        return ";"
    return found


def are_whole_numbers(text: str) -> bool:
    """Return whether a text starts with a header and lines such as "1,0" only."""
    _header, *lines = text.lstrip().splitlines()[:ROWS_TO_JUDGE_BY] or [""]
    cells = [line.strip() for line in lines if line.strip()]
    return any(map(WHOLE_NUMBER.fullmatch, cells)) and all(
        normalise_code(cell).lstrip("+-").isdigit() or cell in {"NA", '""'}
        for cell in cells
    )


def shorten(problems: Sequence[object]) -> list[object]:
    more = len(problems) - MAX_SHOWN
    ending = [translatable("... and %(count)s more", count=more)] if more > 0 else []
    return [*problems[:MAX_SHOWN], *ending]


def make_empty_file_message() -> Message:
    return translatable("The file needs a header and at least one row")
