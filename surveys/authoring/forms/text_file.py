from typing import Any

from django import forms
from django.utils.translation import gettext as _


class MemoryFile(forms.FileField):
    """A file that is read in memory alone; what comes of it is what is in it."""

    def __init__(
        self, *, most_bytes: int, size: str, accept: str, **options: Any
    ) -> None:
        widget = forms.FileInput(attrs={"accept": accept})
        super().__init__(widget=widget, **options)
        self.most_bytes = most_bytes
        self.size = size
        """`most_bytes` in words."""

    def clean(self, data: Any, initial: Any = None) -> Any:
        file = super().clean(data, initial)
        if not file:
            return b""
        content: bytes = file.read(self.most_bytes + 1)
        if len(content) > self.most_bytes:
            text = _("The file is larger than %s.") % self.size
            raise forms.ValidationError(text)
        return content


class TextFile(MemoryFile):
    """One of UTF-8; what comes of it is its text."""

    def clean(self, data: Any, initial: Any = None) -> str:
        content: bytes = super().clean(data, initial)
        try:
            return content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            text = _("The file must be UTF-8; byte %d is not.") % error.start
            raise forms.ValidationError(text) from error
