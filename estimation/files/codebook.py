"""The columns of the reports, and the codebook that explains them (CSV and JSON)."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from candor.binary import FloatArray
from candor.cli.rows import Cell
from candor.estimands import mean_of_points, scores
from candor.intervals import DEFAULT_CONFIDENCE_LEVEL, DEFAULT_METHOD
from candor.mechanisms import Mechanism
from surveys.design import Design, DesignQuestion, get_design
from surveys.merged_versions import describe_versions
from surveys.models import Survey
from surveys.text.tables import label_reports_in_files
from surveys.version import get_software_version

PLAIN_NAME = re.compile(r"[a-z0-9_]{1,20}")
"""Answers that can be part of a variable name; Stata allows 32 characters."""

BYTES = 256

MEAN = "mean"


@dataclass(frozen=True)
class QuestionVariables:
    """The columns of one question: `q1`, `q1_label` and one score for each answer.

    The code in `q1` is the place of the report in the table, 1 for the first. The
    mean of an answer's score over any rows is the unbiased share of the answer among
    them. A scale has one more score, `q1_score_mean`, whose mean is the unbiased mean
    in the units of the scale. If the table identifies no shares, it is the only score.
    """

    number: int
    question: DesignQuestion

    @property
    def mechanism(self) -> Mechanism:
        return self.question.mechanism

    @property
    def name(self) -> str:
        return f"q{self.number}"

    @property
    def label_name(self) -> str:
        return f"{self.name}_label"

    @cached_property
    def score_names(self) -> tuple[str, ...]:
        mean = (MEAN,) if self.question.scale else ()
        return tuple(f"{self.name}_score_{each}" for each in (*self.answers, *mean))

    @property
    def answers(self) -> tuple[str, ...]:
        """Suffixes of the answers' scores; empty if the table identifies no shares."""
        answers = self.mechanism.answers
        if not self.mechanism.identifies_shares:
            return ()
        if not all(PLAIN_NAME.fullmatch(answer) for answer in answers):
            return tuple(str(number) for number, _ in enumerate(answers, start=1))
        return answers

    @cached_property
    def scored(self) -> tuple[tuple[str, str], ...]:
        choices = self.question.choices if self.answers else ()
        names = self.mechanism.answers if self.answers else ()
        mean = ((MEAN, MEAN),) if self.question.scale else ()
        return (*zip(names, choices, strict=True), *mean)

    @cached_property
    def labels(self) -> dict[int, str]:
        named = label_reports_in_files(self.mechanism, self.question.choices)
        return dict(enumerate(named, start=1))

    @cached_property
    def scores(self) -> list[list[Fraction]]:
        """Score of each report for each answer, and for a mean; [report][score]."""
        weights, scale = self.mechanism.weights, self.question.scale
        found: list[list[Fraction]] = [[] for _report in self.mechanism.reports]
        if self.mechanism.identifies_shares:
            numerators, denominator = scores(weights)
            found = [
                [Fraction(each, denominator) for each in row] for row in numerators
            ]
        if scale:
            numerators, denominator = scores(weights, mean_of_points(len(weights)))
            for row, (points,) in zip(found, numerators.tolist(), strict=True):
                row.append(scale.low + scale.step * Fraction(points, denominator))
        return found

    @cached_property
    def scores_by_byte(self) -> FloatArray:
        """Scores by the byte of a pattern, shape (256, answers); NaN for no report."""
        found = np.full((BYTES, len(self.score_names)), np.nan)
        found[: len(self.scores)] = [
            [float(cell) for cell in row] for row in self.scores
        ]
        return found

    @property
    def label(self) -> str:
        """Label of the column in statistics programs: number, kind and question.

        The kind comes first, so that it stays where a long label is cut.
        """
        is_scrambled = self.mechanism.is_scrambled
        kind = "Randomised report of" if is_scrambled else "Direct answer to"
        return f"{self.number}. {kind}: {self.question.full_text}"

    def score_label(self, answer: int) -> str:
        name, choice = self.scored[answer]
        if name == MEAN:
            return f"{self.number}. score of the mean"
        return f"{self.number}. score of the answer: {choice}"

    def formula(self, answer: int) -> str:
        return "; ".join(
            f"{self.name} = {code}: {row[answer]}"
            for code, row in enumerate(self.scores, start=1)
        )

    @property
    def columns(self) -> tuple[str, ...]:
        return (self.name, self.label_name, *self.score_names)


@dataclass(frozen=True)
class SurveyVariables:
    survey: Survey
    questions: tuple[QuestionVariables, ...]

    @property
    def columns(self) -> list[str]:
        return [name for question in self.questions for name in question.columns]


def names_by_kind(variables: SurveyVariables) -> tuple[str, str]:
    questions = variables.questions
    scrambled = [each.name for each in questions if each.mechanism.is_scrambled]
    direct = [each.name for each in questions if not each.mechanism.is_scrambled]
    return ", ".join(scrambled), ", ".join(direct)


def make_title(variables: SurveyVariables) -> str:
    title = variables.survey.title
    scrambled, direct = names_by_kind(variables)
    if not scrambled:
        return title
    kind = "Randomised reports, not answers"
    if direct:
        kind = "Some columns are randomised reports"
    return f"{kind}; see estimates.csv. {title}"


def make_note(variables: SurveyVariables) -> list[str]:
    survey = variables.survey
    scrambled, direct = names_by_kind(variables)
    lines = []
    if scrambled:
        lines.append(
            f"Randomised reports, not answers: {scrambled}. How often a report was "
            "sent is not the share of an answer."
        )
    if direct:
        lines.append(f"Direct answers, not randomised: {direct}.")
    lines.append(f"Estimates and intervals: {survey.slug}-estimates.csv.")
    if survey.merged_versions:
        versions = describe_versions(survey.merged_versions)
        lines.append(f"Merged from versions with equal tables: {versions}.")
    if survey.is_simulated:
        lines.append("A program gave the answers: no one was asked.")
    return lines


def list_variables(survey: Survey, design: Design | None = None) -> SurveyVariables:
    design = design or get_design(survey)
    numbered = enumerate(design.estimated_questions, start=1)
    return SurveyVariables(
        survey, tuple(QuestionVariables(number, each) for number, each in numbered)
    )


NO_REPORT = "empty: no report for this question"


def make_codebook_rows(variables: SurveyVariables) -> list[dict[str, Cell]]:
    note: dict[str, Cell] = {"note": " ".join(make_note(variables))}
    return [
        row | note
        for question in variables.questions
        for row in rows_of_question(question)
    ]


def rows_of_question(question: QuestionVariables) -> Iterator[dict[str, Cell]]:
    codes = (f"{code} = {label}" for code, label in question.labels.items())
    same: dict[str, Cell] = {
        "question": question.number,
        "question_text": question.question.full_text,
        "harmless_question": question.question.innocuous_question,
        "codes": "; ".join(codes),
        "missing": NO_REPORT,
        "family": question.mechanism.family,
        "parameters": json.dumps(dict(question.mechanism.parameters)),
        "weights": json.dumps(question.mechanism.weights),
        "epsilon": question.mechanism.epsilon,
    }
    for name, kind in ((question.name, "code"), (question.label_name, "label")):
        named = {"variable": name, "kind": kind, "label": question.label}
        yield {**named, **same, "answer": "", "formula": ""}
    for row, name in enumerate(question.score_names):
        yield {
            "variable": name,
            "kind": "score",
            "label": question.score_label(row),
            **same,
            "answer": question.scored[row][1],
            "formula": question.formula(row),
        }


def serialize_codebook(
    variables: SurveyVariables,
    *,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
    method: str = DEFAULT_METHOD,
    simultaneous: bool = False,
) -> dict[str, Any]:
    survey = variables.survey
    return {
        "survey": survey.title,
        "slug": survey.slug,
        "simulated": "yes" if survey.is_simulated else "no",
        "design_digest": survey.design_digest,
        **(
            {"merged_versions": survey.merged_versions}
            if survey.merged_versions
            else {}
        ),
        "software": get_software_version(),
        "note": make_note(variables),
        "rows": "one respondent each, in an order drawn by chance",
        "missing": NO_REPORT,
        "confidence_level": confidence_level,
        "method": method,
        "simultaneous": simultaneous,
        "questions": [serialize_question(question) for question in variables.questions],
    }


def serialize_question(question: QuestionVariables) -> dict[str, Any]:
    mechanism = question.mechanism
    return {
        "question": question.number,
        "question_text": question.question.full_text,
        "harmless_question": question.question.innocuous_question,
        "choices": list(question.question.choices),
        **mechanism.to_dict(),
        **({"scale": scale.to_dict()} if (scale := question.question.scale) else {}),
        **(
            {"scale_of_answered": of_answered.to_dict()}
            if (of_answered := question.question.scale_of_answered)
            else {}
        ),
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
