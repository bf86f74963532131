"""A file of rows with weights: read once, summed up, and nothing of it stored."""

from array import array
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from candor.cli.wording import without_brackets
from candor.files.table import FileError, Table, as_code, with_point
from candor.mechanisms import Mechanism
from candor.mechanisms.parameters import shown
from candor.messages import Message
from candor.weighting import WEIGHT, Sums, weigh
from candor.weighting.sample import WeightedSample
from respondents.imports.field_studies.rows import place_of

GAPS = frozenset({"", "NA", "N/A", "NaN", "."})
"""Cells of a respondent who has no answer, or no weight."""

CODES_OF_TWO = {"1": 0, "0": 1}
"""How files write the first and the second of two reports."""

MOST_SHOWN = 20
"""Problems that are told: one screen."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """Which columns of a file hold what.

    Attributes
    ----------
    mechanism : Mechanism
        Of the column of reports.
    outcome : str
        The column of reports.
    weights : str or None
        The column of weights; without one all count alike.
    margins : mapping
        {column: {its answer: share of the population}}.
    """

    mechanism: Mechanism
    outcome: str
    weights: str | None
    margins: Mapping[str, Mapping[str, float]]

    def reads(self, cell: str) -> str | None:
        """Return the report that a cell stands for; None where it is none."""
        names = {report.lower(): report for report in self.mechanism.reports}
        code = as_code(cell)
        if len(names) == 2 and code in CODES_OF_TWO and code not in names:
            return self.mechanism.reports[CODES_OF_TWO[code]]
        return names.get(cell.lower()) or names.get(code.lower())


@dataclass(frozen=True, kw_only=True)
class Found:
    """What a file gives: the sample, and how many rows are not in it."""

    sample: WeightedSample
    tally: Mapping[str, int]
    """{report: count} of the same rows, all counting alike."""
    left_out: int


def estimate_rows(table: Table, asked: Asked) -> Found:
    """Return the shares behind one column of a file.

    Raises
    ------
    FileError
        For columns that are not there, and for cells that cannot be read.
    ValueError
        Where the margins cannot be made true: see `rake`.
    """
    places = places_of(table, asked)
    sums: defaultdict[tuple[str, ...], array[float]] = defaultdict(lambda: array("d"))
    problems: list[str] = []
    left_out = 0
    for line, row in table.rows():
        if isinstance(row, Message) or len(row) != len(table.header):
            told = str(row) if isinstance(row, Message) else f"{len(row)} cells"
            problems.append(f"line {line}: {told}")
            continue
        cells = {name: row[place].strip() for name, place in places.items()}
        if not GAPS.isdisjoint(cells.values()):
            left_out += 1
            continue
        try:
            pattern, weight = read_row(asked, cells)
        except ValueError as error:
            problems.append(f"line {line}, {error}")
        else:
            sums[pattern].append(weight)
    if problems:
        more = len(problems) - MOST_SHOWN
        ending = [f"... and {more:,} more"] if more > 0 else []
        raise FileError([*problems[:MOST_SHOWN], *ending])
    if not sums:
        raise FileError(["The file has no row without a gap: nothing to estimate from"])
    counts = {pattern: Sums.of(weights) for pattern, weights in sums.items()}
    tally = Counter(dict.fromkeys(asked.mechanism.reports, 0))
    for (*_answers, report), each in counts.items():
        tally[report] += each.respondents
    sample = weigh(asked.mechanism, counts, list(asked.margins.values()))
    return Found(sample=sample, tally=tally, left_out=left_out)


def places_of(table: Table, asked: Asked) -> dict[str, int]:
    """Return where each column that is read stands."""
    names = [asked.outcome, *([asked.weights] if asked.weights else []), *asked.margins]
    places = {name: place_of(name, table.header) for name in names}
    found = ", ".join(map(repr, table.header))
    absent = [
        f"The file needs a column {name!r}; found {found}"
        for name, place in places.items()
        if place is None
    ]
    if absent:
        raise FileError(absent)
    return {name: place for name, place in places.items() if place is not None}


def read_row(asked: Asked, cells: Mapping[str, str]) -> tuple[tuple[str, ...], float]:
    """Return the answers with the report, and the weight, of one respondent."""
    answers = [
        answer_of(column, margin, cells[column])
        for column, margin in asked.margins.items()
    ]
    pattern = (*answers, report_of(asked, cells[asked.outcome]))
    if asked.weights is None:
        return pattern, 1.0
    return pattern, weight_of(asked.weights, cells[asked.weights])


def report_of(asked: Asked, cell: str) -> str:
    """Return the report in a cell, or raise `ValueError`."""
    report = asked.reads(cell)
    if report is None:
        allowed = ", ".join(asked.mechanism.reports)
        raise ValueError(
            f"column {asked.outcome!r}: must be {allowed} or empty; got {shown(cell)}"
        )
    return report


def weight_of(column: str, cell: str) -> float:
    """Return the weight in a cell, or raise `ValueError`."""
    try:
        return WEIGHT.check("weight", float(with_point(cell)))
    except ValueError as error:
        told = f"must be {without_brackets(WEIGHT.allowed)}"
        raise ValueError(f"column {column!r}: {told}; got {shown(cell)}") from error


def answer_of(column: str, margin: Mapping[str, float], cell: str) -> str:
    """Return the answer in a cell whose share is known, or raise `ValueError`."""
    for answer in (cell, as_code(cell)):
        if answer in margin:
            return answer
    allowed = ", ".join(map(repr, margin))
    raise ValueError(
        f"column {column!r}: its known shares are those of {allowed}; got {shown(cell)}"
    )
