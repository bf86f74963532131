"""Texts to start from: sensitive questions, and a consent text.

`library.json` holds them in every language of respondents, with notes for researchers
in theirs. The sentences are ours; a source says where the topic has been asked about
with randomised answers, or by an established questionnaire.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.translation import get_language

FILE = Path(__file__).with_name("library.json")


@cache
def read_library() -> dict[str, Any]:
    parsed: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
    return parsed


def choose_text(texts: Mapping[str, str], language: str = "") -> str:
    """Return a text in a language, by default the active one; else in English."""
    return texts.get(language or get_language() or "", texts["en"])


@dataclass(frozen=True)
class Wording:
    """A question of the library in one language."""

    text: str
    choices: tuple[str, ...]


def list_wordings() -> dict[str, dict[str, Any]]:
    """Return what static/js/authoring/library.js fills in, by key and language."""
    return {
        f"{field['name']}.{question['name']}": {
            language: asdict(word(question, language))
            for language, _name in settings.LANGUAGES
        }
        for field in read_library()["fields"]
        for question in field["questions"]
    }


def word(question: Mapping[str, Any], language: str) -> Wording:
    choices = question.get("choices", {"en": ()})
    return Wording(
        choose_text(question["text"], language),
        tuple(choices.get(language, choices["en"])),
    )


def list_library() -> Iterator[dict[str, Any]]:
    """Yield each field with its questions, for the page."""
    for field in read_library()["fields"]:
        entries = [
            {
                "key": f"{field['name']}.{question['name']}",
                "text": question["text"]["en"],
                "note": choose_text(question.get("note", {"en": ""})),
                "source": question.get("source", ""),
            }
            for question in field["questions"]
        ]
        yield {"title": choose_text(field["title"]), "entries": entries}


def find_wording(key: str, language: str) -> Wording | None:
    """Return the question that an address like ?template=health.doping names."""
    found = list_wordings().get(key)
    return Wording(**found[language]) if found else None


def suggest_consent(*, title: str, organiser: str, contact: str, language: str) -> str:
    """Return a text in Markdown; what Candor promises stands above it on the page.

    What has not been typed yet appears in brackets, to be seen and filled in.
    """
    consent = read_library()["consent"]
    given = {"title": title, "organiser": organiser, "contact": contact}
    filled = {
        name: typed.strip() or choose_text(consent["placeholders"][name], language)
        for name, typed in given.items()
    }
    return (choose_text(consent["text"], language) % filled).strip()
