"""Shares as commands write them."""

from collections.abc import Mapping

from candor.cli.estimate import OF_DIFFERENCES
from candor.cli.rows import Cell, as_columns
from candor.differences import SCORES
from estimation.files.differences import Told, numbers_of
from estimation.files.estimates import MEAN
from estimation.presentation.question import QuestionPanel
from estimation.presentation.sentences import reports_counted
from estimation.rows.shares import QuestionResult
from surveys.text.numbers import format_percent

NOTHING = Told()
"""Nothing that results are held against."""


def as_table(
    result: QuestionResult, found: Told = NOTHING, *, is_closed: bool = True
) -> str:
    """Return the numbers in columns, six decimals each, and those of differences.

    `is_closed` is whether no report can come any more, as of counts that are typed.
    """
    panel = QuestionPanel(result, is_closed=is_closed)
    missing = f", {result.missing} missing" if result.missing else ""
    method = result.mean.method if result.mean else result.method
    lines = [
        *panel.sentences,
        f"{panel.interval_name}, {method}, "
        f"{reports_counted(result.respondents)}{missing}",
        panel.mechanism_line,
    ]
    lines += as_columns(
        [
            {
                "answer": row.estimand,
                "count": count,
                "raw": row.raw,
                "share": row.estimate,
                "standard_error": row.standard_error,
                "low": row.low,
                "high": row.high,
            }
            for row, _report, count in result.reports
        ]
    )
    level = format_percent(result.confidence_level, trimmed=True)
    if found.shares:
        lines.append(f"First minus second, {level} interval, profile likelihood")
        lines += as_columns(
            [
                difference_row(row.estimand, numbers_of(each))
                for row, each in zip(result.rows, found.shares, strict=True)
            ]
        )
    if found.mean:
        method = "scores" if found.mean.method == SCORES else "profile likelihood"
        lines.append(f"Mean, first minus second, {level} interval, {method}")
        lines += as_columns([difference_row(MEAN, numbers_of(found.mean, found.step))])
    lines += [f"! {caution.text}" for caution in panel.cautions]
    return "\n".join(lines)


def difference_row(name: str, numbers: Mapping[str, float]) -> dict[str, Cell]:
    """Return the cells of a difference by the name of their column."""
    columns = ("difference", *OF_DIFFERENCES[1:])
    return {"answer": name, **dict(zip(columns, numbers.values(), strict=True))}
