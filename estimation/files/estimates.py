"""Estimates as files: CSV with one row for each answer, and JSON."""

import json
from collections.abc import Iterable
from typing import Any

from candor.cli.rows import (
    OF_MEANS,
    OF_SHARES,
    Cell,
    figures,
    format_csv,
    serialize_mechanism,
)
from estimation.presentation.sentences import list_report_labels
from estimation.rows.assumptions import find_non_compliance
from estimation.rows.planned import Analysis, choose_results_analysis
from estimation.rows.row import Row
from estimation.rows.shares import QuestionResult, SurveyResults
from surveys.models import Survey
from surveys.version import get_software_version

DOCUMENT_FORMAT = 1
"""Increased when a key of the document is removed or changes its meaning."""


def format_estimates(results: SurveyResults) -> str:
    return format_csv(make_estimates_rows(results))


def make_estimates_rows(results: SurveyResults) -> list[dict[str, Cell]]:
    return [
        make_survey_cells(results) | cells | draw_cells(results, question.number)
        for question in results.questions
        for cells in make_question_rows(question, results.ignoring)
    ]


def make_question_rows(
    question: QuestionResult, ignoring: int = 0
) -> list[dict[str, Cell]]:
    same = make_question_cells(question)
    found = [
        same | make_answer_cells(question, row, report, count)
        for row, report, count in question.reports
    ]
    if question.mean:
        found.append(same | make_mean_cells(question, question.mean))
    if not ignoring:
        return found
    bands = {each["answer"]: each for each in list_bands(question, ignoring)}
    return [
        cells
        | {
            f"non_compliance_{name}": bands.get(cells["answer"], {}).get(name, "")
            for name in ("assumed", "low", "high")
        }
        for cells in found
    ]


def list_bands(question: QuestionResult, ignoring: int) -> list[dict[str, Any]]:
    rows = [*question.rows, *([question.mean] if question.mean else [])]
    columns = ("lowest", "highest", "low", "high")
    return [
        {
            "answer": each.row.estimand,
            "assumed": ignoring / 100,
            **{name: getattr(band, name) for name in columns},
        }
        for each in find_non_compliance(question, rows)
        for band in [each.band(ignoring)]
    ]


def make_survey_cells(results: SurveyResults) -> dict[str, Cell]:
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
    return found | make_analysis_cells(survey, choose_results_analysis(results))


def make_analysis_cells(survey: Survey, analysis: Analysis) -> dict[str, Cell]:
    if not analysis:
        return {}
    found: dict[str, Cell] = {"analysis": analysis.value}
    if survey.plan_attested_by:
        found["plan_attested_by"] = survey.plan_attested_by
    return found


def draw_cells(results: SurveyResults, number: int) -> dict[str, Cell]:
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


def make_question_cells(question: QuestionResult) -> dict[str, Cell]:
    mechanism = question.mechanism
    return {
        "question": question.number,
        "question_text": question.full_text,
        "family": mechanism.family,
        "parameters": json.dumps(dict(mechanism.parameters)),
        "weights": json.dumps(mechanism.weights),
        "epsilon": mechanism.epsilon,
        "respondents": question.respondents,
        "missing": question.missing,
        "method": question.method,
        "confidence_level": question.confidence_level,
    }


def make_answer_cells(
    question: QuestionResult, row: Row, report: str, count: int
) -> dict[str, Cell]:
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
    return {**figures(row, OF_SHARES), "standing": row.display_status.value}


def make_mean_cells(question: QuestionResult, mean: Row) -> dict[str, Cell]:
    return {
        "answer": mean.estimand,
        "choice": "",
        "p_report_given_answer": "",
        "report": "",
        "count": question.respondents,
        **figure_cells(mean),
        "poisoning_radius": "",
        "method": mean.method,
    }


def serialize_rows(rows: Iterable[tuple[Row, int]], mean: Row | None) -> dict[str, Any]:
    found: dict[str, Any] = {
        "estimates": [
            {"answer": row.estimand, "count": count, **figures(row, OF_SHARES)}
            for row, count in rows
        ]
    }
    if mean:
        lowest, highest = map(float, mean.range)
        ends = {"lowest": lowest, "highest": highest}
        found[mean.estimand] = {
            **figures(mean, OF_MEANS),
            **ends,
            "method": mean.method,
        }
    return found


def serialize(question: QuestionResult, ignoring: int = 0) -> dict[str, Any]:
    counted = [(row, count) for row, _report, count in question.reports]
    found = {
        **serialize_mechanism(question.mechanism),
        "respondents": question.respondents,
        **serialize_rows(counted, question.mean),
    }
    level, ends = ("low", "high", "confidence_level"), ("low", "high")
    of_asked = "mean" if question.mean else "share"
    for name, rows, columns in (
        ("bounds", question.bounds, ("least=estimate", "most=upper_estimate", *ends)),
        ("among_answered", question.among_answered, ("share=estimate", *level)),
        ("among_asked", question.among_asked, (f"{of_asked}=estimate", *level, "n")),
    ):
        if rows:
            found[name] = [
                {"answer": each.estimand, **figures(each, columns)} for each in rows
            ]
    if ignoring and (bands := list_bands(question, ignoring)):
        found["non_compliance"] = bands
    if question.pair:
        columns = ("raw", "share=estimate", "low", "high")
        found["pair"] = [
            {"choices": [question.rows[0].label, row.label], **figures(row, columns)}
            for row in question.pair
        ]
    found["method"] = question.method
    found["confidence_level"] = question.confidence_level
    if question.simultaneous:
        found["level_of_each"] = question.level_of_each
    return found


def serialize_survey(results: SurveyResults) -> dict[str, Any]:
    found: dict[str, Any] = make_survey_cells(results)
    found["not_scrambled"] = list(results.design.composition.unscrambled)
    if results.survey.merged_versions:
        found["merged_versions"] = results.survey.merged_versions
    if groups := results.design.groups:
        found["draws"] = [group.to_dict() for group in groups]
    found["questions"] = []
    for question in results.questions:
        described = {
            "question": question.number,
            "question_text": question.full_text,
            "missing": question.missing,
        }
        if group := results.design.find_group(question.number):
            described["draw"] = {**group.to_dict(), "chance": str(group.chance)}
        found["questions"].append(described | serialize(question, results.ignoring))
    return found


def serialize_document(results: SurveyResults) -> dict[str, Any]:
    """Return `serialize_survey` with the wording of every answer and report."""
    found = serialize_survey(results)
    for question, described in zip(results.questions, found["questions"], strict=True):
        described["poisoning_radius"] = question.poisoning_radius
        labels = list_report_labels(question)
        rows = zip(question.reports, labels, described["estimates"], strict=False)
        for (row, report, _count), label, estimate in rows:
            estimate |= {
                "standing": row.display_status.value,
                "choice": row.label,
                "report": report,
                "report_label": label,
            }
    return {"format": DOCUMENT_FORMAT, **found}
