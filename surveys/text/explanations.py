"""Explain a survey to its authors: its tables, their total, and when it closes."""

import math
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from fractions import Fraction
from functools import cached_property

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from candor.mechanisms import ParameterError
from candor.mechanisms.composition import Composition
from candor.mechanisms.odds import (
    RARE_EXCEPTIONS_RATIO,
    Exposure,
    classify_odds,
    round_up_times,
)
from surveys.models import Question, Survey
from surveys.numbers import NOISE, format_epsilon, format_percent
from surveys.sentence import Sentence, make_plural_sentence, make_sentence
from surveys.text.tables import HINTS, TableDescription, format_question_numbers

SUSPICION = Fraction(1, 10)
"""A suspicion about one person, to show how reports change it."""

VERDICTS = {
    **HINTS,
    Exposure.NEAR_PROOF: gettext_noop("can come close to proof"),
    Exposure.SOMETIMES_SHOWN: gettext_noop("some reports show the answer"),
}
"""The same scale as for one report, applied to the joint odds of all scrambled reports:
other questions may be asked directly."""

DECIMAL_DIGITS = 6

MILLION = 10**6
"""Larger odds are not shown as numbers: fifty questions shift them by 22 digits, and a
suspicion becomes certain to more decimals than a page has room for."""


@dataclass(frozen=True)
class Explanation:
    table: TableDescription

    @cached_property
    def columns(self) -> list[str]:
        return [_("arrives as “%s”") % label for label in self.table.labels]

    @cached_property
    def rows(self) -> list[tuple[str, list[list[str]]]]:
        chance = self.table.mechanism.probability
        reports, answers = self.table.mechanism.reports, self.table.mechanism.answers
        return [
            (
                choice,
                [
                    format_chance(chance(report, given=answer)).split("/")
                    for report in reports
                ],
            )
            for choice, answer in zip(self.table.choices, answers, strict=True)
        ]


def format_chance(chance: Fraction) -> str:
    """Return a chance as an exact fraction and as a decimal; 0 and 1 only once."""
    if chance.denominator == 1:
        return str(chance)
    # Small chances without an exponent, which few people understand.
    decimal = f"{Decimal(f'{float(chance):.{DECIMAL_DIGITS}g}'):f}"
    sign = "=" if Fraction(decimal) == chance else "≈"
    return f"{chance} {sign}\N{NO-BREAK SPACE}{number_format(decimal)}"


def explain(question: Question) -> Explanation | None:
    try:
        mechanism = question.mechanism
    except ParameterError:
        return None
    choices = tuple(choice.label for choice in question.choices.all())
    if len(choices) != len(mechanism.answers):
        return None
    return Explanation(TableDescription((question.position,), mechanism, choices))


@dataclass(frozen=True)
class TotalProtection:
    """What all reports of one respondent reveal together, and how serious that is."""

    numbers: Composition
    can_change: bool = True

    @property
    def epsilon(self) -> str:
        return format_epsilon(self.numbers.ratio)

    @property
    def times(self) -> str:
        times = round_up_times(self.numbers.ratio or Fraction(1))
        return number_format(times, force_grouping=True)

    @property
    def exposure(self) -> Exposure:
        if self.protects_nothing:
            return Exposure.SHOWN
        return classify_odds(self.numbers.ratio)

    @property
    def protects_nothing(self) -> bool:
        return bool(self.numbers.unscrambled) and not self.numbers.scrambled

    @property
    def is_infinite(self) -> bool:
        return self.numbers.ratio is None

    @property
    def is_large(self) -> bool:
        ratio = self.numbers.ratio
        return ratio is not None and ratio >= RARE_EXCEPTIONS_RATIO

    @property
    def is_good(self) -> bool:
        return self.exposure.is_hint and not self.numbers.unscrambled

    @property
    def level(self) -> str:
        """Severity: "good", "note", "warning" or "danger"."""
        if self.protects_nothing:
            return "danger"
        if self.is_infinite or self.is_large:
            return "warning"
        return "good" if self.is_good else "note"

    @property
    def title(self) -> str:
        if self.protects_nothing:
            return _("Not protected.")
        if self.is_large:
            return _("Weak protection.")
        if self.exposure is Exposure.NEAR_PROOF:
            return _("All scrambled answers together can come close to proof.")
        if self.exposure.is_hint:
            hint = _(HINTS[self.exposure])
            return _("All scrambled answers together: %(hint)s.") % {"hint": hint}
        return _("Some reports show the answer.")

    @property
    def short(self) -> str:
        if self.protects_nothing:
            return _("not protected")
        return _("weak protection" if self.is_large else VERDICTS[self.exposure])

    @property
    def sentence(self) -> str:
        return " ".join([*self.direct_sentences, *self.scrambled_sentences])

    @property
    def direct_sentences(self) -> list[str]:
        numbers = self.numbers.unscrambled
        if not numbers:
            return []
        named = format_question_numbers(numbers)
        found = [_("Asked directly: %s. The answer itself is stored.") % named]
        if not (self.protects_nothing or self.is_infinite):
            text = _("Total epsilon of the scrambled answers: at most %(epsilon)s.")
            found.append(text % {"epsilon": self.epsilon})
        return found

    @property
    def scrambled_sentences(self) -> list[str]:
        if self.protects_nothing:
            return []
        if self.is_infinite:
            return [_("Nothing limits what the scrambled answers together reveal.")]
        advice = [_("Ask fewer questions, or choose stronger mechanisms.")]
        advice = advice if self.is_large and self.can_change else []
        if (self.numbers.ratio or 0) > MILLION:
            text = _(
                "All scrambled answers of one person together can make a suspicion "
                "practically certain."
            )
            return [text, *advice]
        after = float(self.numbers.posterior(SUSPICION))
        values = {
            "times": self.times,
            "prior": format_percent(float(SUSPICION), trimmed=True),
            "after": format_percent(
                after - NOISE, count_decimals_below_one(after), rounding=ROUND_CEILING
            ),
        }
        text = _(
            "All scrambled answers of a person shift the odds at most %(times)s times: "
            "a suspicion of %(prior)s becomes at most %(after)s."
        )
        return [text % values, *advice]


def count_decimals_below_one(part: float) -> int:
    """Return how many decimals a percentage needs not to be rounded up to 100 %."""
    return 0 if part >= 1 else max(0, math.ceil(-math.log10(1 - part)) - 2)


def get_total_protection(survey: Survey) -> TotalProtection | None:
    numbers = survey.compose_reports()
    if numbers is None or not (numbers.scrambled or numbers.unscrambled):
        return None
    return TotalProtection(numbers, survey.is_draft)


def describe_closing(survey: Survey, sealed: int = 0) -> str:
    return str(make_closing_sentence(survey, sealed) or "")


def make_closing_sentence(survey: Survey, sealed: int = 0) -> Sentence | None:
    """Return the sentence as data, for the log.

    Parameters
    ----------
    survey : Survey
    sealed : int
        Number of responses that are sealed already.
    """
    number = survey.closes_at(sealed)
    if number is None or survey.target is None:
        return None
    if number == survey.target:
        return make_plural_sentence(
            "It closes at %(count)s response.",
            "It closes at %(count)s responses.",
            count=number,
        )
    return make_sentence(
        "It closes at %(number)s responses, the first whole batch of %(batch)s that "
        "reaches the planned %(planned)s.",
        number=number,
        batch=survey.batch_size,
        planned=survey.target,
    )
