"""Non-compliance with the device, for pages and files."""

from dataclasses import dataclass
from typing import Self

from django.utils.translation import gettext as _

from candor.compliance.models import ATTENTIVE, CHEATERS
from candor.table import Status
from estimation.presentation.cautions import Caution
from estimation.presentation.methods import name_likelihood_interval
from estimation.presentation.table import (
    ESTIMATE,
    INTERVAL,
    RAW,
    STANDARD_ERROR,
    Section,
    Table,
)
from estimation.rows.comparison import Comparison
from estimation.rows.compliance import estimate_compliance
from estimation.rows.row import Row
from surveys.numbers import format_percent
from surveys.text.tables import label_reports


def label_kind(row: Row) -> str:
    if row.estimand == CHEATERS:
        return _("Cheaters")
    if row.estimand == ATTENTIVE:
        return _("Attentive respondents")
    text = _("“%s” among attentive respondents") if row.group else _("Honest “%s”")
    return text % row.label


@dataclass(frozen=True)
class CompliancePanel:
    result: Comparison
    rows: tuple[Row, ...]

    @classmethod
    def of(cls, result: Comparison | None) -> Self | None:
        rows = estimate_compliance(result) if result else None
        return None if result is None or rows is None else cls(result, rows)

    @property
    def lines(self) -> list[str]:
        if self.result.anchor:
            assumed = _(
                "Assumes that inattentive respondents choose each report with "
                "probability 1/2."
            )
        else:
            first = self.result.first
            assumed = _(
                "Assumes the same shares in both groups. Cheaters always report “%s”; "
                "their answers are unknown."
            )
            assumed %= label_reports(first.mechanism, first.choices)[-1]
        if self.rows:
            return [assumed]
        return [assumed, _("These tables do not identify the shares.")]

    @property
    def cautions(self) -> list[Caution]:
        if not any(row.status is Status.MISFIT for row in self.rows):
            return []
        text = _("The reports do not fit these assumptions. The shares are unreliable.")
        return [Caution("danger", text)]

    @property
    def interval_name(self) -> str:
        level = format_percent(self.result.confidence_level, trimmed=True)
        return name_likelihood_interval(level)

    @property
    def table(self) -> Table:
        return Table(
            name=_("Non-compliance"),
            columns=[ESTIMATE, INTERVAL, RAW, STANDARD_ERROR],
            sections=[Section(rows=self.rows)],
            heading=_("Respondents"),
            label=label_kind,
        )
