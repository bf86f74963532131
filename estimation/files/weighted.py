"""Weighted estimates as CSV, and those of a file of rows as JSON and as text."""

import json
from collections.abc import Mapping
from typing import Any

from candor.cli.rows import (
    Cell,
    as_columns,
    as_csv,
    finite_or_none,
    mechanism_as_object,
)
from estimation.files.estimates import (
    MEAN,
    analysis_cells,
    figure_cells,
    mean_as_object,
    question_cells,
    share_as_object,
    survey_cells,
)
from estimation.presentation.weighted import WeightedPanel
from estimation.rows.analysis import unplanned
from estimation.rows.shares import QuestionResult
from estimation.rows.weighted import WeightedQuestion, WeightedResults
from surveys.text.numbers import format_integer


def weighted_as_csv(results: WeightedResults) -> str:
    """Return the whole file: one row for each answer of each question."""
    design = results.unweighted.design
    margins = {
        str(number): dict(
            zip(design.questions[number - 1].choices, shares, strict=True)
        )
        for number, shares in results.margins.items()
    }
    survey, same = results.unweighted.survey, survey_cells(results.unweighted)
    same |= analysis_cells(survey, unplanned(survey))
    same["margins"] = json.dumps(margins, ensure_ascii=False)
    return as_csv(
        [
            same
            | question_cells(question.unweighted)
            | cells
            | method_cells(question, cells)
            for question in results.questions
            for cells in weighted_cells(question)
        ]
    )


def method_cells(
    question: WeightedQuestion, cells: Mapping[str, Cell]
) -> dict[str, Cell]:
    """Return that of a mean in place of that of the shares, where it is another one."""
    if question.mean is None or cells["answer"] != MEAN:
        return {}
    return {"method": question.mean.method}


def weighted_cells(question: WeightedQuestion) -> list[dict[str, Cell]]:
    """Return the cells of each answer and of a mean by the name of their column."""
    sample = question.unweighted
    pairs = [*zip(question.rows, sample.rows, strict=True)]
    if question.mean and sample.mean:
        pairs.append((question.mean, sample.mean))
    return [
        {
            "answer": row.estimand,
            "choice": row.label,
            "weighted_respondents": question.respondents,
            "effective_respondents": question.effective_respondents,
            "design_effect": question.design_effect,
            "largest_weight": question.largest_weight,
            **figure_cells(row),
            "unweighted_raw": unweighted.raw,
            "unweighted_share": unweighted.estimate,
            "unweighted_low": unweighted.low,
            "unweighted_high": unweighted.high,
        }
        for row, unweighted in pairs
    ]


def weighted_as_object(question: WeightedQuestion, left_out: int) -> dict[str, Any]:
    """Return the estimates of a file of rows as plain JSON."""
    sample: QuestionResult = question.unweighted
    return {
        **mechanism_as_object(sample.mechanism),
        "respondents": question.respondents,
        "left_out": left_out,
        "effective_respondents": question.effective_respondents,
        "design_effect": question.design_effect,
        "largest_weight": question.largest_weight,
        "estimates": [
            {
                **share_as_object(row, count),
                "unweighted": finite_or_none(unweighted.estimate),
            }
            for row, (unweighted, _report, count) in zip(
                question.rows, sample.reports, strict=True
            )
        ],
        **(
            {
                "mean": {
                    **mean_as_object(question.mean),
                    "unweighted": mean_as_object(sample.mean)["estimate"],
                }
            }
            if question.mean and sample.mean
            else {}
        ),
        "method": sample.method,
        "confidence_level": sample.confidence_level,
    }


def weighted_as_table(question: WeightedQuestion, left_out: int) -> str:
    """Return the numbers in columns, six decimals each."""
    panel = WeightedPanel(question)
    lines = [*panel.sentences, panel.effective]
    lines += filter(None, (panel.interval_name_of_mean, panel.interval_name))
    if left_out:
        lines.append(
            f"Left out, because a cell is empty: {format_integer(left_out)} rows"
        )
    sample = question.unweighted
    counts = [count for _row, _report, count in sample.reports]
    pairs = [*zip(question.rows, sample.rows, counts, strict=True)]
    if question.mean and sample.mean:
        pairs.insert(0, (question.mean, sample.mean, question.respondents))
    lines += as_columns(
        [
            {
                "answer": row.estimand,
                "count": count,
                "unweighted": unweighted.estimate,
                "weighted": row.estimate,
                "standard_error": row.standard_error,
                "low": row.low,
                "high": row.high,
            }
            for row, unweighted, count in pairs
        ]
    )
    return "\n".join([*lines, *(f"! {each.text}" for each in panel.cautions)])
