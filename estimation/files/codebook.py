"""The codebook: what every column of the reports means, as CSV and as JSON."""

import json
from collections.abc import Iterator
from typing import Any

from candor.cli.rows import Cell
from candor.intervals import DEFAULT_CONFIDENCE_LEVEL, DEFAULT_METHOD
from estimation.files.variables import QuestionVariables, SurveyVariables, make_note
from surveys.version import get_software_version

NO_REPORT = "empty: no report for this question"


def codebook_rows(variables: SurveyVariables) -> list[dict[str, Cell]]:
    """Return one row for each column of the reports, by the name of its column."""
    note: dict[str, Cell] = {"note": " ".join(make_note(variables))}
    return [
        row | note
        for question in variables.questions
        for row in rows_of_question(question)
    ]


def rows_of_question(question: QuestionVariables) -> Iterator[dict[str, Cell]]:
    """Yield the rows of one question: code, label, then a score for each answer."""
    same: dict[str, Cell] = {
        "question": question.number,
        "question_text": question.question.text,
        "harmless_question": question.question.innocuous_question,
        "codes": describe_codes(question),
        "missing": NO_REPORT,
        "family": question.mechanism.family,
        "parameters": json.dumps(dict(question.mechanism.parameters)),
        "weights": json.dumps(question.mechanism.weights),
        "epsilon": question.mechanism.epsilon,
    }
    code = {"variable": question.name, "kind": "code", "label": question.label}
    yield {**code, **same, "answer": "", "formula": ""}
    label = {"variable": question.label_name, "kind": "label"}
    yield {**code, **label, **same, "answer": "", "formula": ""}
    for row, name in enumerate(question.score_names):
        yield {
            "variable": name,
            "kind": "score",
            "label": question.score_label(row),
            **same,
            "answer": question.scored[row][1],
            "formula": question.formula(row),
        }


def describe_codes(question: QuestionVariables) -> str:
    """Return "1 = Yes; 2 = No"."""
    return "; ".join(f"{code} = {label}" for code, label in question.labels.items())


def codebook_as_object(
    variables: SurveyVariables,
    *,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
    method: str = DEFAULT_METHOD,
    simultaneous: bool = False,
) -> dict[str, Any]:
    """Return the codebook by the keys of JSON.

    Level and method of the export tell `candor.py` and `candor.R` which intervals to
    reproduce.
    """
    survey = variables.survey
    return {
        "survey": survey.title,
        "slug": survey.slug,
        "simulated": "yes" if survey.is_simulated else "no",
        "design_digest": survey.design_digest,
        "software": get_software_version(),
        "note": make_note(variables),
        "rows": "one respondent each, in an order drawn by chance",
        "missing": NO_REPORT,
        "confidence_level": confidence_level,
        "method": method,
        "simultaneous": simultaneous,
        "questions": [question_as_object(question) for question in variables.questions],
    }


def question_as_object(question: QuestionVariables) -> dict[str, Any]:
    """Return one question with its columns."""
    mechanism = question.mechanism
    return {
        "question": question.number,
        "question_text": question.question.text,
        "harmless_question": question.question.innocuous_question,
        "choices": list(question.question.choices),
        **mechanism.to_dict(),
        **({"scale": scale.to_dict()} if (scale := question.question.scale) else {}),
        "epsilon": mechanism.epsilon,
        "code": {
            "variable": question.name,
            "label": question.label,
            "codes": {str(code): label for code, label in question.labels.items()},
        },
        "label": {"variable": question.label_name, "label": question.label},
        "scores": [
            {
                "variable": name,
                "label": question.score_label(row),
                "answer": question.scored[row][0],
                "choice": question.scored[row][1],
                "by_code": {
                    str(code): str(scores[row])
                    for code, scores in enumerate(question.scores, start=1)
                },
                "formula": question.formula(row),
            }
            for row, name in enumerate(question.score_names)
        ],
    }
