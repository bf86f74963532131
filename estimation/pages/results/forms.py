"""What a reader of results may choose."""

from collections.abc import Mapping
from typing import Any, Self

from django import forms
from django.utils.functional import Promise, lazy
from django.utils.translation import gettext_lazy as _

from candor.intervals import DEFAULT_CONFIDENCE_LEVEL, DEFAULT_METHOD
from estimation.presentation.methods import METHODS
from estimation.rows.assumptions import Supposed
from surveys.authoring.forms.fields import TypedInteger, make_integer_errors
from surveys.models import Survey
from surveys.models.period import LARGEST_TARGET
from surveys.text.numbers import format_percent

LEVEL_CHOICES = [
    (level, lazy(format_percent, str)(level, trimmed=True))
    for level in (0.8, 0.9, 0.95, 0.99, 0.999)
]
METHOD_CHOICES = [(name, method.label) for name, method in METHODS.items()]


def offered_methods(chosen: object) -> list[tuple[str, Promise]]:
    """Return the methods that a page offers, and one that its address asks for.

    By their short names, which fit a phone; what they hold is told beside the results.
    """
    return [
        (name, _(method.public_label))
        for name, method in METHODS.items()
        if method.is_offered or name == chosen
    ]


EACH, TOGETHER = "each", "together"
"""Whether the level holds for each interval of a question, or for all of them."""


class ChoiceForm(forms.Form):
    """A choice; what an address leaves out has its default."""

    DEFAULTS: Mapping[str, object] = {}

    def __init__(self, chosen: Mapping[str, object]) -> None:
        super().__init__({**self.DEFAULTS, **chosen}, label_suffix="")


class IntervalForm(ChoiceForm):
    """Method and confidence level."""

    DEFAULTS = {
        "confidence_level": DEFAULT_CONFIDENCE_LEVEL,
        "method": DEFAULT_METHOD,
    }

    confidence_level = forms.TypedChoiceField(
        label=_("Confidence level"), choices=LEVEL_CHOICES, coerce=float
    )
    method = forms.ChoiceField(label=_("Method"), choices=METHOD_CHOICES)

    def __init__(self, chosen: Mapping[str, object]) -> None:
        super().__init__(chosen)
        # Every method is taken from an address; the list to choose from is shorter.
        widget = self.fields["method"].widget
        widget.choices = offered_methods(self.data["method"])

    @classmethod
    def of(cls, survey: Survey, chosen: Mapping[str, object]) -> Self:
        """Return the form of a survey: it begins with what was planned for it."""
        return cls({**survey.planned_interval, **chosen})

    @property
    def interval(self) -> dict[str, Any]:
        """Arguments of the intervals that are shown."""
        return {name: self.cleaned_data[name] for name in IntervalForm.DEFAULTS}


class ResultsForm(IntervalForm):
    """The same of questions each by itself, which may have several answers."""

    DEFAULTS = {**IntervalForm.DEFAULTS, "intervals": EACH}

    intervals = forms.ChoiceField(
        label=_("Several answers"),
        choices=[
            (EACH, _("Each interval by itself")),
            (TOGETHER, _("All intervals of a question together")),
        ],
    )

    @property
    def interval(self) -> dict[str, Any]:
        """Arguments of the results that are shown."""
        is_together = self.cleaned_data["intervals"] == TOGETHER
        return {**super().interval, "simultaneous": is_together}

    @property
    def query(self) -> dict[str, Any]:
        """What an address says of the choice; that each is by itself goes without."""
        chosen = {name: self.cleaned_data[name] for name in ResultsForm.DEFAULTS}
        if chosen["intervals"] == EACH:
            del chosen["intervals"]
        return chosen


class SupposingForm(ResultsForm):
    """What results tell if something is supposed of who answered."""

    forged = TypedInteger(
        label=_("Forged reports, at most"),
        required=False,
        min_value=0,
        max_value=LARGEST_TARGET,
        widget=TypedInteger.widget(attrs={"size": 6}),
        error_messages=make_integer_errors(0, LARGEST_TARGET),
    )
    is_census = forms.BooleanField(label=_("These are all of them"), required=False)

    @property
    def supposed(self) -> Supposed:
        """What is supposed."""
        return Supposed(
            is_census=self.cleaned_data["is_census"],
            forged=self.cleaned_data["forged"] or 0,
        )
