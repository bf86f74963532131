"""Default labels of answers, in the language of a survey."""

from collections.abc import Sequence

from django.utils import translation
from django.utils.translation import gettext as _

DEFAULT_LABELS = ("Yes", "No", "Prefer not to answer")


def get_default_labels(language: str) -> tuple[str, ...]:
    with translation.override(language):
        return tuple(_(label) for label in DEFAULT_LABELS)


def find_decline_answer(labels: Sequence[str], language: str) -> int | None:
    """Return the last position if its label is the default "Prefer not to answer"."""
    if len(labels) <= 2:
        return None
    usual = {get_default_labels(each)[-1].casefold() for each in (language, "en")}
    return len(labels) - 1 if labels[-1].strip().casefold() in usual else None


def add_decline_answer(labels: Sequence[str], language: str) -> tuple[str, ...]:
    usual = get_default_labels(language)[-1]
    if labels[-1] == usual or find_decline_answer(labels, language) is not None:
        return tuple(labels)
    return (*labels, usual)
