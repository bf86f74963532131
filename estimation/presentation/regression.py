"""What is shown of a regression, on the page."""

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from django.utils.translation import gettext as _

from candor.regression.regress import Regression
from candor.table import Estimate
from estimation.presentation import regression_sentences as words
from estimation.presentation.cautions import Caution
from estimation.presentation.table import Column, Section, Table
from estimation.rows.regression import SurveyRegression

Pick = Callable[[Any], Estimate]
"""Returns an estimate of a row of the table."""


def odds_columns(pick: Pick) -> list[Column]:
    """Return odds ratio, interval and p-value of a coefficient."""
    return [
        Column(
            title=_("Odds ratio"),
            show=lambda row: words.odds_ratio(pick(row).estimate),
            figures=lambda row: pick(row).estimate,
            style="adjusted",
        ),
        Column(
            title=_("Interval"),
            show=lambda row: words.show_interval(pick(row), words.odds_ratio),
            figures=lambda row: (pick(row).low, pick(row).high),
        ),
        p_value_column(pick),
    ]


def p_value_column(pick: Pick) -> Column:
    """Return the p-value of a coefficient."""
    return Column(
        title=_("P-value"),
        show=lambda row: words.p_label(pick(row)),
        figures=lambda row: pick(row).p_value,
    )


def effect_columns(pick: Pick) -> list[Column]:
    """Return an average effect on the share with its interval."""
    return [
        Column(
            title=_("Difference in points"),
            show=lambda row: words.signed_points(pick(row).estimate),
            figures=lambda row: pick(row).estimate,
            style="adjusted",
        ),
        Column(
            title=_("Interval"),
            show=lambda row: words.show_interval_in_points(pick(row)),
            figures=lambda row: (pick(row).low, pick(row).high),
        ),
    ]


@dataclass(frozen=True)
class RegressionPanel:
    """A regression in sentences and a table."""

    result: SurveyRegression

    @property
    def sentences(self) -> list[str]:
        """The average effect of each answer."""
        return [words.sentence(predictor, row) for predictor, row in self.result.rows]

    @property
    def table(self) -> Table:
        """Odds ratios and average effects, predictor by predictor."""
        return Table(
            name=_("Odds ratios and average differences"),
            columns=[
                *odds_columns(attrgetter("coefficient")),
                *effect_columns(attrgetter("effect")),
            ],
            sections=[
                Section(
                    rows=predictor.rows,
                    heading=predictor.question.text,
                    note=_("compared with “%s”") % predictor.reference,
                )
                for predictor in self.result.predictors
            ],
            label=attrgetter("label"),
        )

    @property
    def hidden(self) -> list[str]:
        """Answers of too few people."""
        return [label for each in self.result.predictors for label in each.hidden]

    @property
    def level(self) -> str:
        """How sure the sentences are."""
        return words.level(self.result)

    @property
    def interval_name(self) -> str:
        """How intervals are made."""
        return words.interval_name(self.result)

    @property
    def people(self) -> str:
        """Who is in it."""
        return words.people(self.result)

    @property
    def cautions(self) -> list[Caution]:
        """What to know before relying on any number."""
        return words.cautions(self.result)


@dataclass(frozen=True)
class FilePanel:
    """The regression of a file in tables."""

    regression: Regression

    @property
    def coefficients(self) -> Table:
        """The coefficients, the constant first."""

        def same(row: Estimate) -> Estimate:
            return row

        return Table(
            name=_("Odds ratios and average differences"),
            columns=[
                Column(
                    title=_("Coefficient"),
                    show=lambda row: words.plain(row.estimate),
                    figures=attrgetter("estimate"),
                ),
                Column(
                    title=_("Standard error"),
                    show=lambda row: words.plain(row.standard_error),
                    figures=attrgetter("standard_error"),
                ),
                Column(
                    title=_("Interval"),
                    show=lambda row: words.show_interval(row, words.plain),
                ),
                p_value_column(same),
                Column(
                    title=_("Odds ratio"),
                    show=lambda row: words.odds_ratio(row.estimate),
                ),
            ],
            sections=[Section(rows=self.regression.coefficients)],
            heading=_("Predictor"),
            label=attrgetter("estimand"),
        )

    @property
    def effects(self) -> Table | None:
        """The average effects; None where no column has one."""
        if not self.regression.effects:
            return None
        return Table(
            name=_("By how many points the share differs"),
            columns=[
                Column(
                    title=_("Compared with"),
                    show=lambda row: row.group or _("one unit less"),
                ),
                *effect_columns(lambda row: row),
            ],
            sections=[Section(rows=self.regression.effects)],
            heading=_("Predictor"),
            label=attrgetter("estimand"),
        )

    @property
    def people(self) -> str:
        """Which rows are in it."""
        return words.in_file(self.regression)

    @property
    def log_likelihood(self) -> str:
        """Such as "-1540.1179"."""
        return words.plain(self.regression.fit.log_likelihood)

    @property
    def interval_name(self) -> str:
        """How intervals are made."""
        found = self.regression
        return words.interval_name(found, is_weighted=found.fit.is_weighted)

    @property
    def cautions(self) -> list[Caution]:
        """What to know before relying on any number."""
        rows = {row.estimand: row for row in self.regression.coefficients}
        return words.about_numbers(self.regression, rows)
