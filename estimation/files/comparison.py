"""Two questions together as CSV: one row for each pair of answers, and each mean."""

import math
from collections.abc import Iterator

from candor.cli.rows import Cell, as_csv
from estimation.files.estimates import MEAN
from estimation.rows.comparison import Comparison
from estimation.rows.row import Row
from surveys.version import get_software_version

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


def rows_of(comparison: Comparison) -> Iterator[dict[str, Cell]]:
    """Yield the cells of each pair of answers by the name of their column."""
    differences = {
        (row.other, row.label): row
        for row in (*comparison.mean_differences, *comparison.differences)
    }
    profile = "profile-likelihood"
    for group in comparison.shown:
        same: dict[str, Cell] = {
            "software": get_software_version(),
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
                **within_cells(group.mean, group.mean.method),
                **joint_cells(None, ""),
                **difference_cells(differences.get((group.label, ""))),
            }
        for place, row in enumerate(group.rows):
            # Two surveys, or two arms, have nobody in common.
            joint = group.joint[place] if group.joint else None
            counted = comparison.is_counted_jointly
            yield {
                **same,
                "first_answer": row.label,
                **within_cells(row, comparison.method if group.is_counted else profile),
                **joint_cells(joint, comparison.method if counted else profile),
                **difference_cells(differences.get((group.label, row.label))),
            }


def within_cells(row: Row, method: str) -> dict[str, Cell]:
    """Return a share or a mean within a group."""
    return {
        "method_within": method,
        "within": row.estimate,
        "within_low": row.low,
        "within_high": row.high,
    }


def joint_cells(row: Row | None, method: str) -> dict[str, Cell]:
    """Return the share of all who have both answers, where there is one."""
    names = ("raw", "standard_error", "estimate", "low", "high")
    raw, error, *others = (getattr(row, name) if row else math.nan for name in names)
    columns = ("joint", "joint_low", "joint_high")
    return {
        "method_joint": method,
        "joint_raw": raw,
        "joint_standard_error": error,
        **dict(zip(columns, others, strict=True)),
    }


def difference_cells(row: Row | None) -> dict[str, Cell]:
    """Return the first group less this one; of two answers the second mirrors it."""
    names = ("estimate", "standard_error", "low", "high", "p_value", "adjusted_p_value")
    numbers = [getattr(row, name) if row else None for name in names]
    cells = [math.nan if each is None else each for each in numbers]
    return {
        "difference_from": (row.group or "") if row else "",
        **dict(zip(DIFFERENCE_COLUMNS, cells, strict=True)),
    }
