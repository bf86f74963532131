"""From rows and a formula to a regression: rows that are alike are counted together."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from candor import extras
from candor.binary import BinaryChannel, FloatArray
from candor.regression.fit import fit_logistic
from candor.regression.formula import Formula, FormulaError
from candor.regression.model_matrix import Fitted, categories_of, fitted
from candor.regression.patterns import Scrambled, count_rows
from candor.regression.result import Contrast, Regression, regression_of

SMALL_STEP = 1e-4
"""Standard deviations on either side of a number, to take a slope."""


@dataclass(frozen=True, kw_only=True)
class Answered:
    """The reports to one question of yes and no, or to one answer behind its fold.

    Attributes
    ----------
    name : str
        Of its column.
    is_yes : array of bool
        Shape (rows,): whether the report speaks for the answer.
    law : BinaryChannel
    """

    name: str
    is_yes: npt.NDArray[np.bool_]
    law: BinaryChannel


@dataclass(frozen=True, kw_only=True)
class Rows:
    """What a regression is made of, one entry a row.

    Attributes
    ----------
    frame : DataFrame
        The clean predictors: numbers, or categories.
    outcome : Answered
    scrambled : Answered or None
        A predictor that was randomised too.
    counts : array of float
        Shape (rows,): how many respondents each row stands for.
    weights : array of float or None
        Shape (rows,), above 0, of mean 1.
    left_out : int
        How many respondents have gaps.
    """

    frame: "extras.pandas.DataFrame"
    outcome: Answered
    scrambled: Answered | None
    counts: FloatArray
    weights: FloatArray | None = None
    left_out: int = 0


def regress(rows: Rows, formula: Formula, *, confidence_level: float) -> Regression:
    """Return the regression of the outcome by a formula.

    Raises
    ------
    FormulaError
        Where the formula does not fit the columns.
    NoFitError
        Where no coefficients can be relied on.
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
        frame[name].cat.codes if categories_of(frame[name]) else frame[name]
        for name in clean
    ]
    first, kinds = count_rows([np.zeros(len(frame)), *codes])
    patterns = frame.iloc[first]
    # Yes first: of one question 0 and 1, of two 0 to 3
    reports, size = (~rows.outcome.is_yes).astype(np.int64), 2
    if hidden:
        reports, size = reports + 2 * ~hidden.is_yes, 4
    weights = rows.counts if rows.weights is None else rows.weights * rows.counts
    squares = None
    if rows.weights is not None:
        squares = sums_by(kinds, reports, rows.weights**2 * rows.counts, size)
    scrambled = None
    if hidden:
        scrambled = Scrambled(
            predictors=made.matrix(patterns.assign(**{hidden.name: 1.0})),
            p_yes_given_yes=hidden.law.p_yes_given_yes,
            p_yes_given_no=hidden.law.p_yes_given_no,
        )
    fit = fit_logistic(
        made.matrix(patterns),
        sums_by(kinds, reports, weights, size),
        p_yes_given_yes=rows.outcome.law.p_yes_given_yes,
        p_yes_given_no=rows.outcome.law.p_yes_given_no,
        names=made.names,
        scrambled=scrambled,
        squared_weights=squares,
        respondents=int(rows.counts.sum()),
    )
    return regression_of(
        fit,
        list(contrasts(made, frame, patterns, hidden.name if hidden else None)),
        left_out=rows.left_out,
        confidence_level=confidence_level,
    )


def sums_by(
    kinds: npt.NDArray[np.int64],
    reports: npt.NDArray[np.int64],
    values: FloatArray,
    size: int,
) -> FloatArray:
    """Return the sum of values by kind of row and report, shape (kinds, size)."""
    patterns = int(kinds.max()) + 1
    sums = np.bincount(kinds * size + reports, values, minlength=patterns * size)
    return sums.astype(np.float64).reshape(patterns, size)


def contrasts(
    made: Fitted,
    frame: "extras.pandas.DataFrame",
    patterns: "extras.pandas.DataFrame",
    hidden: str | None,
) -> Iterator[Contrast]:
    """Yield what is compared, column by column.

    Categories with the first or the chosen one, two numbers with each other; of more
    numbers the slope.
    """
    formula, size = made.formula, len(patterns)
    for name in formula.columns:
        categories = categories_of(frame[name])
        if name == hidden:
            change = Change(name, "0", name, high=np.ones(size), low=np.zeros(size))
            yield contrast(made, patterns, None, change)
        elif categories:
            against = formula.references.get(name, categories[0])
            for category in categories:
                if category != against:
                    high, low = (
                        filled(each, categories, patterns)
                        for each in (category, against)
                    )
                    label = f"{name}: {category}"
                    change = Change(label, against, name, high=high, low=low)
                    yield contrast(made, patterns, hidden, change)
        else:
            values = np.unique(frame[name])
            step = SMALL_STEP * float(np.std(frame[name]))
            high, low = patterns[name] + step, patterns[name] - step
            change = Change(name, "", name, high=high, low=low, step=2 * step)
            if len(values) == 2:
                low, high = (
                    extras.pandas.Series(each, index=patterns.index) for each in values
                )
                label = f"{values[0]:g}"
                change = Change(name, label, name, high=high, low=low)
            if len(values) > 1:
                yield contrast(made, patterns, hidden, change)


def filled(
    category: str, categories: list[str], patterns: "extras.pandas.DataFrame"
) -> "extras.pandas.Series[Any]":
    """Return a column that has one category everywhere."""
    column = extras.pandas.Categorical(
        [category] * len(patterns), categories=categories
    )
    return extras.pandas.Series(column, index=patterns.index)


class Change(NamedTuple):
    """A column, and two sets of its values to compare."""

    name: str
    against: str
    column: str
    high: "extras.pandas.Series[Any] | FloatArray"
    low: "extras.pandas.Series[Any] | FloatArray"
    step: float = 1.0


def contrast(
    made: Fitted,
    patterns: "extras.pandas.DataFrame",
    hidden: str | None,
    change: Change,
) -> Contrast:
    """Return the predictors of all patterns with one column changed.

    `hidden` is the scrambled predictor, unless it is the column itself.
    """

    def changed(
        value: "extras.pandas.Series[Any] | FloatArray",
        frame: "extras.pandas.DataFrame",
    ) -> FloatArray:
        return made.matrix(frame.assign(**{change.column: value}))

    if_yes = patterns.assign(**{hidden: 1.0}) if hidden else None
    return Contrast(
        name=change.name,
        against=change.against,
        high=changed(change.high, patterns),
        low=changed(change.low, patterns),
        high_if_yes=None if if_yes is None else changed(change.high, if_yes),
        low_if_yes=None if if_yes is None else changed(change.low, if_yes),
        step=change.step,
    )
