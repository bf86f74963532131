"""Two questions together as CSV: one row for each pair of answers, and each mean."""

from collections.abc import Iterator

from candor.cli.rows import Cell, figures, format_csv
from candor.estimands import MEAN
from estimation.rows.comparison import Comparison
from estimation.rows.row import Row
from surveys.version import get_software_version

WITHIN = ("within=estimate", "within_low=low", "within_high=high")
JOINT = (
    "joint_raw=raw",
    "joint_standard_error=standard_error",
    "joint=estimate",
    "joint_low=low",
    "joint_high=high",
)
DIFFERENCE = (
    "difference=estimate",
    "difference_standard_error=standard_error",
    "difference_low=low",
    "difference_high=high",
    "p_value",
    "p_value_holm=adjusted_p_value",
)
"""Columns of a row: see `figures`."""

PROFILE = "profile-likelihood"


def comparison_as_csv(
    comparison: Comparison, planned: dict[str, Cell] | None = None
) -> str:
    """Return the whole file; groups that are too small have no row.

    `planned` are the cells of `analysis_cells`, the same on each row.
    """
    return format_csv([row | (planned or {}) for row in make_rows(comparison)])


def make_rows(comparison: Comparison) -> Iterator[dict[str, Cell]]:
    differences = {
        (row.other, row.label): row
        for row in (*comparison.mean_differences, *comparison.differences)
    }
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
        rows: list[tuple[Row, str, Row | None]] = []
        if group.mean:
            rows.append((group.mean, group.mean.method, None))
        for place, row in enumerate(group.rows):
            # Two surveys, or two arms, have nobody in common.
            joint = group.joint[place] if group.joint else None
            method = comparison.method if group.is_counted else PROFILE
            rows.append((row, method, joint))
        counted = comparison.is_counted_jointly
        for row, method, joint in rows:
            difference = differences.get((group.label, row.label))
            method_joint = comparison.method if counted else PROFILE
            yield {
                **same,
                "first_answer": row.label or MEAN,
                "method_within": method,
                **figures(row, WITHIN),
                "method_joint": "" if row is group.mean else method_joint,
                **figures(joint, JOINT),
                "difference_from": (difference.group or "") if difference else "",
                **figures(difference, DIFFERENCE),
            }
