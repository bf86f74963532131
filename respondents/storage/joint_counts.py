"""Several questions together, as the database adds their reports up."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from django.db import connection

from respondents.storage.sealed_tally import SealedTally

KEPT_PAIRS = 64
"""Pairs of questions whose counts are kept: those of a few pages, all small."""

TABLE = "respondents_sealedpattern"

MOST_CELLS = 4
"""Up to so many sums SQLite adds up in less time than it takes to sort all rows, and
PostgreSQL with several workers, who do not share groups whose number is not known."""


@lru_cache(maxsize=KEPT_PAIRS)
def kept_counts(_state: int, survey_id: int, *only: int) -> Mapping[bytes, int]:
    """Return what was counted when the survey's tally had this id, drawn by chance."""
    return MappingProxyType(counted_together(survey_id, only))


def counted_together(survey_id: int, only: Sequence[int]) -> dict[bytes, int]:
    """Return {reports to these questions: count} of all that is sealed.

    `only` are numbers of questions, 1 for the survey's first; at least one.
    """
    source = TABLE
    if connection.vendor == "sqlite" and SealedTally.objects.is_most(survey_id):
        # By its index each row is looked for on a page of its own, which takes twenty
        # times as long as to read all rows in the order in which they lie.
        source = f"{TABLE} NOT INDEXED"
    if len(only) == 2 and (found := crossed(survey_id, only[0], only[1], source)):
        return found
    if connection.vendor == "postgresql":
        # Whole numbers are quicker to group by than bytes: 580 to 930 ms (measured).
        keys = ", ".join(f"get_byte(pattern, {number - 1})" for number in only)
        groups = ", ".join(str(place) for place, _ in enumerate(only, start=1))
        rows = grouped(survey_id, keys, source, groups)
        return {bytes(reports): int(total) for *reports, total in rows}
    joined = " || ".join(f"substr(pattern, {number:d}, 1)" for number in only)
    return dict(grouped(survey_id, f"CAST({joined} AS BLOB)", source, "1"))


def crossed(
    survey_id: int, first: int, second: int, source: str
) -> dict[bytes, int] | None:
    """Return the table of two questions from its margins, which the tally has.

    The last of its rows and columns follow from the others, so of two questions with
    two reports each a single sum is left. None where too many are, or where somebody
    has sealed meanwhile.
    """
    kept = SealedTally.objects.filter(survey=survey_id).first()
    if kept is None:
        return None
    of_first, of_second = kept.sent(first), kept.sent(second)
    *rows, last_row = of_first
    *columns, last_column = of_second
    cells = [(row, column) for row in rows for column in columns]
    if len(cells) > MOST_CELLS:
        return None
    sums = (
        f"SUM(count) FILTER (WHERE {sent(first, row)} AND {sent(second, column)})"
        for row, column in cells
    )
    with connection.cursor() as cursor:
        # In one statement, and so of one moment. COUNT makes one row of no sums too.
        cursor.execute(
            "SELECT (SELECT id FROM respondents_sealedtally WHERE survey_id = %s), "  # noqa: S608
            f"{', '.join([*sums, 'COUNT(*)'])} FROM {source} WHERE survey_id = %s",
            [survey_id, survey_id],
        )
        state, *counts, _patterns = cursor.fetchone()
    if state != kept.pk:
        return None
    found = {cell: int(count or 0) for cell, count in zip(cells, counts, strict=True)}
    for row in rows:
        others = sum(found[row, column] for column in columns)
        found[row, last_column] = of_first[row] - others
    for column, count in of_second.items():
        found[last_row, column] = count - sum(found[row, column] for row in rows)
    return {bytes(cell): count for cell, count in found.items() if count}


def sent(number: int, report: int) -> str:
    """Return the condition that a question was sent this report."""
    if connection.vendor == "postgresql":
        return f"get_byte(pattern, {number - 1:d}) = {report:d}"
    return f"substr(pattern, {number:d}, 1) = x'{report:02x}'"


def grouped(
    survey_id: int, keys: str, source: str, groups: str
) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {keys}, SUM(count) FROM {source} "  # noqa: S608
            f"WHERE survey_id = %s GROUP BY {groups}",
            [survey_id],
        )
        return list(cursor.fetchall())
