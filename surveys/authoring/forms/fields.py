"""Form fields for files, and error messages of fields for numbers."""

from decimal import Decimal
from typing import Any

from django import forms
from django.utils.formats import number_format
from django.utils.functional import lazy
from django.utils.translation import gettext as _

from surveys.numbers import format_integer
from surveys.typed_numbers import normalise_integer, normalise_number


def make_integer_errors(low: int, high: int) -> dict[str, str]:
    text = lazy(ask_for_whole, str)(low, high)
    return dict.fromkeys(("invalid", "min_value", "max_value"), text)


def ask_for_whole(low: int, high: int) -> str:
    shown = {"low": format_integer(low), "high": format_integer(high)}
    return _("Enter a whole number from %(low)s to %(high)s.") % shown


def make_decimal_errors(
    low: Decimal | int, high: Decimal | int, *, decimals: int
) -> dict[str, str]:
    text = lazy(ask_for_decimals, str)(low, high, decimals)
    digits = ("max_digits", "max_whole_digits", "max_decimal_places")
    return dict.fromkeys(("invalid", "min_value", "max_value", *digits), text)


def ask_for_decimals(low: Decimal | int, high: Decimal | int, decimals: int) -> str:
    text = _("Enter a number from %(low)s to %(high)s, with %(most)s decimals at most.")
    return text % {
        "low": number_format(low),
        "high": number_format(high),
        "most": decimals,
    }


class TypedDecimal(forms.DecimalField):
    # A number input silently drops a comma in an English browser.
    widget = forms.TextInput(attrs={"inputmode": "decimal"})

    def to_python(self, value: Any) -> Any:
        return super().to_python(
            normalise_number(value) if isinstance(value, str) else value
        )

    def prepare_value(self, value: Any) -> Any:
        """Return 5 as it was typed, not 5.00 as the database returns it."""
        is_number = isinstance(value, Decimal) and value.is_finite()
        return f"{value.normalize():f}" if is_number else value


class TypedInteger(forms.IntegerField):
    widget = forms.TextInput(attrs={"inputmode": "numeric"})

    def to_python(self, value: Any) -> Any:
        is_text = isinstance(value, str)
        return super().to_python(normalise_integer(value) if is_text else value)


class MemoryFile(forms.FileField):
    """A file that is read in memory only; the cleaned value is its content."""

    def __init__(
        self, *, most_bytes: int, size: str, accept: str, **options: Any
    ) -> None:
        widget = forms.FileInput(attrs={"accept": accept})
        super().__init__(widget=widget, **options)
        self.most_bytes = most_bytes
        self.size = size
        """`most_bytes` as text, such as "1 MB"."""

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
    """A UTF-8 file; the cleaned value is its text."""

    def clean(self, data: Any, initial: Any = None) -> str:
        content: bytes = super().clean(data, initial)
        try:
            return content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            text = _("The file must be UTF-8; byte %d is not.") % error.start
            raise forms.ValidationError(text) from error
