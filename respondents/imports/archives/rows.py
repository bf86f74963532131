"""The rows of an archive: patterns and counts in Parquet, in ascending order.

There is a column for each question: q1, q2 and so on. It contains the position of the
report in the question's table, 0 for the first, or null if there is no report. `count`
is the number of respondents with this pattern.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from candor.files.table import FileError
from candor.mechanisms.draws import NOT_ASKED
from respondents.imports.archives.archive import (
    DESIGN,
    PATTERNS,
    Archive,
    import_optional,
)
from respondents.storage.sealed_tally import MAX_COUNT
from surveys.design import Design

COUNT = "count"

ROWS_AT_ONCE = 2**17
"""Rows written and read in one step: 26 MB with 200 questions."""

Patterns = npt.NDArray[np.uint8]
"""Shape (rows, questions); 255 if there is no report."""

Counts = npt.NDArray[np.int64]
"""Shape (rows,)."""

Batch = tuple[Patterns, Counts]


def name_column(number: int) -> str:
    """Return the column name of a question, as in report files; numbers start at 1."""
    return f"q{number}"


def list_types(design: Design) -> dict[str, str]:
    numbers = range(1, len(design.questions) + 1)
    return {**{name_column(number): "uint8" for number in numbers}, COUNT: "int64"}


class CountsDigest:
    """The SHA-256 of the rows, which does not depend on how a file encodes them.

    It covers the design digest as text, and then each row. A row is the pattern, one
    byte per question with 255 for no report, and the count in eight bytes, big-endian.
    """

    def __init__(self, design_digest: str) -> None:
        self._hash = hashlib.sha256(design_digest.encode())

    def add(self, patterns: Patterns, counts: Counts) -> None:
        numbers = counts.astype(">i8").view(np.uint8).reshape(len(counts), 8)
        self._hash.update(np.hstack([patterns, numbers]).tobytes())

    def __str__(self) -> str:
        return self._hash.hexdigest()


def write_rows(file: Path, design: Design, batches: Iterator[Batch]) -> None:
    """Write a Parquet file; the same rows always give the same bytes.

    The file does not contain when or on which machine it was made.
    """
    arrow, parquet = import_optional("pyarrow"), import_optional("pyarrow.parquet")
    schema = arrow.schema(
        [
            arrow.field(name, getattr(arrow, kind)(), nullable=name != COUNT)
            for name, kind in list_types(design).items()
        ]
    )
    with parquet.ParquetWriter(
        file, schema, compression="zstd", store_schema=False
    ) as writer:
        for patterns, counts in batches:
            columns = [
                arrow.array(column, mask=column == NOT_ASKED) for column in patterns.T
            ]
            writer.write_table(arrow.table([*columns, counts], schema=schema))


def read_rows(folder: Path, archive: Archive) -> Iterator[Batch]:
    """Yield the rows of an archive, each batch checked.

    Raises `FileError` with the file, the row and the column of the first error. Errors
    in the totals are found last, so callers must not commit anything before the end.
    """
    parquet = import_optional("pyarrow.parquet")
    digest, found, total, last = CountsDigest(archive.design_digest), 0, 0, b""
    with open_rows(folder) as file, parquet.ParquetFile(file) as opened:
        check_columns(opened.schema_arrow, archive.frozen)
        for read in opened.iter_batches(ROWS_AT_ONCE):
            patterns, counts = check_batch(read, archive, last, before=found)
            digest.add(patterns, counts)
            found, total = found + len(counts), total + int(counts.sum())
            last = patterns[-1].tobytes() if len(counts) else last
            yield patterns, counts
    for name, right in (("respondents", total), ("counts_digest", str(digest))):
        if (got := getattr(archive, name)) != right:
            message = f"must be {right}, from the counts of {PATTERNS}; got {got}"
            raise FileError([f"{folder / DESIGN}: {name}: {message}"])


@contextmanager
def open_rows(folder: Path) -> Iterator[Path]:
    """Open the Parquet file of an archive; errors name the file."""
    file = folder / PATTERNS
    try:
        yield file
    except (import_optional("pyarrow").ArrowException, OSError) as error:
        raise FileError([f"{file} cannot be read: {error}"]) from error
    except FileError as error:
        raise FileError([f"{file}: {each}" for each in error.problems]) from error


def check_file(folder: Path, archive: Archive) -> None:
    """Raise `FileError` if the columns do not match the design."""
    parquet = import_optional("pyarrow.parquet")
    with open_rows(folder) as file:
        check_columns(parquet.read_schema(file), archive.frozen)


def check_columns(schema: Any, design: Design) -> None:
    wanted = list(list_types(design).items())
    found = [(each.name, str(each.type)) for each in schema]
    if found != wanted:
        both = [", ".join(map(" ".join, each)) for each in (wanted, found)]
        raise FileError(["columns: must be {}; got {}".format(*both)])


def check_batch(read: Any, archive: Archive, last: bytes, *, before: int) -> Batch:
    """Return a batch as checked arrays.

    `last` is the pattern of the row before it, and `before` the number of rows before.
    """
    *columns, counts = read.columns
    design = archive.frozen
    numbers = counts.fill_null(0).to_numpy(zero_copy_only=False)
    refuse(
        (numbers < 1) | (numbers > MAX_COUNT),
        numbers,
        f"column {COUNT}: must be a whole number in [1, {MAX_COUNT}]",
        before=before,
    )
    patterns = np.empty((len(numbers), len(columns)), dtype=np.uint8)
    for place, (column, question) in enumerate(
        zip(columns, design.questions, strict=True)
    ):
        reports = column.fill_null(NOT_ASKED).to_numpy(zero_copy_only=False)
        most = len(question.mechanism.reports) - 1
        refuse(
            (reports > most) & np.asarray(column.is_valid()),
            reports,
            f"column {name_column(place + 1)}: must be a whole number in [0, {most}], "
            "or nothing",
            before=before,
        )
        patterns[:, place] = reports
    if not archive.is_imported:
        check_draws(patterns, design, before=before)
    # All have the same width, so NumPy's padding with zeros does not change the order.
    width = patterns.shape[1]
    rows = np.frombuffer(last + patterns.tobytes(), dtype=f"S{width}")
    does_not_ascend = rows[1:] <= rows[:-1]
    if not last:
        does_not_ascend = np.append(False, does_not_ascend)[: len(numbers)]
    refuse(does_not_ascend, None, "must come after the row before it", before=before)
    return patterns, numbers


def check_draws(patterns: Patterns, design: Design, *, before: int) -> None:
    """Raise `FileError` for a set of questions that no draw of the design asks."""
    asked = patterns != NOT_ASKED
    is_wrong = np.zeros(len(patterns), dtype=bool)
    in_groups = set[int]()
    for group in design.groups:
        places = [number - 1 for number in group.questions]
        is_wrong |= asked[:, places].sum(axis=1) != group.asked
        in_groups.update(places)
    always = [place for place in range(asked.shape[1]) if place not in in_groups]
    is_wrong |= ~asked[:, always].all(axis=1)
    refuse(is_wrong, None, "no draw of the design asks these questions", before=before)


def refuse(
    is_wrong: npt.NDArray[np.bool_],
    values: npt.NDArray[Any] | None,
    message: str,
    *,
    before: int,
) -> None:
    """Raise `FileError` for the first wrong row, if there is one."""
    if is_wrong.any():
        place = int(is_wrong.argmax())
        got = "" if values is None else f"; got {values[place]}"
        raise FileError([f"row {before + place + 1}, {message}{got}"])
