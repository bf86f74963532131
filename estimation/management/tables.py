"""Estimates in columns, as commands print them."""

from collections.abc import Sequence

from candor.cli.rows import OF_DIFFERENCES, OF_SHARES, figures, format_columns
from candor.differences import SCORES
from candor.estimands import MEAN
from estimation.presentation.planned import exploratory_line
from estimation.presentation.question import QuestionPanel
from estimation.presentation.sentences import reports_counted
from estimation.presentation.weighted import WeightedPanel
from estimation.rows.planned import Analysis
from estimation.rows.row import Row
from estimation.rows.shares import QuestionResult
from estimation.rows.weighted import WeightedQuestion
from surveys.numbers import format_integer, format_percent


def exploratory(analysis: Analysis) -> list[str]:
    """Return the line below a table that was not planned; none where it was."""
    found = exploratory_line(analysis)
    return [f"! {found}"] if found else []


def format_table(
    result: QuestionResult, differences: Sequence[Row] = (), *, is_closed: bool = True
) -> str:
    """Return the estimates of a question, and their differences from another survey.

    `is_closed` is whether no more reports can arrive.
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
    lines += format_columns(
        [
            {"answer": row.estimand, "count": count, **figures(row, OF_SHARES)}
            for row, _report, count in result.reports
        ]
    )
    level = format_percent(result.confidence_level, trimmed=True)
    shares = [row for row in differences if row.estimand != MEAN]
    if shares:
        lines.append(f"First minus second, {level} interval, profile likelihood")
        lines += difference_columns(shares)
    for row in differences[len(shares) :]:
        method = "scores" if row.method == SCORES else "profile likelihood"
        lines.append(f"Mean, first minus second, {level} interval, {method}")
        lines += difference_columns([row])
    lines += [f"! {caution.text}" for caution in panel.cautions]
    return "\n".join(lines)


def difference_columns(rows: Sequence[Row]) -> list[str]:
    columns = ("difference=estimate", *OF_DIFFERENCES[1:])
    return format_columns([{"answer": x.estimand, **figures(x, columns)} for x in rows])


def weighted_as_table(question: WeightedQuestion) -> str:
    panel, sample = WeightedPanel(question), question.unweighted
    lines = [*panel.sentences, panel.effective]
    lines += filter(None, (panel.interval_name_of_mean, panel.interval_name))
    if question.left_out:
        rows = format_integer(question.left_out)
        lines.append(f"Left out, because a cell is empty: {rows} rows")
    counts = {row.estimand: count for row, _report, count in sample.reports}
    pairs = question.pairs
    if question.mean:
        pairs = [pairs[-1], *pairs[:-1]]
    lines += format_columns(
        [
            {
                "answer": row.estimand,
                "count": counts.get(row.estimand, question.respondents),
                "unweighted": unweighted.estimate,
                "weighted": row.estimate,
                **figures(row, ("standard_error", "low", "high")),
            }
            for row, unweighted in pairs
        ]
    )
    return "\n".join([*lines, *(f"! {each.text}" for each in panel.cautions)])
