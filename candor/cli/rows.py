"""Format rows as CSV or columns, and objects as JSON."""

import csv
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from typing import Any

from candor.mechanisms import Mechanism
from candor.table import nullify

FORMULA_STARTS = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")
"""First characters that make a spreadsheet evaluate a text as a formula, including the
full-width forms of East Asian keyboards (OWASP, CSV Injection)."""

Cell = str | int | float

OF_SHARES = ("raw", "share=estimate", "standard_error", "low", "high")
OF_MEANS = ("estimate", "standard_error", "low", "high", "raw")
OF_DIFFERENCES = ("estimate", "standard_error", "low", "high", "p_value")
"""Figures of a row that files and commands show: see `figures`."""


def format_csv(rows: Sequence[Mapping[str, Cell]]) -> str:
    written = StringIO()
    writer = csv.DictWriter(written, fieldnames=list(rows[0]))
    writer.writeheader()
    writer.writerows(
        {name: format_cell(value) for name, value in row.items()} for row in rows
    )
    return written.getvalue()


def format_cell(value: Cell) -> str:
    """Return the text of a cell: numbers in full, and no formulas.

    Floats have as many digits as are needed to read the same double again; NaN is an
    empty cell. Text that a spreadsheet would evaluate as a formula is prefixed with an
    apostrophe.
    """
    if isinstance(value, str):
        return f"'{value}" if value.startswith(FORMULA_STARTS) else value
    if isinstance(value, float) and math.isnan(value):
        return ""
    return repr(value)


def format_columns(rows: Sequence[Mapping[str, Cell]]) -> list[str]:
    if not rows:
        return []
    lines = [list(rows[0])]
    for row in rows:
        lines.append(
            [f"{x:.6f}" if isinstance(x, float) else str(x) for x in row.values()]
        )
    first, *widths = (max(map(len, column)) for column in zip(*lines, strict=True))
    return [
        f"{name:<{first}}"
        + "".join(f"{x:>{width + 2}}" for x, width in zip(cells, widths, strict=True))
        for name, *cells in lines
    ]


def figures(row: object | None, columns: Iterable[str]) -> dict[str, Any]:
    """Return the figures of a row by the names of their columns.

    A column is an attribute of the row, or a name and an attribute, as in
    "share=estimate". Undefined figures are NaN, and so are all figures if there is no
    row.
    """
    found = {}
    for column in columns:
        name, _, attribute = column.partition("=")
        figure = None if row is None else getattr(row, attribute or name)
        found[name] = math.nan if figure is None else figure
    return found


def make_difference_cells(row: object | None) -> dict[str, Cell]:
    """Return the cells of a difference; NaN if there is none."""
    first, *others = figures(row, OF_DIFFERENCES).items()
    return {"difference": first[1], **{f"difference_{name}": x for name, x in others}}


def serialize_mechanism(mechanism: Mechanism) -> dict[str, Any]:
    return {
        "family": mechanism.family,
        "parameters": dict(mechanism.parameters),
        "weights": [list(row) for row in mechanism.weights],
        "epsilon": mechanism.epsilon,
    }


def format_as(
    options: Mapping[str, Any],
    found: Mapping[str, Any] | Sequence[Any],
    rows: Sequence[Mapping[str, Cell]],
    text: str,
) -> str:
    """Return the format that the options name: JSON, rows of CSV, or the text."""
    if options["format"] == "json":
        return format_json(found)
    return format_csv(rows) if options["format"] == "csv" else text


def format_json(found: Mapping[str, Any] | Sequence[Any]) -> str:
    """Return indented strict JSON, with null for NaN and infinity."""
    return json.dumps(nullify(found), indent=2, allow_nan=False, ensure_ascii=False)
