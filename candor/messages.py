"""Messages with separate values, so that an application can translate them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Message:
    """A message in the language of the sources, and the values of its placeholders.

    A value is a text, a whole number or a message.
    """

    text: str
    values: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return translation(self)


def translatable(text: str, /, **values: Any) -> Message:
    """Return a message; marks its text for translation."""
    return Message(text, values)


def fill_placeholders(message: Message) -> str:
    """Return the untranslated text with its values."""
    shown = {
        name: f"{value:,}" if isinstance(value, int) else str(value)
        for name, value in message.values.items()
    }
    return message.text % shown


translation: Callable[[Message], str] = fill_placeholders


def translate_with(function: Callable[[Message], str]) -> None:
    """Use an application's function to translate messages."""
    global translation
    translation = function
