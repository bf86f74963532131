"""Two questions together as CSV: one row for each pair of answers."""

from collections.abc import Iterator

from estimation.compare.result import Comparison
from estimation.exports.cells import Cell, as_csv, software_version


def comparison_as_csv(comparison: Comparison) -> str:
    """Return the whole file; groups that are too small have no row."""
    return as_csv(list(rows_of(comparison)))


def rows_of(comparison: Comparison) -> Iterator[dict[str, Cell]]:
    """Yield the cells of each pair of answers by the name of their column."""
    for group in comparison.shown:
        for row, cell in zip(group.rows, group.cells, strict=True):
            yield {
                "software": software_version(),
                "first_question": comparison.first.text,
                "first_answer": row.label,
                "second_question": comparison.second.text,
                "second_answer": group.label,
                "respondents": comparison.respondents,
                "missing": comparison.missing,
                "group_size": group.size,
                "group_size_is": "counted" if group.is_counted else "estimated",
                "confidence_level": comparison.confidence_level,
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
            }
