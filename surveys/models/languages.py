"""The languages of a survey, and what is not translated yet."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.models.question import Question
from surveys.models.translations import (
    CHOICES,
    SURVEY_TEXTS,
    find_untranslated,
    select_translations,
)
from surveys.problem import Problem


def get_languages() -> list[tuple[str, str]]:
    """Return the languages of respondents' pages, by a function as for families."""
    return settings.LANGUAGES


def name_text(model: type[models.Model], name: str) -> str:
    if name == CHOICES:
        return _("answers")
    field: Any = model._meta.get_field(name)
    return str(field.verbose_name)


class Languages(models.Model):
    language = models.CharField(
        gettext_lazy("language"),
        max_length=10,
        choices=get_languages,
        default=settings.LANGUAGE_CODE,
    )
    translations = models.JSONField(default=dict, blank=True, editable=False)
    """{language: texts} for all other languages: one without texts has been added and
    is still to be translated."""

    class Meta:
        abstract = True

    @property
    def other_languages(self) -> list[str]:
        return sorted(set(self.translations) - {self.language})

    def get_originals(self) -> dict[str, str]:
        return {name: getattr(self, name) for name in SURVEY_TEXTS}

    def get_translations(self) -> dict[str, dict[str, str]]:
        originals = self.get_originals()
        return select_translations(self.translations, self.other_languages, originals)

    def find_untranslated(self, language: str) -> list[str]:
        originals = self.get_originals()
        selected = select_translations(self.translations, [language], originals)
        return find_untranslated(selected[language], originals)

    def find_language_problems(
        self, questions: Sequence[Question]
    ) -> Iterator[Problem]:
        if self.language not in dict(get_languages()):
            text = _("There is no translation into “%s”.") % self.language
            yield Problem("language", text)
        for language in self.other_languages:
            yield from self.find_translation_problems(language, questions)

    def find_translation_problems(
        self, language: str, questions: Sequence[Question]
    ) -> Iterator[Problem]:
        names = dict(get_languages())
        if language not in names:
            text = _("There is no translation into “%s”.") % language
            yield Problem("translations", text)
            return
        fields = self.find_untranslated(language)
        places = [name_text(type(self), name) for name in fields]
        for number, question in enumerate(questions, start=1):
            if missing := question.find_untranslated(language):
                labels = ", ".join(name_text(Question, name) for name in missing)
                place = _("question %(number)s (%(texts)s)")
                places.append(place % {"number": number, "texts": labels})
        if places:
            text = _("Not yet in %(language)s: %(places)s.")
            numbers = {"language": names[language], "places": ", ".join(places)}
            yield Problem("translations", text % numbers)
