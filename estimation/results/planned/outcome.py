"""What became of the tests that were planned before a survey opened: numbers alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

from estimation.maths.alike import holm
from estimation.maths.folds import fold_of_answer
from estimation.maths.intervals import DEFAULT_CONFIDENCE_LEVEL, DEFAULT_METHOD
from estimation.maths.intervals.refuting import refuting_p_value
from estimation.maths.joint import MOST_CELLS, estimate_joint
from estimation.results.result import (
    AnswerResult,
    QuestionResult,
    SurveyResults,
    fits_design,
)
from estimation.results.tallies import Tallies
from surveys.design import DesignQuestion
from surveys.mechanisms.draw import NOT_ASKED
from surveys.models import Survey


class PlannedTest(Protocol):
    """A claim about a share, or a comparison of two questions."""

    @property
    def can_be_tested(self) -> bool: ...
    @property
    def p_value(self) -> float: ...
    @property
    def is_shown(self) -> bool: ...


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """One planned test: whether the planned interval lies beyond the share to beat."""

    question: QuestionResult
    row: AnswerResult
    is_above: bool
    """Whether more than the share were claimed."""
    share: float
    confidence_level: float
    method: str
    is_open: bool
    """Whether reports still come: then nothing is tested."""

    @property
    def can_be_tested(self) -> bool:
        """Whether all reports are there and some shares explain them."""
        question = self.question
        return not self.is_open and question.respondents > 0 and question.fits_design

    @property
    def p_value(self) -> float:
        """The smallest alpha at which the interval leaves the share to beat out."""
        names = self.question.mechanism.answers
        fold = fold_of_answer(self.question.mechanism, names.index(self.row.answer))
        tally = [each.count for each in self.question.rows]
        counted, n = fold.count(tally), self.question.respondents
        return refuting_p_value(
            counted if self.is_above else n - counted,
            respondents=n,
            law=fold.law if self.is_above else fold.law.mirrored,
            bound=self.share if self.is_above else 1 - self.share,
            method=self.method,
        )

    @property
    def is_shown(self) -> bool:
        """Whether the claim was shown."""
        return self.p_value <= 1 - self.confidence_level

    @property
    def is_opposite(self) -> bool:
        """Whether the interval lies beyond the share on the side not claimed."""
        return replace(self, is_above=not self.is_above).is_shown


@dataclass(frozen=True, kw_only=True)
class PairOutcome:
    """One planned comparison: whether the answers to two questions are independent.

    The test is two-sided and that of the page that compares them.
    """

    tallies: Tallies
    """Of both questions, the one that makes the groups last."""
    confidence_level: float
    is_open: bool

    @property
    def questions(self) -> tuple[DesignQuestion, DesignQuestion]:
        """Both."""
        first, second = self.tallies.questions
        return first, second

    @cached_property
    def independence(self) -> float | None:
        """The p-value of "the answers are independent"; None without a test."""
        first, second = (each.mechanism for each in self.questions)
        tells_shares = first.tells_shares and second.tells_shares
        if not tells_shares or len(first.answers) * len(second.answers) > MOST_CELLS:
            return None
        tallied = self.tallies.by_question()
        if not all(fits_design(each.mechanism, tally) for _, each, tally in tallied):
            return None
        pairs = {
            (first.reports[row], second.reports[column]): count
            for (row, column), count in self.tallies.counts.items()
            if NOT_ASKED not in (row, column)
        }
        return estimate_joint(first, second, pairs).independence

    @property
    def can_be_tested(self) -> bool:
        """Whether all reports are there, fit the design and are not all alike."""
        return not self.is_open and self.independence is not None

    @property
    def p_value(self) -> float:
        """That of independence; 1 without a test."""
        return 1.0 if self.independence is None else self.independence

    @property
    def is_shown(self) -> bool:
        """Whether the answers were shown to be related."""
        return self.p_value <= 1 - self.confidence_level


def adjusted_for_each_other(found: Sequence[PlannedTest], planned: int) -> list[float]:
    """Return p-values for being several, of those that can be tested (Holm).

    Parameters
    ----------
    found : sequence of PlannedTest
        The claims about questions that are shown, and the comparisons.
    planned : int
        How many tests were planned: those that are not shown or cannot be tested count
        as the largest p-values, which can but make the others larger.

    References
    ----------
    Holm 1979, Scandinavian Journal of Statistics 6:65. The family are all tests that
    were planned, claims and comparisons together.
    """
    told = [each.p_value for each in found if each.can_be_tested]
    return holm([*told, *[1.0] * (planned - len(told))])[: len(told)]


def planned_interval(survey: Survey) -> dict[str, float | str]:
    """Return level and method that results of a survey begin with."""
    pinned: Mapping[str, str] = survey.pinned_interval
    return {
        "confidence_level": float(
            pinned.get("confidence_level", DEFAULT_CONFIDENCE_LEVEL)
        ),
        "method": pinned.get("method", DEFAULT_METHOD),
    }


def planned_level(survey: Survey) -> float:
    """Return the level that results of a survey begin with."""
    return float(planned_interval(survey)["confidence_level"])


def outcomes(results: SurveyResults) -> tuple[Outcome, ...]:
    """Return what became of the planned tests of the questions that are shown."""
    survey = results.survey
    level, method = planned_interval(survey).values()
    # A mean has no shares to beat; opening refuses such a plan, and once did not.
    shown = {each.number: each for each in results.questions if each.rows}
    return tuple(
        Outcome(
            question=shown[claim.question],
            row=shown[claim.question].rows[claim.answer - 1],
            is_above=claim.is_above,
            share=claim.share,
            confidence_level=float(level),
            method=str(method),
            is_open=survey.is_open,
        )
        for claim in survey.claims
        if claim.question in shown
    )


def pair_outcomes(results: SurveyResults) -> tuple[PairOutcome, ...]:
    """Return what became of the planned comparisons.

    None of counts with noise, which were not released together.
    """
    survey = results.survey
    if results.tallies is None:
        return ()
    found = (results.tallies.of_pair(*pair) for pair in survey.pairs)
    level = planned_level(survey)
    return tuple(
        PairOutcome(tallies=tallies, confidence_level=level, is_open=survey.is_open)
        for tallies in found
        if tallies
    )
