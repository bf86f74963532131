"""Comparisons, regressions and weighted estimates as CSV and JSON."""

import json
import math
from collections.abc import Iterator
from typing import Any

from candor.cli.rows import Cell, figures, format_csv, serialize_mechanism
from candor.estimands import MEAN
from candor.regression.regress import Regression
from estimation.files.estimates import (
    figure_cells,
    make_analysis_cells,
    make_question_cells,
    make_survey_cells,
    serialize_rows,
)
from estimation.rows.comparison import Comparison
from estimation.rows.compliance import estimate_compliance
from estimation.rows.planned import unplanned
from estimation.rows.regression import AnswerRow, SurveyRegression
from estimation.rows.row import Row
from estimation.rows.weighted import WeightedQuestion, WeightedResults
from surveys.version import get_software_version


def name_columns(name: str) -> tuple[str, ...]:
    """Return the columns of an estimate whose names begin with `name`."""
    ends = (f"{name}_low=low", f"{name}_high=high")
    return (f"{name}=estimate", f"{name}_standard_error=standard_error", *ends)


WITHIN = ("within=estimate", "within_low=low", "within_high=high")
JOINT = (
    "joint_raw=raw", "joint_standard_error=standard_error",
    "joint=estimate", "joint_low=low", "joint_high=high",
)  # fmt: skip
DIFFERENCE = (*name_columns("difference"), "p_value", "p_value_holm=adjusted_p_value")
CLUSTERED = name_columns("clustered")
COEFFICIENT = ("coefficient=estimate", "standard_error", "low", "high", "p_value")
EFFECT = name_columns("average_effect")
"""Columns of a row and their figures: see `figures`."""

PROFILE = "profile-likelihood"


def make_cluster_cells(comparison: Comparison) -> dict[str, Cell]:
    if comparison.clustered is None:
        return {}
    row, effect = comparison.clustered
    return {
        "clusters": comparison.clusters,
        "design_effect": effect,
        "clustered_answer": row.label or row.estimand,
        **figures(row, CLUSTERED),
    }


def name_status(row: Row | None) -> str:
    return row.display_status.value if row else ""


def make_comparison_rows(comparison: Comparison) -> Iterator[dict[str, Cell]]:
    differences = {
        (row.other, row.label): row
        for row in (*comparison.mean_differences, *comparison.differences)
    }
    empty: dict[str, Cell] = {
        "software": get_software_version(),
        "first_question": comparison.first.full_text,
        "first_answer": MEAN,
        "second_question": comparison.second.full_text if comparison.second else "",
        "second_answer": "",
        "respondents": comparison.respondents,
        "missing": comparison.missing,
        "group_size": comparison.respondents,
        "group_size_is": "counted",
        "confidence_level": comparison.confidence_level,
        "method_within": "",
        **figures(None, WITHIN),
        "standing": "",
        "method_joint": "",
        **figures(None, JOINT),
        "joint_standing": "",
        "difference_from": "",
        **figures(None, DIFFERENCE),
        "difference_standing": "",
    }
    for group in comparison.shown:
        same = {
            **empty,
            "second_answer": group.label,
            "group_size": group.size,
            "group_size_is": "counted" if group.is_counted else "estimated",
        }
        rows: list[tuple[Row, str, Row | None]] = []
        if group.mean:
            rows.append((group.mean, group.mean.method, None))
        for place, row in enumerate(group.rows):
            # No respondent is in two surveys or arms, so there are no joint shares.
            joint = group.joint[place] if group.joint else None
            method = comparison.method if group.is_counted else PROFILE
            rows.append((row, method, joint))
        counted = comparison.is_counted_jointly
        for row, method, joint in rows:
            difference = differences.get((group.label, row.label))
            method_joint = comparison.method if counted else PROFILE
            yield {
                **same,
                "first_answer": row.label or row.estimand,
                "method_within": method,
                **figures(row, WITHIN),
                "standing": name_status(row),
                "method_joint": "" if row is group.mean else method_joint,
                **figures(joint, JOINT),
                "joint_standing": name_status(joint),
                "difference_from": (difference.group or "") if difference else "",
                **figures(difference, DIFFERENCE),
                "difference_standing": name_status(difference),
            }
    for row in estimate_compliance(comparison) or ():
        yield {
            **empty,
            "first_answer": row.label if row.group else row.estimand,
            "second_answer": row.group or "",
            "method_joint": PROFILE,
            **figures(row, JOINT),
            "joint_standing": name_status(row),
        }


def make_regression_rows(
    result: SurveyRegression, regression: Regression
) -> Iterator[dict[str, Cell]]:
    for predictor, row in result.rows:
        yield {
            "software": get_software_version(),
            "outcome_question": result.outcome.full_text,
            "outcome_answer": result.answer,
            "predictor_question": predictor.question.full_text,
            "predictor_is": "scrambled" if predictor.is_scrambled else "direct",
            "answer": row.label,
            "reference": predictor.reference,
            "respondents": result.respondents,
            "missing": result.missing,
            "small_groups": result.small,
            "confidence_level": result.confidence_level,
            "method": regression.interval_name,
            "log_likelihood": regression.fit.log_likelihood,
            **figures(row.coefficient, COEFFICIENT),
            "odds_ratio": math.exp(row.coefficient.estimate),
            **figures(row.effect, EFFECT),
            **cluster_cells(result, row, regression),
            **make_band_cells(result, row),
        }


def cluster_cells(
    result: SurveyRegression, row: AnswerRow, regression: Regression
) -> dict[str, Cell]:
    fit = regression.fit
    if result.clusters is None or fit.clusters is None:
        return {}
    place = fit.names.index(row.coefficient.estimand)
    return {
        "cluster_question": result.clusters.full_text,
        "clusters": fit.clusters,
        "design_effect": float(fit.design_effects[place]),
    }


def make_band_cells(result: SurveyRegression, row: AnswerRow) -> dict[str, Cell]:
    if row.band is None:
        return {}
    return {
        "non_compliance_assumed": result.ignoring / 100,
        "non_compliance_low": row.band.low,
        "non_compliance_high": row.band.high,
    }


def format_weighted(results: WeightedResults) -> str:
    design = results.unweighted.design
    margins = {
        str(number): dict(
            zip(design.questions[number - 1].choices, shares, strict=True)
        )
        for number, shares in results.margins.items()
    }
    survey, same = results.unweighted.survey, make_survey_cells(results.unweighted)
    same |= make_analysis_cells(survey, unplanned(survey))
    same["margins"] = json.dumps(margins, ensure_ascii=False)
    return format_csv(
        [
            same | make_question_cells(question.unweighted) | cells
            for question in results.questions
            for cells in make_weighted_cells(question)
        ]
    )


def make_weighted_cells(question: WeightedQuestion) -> list[dict[str, Cell]]:
    method = question.unweighted.method
    return [
        {
            "method": row.method if row is question.mean else method,
            "weighted_respondents": question.respondents,
            **make_effect_cells(question),
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


def make_effect_cells(question: WeightedQuestion) -> dict[str, float]:
    return {
        "effective_respondents": question.effective_respondents,
        "design_effect": question.design_effect,
        "largest_weight": question.largest_weight,
    }


def serialize_weighted(question: WeightedQuestion) -> dict[str, Any]:
    sample = question.unweighted
    counts = [count for _row, _report, count in sample.reports]
    found = serialize_rows(zip(question.rows, counts, strict=True), question.mean)
    described = [
        *found["estimates"],
        *([found[question.mean.estimand]] if question.mean else []),
    ]
    for each, (_row, unweighted) in zip(described, question.pairs, strict=True):
        each["unweighted"] = unweighted.estimate
    return {
        **serialize_mechanism(sample.mechanism),
        "respondents": question.respondents,
        "left_out": question.left_out,
        **make_effect_cells(question),
        **found,
        "method": sample.method,
        "confidence_level": sample.confidence_level,
    }
