"""What the columns of a file of reports are called, and what they hold."""

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from estimation.maths.scores import scores
from estimation.maths.yes_no import FloatArray
from surveys.design import DesignQuestion, design_of
from surveys.mechanisms import Mechanism
from surveys.models import Survey
from surveys.words.tables import report_labels

PLAIN_NAME = re.compile(r"[a-z0-9_]{1,20}")
"""Answers that may be part of a name in every program: Stata takes 32 letters."""

BYTES = 256


@dataclass(frozen=True)
class QuestionVariables:
    """The columns of one question: `q1`, `q1_label` and one score for each answer.

    The code in `q1` is the place of the report in the table, 1 for the first. The
    score of an answer is what the report tells of it: its mean over any rows is the
    unbiased share of the answer among them.
    """

    number: int
    question: DesignQuestion

    @property
    def mechanism(self) -> Mechanism:
        """The table by which answers became reports."""
        return self.question.mechanism

    @property
    def name(self) -> str:
        """The column of the codes."""
        return f"q{self.number}"

    @property
    def label_name(self) -> str:
        """The column of the labels, where a file has one."""
        return f"{self.name}_label"

    @cached_property
    def score_names(self) -> tuple[str, ...]:
        """The columns of the scores, one for each answer.

        They end in what the table calls the answer, or in its number where a name
        would not do.
        """
        answers = self.mechanism.answers
        if not all(PLAIN_NAME.fullmatch(answer) for answer in answers):
            answers = tuple(str(number) for number, _ in enumerate(answers, start=1))
        return tuple(f"{self.name}_score_{answer}" for answer in answers)

    @cached_property
    def labels(self) -> dict[int, str]:
        """What the reports are called, by code."""
        named = report_labels(self.mechanism, self.question.choices)
        return dict(enumerate(named, start=1))

    @cached_property
    def scores(self) -> list[list[Fraction]]:
        """What each report tells of each answer, exactly; [report][answer]."""
        numerators, denominator = scores(self.mechanism.weights)
        return [[Fraction(cell, denominator) for cell in row] for row in numerators]

    @cached_property
    def scores_by_byte(self) -> FloatArray:
        """The scores by the byte of a pattern, shape (256, answers).

        NaN where there is no report.
        """
        found = np.full((BYTES, len(self.score_names)), np.nan)
        found[: len(self.scores)] = [
            [float(cell) for cell in row] for row in self.scores
        ]
        return found

    @property
    def label(self) -> str:
        """What statistics programs show for the code: number and question."""
        return f"{self.number}. {self.question.text}"

    def score_label(self, answer: int) -> str:
        """Return what they show for the score of the answer in this row."""
        choice = self.question.choices[answer]
        return f"{self.number}. score of the answer: {choice}"

    def formula(self, answer: int) -> str:
        """Return the score of the answer in this row of the table, by code."""
        return "; ".join(
            f"{self.name} = {code}: {row[answer]}"
            for code, row in enumerate(self.scores, start=1)
        )

    @property
    def columns(self) -> tuple[str, ...]:
        """All names: code, label, scores."""
        return (self.name, self.label_name, *self.score_names)


@dataclass(frozen=True)
class SurveyVariables:
    """The columns of all questions of one survey."""

    survey: Survey
    questions: tuple[QuestionVariables, ...]

    @property
    def columns(self) -> list[str]:
        """The names in the first row of a table."""
        return [name for question in self.questions for name in question.columns]


def variables_of(survey: Survey) -> SurveyVariables:
    """Return the columns of an opened survey."""
    design = design_of(survey)
    numbered = enumerate(design.questions, start=1)
    return SurveyVariables(
        survey, tuple(QuestionVariables(number, each) for number, each in numbered)
    )
