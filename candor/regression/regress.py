"""Regression of rows by a formula; equal rows are counted together.

Rows come from the counts of a survey, or from a CSV with a row for each respondent.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from candor import extras
from candor.binary import BinaryChannel, FloatArray, IntArray
from candor.dichotomies import find_answer_dichotomy
from candor.files.rows import (
    make_frame,
    read_cells,
    read_clusters,
    read_reports,
    read_weights,
)
from candor.files.table import Table
from candor.mechanisms import Mechanism
from candor.regression.fit import (
    CLUSTERED,
    PROFILE,
    SANDWICH,
    LogisticFit,
    fit_logistic,
)
from candor.regression.formula import Formula, FormulaError
from candor.regression.model_matrix import Fitted, fitted, list_categories
from candor.regression.patterns import Scrambled, count_rows
from candor.table import Estimate, Estimates

INTERVAL_NAMES = {
    PROFILE: "profile-likelihood",
    SANDWICH: "wald-sandwich",
    CLUSTERED: "wald-clusters",
}


@dataclass(frozen=True, kw_only=True)
class Contrast:
    """Two sets of predictors of every pattern, whose difference is an effect.

    `against` is the value that the effect is compared with; empty for a slope. Arrays
    have shape (patterns, coefficients); `high_if_yes` and `low_if_yes` apply to
    respondents whose answer to the scrambled predictor is yes.
    """

    name: str
    against: str
    high: FloatArray
    low: FloatArray
    high_if_yes: FloatArray | None = None
    low_if_yes: FloatArray | None = None
    step: float = 1.0

    def effect(self, fit: LogisticFit, confidence_level: float) -> Estimate:
        row = fit.effect(
            self.high,
            self.low,
            high_if_yes=self.high_if_yes,
            low_if_yes=self.low_if_yes,
            step=self.step,
            name=self.name,
            confidence_level=confidence_level,
        )
        if not self.against:
            return row
        # A difference of two shares is at most 1; a slope may be larger.
        low, high = max(row.low, -1.0), min(row.high, 1.0)
        return replace(row, group=self.against, low=low, high=high)


@dataclass(frozen=True, kw_only=True)
class Regression:
    """The figures of one regression; `left_out` rows have gaps.

    The group of an effect is the value it is compared with; a slope has none.
    """

    fit: LogisticFit
    coefficients: Estimates
    effects: Estimates
    left_out: int
    confidence_level: float

    @property
    def interval_name(self) -> str:
        return INTERVAL_NAMES[self.fit.method]


def make_regression(
    fit: LogisticFit,
    contrasts: Sequence[Contrast],
    *,
    left_out: int,
    confidence_level: float,
) -> Regression:
    """Return the coefficients and effects of a fit."""
    return Regression(
        fit=fit,
        coefficients=fit.table(confidence_level),
        effects=Estimates(each.effect(fit, confidence_level) for each in contrasts),
        left_out=left_out,
        confidence_level=confidence_level,
    )


SMALL_STEP = 1e-4
"""Step of a numerical slope to either side, in standard deviations."""


@dataclass(frozen=True, kw_only=True)
class Answered:
    """For one question, which rows have a report that counts for the answer."""

    name: str
    is_yes: npt.NDArray[np.bool_]
    channel: BinaryChannel

    @classmethod
    def of(
        cls, name: str, mechanism: Mechanism, reports: Sequence[int], *, place: int = 0
    ) -> "Answered":
        """Return the rows that count for the answer in row `place` of the table.

        `ValueError` if reports do not identify the share of that answer.
        """
        found = find_answer_dichotomy(mechanism, place)
        is_yes = np.isin(reports, found.counted)
        return cls(name=name, is_yes=is_yes, channel=found.channel)


@dataclass(frozen=True, kw_only=True)
class Rows:
    """The input of a regression, with one entry per row.

    `frame` has the direct predictors, `scrambled` one that was randomised, too. A row
    represents `counts` respondents. `weights` are above 0 with mean 1, and `clusters`
    are numbers. `left_out` is how many respondents have gaps.
    """

    frame: "extras.pandas.DataFrame"
    outcome: Answered
    scrambled: Answered | None
    counts: FloatArray
    weights: FloatArray | None = None
    clusters: IntArray | None = None
    left_out: int = 0


def collect_rows(
    table: Table,
    formula: Formula,
    *,
    outcome: str,
    mechanism: Mechanism,
    place: int = 0,
    scrambled: tuple[str, Mechanism] | None = None,
    weights: str = "",
    clusters: str = "",
) -> Rows:
    """Return the rows of a CSV.

    `outcome`, `scrambled`, `weights` and `clusters` name columns.

    `FileError` for columns and cells that cannot be read, `FormulaError` if the formula
    contains the outcome.
    """
    if outcome in formula.columns:
        raise FormulaError(f"--formula must not hold the outcome {outcome!r}")
    hidden = scrambled[0] if scrambled else ""
    named = filter(None, [outcome, *formula.columns, hidden, weights, clusters])
    cells = read_cells(table, list(dict.fromkeys(named)))
    behind = None
    if scrambled:
        behind = Answered.of(*scrambled, read_reports(cells, *scrambled))
    reports = read_reports(cells, outcome, mechanism)
    return Rows(
        frame=make_frame(
            cells,
            [name for name in formula.columns if name != hidden],
            formula.categories - formula.numeric,
        ),
        outcome=Answered.of(outcome, mechanism, reports, place=place),
        scrambled=behind,
        counts=np.ones(len(cells.lines)),
        weights=read_weights(cells, weights) if weights else None,
        clusters=read_clusters(cells, clusters) if clusters else None,
        left_out=cells.left_out,
    )


def regress(rows: Rows, formula: Formula, *, confidence_level: float) -> Regression:
    """Return the regression of the outcome by a formula.

    `FormulaError` if the formula does not fit the columns, `NoFitError` if no
    coefficients are reliable.
    """
    hidden = rows.scrambled
    if hidden and hidden.name not in formula.columns:
        raise FormulaError(f"the formula must name {hidden.name!r}, which is scrambled")
    if hidden and hidden.name in formula.numeric | formula.categories:
        raise FormulaError(
            f"{hidden.name!r} is scrambled: it must stand by itself or in a product, "
            "not in a function"
        )
    frame = rows.frame
    clean = [name for name in formula.columns if hidden is None or name != hidden.name]
    if hidden:
        frame = frame.assign(**{hidden.name: 0.0})
    made = fitted(formula, frame)
    codes = [
        frame[name].cat.codes if list_categories(frame[name]) else frame[name]
        for name in clean
    ]
    grouping = codes if rows.clusters is None else [*codes, rows.clusters]
    first, kinds = count_rows([np.zeros(len(frame)), *grouping])
    patterns = frame.iloc[first]
    # Yes first: 0 and 1 for one question, 0 to 3 for two
    reports, size = (~rows.outcome.is_yes).astype(np.int64), 2
    if hidden:
        reports, size = reports + 2 * ~hidden.is_yes, 4

    def sum_values(values: FloatArray) -> FloatArray:
        """Return the sum of values by kind of row and report, shape (kinds, size)."""
        found = np.bincount(kinds * size + reports, values, minlength=len(first) * size)
        return found.astype(np.float64).reshape(len(first), size)

    weights, squares, scrambled = rows.counts, None, None
    if rows.weights is not None:
        weights = rows.weights * rows.counts
        squares = sum_values(rows.weights**2 * rows.counts)
    if hidden:
        scrambled = Scrambled(
            predictors=made.matrix(patterns.assign(**{hidden.name: 1.0})),
            p_yes_given_yes=hidden.channel.p_yes_given_yes,
            p_yes_given_no=hidden.channel.p_yes_given_no,
        )
    fit = fit_logistic(
        made.matrix(patterns),
        sum_values(weights),
        p_yes_given_yes=rows.outcome.channel.p_yes_given_yes,
        p_yes_given_no=rows.outcome.channel.p_yes_given_no,
        names=made.names,
        scrambled=scrambled,
        squared_weights=squares,
        respondents=int(rows.counts.sum()),
        clusters=None if rows.clusters is None else rows.clusters[first].tolist(),
    )
    return make_regression(
        fit,
        list(list_contrasts(made, frame, patterns, hidden.name if hidden else None)),
        left_out=rows.left_out,
        confidence_level=confidence_level,
    )


def list_contrasts(
    made: Fitted,
    frame: "extras.pandas.DataFrame",
    patterns: "extras.pandas.DataFrame",
    hidden: str | None,
) -> Iterator[Contrast]:
    """Yield the contrasts of each column; `hidden` is the scrambled predictor.

    Categories are compared with the first or the chosen one, two numbers with each
    other. More than two numbers have a slope.
    """

    def compare(
        column: str, label: str, against: str, high: Any, low: Any, step: float = 1.0
    ) -> Contrast:
        """Return the contrast of two values of one column, over all patterns."""

        def predict_with(value: Any, rows: "extras.pandas.DataFrame") -> FloatArray:
            return made.matrix(rows.assign(**{column: value}))

        if_yes = None
        if hidden and hidden != column:
            if_yes = patterns.assign(**{hidden: 1.0})
        return Contrast(
            name=label,
            against=against,
            high=predict_with(high, patterns),
            low=predict_with(low, patterns),
            high_if_yes=None if if_yes is None else predict_with(high, if_yes),
            low_if_yes=None if if_yes is None else predict_with(low, if_yes),
            step=step,
        )

    for name in made.formula.columns:
        categories = list_categories(frame[name])
        if name == hidden:
            yield compare(name, name, "0", 1.0, 0.0)
        elif categories:
            everywhere = {
                each: extras.pandas.Categorical(
                    [each] * len(patterns), categories=categories
                )
                for each in categories
            }
            against = made.formula.references.get(name, categories[0])
            for each in categories:
                if each != against:
                    ends = everywhere[each], everywhere[against]
                    yield compare(name, f"{name}: {each}", against, *ends)
        elif len(values := np.unique(frame[name])) == 2:
            yield compare(name, name, f"{values[0]:g}", values[1], values[0])
        elif len(values) > 2:
            step = SMALL_STEP * float(np.std(frame[name]))
            high, low = patterns[name] + step, patterns[name] - step
            yield compare(name, name, "", high, low, step=2 * step)
