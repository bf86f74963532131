"""What the columns of a file of reports are called, and what they hold."""

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from candor.binary import FloatArray
from candor.estimands import mean_of_points, scores
from candor.mechanisms import Mechanism
from surveys.design import DesignQuestion, get_design
from surveys.models import Survey
from surveys.text.tables import label_reports_in_files

PLAIN_NAME = re.compile(r"[a-z0-9_]{1,20}")
"""Answers that may be part of a name in every program: Stata takes 32 letters."""

BYTES = 256

MEAN = "mean"
"""What the score of a scale's mean ends in."""


@dataclass(frozen=True)
class QuestionVariables:
    """The columns of one question: `q1`, `q1_label` and one score for each answer.

    The code in `q1` is the place of the report in the table, 1 for the first. The
    score of an answer is what the report tells of it: its mean over any rows is the
    unbiased share of the answer among them. A scale has one score more,
    `q1_score_mean`, whose mean is the unbiased mean in its own units; where the table
    tells no shares, it is the only one.
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
        mean = (MEAN,) if self.question.scale else ()
        return tuple(f"{self.name}_score_{each}" for each in (*self.answers, *mean))

    @property
    def answers(self) -> tuple[str, ...]:
        """What the scores of answers end in; none where the table tells no shares."""
        answers = self.mechanism.answers
        if not self.mechanism.tells_shares:
            return ()
        if not all(PLAIN_NAME.fullmatch(answer) for answer in answers):
            return tuple(str(number) for number, _ in enumerate(answers, start=1))
        return answers

    @cached_property
    def scored(self) -> tuple[tuple[str, str], ...]:
        """What each score is of: the name of an answer and its wording, or the mean."""
        choices = self.question.choices if self.answers else ()
        names = self.mechanism.answers if self.answers else ()
        mean = ((MEAN, MEAN),) if self.question.scale else ()
        return (*zip(names, choices, strict=True), *mean)

    @cached_property
    def labels(self) -> dict[int, str]:
        """What the reports are called, by code."""
        named = label_reports_in_files(self.mechanism, self.question.choices)
        return dict(enumerate(named, start=1))

    @cached_property
    def scores(self) -> list[list[Fraction]]:
        """What each report tells of each answer, and of a mean; [report][score]."""
        weights, scale = self.mechanism.weights, self.question.scale
        found: list[list[Fraction]] = [[] for _report in self.mechanism.reports]
        if self.mechanism.tells_shares:
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
        """What statistics programs show for the code: number, kind and question.

        The kind comes first, so that it stays where a long label is cut.
        """
        is_scrambled = self.mechanism.is_scrambled
        kind = "Randomised report of" if is_scrambled else "Direct answer to"
        return f"{self.number}. {kind}: {self.question.text}"

    def score_label(self, answer: int) -> str:
        """Return what they show for the score in this place."""
        name, choice = self.scored[answer]
        if name == MEAN:
            return f"{self.number}. score of the mean"
        return f"{self.number}. score of the answer: {choice}"

    def formula(self, answer: int) -> str:
        """Return the score in this place, by code."""
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


def names_by_kind(variables: SurveyVariables) -> tuple[str, str]:
    """Return the columns of randomised reports, and those of direct answers."""
    questions = variables.questions
    scrambled = [each.name for each in questions if each.mechanism.is_scrambled]
    direct = [each.name for each in questions if not each.mechanism.is_scrambled]
    return ", ".join(scrambled), ", ".join(direct)


def make_title(variables: SurveyVariables) -> str:
    """Return the title of a file of reports, which says first what they are."""
    title = variables.survey.title
    scrambled, direct = names_by_kind(variables)
    if not scrambled:
        return title
    kind = "Randomised reports, not answers"
    if direct:
        kind = "Some columns are randomised reports"
    return f"{kind}; see estimates.csv. {title}"


def make_note(variables: SurveyVariables) -> list[str]:
    """Return what files with reports say: which are no answers, where estimates are."""
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
    lines.append(
        f"Estimates and intervals: {survey.slug}-estimates.csv, or manage.py estimate "
        f"{survey.slug}."
    )
    if survey.is_simulated:
        lines.append("A program gave the answers: nobody was asked.")
    return lines


def list_variables(survey: Survey) -> SurveyVariables:
    """Return the columns of an opened survey."""
    design = get_design(survey)
    numbered = enumerate(design.questions, start=1)
    return SurveyVariables(
        survey, tuple(QuestionVariables(number, each) for number, each in numbered)
    )
