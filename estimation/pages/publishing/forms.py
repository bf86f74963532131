"""What the owner of a survey chooses to publish."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.formats import number_format
from django.utils.functional import lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from estimation.models import Publication
from estimation.pages.results.forms import (
    LEVEL_CHOICES,
    METHOD_CHOICES,
    offered_methods,
)
from estimation.rows.shares import QuestionResult

EPSILONS = tuple(map(Decimal, ("0.25", "0.50", "1.00", "2.00", "4.00")))
"""Of a release: odds shift by a factor of e^epsilon at most."""


def describe_epsilon(epsilon: Decimal) -> str:
    """Return the choice of an epsilon in the language of the reader."""
    return _("With noise, epsilon %s") % number_format(epsilon.normalize())


with_noise = lazy(describe_epsilon, str)


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

    release_epsilon = forms.TypedChoiceField(
        label=gettext_lazy("Numbers of people"),
        choices=[
            ("", gettext_lazy("As they are")),
            *((epsilon, with_noise(epsilon)) for epsilon in EPSILONS),
        ],
        coerce=Decimal,
        empty_value=None,
        required=False,
        help_text=gettext_lazy(
            "How many took part, and every count and share. With noise, they change "
            "the odds of a guess about one person by no more than a factor: 1.3 for "
            "epsilon 0.25, 2.8 for 1, 55 for 4. It is drawn once, when you publish; "
            "intervals allow for it by a method of their own. What was public as it is "
            "stays known."
        ),
    )

    class Meta:
        """The fields, in their order."""

        model = Publication
        fields = (
            "headline",
            "note",
            "questions",
            "confidence_level",
            "method",
            "release_epsilon",
        )
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
        self.scales = {each.number for each in publishable if each.mean}
        # One that was chosen before stays, even if it is no longer offered.
        methods = offered_methods(publication.method)
        self.fields["method"].widget.choices = methods
        self.fields["questions"].choices = [  # type: ignore[attr-defined]
            (question.number, f"{question.number}. {question.text}")
            for question in publishable
        ]

    def clean(self) -> dict[str, Any]:
        """Refuse noise for means: no interval here allows for it."""
        cleaned: dict[str, Any] = super().clean() or {}
        scales = sorted(self.scales.intersection(cleaned.get("questions", ())))
        if cleaned.get("release_epsilon") and scales:
            told = _("Means are not published with noise: leave out question %s.")
            self.add_error("release_epsilon", told % scales[0])
        return cleaned

    def save(self, commit: bool = True) -> Publication:
        """Store what was chosen, and nothing else of a publication that is there.

        A release that somebody draws at this moment must not be written over.
        """
        if not commit or not self.instance.is_stored:
            return super().save(commit)
        self.instance.save(update_fields=self.Meta.fields)
        return self.instance


class ReleaseForm(forms.Form):
    """After how many releases somebody agreed to one more."""

    after = forms.IntegerField(min_value=0)


class SwitchForm(forms.Form):
    """Whether the page shall be public."""

    is_public = forms.TypedChoiceField(
        choices=[("on", "on"), ("off", "off")], coerce=lambda value: value == "on"
    )
