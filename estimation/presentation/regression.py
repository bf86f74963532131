"""What is shown of a regression, on the page."""

from collections.abc import Iterator
from dataclasses import dataclass

from candor.regression.result import Regression
from candor.table import Estimate
from estimation.presentation import regression_sentences as words
from estimation.presentation.cautions import Caution
from estimation.rows.regression import AnswerRow, PredictorResult, SurveyRegression


@dataclass(frozen=True)
class RowPanel:
    """One answer in words."""

    predictor: PredictorResult
    row: AnswerRow

    @property
    def sentence(self) -> str:
        """The average effect."""
        return words.sentence(self.predictor, self.row)

    @property
    def odds_ratio(self) -> str:
        """Such as "2.31"."""
        return words.odds_ratio(self.row.coefficient.estimate)

    @property
    def odds_interval(self) -> str:
        """Such as "1.20 to 4.40"."""
        found = self.row.coefficient
        return words.between(words.odds_ratio(found.low), words.odds_ratio(found.high))

    @property
    def p_value(self) -> str:
        """Such as "P = 0.012"."""
        return words.p_label(self.row.coefficient)

    @property
    def effect(self) -> str:
        """Such as "12.3"."""
        return words.signed_points(self.row.effect.estimate)

    @property
    def effect_interval(self) -> str:
        """Such as "3.1 to 21.5"."""
        ends = words.interval_in_points(self.row.effect.low, self.row.effect.high)
        return words.between(*ends)


@dataclass(frozen=True)
class PredictorPanel:
    """A predictor and its answers."""

    predictor: PredictorResult
    rows: list[RowPanel]


@dataclass(frozen=True)
class RegressionPanel:
    """A regression in sentences and tables."""

    result: SurveyRegression

    @property
    def predictors(self) -> list[PredictorPanel]:
        """Those with numbers."""
        return [
            PredictorPanel(
                predictor,
                [RowPanel(predictor, row) for row in predictor.rows],
            )
            for predictor in self.result.predictors
        ]

    @property
    def rows(self) -> Iterator[RowPanel]:
        """All answers."""
        for predictor in self.predictors:
            yield from predictor.rows

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
class ColumnPanel:
    """One coefficient of a file's regression, in words."""

    row: Estimate

    @property
    def estimate(self) -> str:
        """Such as "0.0790"."""
        return words.plain(self.row.estimate)

    @property
    def standard_error(self) -> str:
        """Such as "0.0404"."""
        return words.plain(self.row.standard_error)

    @property
    def interval(self) -> str:
        """Such as "0.0000 to 0.1591"."""
        return words.between(words.plain(self.row.low), words.plain(self.row.high))

    @property
    def odds_ratio(self) -> str:
        """Such as "1.08"."""
        return words.odds_ratio(self.row.estimate)

    @property
    def p_value(self) -> str:
        """Such as "P = 0.050"."""
        return words.p_label(self.row)


@dataclass(frozen=True)
class EffectPanel:
    """One average effect of a file's regression, in words."""

    row: Estimate

    @property
    def effect(self) -> str:
        """Such as "12.3"."""
        return words.signed_points(self.row.estimate)

    @property
    def interval(self) -> str:
        """Such as "3.1 to 21.5"."""
        ends = words.interval_in_points(self.row.low, self.row.high)
        return words.between(*ends)


@dataclass(frozen=True)
class FilePanel:
    """The regression of a file in tables."""

    regression: Regression

    @property
    def coefficients(self) -> list[ColumnPanel]:
        """The constant first."""
        return [ColumnPanel(row) for row in self.regression.coefficients]

    @property
    def effects(self) -> list[EffectPanel]:
        """Of each column."""
        return [EffectPanel(row) for row in self.regression.effects]

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
