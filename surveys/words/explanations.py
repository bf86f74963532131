"""What a question's table does and what a survey's tables do together, for authors."""

from dataclasses import dataclass
from fractions import Fraction

from django.utils.formats import number_format

from surveys.mechanisms import Mechanism, ParameterError
from surveys.mechanisms.odds import times_rounded_up
from surveys.mechanisms.privacy import epsilon_of, epsilon_rounded_up
from surveys.models import Question, Survey
from surveys.words.tables import TableInWords

LARGE_EPSILON = 5
"""Together above this, the reports of one person shift odds more than e**5 = 148 times:
a suspicion of 1 in 100 becomes 3 in 5, which is no longer a mere hint."""

DECIMAL_DIGITS = 6


@dataclass(frozen=True)
class Chance:
    """A chance of the table as it is drawn: exactly, and as a decimal."""

    exact: Fraction

    @property
    def decimal(self) -> str:
        return f"{float(self.exact):.{DECIMAL_DIGITS}g}"

    @property
    def is_decimal_exact(self) -> bool:
        return Fraction(self.decimal) == self.exact


@dataclass(frozen=True)
class Explanation:
    """The table of one question in words, and its chances by answer."""

    words: TableInWords
    rows: tuple[tuple[str, tuple[Chance, ...]], ...]


def explain(question: Question) -> Explanation | None:
    """Return what the question's table does; None where its parameters make none."""
    try:
        mechanism = question.mechanism
    except ParameterError:
        return None
    choices = tuple(choice.label for choice in question.choices.all())
    if len(choices) != len(mechanism.answers):
        return None
    words = TableInWords((question.position,), mechanism, choices)
    return Explanation(words, tuple(zip(choices, chances(mechanism), strict=True)))


def chances(mechanism: Mechanism) -> list[tuple[Chance, ...]]:
    """Return P(report | answer), shape (answers, reports)."""
    return [
        tuple(
            Chance(mechanism.probability(report, given=answer))
            for report in mechanism.reports
        )
        for answer in mechanism.answers
    ]


@dataclass(frozen=True)
class TotalProtection:
    """What all reports of one respondent give away together."""

    ratio: Fraction | None

    @property
    def epsilon(self) -> str:
        return epsilon_rounded_up(self.ratio)

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
