"""The wordings of several answers, typed one per line."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy


class AnswerLines(forms.CharField):
    """Lines, blank ones and space around left out; browsers end them in another way."""

    def __init__(
        self,
        *,
        usual: Sequence[str],
        is_scrambled: bool,
        is_pair: bool = False,
    ) -> None:
        shown = {"rows": 4, "placeholder": "\n".join(usual)}
        super().__init__(
            widget=forms.Textarea(attrs=shown),
            label=gettext_lazy("Answers, one per line"),
            initial="",
            help_text=gettext_lazy(
                "Four, in this order: yes to both questions, only to the first, only "
                "to the second, to neither."
            )
            if is_pair
            else gettext_lazy(
                "“Prefer not to answer” is scrambled like the others, so nobody can "
                "tell who chose it. Leave it out where everybody can answer."
            )
            if is_scrambled
            else gettext_lazy(
                "Few and broad groups: together with other background questions, a "
                "narrow one can point at a person."
            ),
            required=False,
        )

    def to_python(self, value: Any) -> str:
        lines = (line.strip() for line in (value or "").splitlines())
        return "\n".join(line for line in lines if line)
