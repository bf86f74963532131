"""The results of a question, for pages, charts and files."""

from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext as _

from estimation.presentation import cautions, sentences, what_if
from estimation.presentation.cautions import Caution
from estimation.presentation.charts.intervals import Chart, Group
from estimation.presentation.methods import METHODS, PROFILE
from estimation.presentation.planned import OutcomePanel
from estimation.presentation.table import (
    ESTIMATE,
    INTERVAL,
    RAW,
    STANDARD_ERROR,
    Column,
    Section,
    Table,
)
from estimation.rows.assumptions import NOTHING_SUPPOSED, Supposed
from estimation.rows.row import Row
from estimation.rows.shares import QuestionResult
from surveys.numbers import format_integer


@dataclass(frozen=True)
class QuestionPanel:
    result: QuestionResult
    planned: tuple[OutcomePanel, ...] = ()
    supposed: Supposed = NOTHING_SUPPOSED
    is_closed: bool = False

    @property
    def alternative_text(self) -> str:
        return sentences.alternative_text(self.result)

    @property
    def bounds(self) -> list[str]:
        return sentences.bounds(self.result)

    @property
    def caption(self) -> str:
        return sentences.caption(self.result)

    @property
    def forged_line(self) -> str:
        return what_if.forged_line(self.result)

    @property
    def interval_name(self) -> str:
        return sentences.interval_name(self.result)

    @property
    def mechanism_text(self) -> str:
        return sentences.describe_mechanism(self.result)

    @property
    def pair(self) -> list[str]:
        return sentences.pair(self.result)

    @property
    def sentence(self) -> str:
        return self.sentences[0]

    @cached_property
    def sentences(self) -> list[str]:
        return sentences.sentences(self.result, is_closed=self.is_closed)

    @cached_property
    def level(self) -> str:
        return sentences.level(self.result)

    @property
    def method_name(self) -> str:
        mean = self.result.mean
        method = METHODS.get(mean.method if mean else self.result.method, PROFILE)
        return str(method.label)

    @cached_property
    def direct_line(self) -> str:
        return what_if.direct_line(self.result)

    @cached_property
    def supposed_lines(self) -> list[str]:
        planned = {
            each.outcome.row.estimand: each.outcome.share for each in self.planned
        }
        return what_if.supposed_lines(self.result, self.supposed, planned)

    @property
    def cautions(self) -> list[Caution]:
        return cautions.for_question(self.result)

    @property
    def card_cautions(self) -> list[Caution]:
        """Cautions of a card, whose caption marks direct questions."""
        return cautions.for_question(self.result, is_marked=True)

    @property
    def headline_rows(self) -> tuple[Row, ...]:
        return (*self._means, *self.result.headline_shares)

    @property
    def chart(self) -> Chart:
        both = (self._means, self.result.headline_shares)
        return Chart(
            tuple(Group(rows=rows, colour=self.colour) for rows in both if rows)
        )

    @property
    def colour(self) -> str:
        return "accent" if self.result.mechanism.is_scrambled else "plain"

    @property
    def _means(self) -> tuple[Row, ...]:
        return (self.result.mean,) if self.result.mean else ()

    @property
    def reports_of_mean(self) -> str:
        """Counts of the reports to a question without shares; empty otherwise."""
        if self.result.rows:
            return ""
        labels = sentences.list_report_labels(self.result)
        counts = zip(labels, self.result.report_counts, strict=True)
        return ", ".join(
            f"{name}: {format_integer(count)}" for name, (_report, count) in counts
        )

    @property
    def rows(self) -> list[Row]:
        return [*self._means, *self.result.rows]

    @property
    def table(self) -> Table:
        labels = sentences.list_report_labels(self.result)
        reports = {
            row.estimand: format_integer(count)
            if label == row.label
            else f"{label}: {format_integer(count)}"
            for (row, _report, count), label in zip(
                self.result.reports, labels, strict=False
            )
        }
        if self.result.mean:
            reports[self.result.mean.estimand] = self.reports_of_mean
        return Table(
            name=_("The numbers"),
            columns=[
                ESTIMATE,
                INTERVAL,
                RAW,
                STANDARD_ERROR,
                Column(title=_("Reports"), show=lambda row: reports[row.estimand]),
            ],
            sections=[Section(rows=self.rows)],
        )

    @property
    def short_table(self) -> Table:
        return Table(
            name=_("The numbers"),
            columns=[ESTIMATE, INTERVAL, RAW],
            sections=[Section(rows=self.rows)],
        )
