from functools import cached_property
from typing import Any

from django import forms
from django.core.validators import MaxLengthValidator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.authoring.forms.fields import (
    TypedDecimal,
    TypedInteger,
    make_decimal_errors,
    make_integer_errors,
)
from surveys.files.definition import SURVEY_FIELDS
from surveys.models import Survey, Visitor
from surveys.models.panel import MAX_BUDGET, MIN_BUDGET
from surveys.models.period import (
    MAX_BATCH_SIZE,
    MAX_LINKS_PER_REQUEST,
    MAX_MARGIN,
    MAX_TARGET,
    MIN_MARGIN,
)
from surveys.models.survey import UNTITLED
from surveys.text.explanations import describe_closing
from surveys.thresholds import MIN_BATCH_SIZE

MAX_TEXT_LENGTH = 4_000
"""Characters: respondents read no more, and the first page stays below 32 KB."""

CALENDAR = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
"""The browser's date input, which reads and writes only this format."""

WRONG_PLANS = {
    "target": make_integer_errors(1, MAX_TARGET),
    "wanted_margin": make_decimal_errors(MIN_MARGIN, MAX_MARGIN, decimals=2),
}
"""Error messages for impossible plans, in all forms that have these fields."""


OPTIONAL_IN_DRAFTS = {"title", "slug", "organiser"}
"""Required for opening a survey, but not for saving a draft."""

SCRIPT_INPUTS = {"version", "becomes", "made_address"}


class SurveyForm(forms.ModelForm):  # type: ignore[type-arg]
    # The version of the draft that was loaded or confirmed last, then those that the
    # page tried to save since without an answer. Browsers must not restore them.
    version = forms.RegexField(
        r"\A[0-9]+( [0-9]+)*\Z",
        required=False,
        widget=forms.HiddenInput(attrs={"autocomplete": "off"}),
    )
    # The version that a script gives to its save, to recognise it later.
    becomes = forms.IntegerField(
        required=False,
        min_value=2**24,
        max_value=2**25 - 1,
        widget=forms.HiddenInput,
    )
    # The address that a script made from the title, if no other was typed.
    made_address = forms.CharField(required=False, widget=forms.HiddenInput)

    class Meta:
        model = Survey
        fields = SURVEY_FIELDS
        labels = {"slug": gettext_lazy("Address")}
        widgets = {
            "purpose": forms.Textarea(attrs={"rows": 3}),
            "consent": forms.Textarea(attrs={"rows": 3}),
            "holder_key": forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}),
            "closes_on": CALENDAR,
            # The widgets of the admin would accept digits only.
            "target": TypedInteger.widget,
            "batch_size": TypedInteger.widget,
            "least_links": TypedInteger.widget,
        }
        field_classes = {
            "target": TypedInteger,
            "batch_size": TypedInteger,
            "least_links": TypedInteger,
            "wanted_margin": TypedDecimal,
            "panel_budget": TypedDecimal,
        }
        error_messages = {
            **WRONG_PLANS,
            "panel_budget": make_decimal_errors(MIN_BUDGET, MAX_BUDGET, decimals=2),
            "batch_size": make_integer_errors(MIN_BATCH_SIZE, MAX_BATCH_SIZE),
            "least_links": make_integer_errors(1, MAX_LINKS_PER_REQUEST),
            "slug": {
                "invalid": gettext_lazy("Only a to z, digits, hyphens and underscores.")
            },
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})
        if self.instance.pk is None and "language" in self.initial:
            # The labels of its first questions are in this language.
            self.instance.language = self.initial["language"]
        # A read-only page has no fields.
        for name in OPTIONAL_IN_DRAFTS & self.fields.keys():
            self.fields[name].required = False
        for name in {"purpose", "consent"} & self.fields.keys():
            self.fields[name].validators.append(MaxLengthValidator(MAX_TEXT_LENGTH))
        if "title" in self.fields:
            self.fields["title"].widget.attrs["placeholder"] = _(UNTITLED)
        self.fields["version"].initial = self.instance.version
        planned = {"pinned_level": Survey.Level, "pinned_method": Survey.Method}
        for name in planned.keys() & self.fields.keys():
            choices = [("", _("Not planned")), *planned[name].choices]
            self.fields[name].choices = choices  # type: ignore[attr-defined]
        if "epsilon_reason" in self.fields:
            # CSS recognises an empty input, which may be hidden, by its placeholder.
            self.fields["epsilon_reason"].widget.attrs["placeholder"] = " "
        if "closes_at_target" in self.fields:
            survey = Survey(
                target=self.instance.target,
                batch_size=self.instance.batch_size,
                closes_at_target=True,
            )
            self.fields["closes_at_target"].help_text = describe_closing(survey)

    @cached_property
    def changed_data(self) -> list[str]:
        """Changed inputs without those that scripts add."""
        return [name for name in super().changed_data if name not in SCRIPT_INPUTS]

    def clean_version(self) -> str:
        """Refuse an outdated page that was not merged: surveys/authoring/admin.py.

        Programs that post without having read a page send no version.
        """
        versions: str = self.cleaned_data["version"]
        stored = str(self.instance.version)
        if self.instance.pk and stored not in (versions.split() or [stored]):
            raise forms.ValidationError(_("The draft was changed meanwhile."))
        return versions

    def clean_title(self) -> str:
        return self.cleaned_data["title"] or _(UNTITLED)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if "slug" not in self.errors:
            cleaned["slug"] = self.choose_address(cleaned)
        return cleaned

    def choose_address(self, cleaned: dict[str, Any]) -> str:
        slug, others = cleaned["slug"], Survey.objects.exclude(pk=self.instance.pk)
        if not slug:
            return others.find_free_slug(cleaned.get("title", ""))
        if not others.filter(slug=slug).exists():
            return str(slug)
        free = others.find_free_slug(slug)
        if slug == cleaned.get("made_address"):
            return free
        text = _("Another survey has this address. “%s” is free.")
        raise forms.ValidationError({"slug": text % free})


def find_last_language(user: Visitor) -> str | None:
    """Return the language of a researcher's last survey, if there is one.

    Nothing else is carried over: respondents would read the organiser of another
    survey, and opening would freeze it.
    """
    last = Survey.objects.listed().filter(owner=user.pk, is_simulated=False)
    return last.order_by("-id").values_list("language", flat=True).first()
