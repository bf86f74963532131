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
from estimation.exports.estimates import (
    MEAN,
    analysis_cells,
    mean_as_object,
    question_cells,
    survey_cells,
)
from estimation.results.means import MeanResult
from estimation.results.planned.analysis import unplanned
from estimation.results.result import QuestionResult
from estimation.weighting.panels import WeightedPanel
from estimation.weighting.result import (
    WeightedAnswer,
    WeightedQuestion,
    WeightedResults,
)
from surveys.words.numbers import grouped


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
    found = [answer_cells(question, row) for row in question.rows]
    of_sample = question.unweighted.mean
    if question.mean and of_sample:
        found.append(
            {
                **cost_cells(question),
                **numbers_of_mean(question, question.mean),
                "unweighted_raw": of_sample.scale.at(of_sample.raw),
                "unweighted_share": of_sample.scale.at(of_sample.share),
                "unweighted_low": of_sample.scale.at(of_sample.low),
                "unweighted_high": of_sample.scale.at(of_sample.high),
            }
        )
    return found


def cost_cells(question: WeightedQuestion) -> dict[str, Cell]:
    """Return what weighting cost."""
    return {
        "weighted_respondents": question.respondents,
        "effective_respondents": question.effective_respondents,
        "design_effect": question.design_effect,
        "largest_weight": question.largest_weight,
    }


def numbers_of_mean(question: WeightedQuestion, mean: MeanResult) -> dict[str, Cell]:
    """Return the mean of a scale in the population, in its units."""
    at = mean.scale.at
    return {
        "answer": MEAN,
        "choice": "",
        "raw": at(mean.raw),
        "share": at(mean.share),
        "standard_error": mean.error_on_scale,
        "low": at(mean.low),
        "high": at(mean.high),
        "standing": question.standing(mean).value,
    }


def answer_cells(question: WeightedQuestion, row: WeightedAnswer) -> dict[str, Cell]:
    """Return what is known about one answer in the population, and in the sample."""
    return {
        "answer": row.unweighted.answer,
        "choice": row.label,
        **cost_cells(question),
        "raw": row.raw,
        "share": row.share,
        "standard_error": row.standard_error,
        "low": row.low,
        "high": row.high,
        "standing": question.standing(row).value,
        "unweighted_raw": row.unweighted.raw,
        "unweighted_share": row.unweighted.share,
        "unweighted_low": row.unweighted.low,
        "unweighted_high": row.unweighted.high,
    }


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
                "answer": row.unweighted.answer,
                "count": row.unweighted.count,
                "raw": finite_or_none(row.raw),
                "share": finite_or_none(row.share),
                "standard_error": finite_or_none(row.standard_error),
                "low": row.low,
                "high": row.high,
                "unweighted": finite_or_none(row.unweighted.share),
            }
            for row in question.rows
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
        lines.append(f"Left out, because a cell is empty: {grouped(left_out)} rows")
    rows: list[dict[str, Cell]] = []
    of_sample = question.unweighted.mean
    if question.mean and of_sample:
        found = numbers_of_mean(question, question.mean)
        rows.append(
            {
                "answer": MEAN,
                "count": question.respondents,
                "unweighted": of_sample.scale.at(of_sample.share),
                "weighted": found["share"],
                "standard_error": found["standard_error"],
                "low": found["low"],
                "high": found["high"],
            }
        )
    rows += [
        {
            "answer": row.unweighted.answer,
            "count": row.unweighted.count,
            "unweighted": row.unweighted.share,
            "weighted": row.share,
            "standard_error": row.standard_error,
            "low": row.low,
            "high": row.high,
        }
        for row in question.rows
    ]
    lines += as_columns(rows)
    return "\n".join([*lines, *(f"! {each.text}" for each in panel.cautions)])
