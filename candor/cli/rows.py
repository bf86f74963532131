"""Rows as CSV, and objects as JSON."""

import csv
import json
import math
from collections.abc import Mapping, Sequence
from io import StringIO
from typing import Any

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


def finite_or_none(number: float) -> float | None:
    """Return the number, None where it is NaN or infinite."""
    return number if math.isfinite(number) else None


def share_as_object(row: Any) -> dict[str, Any]:
    """Return the estimated share of an answer as plain JSON.

    The row has an answer, a count, and the figures as attributes of these names.
    """
    figures = ("raw", "share", "standard_error", "low", "high")
    numbers = {name: finite_or_none(getattr(row, name)) for name in figures}
    return {"answer": row.answer, "count": row.count, **numbers}


def as_json(found: Mapping[str, Any] | Sequence[Any]) -> str:
    """Return strict JSON, indented for people."""
    return json.dumps(found, indent=2, allow_nan=False, ensure_ascii=False)
