"""Shares as commands write them."""

from collections.abc import Mapping

from candor.cli.estimate import (
    COLUMNS,
    DIFFERENCE_COLUMNS,
    DIFFERENCE_TABLE,
    TABLE,
)
from candor.differences import SCORES
from estimation.files.differences import Told, numbers_of
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
    if result.rows:
        lines.append(TABLE.format(*COLUMNS))
    for row, _report, count in result.reports:
        numbers = (row.raw, row.estimate, row.standard_error, row.low, row.high)
        lines.append(
            TABLE.format(row.estimand, count, *(f"{each:.6f}" for each in numbers))
        )
    level = format_percent(result.confidence_level, trimmed=True)
    if found.shares:
        lines += [
            f"First minus second, {level} interval, profile likelihood",
            DIFFERENCE_TABLE.format(*DIFFERENCE_COLUMNS),
        ]
    for row, each in zip(result.rows, found.shares, strict=False):
        lines.append(difference_line(row.estimand, numbers_of(each)))
    if found.mean:
        method = "scores" if found.mean.method == SCORES else "profile likelihood"
        lines += [
            f"Mean, first minus second, {level} interval, {method}",
            DIFFERENCE_TABLE.format("", *DIFFERENCE_COLUMNS[1:]),
            difference_line("mean", numbers_of(found.mean, found.step)),
        ]
    lines += [f"! {caution.text}" for caution in panel.cautions]
    return "\n".join(lines)


def difference_line(name: str, numbers: Mapping[str, float]) -> str:
    """Return a difference in columns, six decimals each."""
    return DIFFERENCE_TABLE.format(name, *(f"{n:.6f}" for n in numbers.values()))
