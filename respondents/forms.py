import json
from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _

from surveys.design import Design

MAX_BODY_BYTES = 4096
"""A submission of 200 questions takes about 560."""

KEYS = {"design", "submission", "reports"}


class MalformedSubmissionError(Exception):
    """The body is not the JSON object of docs/protocol.md."""


class Hexadecimal(forms.CharField):
    """Lower-case hexadecimal text of a fixed length."""

    def __init__(self, digits: int, name: str) -> None:
        message = _("%(name)s must be %(digits)s hexadecimal digits (0-9, a-f).") % {
            "name": name,
            "digits": digits,
        }
        super().__init__(
            strip=False,
            error_messages={"required": message},
            validators=[RegexValidator(rf"\A[0-9a-f]{{{digits}}}\Z", message)],
        )


class SubmissionForm(forms.Form):
    """What a browser sends: see docs/protocol.md."""

    def __init__(self, design: Design, data: dict[str, Any]) -> None:
        super().__init__(data)
        self.design = design
        self.fields["design"] = Hexadecimal(64, "design")
        self.fields["submission"] = Hexadecimal(32, "submission")
        self.fields["reports"] = Hexadecimal(2 * len(design.questions), "reports")

    def clean_reports(self) -> bytes:
        pattern = bytes.fromhex(self.cleaned_data["reports"])
        if not self.design.accepts(pattern):
            raise forms.ValidationError(
                _("reports must name, for every question, a report of its table.")
            )
        return pattern


def read_submission(body: bytes) -> dict[str, str]:
    """Return the three fields of a submission as text.

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
    if not isinstance(submission, dict) or submission.keys() != KEYS:
        raise MalformedSubmissionError
    if not all(isinstance(value, str) for value in submission.values()):
        raise MalformedSubmissionError
    return submission


def unique(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) != len(pairs):
        raise MalformedSubmissionError
    return dict(pairs)


class Pick(forms.Field):
    """One of a few labels, read by table look-up; no error ever holds the value."""

    default_error_messages = {"required": _("Choose one.")}

    def __init__(self, labels: Sequence[str]) -> None:
        super().__init__()
        self.labels = labels
        self.positions = {str(position): position for position in range(len(labels))}

    def clean(self, value: object) -> int:
        position = self.positions.get(value) if isinstance(value, str) else None
        if position is None:
            raise forms.ValidationError(self.error_messages["required"], "required")
        return position


class PlainForm(forms.Form):
    """Modes server and hand: one radio group per question, without JavaScript.

    Mode server asks for answers, mode hand for reports; neither is ever shown again.
    """

    def __init__(
        self, design: Design, labels: Sequence[Sequence[str]], data: Any = None
    ) -> None:
        super().__init__(data)
        self.fields["submission"] = Hexadecimal(32, "submission")
        for number, options in enumerate(labels, start=1):
            self.fields[f"q{number}"] = Pick(options)
        self.count = len(design.questions)

    def picked(self) -> list[int]:
        """Return the chosen positions in the order of the questions."""
        return [self.cleaned_data[f"q{n}"] for n in range(1, self.count + 1)]
