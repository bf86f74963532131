"""The texts of a survey in languages other than its main one."""

from collections.abc import Iterable, Mapping, Sequence
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
"""Names and addresses, which are shown in the original if they are not translated."""

Translations = Mapping[str, Mapping[str, Any]]
"""The texts of a survey or a question: {language: {name of the field: text}}."""


def select_translations(
    stored: Translations, languages: Iterable[str], originals: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    """Return, for each language, the translations of all texts that are not empty."""
    return {
        language: {
            name: translated
            for name, original in originals.items()
            if original
            and (translated := stored.get(language, {}).get(name))
            and (name != CHOICES or is_complete(translated, original))
        }
        for language in languages
    }


def is_complete(translated: Sequence[str], labels: Sequence[str]) -> bool:
    return len(translated) == len(labels) and all(translated)


def follow_labels(
    stored: Translations, before: Sequence[str], after: Sequence[str]
) -> Translations:
    """Return the translations with those of the answers in the new order.

    A translation belongs to its label: by position it could translate another answer.
    Answers without a translation get an empty text.
    """
    followed = {}
    for language, texts in stored.items():
        translated = texts.get(CHOICES, ())
        # If the numbers differ, these translations belong to former answers.
        is_whole = len(translated) == len(before)
        known = dict(zip(before, translated, strict=True)) if is_whole else {}
        labels = [known.get(label, "") for label in after]
        rest = {name: text for name, text in texts.items() if name != CHOICES}
        followed[language] = {**rest, CHOICES: labels} if any(labels) else rest
    return followed


def find_untranslated(
    selected: Mapping[str, Any], originals: Mapping[str, Any]
) -> list[str]:
    return [
        name
        for name, original in originals.items()
        if original and name not in selected and name not in NAMES
    ]
