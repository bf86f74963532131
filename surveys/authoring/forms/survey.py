from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.files.definition import SURVEY_FIELDS
from surveys.models import Survey, Visitor
from surveys.words.numbers import grouped

LONGEST_TEXT = 4_000
"""Characters; nobody reads more, and the first page has to stay below 30 KB."""

CALENDAR = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
"""The browser's own, which reads and writes this one format."""

SELDOM_CHANGED = ("organiser", "contact", "language")


class SurveyForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = Survey
        fields = SURVEY_FIELDS
        labels = {"slug": gettext_lazy("Address")}
        help_texts = {
            "slug": gettext_lazy(
                "The last part of the survey's link, /s/…/. Empty: made from the title."
            )
        }
        widgets = {
            "purpose": forms.Textarea(attrs={"rows": 3}),
            "consent": forms.Textarea(attrs={"rows": 3}),
            "closes_on": CALENDAR,
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})
        if self.instance.pk is None and "language" in self.initial:
            # Its questions begin with the wordings of the same language.
            self.instance.language = self.initial["language"]
        # A page for reading has no fields.
        if "slug" in self.fields:
            self.fields["slug"].required = False

    def clean_purpose(self) -> str:
        return self.short_enough("purpose")

    def clean_consent(self) -> str:
        return self.short_enough("consent")

    def short_enough(self, name: str) -> str:
        text: str = self.cleaned_data[name]
        if len(text) > LONGEST_TEXT:
            raise forms.ValidationError(
                _("At most %(most)s characters; these are %(count)s.")
                % {"most": grouped(LONGEST_TEXT), "count": grouped(len(text))}
            )
        return text

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if not cleaned.get("slug") and "slug" not in self.errors:
            cleaned["slug"] = Survey.objects.free_slug(cleaned.get("title", ""))
        return cleaned


def as_last_time(user: Visitor) -> dict[str, str]:
    """Return what seldom changes from one survey of a researcher to the next."""
    last = Survey.objects.listed().filter(owner=user.pk, is_simulated=False)
    return last.order_by("-id").values(*SELDOM_CHANGED).first() or {}
