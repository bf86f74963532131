"""A library of sensitive questions, worded to be copied and then made one's own.

The sentences are ours; only topics have sources. A test holds them to the hints that
researchers get for their own questions.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.authoring.library import conduct, health, study, work
from surveys.authoring.library.template import QuestionTemplate

FIELDS = {
    "health": (gettext_lazy("Health"), health.TEMPLATES),
    "work": (gettext_lazy("Work"), work.TEMPLATES),
    "study": (gettext_lazy("Study and research"), study.TEMPLATES),
    "conduct": (gettext_lazy("Conduct"), conduct.TEMPLATES),
}


@dataclass(frozen=True)
class Wording:
    """A template in one language."""

    text: str
    choices: tuple[str, ...]


def translate_template(template: QuestionTemplate, language: str) -> Wording:
    with translation.override(language):
        return Wording(
            _(template.text), tuple(_(choice) for choice in template.choices)
        )


def list_library() -> Iterator[dict[str, Any]]:
    """Yield each field with its templates, in every language of respondents."""
    for name, (title, templates) in FIELDS.items():
        entries = [
            {
                "key": f"{name}.{template.name}",
                "template": template,
                "wordings": {
                    language: translate_template(template, language)
                    for language, _name in settings.LANGUAGES
                },
            }
            for template in templates
        ]
        yield {"name": name, "title": title, "entries": entries}


def list_wordings() -> dict[str, Any]:
    """Return what static/js/authoring/library.js fills in, by key and language."""
    return {
        entry["key"]: {
            language: asdict(wording) for language, wording in entry["wordings"].items()
        }
        for field in list_library()
        for entry in field["entries"]
    }


def find_template(key: str) -> QuestionTemplate | None:
    """Return the template that an address like ?template=health.doping names."""
    field, _dot, name = key.partition(".")
    _title, templates = FIELDS.get(field, ("", ()))
    return next((each for each in templates if each.name == name), None)
