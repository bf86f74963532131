"""Tables of rows on pages. Each table lists its columns.

Files list theirs in `candor.cli.rows` and `estimation.files.analyses`.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_lazy as for_researchers

from estimation.presentation.figures import (
    show_estimate_or_dash,
    show_interval,
    show_p_value,
    show_raw,
    show_standard_error,
)
from estimation.rows.row import Kind, Row


@dataclass(frozen=True, kw_only=True)
class Column:
    """One figure of each row.

    Attributes
    ----------
    title : str
    show : callable
        Returns the text of a row.
    figures : callable or None
        Returns the exact figure or figures of a row, for programs that read the page.
    style : str
        A class of the style sheet.
    """

    title: str | Promise
    show: Callable[[Any], str]
    figures: Callable[[Any], Any] | None = None
    style: str = ""

    def named(self, title: str) -> "Column":
        return replace(self, title=title)

    def of(self, pick: Callable[[Any], Any], **changes: Any) -> "Column":
        """Return the column for lines that contain a row, which `pick` returns.

        `changes` are attributes that differ.
        """
        figures = self.figures
        return replace(
            self,
            show=lambda line: self.show(pick(line)),
            figures=figures and (lambda line: figures(pick(line))),
            **changes,
        )

    def exact(self, row: Any) -> str:
        """Return the exact figures, independent of the language of the page."""
        if self.figures is None:
            return ""
        found = self.figures(row)
        figures = found if isinstance(found, tuple) else (found,)
        if any(each is None or math.isnan(each) for each in figures):
            return ""  # without reports
        return " ".join(map(repr, figures))


ESTIMATE = Column(
    title=gettext_lazy("Best estimate"),
    show=show_estimate_or_dash,
    figures=attrgetter("estimate"),
    style="adjusted",
)
INTERVAL = Column(
    title=gettext_lazy("Interval"),
    show=show_interval,
    figures=attrgetter("low", "high"),
    style="interval",
)
RAW = Column(
    title=gettext_lazy("Raw estimate"), show=show_raw, figures=attrgetter("raw")
)
STANDARD_ERROR = Column(
    title=for_researchers("Standard error"),
    show=show_standard_error,
    figures=attrgetter("standard_error"),
)
P_VALUE = Column(title="P", show=show_p_value, figures=attrgetter("adjusted_p_value"))


ANSWER = gettext_lazy("Answer")


def label_row(row: Row) -> str:
    if row.kind is Kind.MEAN_AMONG_ANSWERED:
        return _("Mean of those who answered")
    return _("Mean") if row.scale else row.label


Line = tuple[str, list[dict[str, str]]]


@dataclass(frozen=True, kw_only=True)
class Section:
    rows: Sequence[Any]
    heading: str = ""
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Table:
    name: str
    """Accessible name of the table."""
    columns: Sequence[Column]
    sections: Sequence[Section]
    heading: str | Promise = ANSWER
    label: Callable[[Any], str] = label_row

    @property
    def width(self) -> int:
        """Number of columns, with that of the labels."""
        return 1 + len(self.columns)

    @property
    def has_headings(self) -> bool:
        return any(section.heading for section in self.sections)

    @property
    def bodies(self) -> Iterator[tuple[Section, list[Line]]]:
        for section in self.sections:
            yield section, [(self.label(row), self.cells(row)) for row in section.rows]

    def cells(self, row: Any) -> list[dict[str, str]]:
        return [
            {"text": each.show(row), "exact": each.exact(row), "style": each.style}
            for each in self.columns
        ]
