"""What a reader of results may choose."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from estimation.charts.style import THEMES, WIDTHS
from estimation.maths.intervals import DEFAULT_CONFIDENCE_LEVEL, DEFAULT_METHOD, METHODS

CONFIDENCE_LEVELS = (0.8, 0.9, 0.95, 0.99, 0.999)


class ResultsForm(forms.Form):
    """Method and confidence level; what an address leaves out has its default."""

    DEFAULTS: Mapping[str, object] = {
        "confidence_level": DEFAULT_CONFIDENCE_LEVEL,
        "method": DEFAULT_METHOD,
    }

    confidence_level = forms.TypedChoiceField(
        label=_("Confidence level"),
        choices=[(level, f"{100 * level:g} %") for level in CONFIDENCE_LEVELS],
        coerce=float,
    )
    method = forms.ChoiceField(label=_("Method"), choices=list(METHODS.items()))

    def __init__(self, chosen: Mapping[str, object]) -> None:
        super().__init__({**self.DEFAULTS, **chosen}, label_suffix="")


class DrawingForm(forms.Form):
    """Which drawing of a published result; everything else was chosen before."""

    DEFAULTS = {"theme": "light", "size": "wide"}

    theme = forms.ChoiceField(choices=[(name, name) for name in THEMES])
    size = forms.ChoiceField(choices=[(name, name) for name in WIDTHS])

    def __init__(self, chosen: Mapping[str, object]) -> None:
        super().__init__({**self.DEFAULTS, **chosen})


class ChartForm(ResultsForm):
    """Which drawing of a result."""

    DEFAULTS = {**ResultsForm.DEFAULTS, "theme": "light", "size": "wide"}

    theme = forms.ChoiceField(choices=[(name, name) for name in THEMES])
    size = forms.ChoiceField(choices=[(name, name) for name in WIDTHS])

    @property
    def drawing(self) -> dict[str, Any]:
        """Arguments of the drawing."""
        return {name: self.cleaned_data[name] for name in ("theme", "size")}

    @property
    def interval(self) -> dict[str, Any]:
        """Arguments of the results that are drawn."""
        return {name: self.cleaned_data[name] for name in ResultsForm.DEFAULTS}
