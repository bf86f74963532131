"""Sentences stored as data, so that each reader gets them in the reader's language.

A text that is translated when it is stored would stay in its author's language.
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
    """A source text and the values of its blanks.

    A blank takes a text, a whole number, a sentence, or a list of sentences.
    """

    text: str
    blanks: Mapping[str, Any] = field(default_factory=dict)
    plural: str = ""
    """The source text for numbers other than one, given by the blank "count"."""

    def __str__(self) -> str:
        text = (
            ngettext(self.text, self.plural, self.blanks["count"])
            if self.plural
            else translate_text(self.text)
        )
        return text % {name: format_blank(each) for name, each in self.blanks.items()}

    def to_json(self) -> dict[str, Any]:
        blanks = {name: serialize_blank(each) for name, each in self.blanks.items()}
        plural = {"of_many": self.plural} if self.plural else {}
        return {"said": self.text, **plural, "blanks": blanks}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        blanks = {name: cls.read(each) for name, each in stored["blanks"].items()}
        return cls(stored["said"], blanks, stored.get("of_many", ""))

    @classmethod
    def read(cls, stored: Any) -> Any:
        if isinstance(stored, list):
            return [cls.read(each) for each in stored]
        return cls.from_json(stored) if isinstance(stored, dict) else stored


def translate_text(text: str) -> str:
    """Return the text in the active language.

    Labels of forms begin with a capital letter, the field names in catalogues do not.
    """
    if (found := _(text)) != text:
        return found
    unlabelled = text[:1].lower() + text[1:]
    return text if (found := _(unlabelled)) == unlabelled else capfirst(found)


def make_sentence(text: str, /, **blanks: Any) -> Sentence:
    """Mark a text for translation, and fill its blanks."""
    return Sentence(text, blanks)


def make_plural_sentence(
    one: str, many: str, /, *, count: int, **blanks: Any
) -> Sentence:
    """Mark a singular and a plural for translation, and fill their blanks."""
    return Sentence(one, {"count": count, **blanks}, many)


def translate(message: Message) -> str:
    """Return a message of the library in the active language."""
    return str(Sentence(message.text, message.values))


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
