"""Estimates as rows of a table, the form of all results of the library."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from enum import StrEnum
from typing import Any, overload

from candor.homogeneity import holm
from candor.intervals import Interval
from candor.validation import CONFIDENCE_LEVEL

DECIMALS = 4
"""Decimals of a printed table; no survey is more precise."""

MIN_P_VALUE = 0.0001
"""Smaller p-values are printed as "< 0.0001"."""

PLOT_WIDTH, PLOT_HEAD, PLOT_ROW = 6.0, 1.0, 0.35
"""Inches: the width of a plot, its height without rows, and the height of a row."""

MISSING = "-"
"""Printed for a figure that a row does not have."""


class Status(StrEnum):
    """Whether the figures of a row can be interpreted, and if not, why."""

    OK = "ok"
    NO_REPORTS = "no reports"
    ONE_REPORT = "one report"
    """The standard error is undefined: one report shows no spread."""
    IDENTICAL_REPORTS = "identical reports"
    """The standard error is at a share half a report inside; the usual one is 0."""
    MISFIT = "misfit"
    """No shares explain the reports: respondents did not follow the design."""


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """One estimate with its interval.

    Attributes
    ----------
    estimand : str
        Name of the estimand: an answer, "mean", a coefficient, a difference.
    group : str or None
        The group, survey or wave.
    estimate : float
        Maximum-likelihood estimate within the range of the estimand. NaN without
        reports.
    raw : float
        Unbiased estimate, which may lie outside the range.
    standard_error : float
        Estimated standard deviation of `raw`; NaN for fewer than two reports.
    low, high : float
        Ends of the interval at `confidence_level`.
    confidence_level : float
        In (0, 1).
    method : str
        Method of the interval.
    p_value, adjusted_p_value : float or None
        P-value of the row's test, in (0, 1], and the same adjusted for several tests.
    n : int
        Number of reports.
    status : Status
    """

    estimand: str
    group: str | None = None
    estimate: float
    raw: float
    standard_error: float
    low: float
    high: float
    confidence_level: float
    method: str
    p_value: float | None = None
    adjusted_p_value: float | None = None
    n: int
    status: Status = Status.OK
    # The interval at another level, by the row's own method, or by another one if there
    # are several.
    find_interval: Callable[[float], Interval] | None = field(
        default=None, repr=False, compare=False
    )
    find_interval_by: Callable[[float, str], Interval] | None = field(
        default=None, repr=False, compare=False
    )

    def interval(
        self, confidence_level: float | None = None, method: str | None = None
    ) -> Interval:
        """Return the interval at another confidence level or by another method.

        Parameters
        ----------
        confidence_level : float, optional
            In (0, 1); the row's own by default.
        method : str, optional
            A key of `candor.intervals.METHODS`; the row's own by default.

        Returns
        -------
        Interval
            (low, high).

        Raises
        ------
        ValueError
            If the level or method is out of range, or the row cannot compute another
            interval.
        """
        other = None if method == self.method else method
        if confidence_level is None and other is None:
            return Interval(self.low, self.high)
        level = CONFIDENCE_LEVEL.check(
            "confidence_level",
            self.confidence_level if confidence_level is None else confidence_level,
        )
        if self.find_interval is None:
            raise ValueError(
                f"confidence_level must be {self.confidence_level:g} and method "
                f"{self.method!r} for {self.estimand!r}; got {level:g} and {method!r}"
            )
        if other is None:
            return self.find_interval(level)
        if self.find_interval_by is None:
            raise ValueError(f"method must be {self.method!r}; got {other!r}")
        return self.find_interval_by(level, other)

    def to_dict(self) -> dict[str, Any]:
        """Return the figures by name for JSON, with None for NaN and infinity."""
        return {name: nullify(getattr(self, name)) for name in COLUMNS}


COLUMNS = tuple(each.name for each in fields(Estimate) if each.repr)
"""Names of the figures of a row, in order."""

OPTIONAL = ("group", "p_value", "adjusted_p_value")
"""Columns that a printed table omits if no row has them."""


class Estimates(Sequence[Estimate]):
    """A sequence of estimates.

    Index it by position or by estimand: `table["yes"]`, or `table["yes", "men"]` if
    several groups have the estimand.

    Parameters
    ----------
    rows : iterable of Estimate
    title : str
        Printed above the table.
    notes : iterable of str
        Printed below it.
    """

    def __init__(
        self, rows: Iterable[Estimate], *, title: str = "", notes: Iterable[str] = ()
    ) -> None:
        self._rows = tuple(rows)
        self.title = title
        self.notes = tuple(notes)

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, key: int | str | tuple[str, str]) -> Estimate: ...
    @overload
    def __getitem__(self, key: slice) -> "Estimates": ...

    def __getitem__(
        self, key: int | slice | str | tuple[str, str]
    ) -> "Estimate | Estimates":
        if isinstance(key, slice):
            return Estimates(self._rows[key], title=self.title, notes=self.notes)
        if not isinstance(key, str | tuple):
            return self._rows[key]
        estimand, group = (key, None) if isinstance(key, str) else key
        found = [
            row
            for row in self._rows
            if row.estimand == estimand and group in (None, row.group)
        ]
        if len(found) == 1:
            return found[0]
        if found:
            groups = ", ".join(str(row.group) for row in found)
            raise KeyError(f"{estimand!r} has several groups: {groups}")
        allowed = ", ".join(dict.fromkeys(row.estimand for row in self._rows))
        raise KeyError(f"estimand must be one of {allowed}; got {key!r}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Estimates) and self._rows == other._rows

    def __hash__(self) -> int:
        return hash(self._rows)

    def __repr__(self) -> str:
        return self.summary()

    def with_adjusted_p_values(self) -> "Estimates":
        """Return the rows with p-values adjusted by Holm's method."""
        tested = [row for row in self._rows if row.p_value is not None]
        adjusted = iter(holm([row.p_value or 0.0 for row in tested]))
        rows = [
            row
            if row.p_value is None
            else replace(row, adjusted_p_value=next(adjusted))
            for row in self._rows
        ]
        return Estimates(rows, title=self.title, notes=self.notes)

    def summary(self) -> str:
        """Return the table as text for a terminal."""
        heads, body = self._format_cells()
        widths = [max(map(len, column)) for column in zip(heads, *body, strict=True)]
        lines = [
            "  ".join(
                cell.ljust(width) if name in TEXTS else cell.rjust(width)
                for cell, width, name in zip(
                    cells, widths, self._list_shown(), strict=True
                )
            ).rstrip()
            for cells in (heads, *body)
        ]
        rule = "-" * (sum(widths) + 2 * (len(widths) - 1))
        above = [self.title] if self.title else []
        return "\n".join([*above, lines[0], rule, *lines[1:], *self.notes])

    def to_dict(self) -> dict[str, Any]:
        """Return title, rows and notes for JSON."""
        return {
            "title": self.title,
            "estimates": [row.to_dict() for row in self._rows],
            "notes": list(self.notes),
        }

    def to_frame(self) -> Any:
        """Return a pandas data frame with one row for each estimate.

        Needs pandas: `pip install "candor-surveys[frame]"`.
        """
        import pandas as pd

        rows = [[getattr(row, name) for name in COLUMNS] for row in self._rows]
        frame = pd.DataFrame(rows, columns=list(COLUMNS))
        frame["status"] = frame["status"].astype(str)
        return frame

    def plot(self) -> Any:
        """Return a matplotlib figure with the interval of each row.

        Needs matplotlib: `pip install "candor-surveys[plot]"`.
        """
        from matplotlib.figure import Figure

        rows = list(self._rows)
        figure = Figure(
            figsize=(PLOT_WIDTH, PLOT_HEAD + PLOT_ROW * len(rows)), layout="constrained"
        )
        axes = figure.add_subplot()
        axes.hlines(
            range(len(rows)), [row.low for row in rows], [row.high for row in rows]
        )
        axes.plot([row.estimate for row in rows], range(len(rows)), "o")
        labels = [" ".join(filter(None, (row.group, row.estimand))) for row in rows]
        axes.set_yticks(range(len(rows)), labels)
        axes.invert_yaxis()
        axes.set_xlabel("estimate and interval")
        axes.set_title(self.title)
        return figure

    def _repr_html_(self) -> str:
        from html import escape

        heads, body = self._format_cells()

        def line(cells: Iterable[str], tag: str) -> str:
            inner = "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells)
            return f"<tr>{inner}</tr>"

        caption = f"<caption>{escape(self.title)}</caption>" if self.title else ""
        rows = "".join(line(cells, "td") for cells in body)
        notes = "".join(f"<p>{escape(note)}</p>" for note in self.notes)
        return (
            f"<table>{caption}<thead>{line(heads, 'th')}</thead>"
            f"<tbody>{rows}</tbody></table>{notes}"
        )

    def _list_shown(self) -> list[str]:
        return [
            name
            for name in PRINTED
            if name not in OPTIONAL
            or any(getattr(row, name) is not None for row in self._rows)
        ]

    def _format_cells(self) -> tuple[list[str], list[list[str]]]:
        shown = self._list_shown()
        heads = [PRINTED[name] for name in shown]
        body = [[_format_figure(row, name) for name in shown] for row in self._rows]
        return heads, body


PRINTED = {
    "estimand": "estimand",
    "group": "group",
    "estimate": "estimate",
    "raw": "raw",
    "standard_error": "std. error",
    "low": "low",
    "high": "high",
    "confidence_level": "level",
    "method": "method",
    "p_value": "p",
    "adjusted_p_value": "adjusted p",
    "n": "n",
    "status": "status",
}
"""The head of each column of a printed table."""

TEXTS = ("estimand", "group", "method", "status")


def _format_figure(row: Estimate, name: str) -> str:
    value = getattr(row, name)
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return MISSING
    if name in TEXTS:
        return str(value)
    if name == "n":
        return f"{value:,}"
    if name == "confidence_level":
        return f"{value:g}"
    if name in ("p_value", "adjusted_p_value") and value < MIN_P_VALUE:
        return f"< {MIN_P_VALUE}"
    return f"{value:.{DECIMALS}f}"


def nullify(found: Any) -> Any:
    """Return an object for JSON, with None in place of NaN and infinity."""
    if is_dataclass(found) and not isinstance(found, type):
        found = asdict(found)
    if isinstance(found, Mapping):
        return {name: nullify(each) for name, each in found.items()}
    if isinstance(found, list | tuple):
        return [nullify(each) for each in found]
    if isinstance(found, Status):
        return str(found)
    return None if isinstance(found, float) and not math.isfinite(found) else found
