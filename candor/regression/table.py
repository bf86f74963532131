"""A CSV with one row a respondent, and the design that made its reports: a regression.

Nothing of a row is kept: command and page read the file, and forget it.
"""

from collections.abc import Sequence

import numpy as np

from candor.dichotomies import dichotomy_of_answer
from candor.files.rows import (
    as_frame,
    read_cells,
    read_reports,
    read_weights,
)
from candor.files.table import Table
from candor.mechanisms import Mechanism
from candor.regression.formula import Formula, FormulaError
from candor.regression.regress import Answered, Rows


def rows_of(
    table: Table,
    formula: Formula,
    *,
    outcome: str,
    mechanism: Mechanism,
    place: int = 0,
    scrambled: tuple[str, Mechanism] | None = None,
    weights: str = "",
) -> Rows:
    """Return what a regression is made of.

    Parameters
    ----------
    table : Table
    formula : Formula
        Over columns of the table.
    outcome : str
        The column of the reports.
    mechanism : Mechanism
        By which they were made.
    place : int
        Of the answer among those of the mechanism.
    scrambled : str and Mechanism, or None
        A predictor that was scrambled too, and by what.
    weights : str
        A column of weights; empty for none.

    Raises
    ------
    FileError
        For columns and cells that cannot be read.
    FormulaError
        Where the formula holds the outcome.
    """
    if outcome in formula.columns:
        raise FormulaError(f"--formula must not hold the outcome {outcome!r}")
    hidden = scrambled[0] if scrambled else ""
    named = filter(None, [outcome, *formula.columns, hidden, weights])
    cells = read_cells(table, list(dict.fromkeys(named)))
    behind = None
    if scrambled:
        behind = answered(*scrambled, read_reports(cells, *scrambled), place=0)
    return Rows(
        frame=as_frame(
            cells,
            [name for name in formula.columns if name != hidden],
            formula.categories - formula.numeric,
        ),
        outcome=answered(
            outcome, mechanism, read_reports(cells, outcome, mechanism), place=place
        ),
        scrambled=behind,
        counts=np.ones(len(cells.lines)),
        weights=read_weights(cells, weights) if weights else None,
        left_out=cells.left_out,
    )


def answered(
    name: str, mechanism: Mechanism, reports: Sequence[int], *, place: int
) -> Answered:
    """Return which reports speak for an answer, and with which chances.

    Raises
    ------
    ValueError
        Where reports tell no share of that answer.
    """
    fold = dichotomy_of_answer(mechanism, place)
    return Answered(name=name, is_yes=np.isin(reports, fold.counted), law=fold.channel)
