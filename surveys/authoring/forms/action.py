"""The base class of forms that change one survey."""

from typing import Any

from django import forms

from surveys.models import Survey


class ActionForm(forms.Form):
    def __init__(self, survey: Survey, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})
        self.survey = survey
