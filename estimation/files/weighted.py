"""Weighted estimates as CSV and JSON."""

import json
from typing import Any

from candor.cli.rows import Cell, format_csv, mechanism_as_object
from estimation.files.estimates import (
    analysis_cells,
    figure_cells,
    question_cells,
    rows_as_object,
    survey_cells,
)
from estimation.rows.planned import unplanned
from estimation.rows.weighted import WeightedQuestion, WeightedResults


def weighted_as_csv(results: WeightedResults) -> str:
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
    return format_csv(
        [
            same | question_cells(question.unweighted) | cells
            for question in results.questions
            for cells in weighted_cells(question)
        ]
    )


def weighted_cells(question: WeightedQuestion) -> list[dict[str, Cell]]:
    method = question.unweighted.method
    return [
        {
            "method": row.method if row is question.mean else method,
            "weighted_respondents": question.respondents,
            **effect_cells(question),
            "answer": row.estimand,
            "choice": row.label,
            **figure_cells(row),
            "unweighted_raw": unweighted.raw,
            "unweighted_share": unweighted.estimate,
            "unweighted_low": unweighted.low,
            "unweighted_high": unweighted.high,
        }
        for row, unweighted in question.pairs
    ]


def effect_cells(question: WeightedQuestion) -> dict[str, float]:
    return {
        "effective_respondents": question.effective_respondents,
        "design_effect": question.design_effect,
        "largest_weight": question.largest_weight,
    }


def weighted_as_object(question: WeightedQuestion) -> dict[str, Any]:
    sample = question.unweighted
    counts = [count for _row, _report, count in sample.reports]
    found = rows_as_object(zip(question.rows, counts, strict=True), question.mean)
    described = [*found["estimates"], *filter(None, [found.get("mean")])]
    for each, (_row, unweighted) in zip(described, question.pairs, strict=True):
        each["unweighted"] = unweighted.estimate
    return {
        **mechanism_as_object(sample.mechanism),
        "respondents": question.respondents,
        "left_out": question.left_out,
        **effect_cells(question),
        **found,
        "method": sample.method,
        "confidence_level": sample.confidence_level,
    }
