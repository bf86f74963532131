"""What a question's table does and what a survey's tables do together, for authors."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from surveys.mechanisms import ParameterError
from surveys.mechanisms.odds import times_rounded_up
from surveys.mechanisms.privacy import epsilon_of
from surveys.models import Question, Survey
from surveys.words.numbers import epsilon
from surveys.words.tables import TableInWords

LARGE_EPSILON = 5
"""Together above this, the reports of one person shift odds more than e**5 = 148 times:
a suspicion of 1 in 100 becomes 3 in 5, which is no longer a mere hint."""

DECIMAL_DIGITS = 6


@dataclass(frozen=True)
class Explanation:
    """The table of one question in words, and its chances by answer and report."""

    words: TableInWords

    @cached_property
    def columns(self) -> list[str]:
        return [_("arrives as “%s”") % label for label in self.words.labels]

    @cached_property
    def rows(self) -> list[tuple[str, list[str]]]:
        chance = self.words.mechanism.probability
        reports, answers = self.words.mechanism.reports, self.words.mechanism.answers
        return [
            (choice, [in_full(chance(report, given=answer)) for report in reports])
            for choice, answer in zip(self.words.choices, answers, strict=True)
        ]


def in_full(chance: Fraction) -> str:
    """Return a chance as it is drawn: exactly, and as a decimal."""
    decimal = f"{float(chance):.{DECIMAL_DIGITS}g}"
    sign = "=" if Fraction(decimal) == chance else "≈"
    return f"{chance} {sign} {number_format(decimal)}"


def explain(question: Question) -> Explanation | None:
    """Return what the question's table does; None where its parameters make none."""
    try:
        mechanism = question.mechanism
    except ParameterError:
        return None
    choices = tuple(choice.label for choice in question.choices.all())
    if len(choices) != len(mechanism.answers):
        return None
    return Explanation(TableInWords((question.position,), mechanism, choices))


@dataclass(frozen=True)
class TotalProtection:
    """What all reports of one respondent give away together."""

    ratio: Fraction | None

    @property
    def epsilon(self) -> str:
        return epsilon(self.ratio)

    @property
    def times(self) -> str:
        """How many times at most the odds of any answer shift, rounded up."""
        times = times_rounded_up(self.ratio or Fraction(1))
        return number_format(times, force_grouping=True)

    @property
    def is_infinite(self) -> bool:
        return self.ratio is None

    @property
    def is_large(self) -> bool:
        return not self.is_infinite and epsilon_of(self.ratio) > LARGE_EPSILON


def total_protection(survey: Survey) -> TotalProtection | None:
    """Return what the survey protects; None while there is nothing to tell."""
    try:
        ratio = survey.worst_ratio
    except ParameterError:
        return None
    return TotalProtection(ratio) if survey.questions.all() else None
