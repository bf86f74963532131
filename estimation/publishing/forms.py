"""What the owner of a survey chooses to publish."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from estimation.models import Publication
from estimation.results.forms import LEVEL_CHOICES, METHOD_CHOICES, offered_methods
from estimation.results.result import QuestionResult


class PublicationForm(forms.ModelForm):  # type: ignore[type-arg]
    """Texts, questions and intervals of the public page."""

    questions = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Questions to show"),
        coerce=int,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": gettext_lazy("Choose at least one question.")},
    )
    confidence_level = forms.TypedChoiceField(
        label=gettext_lazy("Confidence level"),
        choices=LEVEL_CHOICES,
        coerce=float,
    )
    method = forms.ChoiceField(
        label=gettext_lazy("Method"),
        choices=METHOD_CHOICES,
        help_text=gettext_lazy(
            "Choose before you look at the results; the default is a good choice."
        ),
    )

    class Meta:
        """The fields, in their order."""

        model = Publication
        fields = ("headline", "note", "questions", "confidence_level", "method")
        widgets = {"note": forms.Textarea(attrs={"rows": 5})}

    def __init__(
        self,
        posted: Mapping[str, Any] | None,
        *,
        publication: Publication,
        publishable: Sequence[QuestionResult],
    ) -> None:
        if not publication.is_stored:
            # What was asked is shown unless somebody decides otherwise.
            publication.questions = [question.number for question in publishable]
        super().__init__(posted, instance=publication, label_suffix="")
        # One that was chosen before stays, even if it is no longer offered.
        methods = offered_methods(publication.method)
        self.fields["method"].widget.choices = methods
        self.fields["questions"].choices = [  # type: ignore[attr-defined]
            (question.number, f"{question.number}. {question.text}")
            for question in publishable
        ]


class SwitchForm(forms.Form):
    """Whether the page shall be public."""

    is_public = forms.TypedChoiceField(
        choices=[("on", "on"), ("off", "off")], coerce=lambda value: value == "on"
    )
