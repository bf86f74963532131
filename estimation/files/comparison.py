"""Two questions together as CSV: one row for each pair of answers, and each mean."""

import math
from collections.abc import Iterator

from candor.cli.rows import Cell, as_csv
from estimation.files.estimates import MEAN
from estimation.rows.comparison import Comparison
from estimation.rows.differences import DifferenceRow
from estimation.rows.groups import JointCell
from estimation.rows.means import MeanResult
from surveys.version import software_version

DIFFERENCE_COLUMNS = (
    "difference",
    "difference_standard_error",
    "difference_low",
    "difference_high",
    "p_value",
    "p_value_holm",
)


def comparison_as_csv(
    comparison: Comparison, planned: dict[str, Cell] | None = None
) -> str:
    """Return the whole file; groups that are too small have no row.

    `planned` are the cells of `analysis_cells`, the same on each row.
    """
    return as_csv([row | (planned or {}) for row in rows_of(comparison)])


NO_CELL = JointCell(
    raw=math.nan, standard_error=math.nan, share=math.nan, low=math.nan, high=math.nan
)
"""Two surveys, or two arms, have nobody in common."""


def rows_of(comparison: Comparison) -> Iterator[dict[str, Cell]]:
    """Yield the cells of each pair of answers by the name of their column."""
    differences = {
        (row.other, row.label): row
        for row in (*comparison.mean_differences, *comparison.differences)
    }
    for group in comparison.shown:
        same: dict[str, Cell] = {
            "software": software_version(),
            "first_question": comparison.first.text,
            "first_answer": MEAN,
            "second_question": comparison.second.text if comparison.second else "",
            "second_answer": group.label,
            "respondents": comparison.respondents,
            "missing": comparison.missing,
            "group_size": group.size,
            "group_size_is": "counted" if group.is_counted else "estimated",
            "confidence_level": comparison.confidence_level,
        }
        if group.mean:
            yield {
                **same,
                **mean_cells(group.mean),
                **difference_cells(differences.get((group.label, ""))),
            }
        cells = group.cells or [NO_CELL] * len(group.rows)
        for row, cell in zip(group.rows, cells, strict=True):
            yield {
                **same,
                "first_answer": row.label,
                "method_within": comparison.method
                if group.is_counted
                else "profile-likelihood",
                "within": row.share,
                "within_low": row.low,
                "within_high": row.high,
                "method_joint": comparison.method
                if comparison.is_counted_jointly
                else "profile-likelihood",
                "joint_raw": cell.raw,
                "joint_standard_error": cell.standard_error,
                "joint": cell.share,
                "joint_low": cell.low,
                "joint_high": cell.high,
                **difference_cells(differences.get((group.label, row.label))),
            }


def mean_cells(mean: MeanResult) -> dict[str, Cell]:
    """Return the mean of a scale in a group, in its units; it has no joint shares."""
    at = mean.scale.at
    return {
        "method_within": mean.method,
        "within": at(mean.share),
        "within_low": at(mean.low),
        "within_high": at(mean.high),
        "method_joint": "",
        "joint_raw": math.nan,
        "joint_standard_error": math.nan,
        "joint": math.nan,
        "joint_low": math.nan,
        "joint_high": math.nan,
    }


def difference_cells(row: DifferenceRow | None) -> dict[str, Cell]:
    """Return the first group less this one; of two answers the second mirrors it."""
    numbers = (
        [math.nan] * 6
        if row is None
        else [
            *map(row.in_units, (row.estimate, row.standard_error, row.low, row.high)),
            row.p_value,
            row.p_adjusted,
        ]
    )
    return {
        "difference_from": row.group if row else "",
        **dict(zip(DIFFERENCE_COLUMNS, numbers, strict=True)),
    }
