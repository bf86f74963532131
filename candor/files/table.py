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
from candor.messages import Message, said

MARKS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
"""What some programs put before a text to show its encoding."""

SEPARATORS = (",", ";", "\t", "|")

# Excel writes such a line, and reads it, to name the separator.
SEPARATOR_LINE = re.compile(r'"?sep=([,;\t|])"?\r?\n?')

ROWS_TO_JUDGE_BY = 50

BYTES_TO_JUDGE_BY = 4096

WHOLE_NUMBER = re.compile(r"([+-]?[0-9]+)[.,]0+")
"""A code that went through a program that counts in decimals: "1.0", "1,0"."""

MOST_VALUES = 40
"""Different cells of a column that are distinguished: 20 reports and as many reasons
for having none. A column with more of them holds no codes."""

DECIMAL_COMMA = re.compile(r"([+-]?\d*),(\d+)", re.ASCII)

THOUSANDS = re.compile(r"\d{1,3}(?:[., \u2009\u00a0\u202f']\d{3})+", re.ASCII)
"""A whole number in groups of three, whatever separates them."""

MOST_SHOWN = 20
"""Problems that are shown: one screen."""

Row = tuple[int, list[str] | Message]
"""The line on which it starts, and its cells; or what is wrong with it."""


class FileError(ValueError):
    """A file that cannot be read: one problem for each thing that is wrong.

    `kept` are the problems as they were found, for an application to translate;
    `problems` the same as text.
    """

    def __init__(self, problems: Sequence[object]) -> None:
        self.kept: Sequence[Any] = problems
        self.problems: Sequence[Any] = [str(each) for each in problems]
        super().__init__("\n".join(self.problems))


@dataclass(frozen=True)
class Table:
    """The rows of a file, read one by one: nothing holds all their cells."""

    text: str
    encoding: str
    separator: str
    lines_before: int = 0
    """How many the file has that are not in `text`."""
    sheet: str = ""
    """Of a workbook, the name of the sheet that was read."""

    @cached_property
    def header(self) -> list[str]:
        """The names of the columns; `FileError` where there is none."""
        line, cells = next(self.numbered_rows(), (1, []))
        if isinstance(cells, Message):
            message = said("line %(line)s: %(problem)s", line=str(line), problem=cells)
            raise FileError([message])
        if not cells:
            raise FileError([nothing_to_read()])
        return [cell.strip() for cell in cells]

    def rows(self) -> Iterator[Row]:
        """Yield the rows below the header, or what is wrong with one."""
        columns = len(self.header)
        for line, row in islice(self.numbered_rows(), 1, None):
            if isinstance(row, list) and len(row) != columns:
                yield (
                    line,
                    said(
                        "%(cells)s cells; the header has %(columns)s",
                        cells=len(row),
                        columns=columns,
                    ),
                )
            else:
                yield line, row

    def numbered_rows(self) -> Iterator[Row]:
        """Yield all rows; blank lines are left out.

        Where the text stops being CSV, the last one is what is wrong with it.
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
            problem = said("this is not CSV: %(error)s", error=str(error))
            yield self.lines_before + start, problem

    def values(self, columns: Sequence[int]) -> list[Counter[str]]:
        """Return how often each cell comes in these columns, spaces around it left out.

        Of one that holds more than `MOST_VALUES`, only one more is counted.
        """
        found: list[Counter[str]] = [Counter() for _column in columns]
        for _line, row in self.rows():
            if isinstance(row, Message):
                continue
            for column, counter in zip(columns, found, strict=True):
                cell = row[column].strip()
                if cell in counter or len(counter) <= MOST_VALUES:
                    counter[cell] += 1
        return found


def find_column(name: str, header: Sequence[str]) -> int | None:
    """Return where the column of a name is: its own, or that of a group.

    ODK writes "group-name" for a question in a group, KoboToolbox "group/name".

    Raises
    ------
    FileError
        Where two columns have the name.
    """
    places = [place for place, each in enumerate(header) if each == name]
    if not places and name:
        endings = (f"/{name}", f"-{name}")
        places = [place for place, each in enumerate(header) if each.endswith(endings)]
    if len(places) > 1:
        message = said("The header names the column %(name)s twice", name=shown(name))
        raise FileError([message])
    return places[0] if places else None


def normalise_code(cell: str) -> str:
    """Return a whole number without its decimals, and any other cell as it is."""
    whole = WHOLE_NUMBER.fullmatch(cell)
    return whole[1] if whole else cell


def with_point(text: str) -> str:
    """Return a number with a decimal comma with a point instead."""
    return text.replace(",", ".") if DECIMAL_COMMA.fullmatch(text) else text


def read_text(content: bytes) -> Table:
    encoding = detect_encoding(content)
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        message = said(
            "The file must be .xlsx, or text in UTF-8, UTF-16 or Windows-1252; byte "
            "%(byte)s is not",
            byte=str(error.start),
        )
        raise FileError([message]) from error
    return parse_rows(text, encoding)


def parse_rows(text: str, encoding: str = "utf-8") -> Table:
    if "\0" in text:
        raise FileError([said("The file must be text; it holds the character NUL")])
    if message := SEPARATOR_LINE.match(text):
        return Table(text[message.end() :], encoding, message[1], lines_before=1)
    return Table(text, encoding, detect_separator(text))


def detect_encoding(content: bytes) -> str:
    for mark, encoding in MARKS:
        if content.startswith(mark):
            return encoding
    # No text in another encoding holds zeros; every second byte is one in UTF-16,
    # where most characters are those of ASCII.
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

    Of several, the one that makes more columns. Where none makes two, a single column
    is all there is; then "1,0" is one cell and no two.
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
    """Whether a header and lines such as "1,0" are all that a text begins with."""
    _header, *lines = text.lstrip().splitlines()[:ROWS_TO_JUDGE_BY] or [""]
    cells = [line.strip() for line in lines if line.strip()]
    return any(map(WHOLE_NUMBER.fullmatch, cells)) and all(
        normalise_code(cell).lstrip("+-").isdigit() or cell in {"NA", '""'}
        for cell in cells
    )


def shorten(problems: Sequence[object]) -> list[object]:
    more = len(problems) - MOST_SHOWN
    ending = [said("... and %(count)s more", count=more)] if more > 0 else []
    return [*problems[:MOST_SHOWN], *ending]


def nothing_to_read() -> Message:
    return said("The file needs a header and at least one row")
