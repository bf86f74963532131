"""The form of a simulation: its respondents and true shares."""

from collections.abc import Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from respondents.imports.simulation.simulate import MAX_WHILE_WAITING
from surveys.authoring.forms.fields import (
    TypedDecimal,
    TypedInteger,
    make_decimal_errors,
    make_integer_errors,
)
from surveys.models import Question

USUAL_RESPONDENTS = 1000

FIRST_SHARE = 20
"""Initial percentage of the first answer: typical of sensitive questions, neither rare
nor common."""

ALL = 100
PERCENT_DECIMALS = 4


class Percent(TypedDecimal):
    def __init__(self, label: str, initial: int) -> None:
        super().__init__(
            label=label,
            initial=initial,
            min_value=0,
            max_value=ALL,
            decimal_places=PERCENT_DECIMALS,
            error_messages=make_decimal_errors(0, ALL, decimals=PERCENT_DECIMALS),
        )


class SimulationForm(forms.Form):
    respondents = TypedInteger(
        label=gettext_lazy("How many respondents"),
        min_value=1,
        max_value=MAX_WHILE_WAITING,
        help_text=gettext_lazy("1 to 10,000."),
        error_messages=make_integer_errors(1, MAX_WHILE_WAITING),
    )
    is_fresh = forms.BooleanField(
        label=gettext_lazy("Delete earlier test answers first"),
        required=False,
        initial=True,
    )

    def __init__(
        self, questions: Iterable[Question], target: int | None, posted: Any = None
    ) -> None:
        super().__init__(posted, label_suffix="")
        self.fields["respondents"].initial = min(
            target or USUAL_RESPONDENTS, MAX_WHILE_WAITING
        )
        self.questions = [
            (question, self.add_fields(number, question))
            for number, question in enumerate(questions, start=1)
        ]

    def add_fields(self, number: int, question: Question) -> list[str]:
        """Add an input for each answer; for two answers, one input is enough."""
        labels = [choice.label for choice in question.choices.all()]
        count = 1 if len(labels) == 2 else len(labels)
        names = [f"q{number}_{place}" for place in range(1, count + 1)]
        for name, label, share in zip(
            names, labels, suggest_shares(count), strict=False
        ):
            message = _("“%(answer)s” in %%") % {"answer": label}
            self.fields[name] = Percent(message, share)
        return names

    def list_questions(self) -> Iterator[tuple[Question, list[BoundField]]]:
        for question, names in self.questions:
            yield question, [self[name] for name in names]

    def clean(self) -> dict[str, Any]:
        """Reject shares of more than two answers that do not sum to 100 percent."""
        cleaned: dict[str, Any] = super().clean() or {}
        for _question, names in self.questions:
            typed = [cleaned[name] for name in names if name in cleaned]
            if len(names) > 1 and len(typed) == len(names) and sum(typed) != ALL:
                message = _("These shares must sum to 100 %%, not %(sum)s %%.")
                self.add_error(
                    names[0], message % {"sum": format_decimal(sum(typed, Decimal()))}
                )
        return cleaned

    def list_shares(self) -> dict[str, str]:
        """Return the shares in the format that `simulate` reads."""
        return {
            f"q{number}": ",".join(
                str(Fraction(self.cleaned_data[name]) / ALL) for name in names
            )
            for number, (_question, names) in enumerate(self.questions, start=1)
        }

    def describe_shares(self) -> str:
        return ", ".join(
            _("question %(number)s: %(shares)s %%")
            % {
                "number": number,
                "shares": " / ".join(
                    format_decimal(self.cleaned_data[name]) for name in names
                ),
            }
            for number, (_question, names) in enumerate(self.questions, start=1)
        )


def suggest_shares(count: int) -> list[int]:
    """Return whole percentages: `FIRST_SHARE` first, the others as equal as possible.

    They sum to 100, except for a single input, where the other answer has the rest.
    """
    if count == 1:
        return [FIRST_SHARE]
    rest = ALL - FIRST_SHARE
    ends = [rest * place // (count - 1) for place in range(count)]
    return [FIRST_SHARE, *(b - a for a, b in pairwise(ends))]


def format_decimal(number: Decimal) -> str:
    """Return the number without trailing zeros and without an exponent."""
    return number_format(f"{number.normalize():f}")
