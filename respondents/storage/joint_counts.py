"""Counts of the reports to several questions, added up by the database."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from django.db import connection

from respondents.storage.sealed_tally import SealedTally

KEPT_PAIRS = 64
"""Pairs of questions whose counts are cached: those of a few pages."""

TABLE = "respondents_sealedpattern"

MOST_CELLS = 4
"""Up to this number, sums take SQLite less time than sorting all rows (measured: a
quarter), and PostgreSQL computes them with several workers."""


@lru_cache(maxsize=KEPT_PAIRS)
def read_cached_counts(_state: int, survey_id: int, *only: int) -> Mapping[bytes, int]:
    """Return the counts as of the state in which the survey's tally had this id."""
    return MappingProxyType(count_joint_reports(survey_id, only))


def count_joint_reports(survey_id: int, only: Sequence[int]) -> dict[bytes, int]:
    """Return {reports to these questions: count} of all that is sealed.

    `only` are numbers of questions, 1 for the survey's first; at least one.
    """
    source = TABLE
    if connection.vendor == "sqlite" and SealedTally.objects.is_most(survey_id):
        # By its index each row is read from a page of its own, which takes twenty times
        # as long as reading all rows in their physical order.
        source = f"{TABLE} NOT INDEXED"
    if len(only) == 2 and (
        found := derive_from_margins(survey_id, only[0], only[1], source)
    ):
        return found
    if connection.vendor == "postgresql":
        # Whole numbers are quicker to group by than bytes: 580 to 930 ms (measured).
        keys = ", ".join(f"get_byte(pattern, {number - 1})" for number in only)
        groups = ", ".join(str(place) for place, _ in enumerate(only, start=1))
        rows = sum_by_group(survey_id, keys, source, groups)
        return {bytes(reports): int(total) for *reports, total in rows}
    joined = " || ".join(f"substr(pattern, {number:d}, 1)" for number in only)
    return dict(sum_by_group(survey_id, f"CAST({joined} AS BLOB)", source, "1"))


def derive_from_margins(
    survey_id: int, first: int, second: int, source: str
) -> dict[bytes, int] | None:
    """Return the table of two questions, with the help of its margins in the tally.

    The last row and column follow from the others: two questions with two reports each
    need a single sum. None where more than `MOST_CELLS` sums are needed, or where more
    responses were sealed meanwhile.
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
        f"SUM(count) FILTER (WHERE {format_condition(first, row)} "
        f"AND {format_condition(second, column)})"
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


def format_condition(number: int, report: int) -> str:
    if connection.vendor == "postgresql":
        return f"get_byte(pattern, {number - 1:d}) = {report:d}"
    return f"substr(pattern, {number:d}, 1) = x'{report:02x}'"


def sum_by_group(
    survey_id: int, keys: str, source: str, groups: str
) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {keys}, SUM(count) FROM {source} "  # noqa: S608
            f"WHERE survey_id = %s GROUP BY {groups}",
            [survey_id],
        )
        return list(cursor.fetchall())
