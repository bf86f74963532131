"""Apply a formula to rows: formulaic makes the matrix of predictors."""

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from candor import extras
from candor.binary import FloatArray
from candor.messages import translatable
from candor.regression.formula import (
    MAX_CATEGORIES,
    MAX_POWER,
    OWN_NAME,
    Formula,
    FormulaError,
    make_own_name,
)

CONTEXT: Mapping[str, Callable[..., object]] = {"sqrt": np.sqrt}
"""Functions that formulaic does not provide."""

MAX_COLUMNS = 200
"""More coefficients than a reader can use; products of categories grow fast."""


@dataclass(frozen=True)
class Fitted:
    """A formula with its state from the rows: means and categories."""

    formula: Formula
    spec: "extras.formulaic.ModelSpec"

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the coefficients; the constant is called Intercept."""
        columns = self.formula.columns
        return tuple(
            OWN_NAME.sub(lambda own: columns[int(own[1])], name)
            for name in self.spec.column_names
        )

    def matrix(self, frame: "extras.pandas.DataFrame") -> FloatArray:
        """Return the predictors of these rows, shape (rows, coefficients).

        `FormulaError` if a function has no value, such as the logarithm of 0.
        """
        with np.errstate(all="ignore"):
            found = self.spec.get_model_matrix(
                rename_columns(self.formula, frame), context=dict(CONTEXT)
            )
        values = np.asarray(found, dtype=np.float64)
        for name, column in zip(self.names, values.T, strict=True):
            if not np.isfinite(column).all():
                row = int(np.flatnonzero(~np.isfinite(column))[0])
                used = ", ".join(
                    f"{each} = {frame[each].iloc[row]}"
                    for each in self.formula.columns
                    if each in name
                )
                raise FormulaError(
                    translatable(
                        "%(name)s has no value where %(cells)s", name=name, cells=used
                    )
                )
        return values


def fitted(formula: Formula, frame: "extras.pandas.DataFrame") -> Fitted:
    """Return the formula fitted to these rows of numbers or categories."""
    for name in formula.columns:
        categories = list_categories(frame[name])
        if categories and name in formula.numeric:
            raise FormulaError(
                translatable(
                    "column %(name)s must hold numbers; it holds %(cell)s",
                    name=repr(name),
                    cell=repr(categories[-1]),
                )
            )
        if len(categories) == 1:
            raise FormulaError(
                translatable(
                    "column %(name)s has one value only, %(cell)s",
                    name=repr(name),
                    cell=repr(categories[0]),
                )
            )
        if len(categories) > MAX_CATEGORIES:
            raise FormulaError(
                translatable(
                    "column %(name)s has %(texts)s different texts; at most %(most)s "
                    "make groups",
                    name=repr(name),
                    texts=len(categories),
                    cell=repr(categories[-1]),
                    most=MAX_CATEGORIES,
                )
            )
        reference = formula.references.get(name)
        if reference is not None and reference not in categories:
            raise FormulaError(
                f"Treatment({reference!r}) must name a value of {name!r}: "
                f"{', '.join(categories)}"
            )
    width = count_columns(formula, formula.tree, frame)
    if width > MAX_COLUMNS:
        raise FormulaError(
            translatable(
                "%(formula)s makes up to %(width)s coefficients; at most %(most)s are "
                "estimated",
                formula=formula.text,
                width=width,
                most=MAX_COLUMNS,
            )
        )
    try:
        with np.errstate(all="ignore"):
            made = extras.formulaic.model_matrix(
                formula.safe,
                rename_columns(formula, frame),
                context=dict(CONTEXT),
                na_action="ignore",
            )
    except (
        extras.formulaic.errors.FormulaicError,
        ValueError,
        TypeError,
        AttributeError,
    ) as error:
        message = OWN_NAME.sub(lambda own: formula.columns[int(own[1])], str(error))
        raise FormulaError(f"{formula.text}: {message}") from error
    if not made.model_spec.column_names:
        raise FormulaError(
            translatable(
                "%(formula)s leaves no coefficient to estimate", formula=formula.text
            )
        )
    return Fitted(formula, made.model_spec)


def rename_columns(
    formula: Formula, frame: "extras.pandas.DataFrame"
) -> "extras.pandas.DataFrame":
    """Return the formula's columns under their internal names."""
    return extras.pandas.DataFrame(
        {
            make_own_name(place): frame[name]
            for place, name in enumerate(formula.columns)
        },
        index=frame.index,
    )


def list_categories(column: "extras.pandas.Series[Any]") -> list[str]:
    """Return the categories of a column in order; none for a column of numbers."""
    dtype = column.dtype
    return (
        [*dtype.categories] if isinstance(dtype, extras.pandas.CategoricalDtype) else []
    )


def count_columns(
    formula: Formula, node: ast.expr, frame: "extras.pandas.DataFrame"
) -> int:
    """Return an upper bound for the number of columns of a part of a formula."""
    match node:
        case ast.BinOp(left, ast.Add() | ast.Sub(), right):
            return count_columns(formula, left, frame) + count_columns(
                formula, right, frame
            )
        case ast.BinOp(left, ast.Pow(), ast.Constant(int(power))):
            return int((1 + count_columns(formula, left, frame)) ** power)
        case ast.BinOp(left, _, right):
            return (1 + count_columns(formula, left, frame)) * (
                1 + count_columns(formula, right, frame)
            )
        case ast.Name(name) | ast.Call(ast.Name("C"), [ast.Name(name), *_]):
            own = OWN_NAME.fullmatch(name)
            if own is None:
                return 1
            return len(list_categories(frame[formula.columns[int(own[1])]])) or 1
        case ast.Call():
            return MAX_POWER
    return 1
