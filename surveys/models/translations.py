"""The texts of a survey in languages besides its main one."""

from collections.abc import Iterable, Mapping
from typing import Any

SURVEY_TEXTS = (
    "title", "organiser", "purpose", "contact", "consent", "ethics_reference",
    "results_note", "helpline", "epsilon_reason",
)  # fmt: skip
QUESTION_TEXTS = (
    "text", "innocuous_question", "hint", "helpline", "section", "section_text",
    "tick_list",
)  # fmt: skip
CHOICES = "choices"
"""A translation of all answers of a question: one label for each, in their order."""

NAMES = {"organiser", "contact", "ethics_reference"}
"""Names and addresses stay as they are where they are not translated."""

Translations = Mapping[str, Mapping[str, Any]]
"""The texts of a survey or a question: {language: {name of the field: text}}."""


def select_translations(
    stored: Translations, languages: Iterable[str], originals: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    """Return, for each language, the translations of the texts that are written."""
    return {
        language: {
            name: translated
            for name, original in originals.items()
            if original
            and (translated := stored.get(language, {}).get(name))
            and (name != CHOICES or len(translated) == len(original))
        }
        for language in languages
    }


def find_untranslated(
    selected: Mapping[str, Any], originals: Mapping[str, Any]
) -> list[str]:
    return [
        name
        for name, original in originals.items()
        if original and name not in selected and name not in NAMES
    ]
