from typing import Any

from django import forms
from django.utils.translation import gettext as _


class TextFile(forms.FileField):
    """A file of UTF-8, read in memory alone; what comes of it is its text."""

    def __init__(
        self, *, most_bytes: int, size: str, accept: str, **options: Any
    ) -> None:
        widget = forms.FileInput(attrs={"accept": accept})
        super().__init__(widget=widget, **options)
        self.most_bytes = most_bytes
        self.size = size
        """`most_bytes` in words."""

    def clean(self, data: Any, initial: Any = None) -> str:
        content: bytes = super().clean(data, initial).read(self.most_bytes + 1)
        if len(content) > self.most_bytes:
            told = _("The file is larger than %s.") % self.size
            raise forms.ValidationError(told)
        try:
            return content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            told = _("The file must be UTF-8; byte %d is not.") % error.start
            raise forms.ValidationError(told) from error
