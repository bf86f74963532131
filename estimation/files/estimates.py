"""Estimates as files: CSV with one row for each answer, and JSON."""

import json
from typing import Any

from candor.cli.rows import Cell, as_csv, finite_or_none, mechanism_as_object
from estimation.presentation.scrambling import labels_of_reports
from estimation.rows.analysis import Analysis, analysis_of_results
from estimation.rows.row import Row
from estimation.rows.shares import QuestionResult, SurveyResults
from surveys.models import Survey
from surveys.version import get_software_version

MEAN = "mean"
"""What stands for the answer on the row of a mean."""

DOCUMENT_FORMAT = 1
"""Raised when a key of the document changes its meaning or goes."""


def estimates_as_csv(results: SurveyResults) -> str:
    """Return the whole file, its first row the names of the columns.

    Every row holds all that is needed to reproduce its numbers. There is no time, no
    id and no token in it.
    """
    return as_csv(estimates_rows(results))


def estimates_rows(results: SurveyResults) -> list[dict[str, Cell]]:
    """Return the cells of all answers by the name of their column."""
    return [
        survey_cells(results) | cells | draw_cells(results, question.number)
        for question in results.questions
        for cells in question_rows(question)
    ]


def question_rows(question: QuestionResult) -> list[dict[str, Cell]]:
    """Return the cells of one question's answers by the name of their column."""
    same = question_cells(question)
    found = [
        same | answer_cells(question, row, report, count)
        for row, report, count in question.reports
    ]
    if question.mean:
        found.append(same | mean_cells(question, question.mean))
    return found


def survey_cells(results: SurveyResults) -> dict[str, Cell]:
    """Return what is the same on every row."""
    survey = results.survey
    found: dict[str, Cell] = {
        "survey": survey.title,
        "slug": survey.slug,
        "state": survey.state,
        "mode": survey.mode,
        "simulated": "yes" if survey.is_simulated else "no",
        "design_digest": survey.design_digest,
        "imported": "yes" if survey.is_imported else "no",
        "total_epsilon": results.design.composition.epsilon,
        "not_scrambled": " ".join(map(str, results.design.composition.unscrambled)),
        "software": get_software_version(),
    }
    return found | analysis_cells(survey, analysis_of_results(results))


ABOUT_PLAN = ("analysis", "plan_attested_by")
"""The columns of `analysis_cells`."""


def analysis_cells(survey: Survey, analysis: Analysis) -> dict[str, Cell]:
    """Return whether it was planned, and which other servers attest the plan.

    Nothing of a survey without a plan.
    """
    if not analysis:
        return {}
    found: dict[str, Cell] = {"analysis": analysis.value}
    if survey.plan_attested_by:
        found["plan_attested_by"] = survey.plan_attested_by
    return found


def draw_cells(results: SurveyResults, number: int) -> dict[str, Cell]:
    """Return whether everybody was asked a question; nothing of what draws none."""
    if not results.design.groups:
        return {}
    group = results.design.find_group(number)
    if group is None:
        return {"drawn_from": "", "drawn": "", "chance_asked": "1"}
    return {
        "drawn_from": " ".join(map(str, group.questions)),
        "drawn": group.asked,
        "chance_asked": str(group.chance),
    }


def question_cells(question: QuestionResult) -> dict[str, Cell]:
    """Return what is the same for all answers of a question."""
    mechanism = question.mechanism
    return {
        "question": question.number,
        "question_text": question.text,
        "family": mechanism.family,
        "parameters": json.dumps(dict(mechanism.parameters)),
        "weights": json.dumps(mechanism.weights),
        "epsilon": mechanism.epsilon,
        "respondents": question.respondents,
        "missing": question.missing,
        "method": question.method,
        "confidence_level": question.confidence_level,
    }


def answer_cells(
    question: QuestionResult, row: Row, report: str, count: int
) -> dict[str, Cell]:
    """Return what is known about one answer."""
    mechanism = question.mechanism
    chances = {
        each: str(mechanism.probability(each, given=row.estimand))
        for each in mechanism.reports
    }
    return {
        "confidence_level": question.level_of_each,
        "answer": row.estimand,
        "choice": row.label,
        "p_report_given_answer": json.dumps(chances),
        "report": report,
        "count": count,
        **figure_cells(row),
        "poisoning_radius": question.poisoning_radius,
    }


def figure_cells(row: Row) -> dict[str, Cell]:
    """Return the figures of a row by the name of their column."""
    return {
        "raw": row.raw,
        "share": row.estimate,
        "standard_error": row.standard_error,
        "low": row.low,
        "high": row.high,
        "standing": row.standing.value,
    }


def mean_cells(question: QuestionResult, mean: Row) -> dict[str, Cell]:
    """Return the mean of a scale as one more row, in the units of the scale.

    Its method stands in place of that of the shares, where it is another one.
    """
    return {
        "answer": MEAN,
        "choice": "",
        "p_report_given_answer": "",
        "report": "",
        "count": question.respondents,
        **figure_cells(mean),
        "poisoning_radius": "",
        "method": mean.method,
    }


def share_as_object(row: Row, count: int) -> dict[str, Any]:
    """Return the estimated share of an answer as plain JSON."""
    return {
        "answer": row.estimand,
        "count": count,
        "raw": finite_or_none(row.raw),
        "share": finite_or_none(row.estimate),
        "standard_error": finite_or_none(row.standard_error),
        "low": row.low,
        "high": row.high,
    }


def mean_as_object(mean: Row) -> dict[str, Any]:
    """Return the mean of a scale in its own units, as plain JSON."""
    lowest, highest = map(float, mean.range)
    return {
        "estimate": finite_or_none(mean.estimate),
        "standard_error": finite_or_none(mean.standard_error),
        "low": mean.low,
        "high": mean.high,
        "raw": finite_or_none(mean.raw),
        "lowest": lowest,
        "highest": highest,
        "method": mean.method,
    }


def bounds_as_object(question: QuestionResult) -> list[dict[str, Any]]:
    """Return what is known whatever those who prefer not to answer would say."""
    return [
        {
            "answer": each.estimand,
            "least": finite_or_none(each.estimate),
            "most": finite_or_none(each.upper_estimate or 0.0),
            "low": each.low,
            "high": each.high,
        }
        for each in question.bounds
    ]


def pair_as_object(question: QuestionResult) -> list[dict[str, Any]]:
    """Return the share of yes to each of the two questions of a linked pair."""
    return [
        {
            "choices": [question.rows[0].label, each.label],
            "raw": finite_or_none(each.raw),
            "share": finite_or_none(each.estimate),
            "low": each.low,
            "high": each.high,
        }
        for each in question.pair
    ]


def as_object(question: QuestionResult) -> dict[str, Any]:
    """Return a question's estimates as plain JSON.

    JSON knows no NaN and no infinity. An estimate that is not defined is null, and so
    is epsilon where the table sets it no bound.
    """
    return {
        **mechanism_as_object(question.mechanism),
        "respondents": question.respondents,
        "estimates": [
            share_as_object(row, count) for row, _report, count in question.reports
        ],
        **({"mean": mean_as_object(question.mean)} if question.mean else {}),
        **({"bounds": bounds_as_object(question)} if question.bounds else {}),
        **({"pair": pair_as_object(question)} if question.pair else {}),
        "method": question.method,
        "confidence_level": question.confidence_level,
        **({"level_of_each": question.level_of_each} if question.simultaneous else {}),
    }


def survey_as_object(results: SurveyResults) -> dict[str, Any]:
    """Return a survey's estimates as plain JSON, with `as_object` for each question."""
    cells = survey_cells(results)
    total_epsilon = finite_or_none(float(cells["total_epsilon"]))
    return {
        **cells,
        "total_epsilon": total_epsilon,
        "not_scrambled": list(results.design.composition.unscrambled),
        **({"draws": drawn} if (drawn := draws_as_object(results)) else {}),
        "questions": [
            {
                "question": question.number,
                "question_text": question.text,
                "missing": question.missing,
                **draw_as_object(results, question.number),
                **as_object(question),
            }
            for question in results.questions
        ],
    }


def draws_as_object(results: SurveyResults) -> list[dict[str, Any]]:
    """Return of which questions each respondent was asked how many."""
    return [group.as_object() for group in results.design.groups]


def draw_as_object(results: SurveyResults, number: int) -> dict[str, Any]:
    """Return of which draw a question is; nothing where everybody is asked it."""
    group = results.design.find_group(number)
    if group is None:
        return {}
    return {"draw": {**group.as_object(), "chance": str(group.chance)}}


def survey_as_document(results: SurveyResults) -> dict[str, Any]:
    """Return `survey_as_object` with the wording of every answer and report."""
    found = survey_as_object(results)
    for question, described in zip(results.questions, found["questions"], strict=True):
        described["poisoning_radius"] = finite_or_none(question.poisoning_radius)
        if not question.rows:
            continue
        rows = zip(
            question.reports,
            labels_of_reports(question),
            described["estimates"],
            strict=True,
        )
        for (row, report, _count), report_label, estimate in rows:
            estimate["standing"] = row.standing.value
            estimate["choice"] = row.label
            estimate["report"] = report
            estimate["report_label"] = report_label
    return {"format": DOCUMENT_FORMAT, **found}
