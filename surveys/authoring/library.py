"""Texts to start from: sensitive questions, and a consent text."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings

from surveys.multilingual import choose_texts

FILE = Path(__file__).with_name("library.json")


@cache
def read_library() -> dict[str, Any]:
    parsed: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
    return parsed


@dataclass(frozen=True)
class Wording:
    """A question of the library in one language."""

    text: str
    choices: tuple[str, ...]


def list_wordings() -> dict[str, dict[str, Any]]:
    """Return what static/js/authoring/library.js fills in, by key and language."""
    return {
        f"{field['name']}.{question['name']}": {
            language: asdict(choose_wording(question, language))
            for language, _name in settings.LANGUAGES
        }
        for field in read_library()["fields"]
        for question in field["questions"]
    }


def choose_wording(question: Mapping[str, Any], language: str) -> Wording:
    worded = choose_texts(question, language)
    return Wording(worded["text"], tuple(worded.get("choices", ())))


def list_library() -> list[dict[str, Any]]:
    fields: list[dict[str, Any]] = choose_texts(read_library()["fields"])
    return fields


def find_wording(key: str, language: str) -> Wording | None:
    """Return the question that an address like ?template=health.doping names."""
    place, _dot, name = key.partition(".")
    for field in read_library()["fields"]:
        for question in field["questions"]:
            if (field["name"], question["name"]) == (place, name):
                return choose_wording(question, language)
    return None


def suggest_consent(*, title: str, organiser: str, contact: str, language: str) -> str:
    """Return a text in Markdown; the page shows Candor's own promises above it."""
    consent = choose_texts(read_library()["consent"], language)
    given = {"title": title, "organiser": organiser, "contact": contact}
    filled = {
        name: typed.strip() or consent["placeholders"][name]
        for name, typed in given.items()
    }
    return str(consent["text"] % filled).strip()
