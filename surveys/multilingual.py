"""Files of content whose texts have several languages."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import get_language


def choose_texts(parsed: Any, language: str = "") -> Any:
    """Return a parsed file with its texts in one language, by default the active one.

    A text in several languages is an object such as `{"en": "Yes", "de": "Ja"}`;
    English is the fallback.
    """
    language = language or get_language() or "en"
    if isinstance(parsed, list):
        return [choose_texts(each, language) for each in parsed]
    if not isinstance(parsed, Mapping):
        return parsed
    if "en" in parsed:
        return parsed.get(language, parsed["en"])
    return {name: choose_texts(each, language) for name, each in parsed.items()}
