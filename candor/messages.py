"""Messages whose blanks are kept apart, so that an application can translate them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Message:
    """Text as it is written in the sources, and what fills its blanks.

    A blank takes a text, a whole number or a message.
    """

    words: str
    blanks: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return translation(self)


def said(words: str, /, **blanks: Any) -> Message:
    """Mark the words for translation, and fill their blanks."""
    return Message(words, blanks)


def in_english(message: Message) -> str:
    """Return the words with their blanks filled."""
    shown = {
        name: f"{blank:,}" if isinstance(blank, int) else str(blank)
        for name, blank in message.blanks.items()
    }
    return message.words % shown


translation: Callable[[Message], str] = in_english


def translate_with(function: Callable[[Message], str]) -> None:
    """Let an application translate messages."""
    global translation
    translation = function
