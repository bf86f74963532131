"""Read the rows of a regression: numbers, categories and reports."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from candor import extras
from candor.binary import FloatArray, IntArray
from candor.files.table import (
    DECIMAL_COMMA,
    THOUSANDS,
    FileError,
    Table,
    normalise_code,
    use_decimal_point,
)
from candor.mechanisms import Mechanism
from candor.mechanisms.parameters import shown
from candor.messages import Message, translatable
from candor.regression.formula import describe_unknown
from candor.weighting import WEIGHT

GAPS = frozenset({"", "na", "n/a", "#n/a", "nan", "null", "."})
"""Cells that programs write for a missing value, in lower case."""

YES, NO = frozenset({"1", "yes", "true"}), frozenset({"0", "no", "false"})


@dataclass(frozen=True)
class Cells:
    """The cells of selected columns, without rows that have gaps.

    `lines` are the line numbers of the rows in the file; `left_out` is how many rows
    have a gap.
    """

    columns: Mapping[str, list[str]]
    lines: list[int]
    left_out: int


def read_header(table: Table) -> list[str]:
    """Return the names of the columns; `FileError` if two are equal."""
    header = [name.strip() for name in table.header]
    doubled = sorted({name for name in header if header.count(name) > 1})
    if doubled:
        message = translatable(
            "The header names the column %(name)s twice", name=repr(doubled[0])
        )
        raise FileError([message])
    return header


def read_cells(table: Table, wanted: Sequence[str]) -> Cells:
    """Return the cells of the wanted columns.

    `FileError` if a column is missing, a row is too long or too short, or all rows have
    gaps.
    """
    header = read_header(table)
    for name in wanted:
        if name not in header:
            raise FileError([describe_unknown(name, header)])
    places = [header.index(name) for name in wanted]
    found: list[list[str]] = []
    lines, left_out = [], 0
    for line, row in table.rows():
        if isinstance(row, Message):
            message = translatable(
                "line %(line)s: %(problem)s", line=str(line), problem=row
            )
            raise FileError([message])
        cells = [row[place].strip() for place in places]
        if any(cell.lower() in GAPS for cell in cells):
            left_out += 1
            continue
        found.append(cells)
        lines.append(line)
    if not found:
        message = translatable(
            "no row has a value in each of: %(columns)s; %(rows)s have gaps",
            columns=", ".join(wanted),
            rows=left_out,
        )
        raise FileError([message])
    columns = zip(*found, strict=True)
    return Cells(dict(zip(wanted, map(list, columns), strict=True)), lines, left_out)


def make_frame(
    cells: Cells, names: Sequence[str], categories: frozenset[str]
) -> "extras.pandas.DataFrame":
    """Return numeric columns if all cells are numbers, otherwise categorical ones.

    Columns named in `categories` are always categorical. Categories that are numbers
    are sorted by value.
    """
    columns: dict[str, FloatArray | extras.pandas.Categorical[Any]] = {}
    for name in names:
        written = [normalise_code(cell) for cell in replace_commas(cells.columns[name])]
        texts = sorted(set(written), key=make_sort_key)
        are_numbers = all(parse_number(text) is not None for text in texts)
        if are_numbers and name not in categories:
            columns[name] = np.array([float(text) for text in written])
        else:
            columns[name] = extras.pandas.Categorical(written, categories=texts)
    return extras.pandas.DataFrame(columns, index=range(len(cells.lines)))


def replace_commas(written: Sequence[str]) -> Sequence[str]:
    """Return cells with decimal points in place of decimal commas.

    Files with semicolons have decimal commas. If all commas could separate thousands,
    as in 1,500, the cells are unchanged.
    """
    has_commas = any(
        DECIMAL_COMMA.fullmatch(cell) and not THOUSANDS.fullmatch(cell)
        for cell in written
    )
    return [use_decimal_point(cell) for cell in written] if has_commas else written


def make_sort_key(text: str) -> tuple[bool, float, str]:
    """Return the sort key of a text: numbers come first, by value."""
    number = parse_number(text)
    return (number is None, number or 0.0, text)


def parse_number(text: str) -> float | None:
    """Return the finite number in a cell; None for other texts."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and "_" not in text else None


def read_reports(cells: Cells, name: str, mechanism: Mechanism) -> list[int]:
    """Return the index of each row's report in the table.

    A cell is the name of a report. If there are two, 1 or yes is also the first, and 0
    or no the second. `FileError` for another cell, with its line.
    """
    places = {report.lower(): at for at, report in enumerate(mechanism.reports)}
    if len(places) == 2:
        places = dict.fromkeys(YES, 0) | dict.fromkeys(NO, 1) | places
    found = []
    for line, cell in zip(cells.lines, cells.columns[name], strict=True):
        place = places.get(normalise_code(cell).lower())
        if place is None:
            allowed: str | Message = ", ".join(mechanism.reports)
            if len(mechanism.reports) == 2:
                allowed = translatable("%(reports)s (or 1 and 0)", reports=allowed)
            message = translatable(
                "line %(line)s: column %(name)s must hold the reports %(allowed)s; "
                "got %(cell)s",
                line=str(line),
                name=repr(name),
                allowed=allowed,
                cell=shown(cell),
            )
            raise FileError([message])
        found.append(place)
    return found


def read_clusters(cells: Cells, name: str) -> IntArray:
    labels = [normalise_code(cell) for cell in cells.columns[name]]
    return np.unique(labels, return_inverse=True)[1]


def read_weights(cells: Cells, name: str) -> FloatArray:
    """Return the weights of the rows, scaled to a mean of 1."""
    found = []
    written = replace_commas(cells.columns[name])
    for line, cell in zip(cells.lines, written, strict=True):
        weight = parse_number(cell)
        if weight is None or not WEIGHT.low <= weight <= WEIGHT.high:
            message = translatable(
                "line %(line)s: column %(name)s must hold weights, numbers from "
                "%(least)s to %(most)s; got %(cell)s",
                line=str(line),
                name=repr(name),
                least=f"{WEIGHT.low:g}",
                most=f"{WEIGHT.high:g}",
                cell=shown(cell),
            )
            raise FileError([message])
        found.append(weight)
    weights = np.array(found)
    return weights / weights.mean()
