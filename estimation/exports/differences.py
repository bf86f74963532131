"""Differences of two groups, surveys or waves in files: cells and plain JSON."""

import math
from typing import Any

from estimation.exports.cells import Cell, finite_or_none
from estimation.maths.differences import Difference, difference
from estimation.maths.shares import ShareEstimate, estimate_shares
from estimation.maths.targets import every_share
from estimation.results.result import QuestionResult


def differences_of(first: QuestionResult, second: QuestionResult) -> list[Difference]:
    """Return the difference of each answer's share, first less second.

    Raises
    ------
    ValueError
        Where one of them has no reports, or another number of answers.
    """
    groups = shares_of(first), shares_of(second)
    return [
        difference(*groups, target, confidence_level=first.confidence_level)
        for target in every_share(len(first.rows))
    ]


def shares_of(result: QuestionResult) -> ShareEstimate:
    """Return the estimate behind a result."""
    tally = {row.report: row.count for row in result.rows}
    return estimate_shares(result.mechanism, tally)


def difference_cells(found: Difference | None) -> dict[str, Cell]:
    """Return the cells of a difference by the name of their column, or empty ones."""
    if found is None:
        numbers = [math.nan] * 5
    else:
        ends = found.low, found.high
        numbers = [found.estimate, found.standard_error, *ends, found.p_value]
    names = ("", "_standard_error", "_low", "_high", "_p_value")
    return {
        f"difference{name}": number for name, number in zip(names, numbers, strict=True)
    }


def differences_as_object(
    question: QuestionResult, found: list[Difference]
) -> list[dict[str, Any]]:
    """Return the differences of a question's answers as plain JSON."""
    return [
        {
            "answer": row.answer,
            "estimate": each.estimate,
            "standard_error": finite_or_none(each.standard_error),
            "low": each.low,
            "high": each.high,
            "p_value": each.p_value,
        }
        for row, each in zip(question.rows, found, strict=True)
    ]
