"""Rows as CSV and in columns, and objects as JSON."""

import csv
import json
import math
from collections.abc import Mapping, Sequence
from io import StringIO
from typing import Any

from candor.mechanisms import Mechanism

FORMULA_STARTS = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")
"""What makes a spreadsheet run a text, the full-width forms of East Asian keyboards
included (OWASP, CSV Injection)."""

Cell = str | int | float


def as_csv(rows: Sequence[Mapping[str, Cell]]) -> str:
    """Return rows of the same columns as CSV; RFC 4180."""
    written = StringIO()
    writer = csv.DictWriter(written, fieldnames=list(rows[0]))
    writer.writeheader()
    writer.writerows(
        {name: as_cell(value) for name, value in row.items()} for row in rows
    )
    return written.getvalue()


def as_cell(value: Cell) -> str:
    """Return what is written for a value: numbers in full, text that runs nowhere.

    Floats are written with as many digits as give the same double again; NaN is an
    empty cell. A text that a spreadsheet would take for a formula gets an apostrophe
    in front.
    """
    if isinstance(value, str):
        return f"'{value}" if value.startswith(FORMULA_STARTS) else value
    if isinstance(value, float) and math.isnan(value):
        return ""
    return repr(value)


def as_columns(rows: Sequence[Mapping[str, Cell]]) -> list[str]:
    """Return a line with the names of the columns and one for each row."""
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


def finite_or_none(number: float) -> float | None:
    """Return the number, None where it is NaN or infinite."""
    return number if math.isfinite(number) else None


def finite_figures(row: object, names: Sequence[str]) -> dict[str, float | None]:
    """Return attributes of a row by name, None where one is not finite."""
    return {name: finite_or_none(getattr(row, name)) for name in names}


def mechanism_as_object(mechanism: Mechanism) -> dict[str, Any]:
    """Return a mechanism as plain JSON; epsilon is None where it has no bound."""
    return {
        "family": mechanism.family,
        "parameters": dict(mechanism.parameters),
        "weights": [list(row) for row in mechanism.weights],
        "epsilon": finite_or_none(mechanism.epsilon),
    }


def as_json(found: Mapping[str, Any] | Sequence[Any]) -> str:
    """Return strict JSON, indented for people."""
    return json.dumps(found, indent=2, allow_nan=False, ensure_ascii=False)
