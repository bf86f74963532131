"""Which answer is regressed on which questions of its survey."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from estimation.maths.folds import folds
from estimation.maths.intervals import DEFAULT_CONFIDENCE_LEVEL
from estimation.regression.questions import Chosen
from estimation.results.forms import LEVEL_CHOICES, ChoiceForm
from surveys.design import DesignQuestion

MOST_COEFFICIENTS = 20
"""More than anybody compares, and as many as a page waits for."""


def outcomes_of(questions: Sequence[DesignQuestion]) -> list[tuple[str, str]]:
    """Return every answer that can be regressed: of two answers the first tells all."""
    found = []
    for number, question in enumerate(questions, start=1):
        if not question.mechanism.tells_shares:
            continue
        told = folds(question.mechanism.weights)
        size = 1 if len(question.choices) == 2 else len(question.choices)
        for place in range(size):
            if told[place] is not None:
                label = (
                    f"{number}. {question.text} \N{EN DASH} {question.choices[place]}"
                )
                found.append((f"{number}-{place}", label))
    return found


def hidden_of(questions: Sequence[DesignQuestion]) -> list[tuple[str, str]]:
    """Return the scrambled questions with two answers."""
    return [
        (str(number), f"{number}. {question.text}")
        for number, question in enumerate(questions, start=1)
        if question.mechanism.is_scrambled and len(question.choices) == 2
    ]


def first_choice(questions: Sequence[DesignQuestion]) -> dict[str, object] | None:
    """Return what is shown before anybody chose: one outcome and one predictor.

    A scrambled outcome, and a direct predictor, where there is one. None where no
    regression is possible.
    """
    outcomes = [
        (value, int(value.partition("-")[0]))
        for value, _label in outcomes_of(questions)
    ]
    outcomes.sort(key=lambda each: not questions[each[1] - 1].mechanism.is_scrambled)
    for outcome, number in outcomes:
        for other, question in enumerate(questions, start=1):
            if other != number and not question.mechanism.is_scrambled:
                # Yes is compared with No; of several answers all with the first.
                reference = 1 if len(question.choices) == 2 else 0
                return {"outcome": outcome, reference_of(other): reference}
        for hidden, _label in hidden_of(questions):
            if int(hidden) != number:
                return {"outcome": outcome, "scrambled": hidden}
    return None


def reference_of(number: int) -> str:
    """Return the name of the field of a direct question."""
    return f"reference_{number}"


class RegressionForm(ChoiceForm):
    """An outcome, a reference for each direct question, and a scrambled predictor."""

    DEFAULTS = {"confidence_level": DEFAULT_CONFIDENCE_LEVEL, "scrambled": ""}

    outcome = forms.ChoiceField(label=gettext_lazy("Who gives the answer"))
    scrambled = forms.ChoiceField(
        label=gettext_lazy("by a scrambled answer to"), required=False
    )
    confidence_level = forms.TypedChoiceField(
        label=gettext_lazy("Confidence level"), choices=LEVEL_CHOICES, coerce=float
    )

    def __init__(
        self, chosen: Mapping[str, object], questions: Sequence[DesignQuestion]
    ) -> None:
        super().__init__(chosen)
        self.questions = questions
        outcome: Any = self.fields["outcome"]
        outcome.choices = outcomes_of(questions)
        scrambled: Any = self.fields["scrambled"]
        scrambled.choices = [("", _("leave out")), *hidden_of(questions)]
        self.direct = [
            number
            for number, question in enumerate(questions, start=1)
            if not question.mechanism.is_scrambled
        ]
        for number in self.direct:
            question = questions[number - 1]
            choices = [("", _("leave out"))] + [
                (str(place), _("compared with “%s”") % label)
                for place, label in enumerate(question.choices)
            ]
            self.fields[reference_of(number)] = forms.ChoiceField(
                label=_("by the answers to “%s”") % question.text,
                choices=choices,
                required=False,
            )
        names = [reference_of(number) for number in self.direct]
        self.order_fields(["outcome", *names, "scrambled", "confidence_level"])
        if not hidden_of(questions):
            del self.fields["scrambled"]

    def clean(self) -> dict[str, Any]:
        """Refuse what cannot be regressed."""
        cleaned: dict[str, Any] = super().clean() or {}
        if self.errors:
            return cleaned
        chosen = self.chosen
        used = chosen.numbers[1:]
        if not used:
            raise ValidationError(_("Choose at least one question to compare by."))
        if chosen.outcome in used:
            raise ValidationError(
                _("An answer cannot be compared by its own question.")
            )
        many = sum(len(self.questions[each - 1].choices) - 1 for each in used)
        if many > MOST_COEFFICIENTS:
            raise ValidationError(
                _("Too many answers together: %(many)s, %(most)s at most.")
                % {"many": many, "most": MOST_COEFFICIENTS}
            )
        return cleaned

    @property
    def chosen(self) -> Chosen:
        """What is regressed on what."""
        number, _dash, place = self.cleaned_data["outcome"].partition("-")
        references = {
            each: int(self.cleaned_data[reference_of(each)])
            for each in self.direct
            if self.cleaned_data[reference_of(each)]
        }
        scrambled = self.cleaned_data.get("scrambled")
        return Chosen(
            outcome=int(number),
            answer=int(place),
            references=references,
            scrambled=int(scrambled) if scrambled else None,
        )
