"""Messages with separate values, so that an application can translate them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Message:
    """A message in the language of the sources, and the values of its placeholders.

    A value is a text, a whole number or a message.
    """

    words: str
    blanks: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return translation(self)


def said(words: str, /, **blanks: Any) -> Message:
    """Return a message; marks its text for translation."""
    return Message(words, blanks)


def fill_placeholders(message: Message) -> str:
    """Return the untranslated text with its values."""
    shown = {
        name: f"{blank:,}" if isinstance(blank, int) else str(blank)
        for name, blank in message.blanks.items()
    }
    return message.words % shown


translation: Callable[[Message], str] = fill_placeholders


def translate_with(function: Callable[[Message], str]) -> None:
    """Use an application's function to translate messages."""
    global translation
    translation = function
