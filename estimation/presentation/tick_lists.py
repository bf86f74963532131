"""The results of a tick list's items together."""

from dataclasses import dataclass
from operator import attrgetter

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from estimation.presentation.table import ESTIMATE, INTERVAL, Section, Table
from estimation.rows.tick_lists import TickListResult
from surveys.numbers import format_percent
from surveys.text.tables import format_question_numbers

ITEM = gettext_lazy("Item")
SIMULTANEOUS = gettext_lazy("Interval, all together")


@dataclass(frozen=True)
class TickListPanel:
    result: TickListResult

    @property
    def text(self) -> str:
        return self.result.tick_list.text

    @property
    def numbers(self) -> str:
        return capfirst(format_question_numbers(self.result.tick_list.numbers))

    @property
    def has_simultaneous_intervals(self) -> bool:
        return all(item.simultaneous for item in self.result.items)

    @property
    def table(self) -> Table:
        columns = [
            ESTIMATE.of(attrgetter("row")),
            INTERVAL.of(attrgetter("row")),
        ]
        if self.has_simultaneous_intervals:
            columns.append(
                INTERVAL.of(attrgetter("simultaneous"), title=SIMULTANEOUS, style="")
            )
        return Table(
            name=self.text,
            heading=ITEM,
            columns=columns,
            sections=[Section(rows=self.result.items)],
            label=lambda item: f"{item.number}. {item.label}",
        )

    @property
    def note(self) -> str:
        if not self.has_simultaneous_intervals:
            return ""
        text = _(
            "The last column holds for all %(count)s items at once, at the level of "
            "%(level)s (Bonferroni)."
        )
        level = format_percent(self.result.confidence_level, trimmed=True)
        return text % {"count": len(self.result.tick_list.numbers), "level": level}
