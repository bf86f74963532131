"""Sentences stored as data, so that each reader gets them in the reader's language.

A text translated when it is written stays in its author's language.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from django.utils.formats import number_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from candor import messages
from candor.messages import Message
from surveys.lists import join_texts


@dataclass(frozen=True)
class Sentence:
    """Source text and what fills its blanks.

    A blank takes a text, a whole number, a sentence, or a list of sentences.
    """

    words: str
    blanks: Mapping[str, Any] = field(default_factory=dict)
    plural: str = ""
    """The words for other numbers than one, where "count" is a blank."""

    def __str__(self) -> str:
        words = (
            ngettext(self.words, self.plural, self.blanks["count"])
            if self.plural
            else translate_text(self.words)
        )
        return words % {name: format_blank(each) for name, each in self.blanks.items()}

    def to_json(self) -> dict[str, Any]:
        blanks = {name: serialize_blank(each) for name, each in self.blanks.items()}
        plural = {"of_many": self.plural} if self.plural else {}
        return {"said": self.words, **plural, "blanks": blanks}

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> Self:
        blanks = {name: cls.read(each) for name, each in kept["blanks"].items()}
        return cls(kept["said"], blanks, kept.get("of_many", ""))

    @classmethod
    def read(cls, kept: Any) -> Any:
        if isinstance(kept, list):
            return [cls.read(each) for each in kept]
        return cls.from_json(kept) if isinstance(kept, dict) else kept


def translate_text(words: str) -> str:
    """Return the words in the language at hand.

    Forms begin the names of fields, which are marked without, with a capital letter.
    """
    if (found := _(words)) != words:
        return found
    unlabelled = words[:1].lower() + words[1:]
    return words if (found := _(unlabelled)) == unlabelled else capfirst(found)


def make_sentence(words: str, /, **blanks: Any) -> Sentence:
    """Mark the words for translation, and fill their blanks."""
    return Sentence(words, blanks)


def make_plural_sentence(
    one: str, many: str, /, *, count: int, **blanks: Any
) -> Sentence:
    """Mark a singular and a plural for translation, and fill their blanks."""
    return Sentence(one, {"count": count, **blanks}, many)


def translate(message: Message) -> str:
    """Return a message of the library in the language at hand."""
    return str(Sentence(message.words, message.blanks))


messages.translate_with(translate)


def format_blank(blank: Any) -> str:
    if isinstance(blank, list):
        return join_texts([str(each) for each in blank], _("and"))
    is_number = isinstance(blank, int)
    return number_format(blank, force_grouping=True) if is_number else str(blank)


def serialize_blank(blank: Any) -> Any:
    if isinstance(blank, list):
        return [serialize_blank(each) for each in blank]
    return blank.to_json() if isinstance(blank, Sentence) else blank
