"""Read a file with a row for each respondent: a column of reports, and weights."""

from array import array
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from candor.files.table import (
    FileError,
    Table,
    find_column,
    normalise_code,
    shorten,
    use_decimal_point,
)
from candor.mechanisms import Mechanism
from candor.mechanisms.parameters import shown
from candor.messages import Message
from candor.weighting import WEIGHT, Sums, weigh
from candor.weighting.sample import WeightedSample

GAPS = frozenset({"", "NA", "N/A", "NaN", "."})
"""Cells for a missing answer or weight."""

CODES_OF_TWO = {"1": 0, "0": 1}
"""Codes in files for the first and the second of two reports."""


@dataclass(frozen=True, kw_only=True)
class Columns:
    """The columns to read from a file.

    Attributes
    ----------
    mechanism : Mechanism
        The mechanism of the reports.
    outcome : str
        The column of reports.
    weights : str or None
        The column of weights; if None, all respondents count equally.
    margins : mapping
        {column: {its answer: share of the population}}.
    """

    mechanism: Mechanism
    outcome: str
    weights: str | None
    margins: Mapping[str, Mapping[str, float]]

    def find(self, table: Table) -> dict[str, int]:
        names = [self.outcome, *([self.weights] if self.weights else []), *self.margins]
        places = {name: find_column(name, table.header) for name in names}
        found = ", ".join(map(repr, table.header))
        absent = [
            f"The file needs a column {name!r}; found {found}"
            for name, place in places.items()
            if place is None
        ]
        if absent:
            raise FileError(absent)
        return {name: place for name, place in places.items() if place is not None}

    def read(self, cells: Mapping[str, str]) -> tuple[tuple[str, ...], float]:
        pattern = (
            *(self._answer(name, cells[name]) for name in self.margins),
            self._report(cells[self.outcome]),
        )
        return pattern, self._weight(cells[self.weights]) if self.weights else 1.0

    def _report(self, cell: str) -> str:
        reports = self.mechanism.reports
        names = {report.lower(): report for report in reports}
        code = normalise_code(cell)
        if len(names) == 2 and code in CODES_OF_TWO and code not in names:
            return reports[CODES_OF_TWO[code]]
        report = names.get(cell.lower()) or names.get(code.lower())
        if report is None:
            allowed = ", ".join(reports)
            raise ValueError(
                f"column {self.outcome!r}: must be {allowed} or empty; "
                f"got {shown(cell)}"
            )
        return report

    def _weight(self, cell: str) -> float:
        try:
            return WEIGHT.check("weight", float(use_decimal_point(cell)))
        except ValueError as error:
            raise ValueError(
                f"column {self.weights!r}: must be {WEIGHT.allowed}; got {shown(cell)}"
            ) from error

    def _answer(self, name: str, cell: str) -> str:
        margin = self.margins[name]
        for answer in (cell, normalise_code(cell)):
            if answer in margin:
                return answer
        allowed = ", ".join(map(repr, margin))
        raise ValueError(
            f"column {name!r}: its known shares are those of {allowed}; "
            f"got {shown(cell)}"
        )


def read_sample(table: Table, columns: Columns) -> tuple[WeightedSample, int]:
    """Return the weighted sample of a file, and how many rows have a gap.

    Raises
    ------
    FileError
        If columns are missing or cells cannot be read.
    ValueError
        If no weights satisfy the margins: see `rake`.
    """
    places = columns.find(table)
    weights: defaultdict[tuple[str, ...], array[float]] = defaultdict(
        lambda: array("d")
    )
    problems: list[str] = []
    left_out = 0
    for line, row in table.rows():
        if isinstance(row, Message):
            problems.append(f"line {line}: {row}")
            continue
        cells = {name: row[place].strip() for name, place in places.items()}
        if not GAPS.isdisjoint(cells.values()):
            left_out += 1
            continue
        try:
            pattern, weight = columns.read(cells)
        except ValueError as error:
            problems.append(f"line {line}, {error}")
        else:
            weights[pattern].append(weight)
    if problems:
        raise FileError(shorten(problems))
    if not weights:
        raise FileError(["The file has no row without a gap: nothing to estimate from"])
    sums = {pattern: Sums.of(each) for pattern, each in weights.items()}
    margins = list(columns.margins.values())
    return weigh(columns.mechanism, sums, margins), left_out
