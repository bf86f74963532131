"""Shares as commands write them."""

from collections.abc import Sequence

from estimation.maths.differences import Difference
from estimation.results.panels import QuestionPanel
from estimation.results.result import QuestionResult
from estimation.results.words.sentences import reports_counted
from surveys.words.numbers import percent

TABLE = "{:<9}{:>10}{:>11}{:>11}{:>16}{:>11}{:>11}"
COLUMNS = ("answer", "count", "raw", "share", "standard_error", "low", "high")
DIFFERENCE_TABLE = "{:<9}{:>12}{:>16}{:>11}{:>11}{:>11}"
DIFFERENCE_COLUMNS = (
    "answer", "difference", "standard_error", "low", "high", "p_value",
)  # fmt: skip


def as_table(result: QuestionResult, found: Sequence[Difference] = ()) -> str:
    """Return the numbers in columns, six decimals each, and those of differences."""
    panel = QuestionPanel(result)
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
    for row in result.rows:
        numbers = (row.raw, row.share, row.likely_error, row.low, row.high)
        lines.append(
            TABLE.format(row.answer, row.count, *(f"{each:.6f}" for each in numbers))
        )
    if found:
        level = percent(result.confidence_level, trimmed=True)
        lines += [
            f"First minus second, {level} interval, profile likelihood",
            DIFFERENCE_TABLE.format(*DIFFERENCE_COLUMNS),
        ]
    for row, each in zip(result.rows, found, strict=False):
        numbers = (each.estimate, each.standard_error, *each.interval, each.p_value)
        lines.append(
            DIFFERENCE_TABLE.format(row.answer, *(f"{n:.6f}" for n in numbers))
        )
    lines += [f"! {caution.text}" for caution in panel.cautions]
    return "\n".join(lines)
