from typing import Any

from django import forms

from respondents.collecting.randomise import read_draw
from surveys.design import Design, DesignQuestion
from surveys.models import Survey


def format_field_name(design: Design, number: int) -> str:
    """Return the field name of a question in the plain form; numbers start at 1.

    If questions are drawn, all names have the same length. Otherwise the length of the
    message would disclose which were drawn.
    """
    digits = len(str(len(design.questions))) if design.groups else 1
    return f"q{number:0{digits}d}"


def choose_pick_format(design: Design) -> str:
    """Return the format of a choice's position in the plain form, such as "02d".

    All positions have the same length. Otherwise the length of the message would
    disclose which end of a scale was chosen.
    """
    most = max(
        count_options(question, mode=design.mode) for question in design.questions
    )
    return f"0{len(str(most - 1))}d"


class Pick(forms.Field):
    """The position of a choice, found by look-up; no error contains the value."""

    default_error_messages = {"required": "Choose one."}

    def __init__(self, number: int, *, options: int, name: str, written: str) -> None:
        super().__init__()
        self.number = number
        self.name = name
        self.positions = {f"{place:{written}}": place for place in range(options)}

    def clean(self, value: object) -> int:
        position = self.positions.get(value) if isinstance(value, str) else None
        if position is None:
            raise forms.ValidationError(self.error_messages["required"], "required")
        return position


class PlainForm(forms.Form):
    """The form of modes server and hand, without JavaScript: one choice per question.

    Mode server asks for answers, mode hand for reports. Answers are never shown again.
    """

    consent = forms.BooleanField()

    def __init__(self, design: Design, posted: Any) -> None:
        super().__init__(posted)
        self.design = design
        self.fields["submission"] = forms.RegexField(r"\A[0-9a-f]{32}\Z", strip=False)
        self.asked = read_draw(design, posted.get("draw", ""))
        """Which questions the page asked; None if the draw has no valid signature."""
        numbers = range(1, len(design.questions) + 1)
        written = choose_pick_format(design)
        self.picks = [
            Pick(
                number,
                options=count_options(design.questions[number - 1], mode=design.mode),
                name=format_field_name(design, number),
                written=written,
            )
            for number in numbers
            if self.asked and self.asked[number - 1]
        ]
        self.fields.update({pick.name: pick for pick in self.picks})
        names = {format_field_name(design, number) for number in numbers}
        self.left_out = names - self.fields.keys()

    def clean(self) -> dict[str, Any]:
        """Reject answers to questions that the page did not ask."""
        cleaned: dict[str, Any] = super().clean() or {}
        if self.asked is None or not self.left_out.isdisjoint(self.data):
            raise forms.ValidationError("The form is not as it was sent.", "draw")
        return cleaned

    def list_choices(self) -> list[int | None]:
        """Return the chosen positions in question order; None if it was not asked."""
        chosen = self.map_choices()
        numbers = range(1, len(self.design.questions) + 1)
        return [chosen.get(number) for number in numbers]

    def map_choices(self) -> dict[int, int]:
        """Return the valid choices as {question number: position}."""
        return {
            pick.number: self.cleaned_data[pick.name]
            for pick in self.picks
            if pick.name in self.cleaned_data
        }

    def list_missing(self) -> list[int]:
        return [pick.number for pick in self.picks if pick.name in self.errors]


def count_options(question: DesignQuestion, *, mode: str) -> int:
    is_outcome = mode == Survey.Mode.HAND
    return len(question.mechanism.reports if is_outcome else question.choices)
