import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django import forms
from django.core.validators import RegexValidator

from respondents.collecting.randomise import read_draw
from respondents.tokens import CHARACTERS, fits, read_token
from surveys.design import Design, DesignQuestion
from surveys.models import Survey

FIELDS = ("design", "submission", "reports")

INVITATION = "invitation"
"""An additional field of surveys that are answered by one-time links."""


class MalformedSubmissionError(Exception):
    """The body is not the JSON object of docs/developers/protocol.md."""


class Hexadecimal(forms.CharField):
    """Lower-case hexadecimal text of a fixed length."""

    def __init__(self, name: str, *, digits: int) -> None:
        message = f"{name} must be {digits} hexadecimal digits (0-9, a-f)."
        super().__init__(
            strip=False,
            error_messages={"required": message},
            validators=[RegexValidator(rf"\A[0-9a-f]{{{digits}}}\Z", message)],
        )


class SubmissionForm(forms.Form):
    """What a browser sends: see docs/developers/protocol.md."""

    def __init__(self, design: Design, submission: dict[str, str]) -> None:
        super().__init__(submission)
        self.design = design
        self.fields["design"] = Hexadecimal("design", digits=64)
        self.fields["submission"] = Hexadecimal("submission", digits=32)
        self.fields["reports"] = Hexadecimal(
            "reports", digits=2 * len(design.questions)
        )

    def clean_design(self) -> str:
        digest: str = self.cleaned_data["design"]
        if digest != self.design.digest:
            raise forms.ValidationError(
                "design names another survey than the one at this address.",
                code="another_design",
            )
        return digest

    def clean_reports(self) -> bytes:
        pattern = bytes.fromhex(self.cleaned_data["reports"])
        if not self.design.accepts(pattern):
            raise forms.ValidationError(
                "reports must name, for every question, a report of its table."
            )
        return pattern

    def first_error(self) -> tuple[str, forms.ValidationError]:
        """Return the first field at fault, in the order of FIELDS, and its error."""
        faults = self.errors.as_data()
        field = next(name for name in FIELDS if name in faults)
        return field, faults[field][0]


class InvitationForm(forms.Form):
    """The token of a one-time link; read before anything else.

    It may be typed from paper. No error holds what was typed.
    """

    invitation = forms.CharField(error_messages={"required": "invitation is missing."})

    def __init__(self, design: Design, posted: Mapping[str, str]) -> None:
        super().__init__(posted)
        self.design = design

    def clean_invitation(self) -> str:
        token = read_token(self.cleaned_data["invitation"])
        if not token:
            raise forms.ValidationError(
                f"invitation must be {CHARACTERS} letters and digits, in groups of 4."
            )
        if not fits(token, self.design.digest):
            raise forms.ValidationError(
                "invitation is mistyped or belongs to another survey: "
                "its last three characters do not fit the others."
            )
        return token


def list_field_names(design: Design) -> tuple[str, ...]:
    """Return the names that a submission to this survey has, no more and no fewer."""
    return (*FIELDS, INVITATION) if design.is_by_invitation else FIELDS


def parse(body: bytes, names: Collection[str] = FIELDS) -> dict[str, str]:
    """Return the fields of a submission as text.

    Raises
    ------
    MalformedSubmissionError
        Where the body is anything but one JSON object with exactly these fields.
    """
    try:
        submission = json.loads(body.decode(), object_pairs_hook=unique)
    except (ValueError, RecursionError):
        # From None: the original error quotes the body.
        raise MalformedSubmissionError from None
    if not isinstance(submission, dict) or submission.keys() != set(names):
        raise MalformedSubmissionError
    if not all(isinstance(value, str) for value in submission.values()):
        raise MalformedSubmissionError
    return submission


def unique(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) != len(pairs):
        raise MalformedSubmissionError
    return dict(pairs)


def format_field_name(design: Design, number: int) -> str:
    """Return the name of a question in the plain form, 1 for the first.

    Where some are drawn, all names have one length, or that of the message would
    disclose which.
    """
    digits = len(str(len(design.questions))) if design.groups else 1
    return f"q{number:0{digits}d}"


def choose_pick_format(design: Design) -> str:
    """Return the format of the position of a choice in the plain form, such as "02d".

    All have one length, or that of the message would disclose the end of a scale.
    """
    most = max(count_options(each, mode=design.mode) for each in design.questions)
    return f"0{len(str(most - 1))}d"


class Pick(forms.Field):
    """The position of a choice, found by look-up; no error contains the value."""

    default_error_messages = {"required": "Choose one."}

    def __init__(self, number: int, *, options: int, name: str, written: str) -> None:
        super().__init__()
        self.number = number
        self.name = name
        self.positions = {f"{each:{written}}": each for each in range(options)}

    def clean(self, value: object) -> int:
        position = self.positions.get(value) if isinstance(value, str) else None
        if position is None:
            raise forms.ValidationError(self.error_messages["required"], "required")
        return position


class PlainForm(forms.Form):
    """Modes server and hand: one choice per question asked, without JavaScript.

    Mode server asks for answers, mode hand for reports; neither is ever shown again.
    """

    consent = forms.BooleanField()

    def __init__(self, design: Design, posted: Any) -> None:
        super().__init__(posted)
        self.design = design
        self.fields["submission"] = Hexadecimal("submission", digits=32)
        self.asked = read_draw(design, posted.get("draw", ""))
        """Which questions the page asked; None where the draw is not the server's."""
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
        """Refuse an answer to what was not asked: it is another form than was sent."""
        cleaned: dict[str, Any] = super().clean() or {}
        if self.asked is None or not self.left_out.isdisjoint(self.data):
            raise forms.ValidationError("The form is not as it was sent.", "draw")
        return cleaned

    def picked(self) -> list[int | None]:
        """Return the chosen positions in the order of the questions.

        None of a question that was not asked.
        """
        chosen = self.entered()
        numbers = range(1, len(self.design.questions) + 1)
        return [chosen.get(number) for number in numbers]

    def entered(self) -> dict[int, int]:
        """Return the chosen positions that are valid, by number of the question."""
        return {
            pick.number: self.cleaned_data[pick.name]
            for pick in self.picks
            if pick.name in self.cleaned_data
        }

    def missing(self) -> list[int]:
        """Return the numbers of the questions without a valid choice."""
        return [pick.number for pick in self.picks if pick.name in self.errors]


def count_options(question: DesignQuestion, *, mode: str) -> int:
    is_outcome = mode == Survey.Mode.HAND
    return len(question.mechanism.reports if is_outcome else question.choices)
