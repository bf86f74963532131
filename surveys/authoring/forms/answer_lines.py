"""The wordings of several answers, typed one per line."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.models import Choice


class AnswerLines(forms.CharField):
    """Lines, blank ones and space around left out; browsers end them in another way."""

    def __init__(self, labels: Sequence[str], *, usual: Sequence[str]) -> None:
        shown = {"rows": 4, "placeholder": "\n".join(usual)}
        super().__init__(
            widget=forms.Textarea(attrs=shown),
            label=gettext_lazy("Answers, one per line"),
            initial="\n".join(labels),
            help_text=gettext_lazy(
                "“Prefer not to answer” is scrambled like the others, so nobody can "
                "tell who chose it. Leave it out where everybody can answer."
            ),
            required=False,
        )

    def to_python(self, value: Any) -> str:
        lines = (line.strip() for line in (value or "").splitlines())
        return "\n".join(line for line in lines if line)


def problem_of(labels: Sequence[str]) -> str | None:
    """Return what is wrong with the wordings of one question's answers, if anything."""
    longest = Choice._meta.get_field("label").max_length or 0
    if any(len(label) > longest for label in labels):
        return _("An answer has at most %d characters.") % longest
    if len(set(labels)) < len(labels):
        return _("The answers need different wordings.")
    return None
