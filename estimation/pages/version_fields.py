"""Fields that map a question of another survey, such as one in another language."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from estimation.rows.independent_samples import counterpart, wordings
from surveys.design import DesignQuestion, get_design
from surveys.models import Survey
from surveys.versions import (
    Counterpart,
    SameQuestion,
    VersionError,
    find_counterpart,
)


class VersionFields:
    """A select for the other survey's question, and one for each of its answers.

    If the wording is the same, there is nothing to choose. Names of fields contain the
    numbers of what they map, so that an address always keeps its meaning.
    """

    def __init__(
        self,
        form: forms.Form,
        asked: Sequence[DesignQuestion],
        number: int,
        other: Survey,
    ) -> None:
        self.asked, self.number = asked, number
        self.questions = get_design(other).estimated_questions
        self.name = f"same_{other.pk}_{number}"
        data: Any = form.data
        known = counterpart(wordings(asked), number, wordings(self.questions))
        self.is_chosen = bool(known) or self.name in data
        """Whether the author has confirmed the mapping, or the wording is the same."""
        data.setdefault(self.name, known or self.guess())
        choices = [
            (place, f"{place}. {each.full_text}")
            for place, each in enumerate(self.questions, start=1)
        ]
        form.fields[self.name] = forms.TypedChoiceField(
            label=_("Question of the other survey"), coerce=int, choices=choices
        )
        self.answers = self.add_answers(form, str(data[self.name]))
        form.order_fields(["first", "second", "other", self.name, *self.answers])

    def guess(self) -> int:
        size = len(self.asked[self.number - 1].choices)
        places = [*range(self.number, len(self.questions) + 1), *range(1, self.number)]
        fitting = (
            place
            for place in places
            if place <= len(self.questions)
            and len(self.questions[place - 1].choices) == size
        )
        return next(fitting, 1)

    def add_answers(self, form: forms.Form, chosen: str) -> list[str]:
        if not chosen.isdecimal() or not 1 <= int(chosen) <= len(self.questions):
            return []
        first, other = self.asked[self.number - 1], self.questions[int(chosen) - 1]
        is_scale = first.scale or other.scale
        if is_scale or first.choices == other.choices:
            return []
        if len(first.choices) != len(other.choices):
            return []
        names = []
        for place, label in enumerate(other.choices, start=1):
            name = f"{self.name}_{chosen}_{place}"
            self.is_chosen &= name in form.data
            form.data.setdefault(name, place)  # type: ignore[attr-defined]
            form.fields[name] = forms.TypedChoiceField(
                label=_("“%s” means") % label,
                coerce=int,
                choices=list(enumerate(first.choices, start=1)),
            )
            names.append(name)
        return names

    def read(self, cleaned: Mapping[str, Any]) -> SameQuestion:
        choices = tuple(cleaned[name] for name in self.answers)
        return SameQuestion(self.number, cleaned[self.name], choices)

    def check(self, cleaned: Mapping[str, Any]) -> Counterpart:
        try:
            found = find_counterpart(self.asked, self.questions, self.read(cleaned))
        except VersionError as error:
            raise ValidationError(str(error)) from error
        if not self.is_chosen:
            raise ValidationError(_("Check which question and answers are the same."))
        return found
