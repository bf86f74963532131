"""The texts of a draft in other languages, side by side with the originals."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from zlib import crc32

from django import forms
from django.contrib import messages
from django.db import models, transaction
from django.db.models import prefetch_related_objects
from django.forms.boundfield import BoundField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, resolve_url
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from candor.mechanisms import ParameterError
from surveys.authoring.forms.action import ActionForm
from surveys.authoring.forms.survey import MAX_TEXT_LENGTH
from surveys.authoring.history import record_first_state, record_state
from surveys.authoring.pages import find_survey, render_page
from surveys.frozen import FrozenError
from surveys.kinds import label_answers
from surveys.log import record
from surveys.models import Choice, Question, Role, Survey
from surveys.models.languages import get_languages, name_text
from surveys.models.question import find_label_problem
from surveys.models.translations import CHOICES, NAMES
from surveys.sentence import Sentence, make_sentence


@dataclass(frozen=True)
class Text:
    """One text of the survey: the original, and the input of its translation."""

    label: str
    original: str
    field: BoundField


@dataclass(frozen=True)
class Group:
    title: str
    texts: list[Text]


class LanguageForm(ActionForm):
    """Add a language to the survey, or remove it with all its translations."""

    language = forms.ChoiceField(label=gettext_lazy("Language"))

    def __init__(
        self, survey: Survey, languages: Mapping[str, str], *args: Any, **kwargs: Any
    ) -> None:
        super().__init__(survey, *args, **kwargs)
        choice: Any = self.fields["language"]
        choice.choices = languages.items()

    def add(self) -> Sentence:
        language = self.cleaned_data["language"]
        self.survey.translations = {**self.survey.translations, language: {}}
        self.survey.save(update_fields=["translations"])
        label = get_language_name(language)
        return make_sentence("Added the language %(name)s.", name=label)

    def remove(self) -> Sentence:
        language = self.cleaned_data["language"]
        parts: list[Survey | Question] = [self.survey, *self.survey.questions.all()]
        for written in parts:
            rest = {**written.translations}
            rest.pop(language, None)
            written.translations = rest
            written.save(update_fields=["translations"])
        label = get_language_name(language)
        return make_sentence("Removed the language %(name)s.", name=label)


def get_language_name(language: str) -> str:
    return dict(get_languages())[language]


class TranslationForm(ActionForm):
    """All texts of a survey in one of its languages; empty ones are missing."""

    def __init__(
        self, survey: Survey, language: str, *args: Any, **kwargs: Any
    ) -> None:
        super().__init__(survey, *args, **kwargs)
        self.language = language
        self.questions = list(survey.questions.all())
        self.add_texts(survey, "")
        for question in self.questions:
            self.add_texts(question, f"q{question.pk}-")

    def add_texts(self, written: Survey | Question, prefix: str) -> None:
        translated = written.translations.get(self.language, {})
        for name, original in written.get_originals().items():
            if name == CHOICES:
                suggested = self.suggest_labels(written, list(original))
                stored = translated.get(name, [])
                labels = stored if len(stored) == len(original) else suggested
                for label, known, usual in zip(
                    original, labels, suggested, strict=True
                ):
                    field = make_field(Choice, "label", initial=known or usual)
                    self.fields[make_input_name(prefix, label)] = field
            elif original:
                field = make_field(
                    type(written), name, initial=translated.get(name, "")
                )
                if name in NAMES:
                    # Respondents see the original if it is not translated.
                    field.widget.attrs["placeholder"] = original
                self.fields[f"{prefix}{name}"] = field

    def suggest_labels(self, question: Any, labels: list[str]) -> list[str]:
        empty = [""] * len(labels)
        try:
            own = label_answers(
                question.mechanism, question.scale, self.survey.language
            )
            usual = label_answers(question.mechanism, question.scale, self.language)
        except ParameterError:  # a draft may have parameters that make no table
            return empty
        return list(usual) if labels == list(own) else empty

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        for question in self.questions:
            labels = self.read_labels(question)
            if not any(labels):
                continue
            problem = find_label_problem(labels)
            if not all(labels):
                problem = _("Translate all answers or none.")
            if problem:
                self.add_error(self.list_label_inputs(question)[0], problem)
        return cleaned

    def read_text(self, name: str) -> str:
        """Return the typed text; if unchanged, the stored one: others may edit it."""
        if name in self.changed_data:
            return str(self.cleaned_data.get(name, ""))
        return str(self.fields[name].initial)

    def list_label_inputs(self, question: Question) -> list[str]:
        start = f"q{question.pk}-{CHOICES}-"
        return [name for name in self.fields if name.startswith(start)]

    def read_labels(self, question: Question) -> list[str]:
        return [self.read_text(name) for name in self.list_label_inputs(question)]

    def read_texts(
        self, written: Survey | Question, prefix: str
    ) -> dict[str, str | list[str]]:
        texts: dict[str, str | list[str]] = {
            name: text
            for name in written.get_originals()
            if f"{prefix}{name}" in self.fields
            and (text := self.read_text(f"{prefix}{name}"))
        }
        if isinstance(written, Question):
            labels = self.read_labels(written)
            if any(labels):
                texts[CHOICES] = labels
        return texts

    def save(self) -> Sentence:
        pairs: list[tuple[Survey | Question, str]] = [(self.survey, "")]
        pairs += [(each, f"q{each.pk}-") for each in self.questions]
        for written, prefix in pairs:
            texts = self.read_texts(written, prefix)
            written.translations = {**written.translations, self.language: texts}
            written.save(update_fields=["translations"])
        label = get_language_name(self.language)
        return make_sentence("Translated into %(name)s.", name=label)

    def groups(self) -> Iterator[Group]:
        yield Group(_("Survey"), self.list_texts(self.survey, ""))
        for number, question in enumerate(self.questions, start=1):
            title = _("Question %s") % number
            yield Group(title, self.list_texts(question, f"q{question.pk}-"))

    def list_texts(self, written: Survey | Question, prefix: str) -> list[Text]:
        found = []
        for name, original in written.get_originals().items():
            if name == CHOICES:
                found += [
                    Text(
                        _("Answer %s") % (place + 1),
                        label,
                        self[make_input_name(prefix, label)],
                    )
                    for place, label in enumerate(original)
                ]
            elif original:
                label = capfirst(name_text(type(written), name))
                found.append(Text(label, original, self[f"{prefix}{name}"]))
        return found


def make_input_name(prefix: str, label: str) -> str:
    """Return the name of an answer's input, by label: answers may move meanwhile."""
    return f"{prefix}{CHOICES}-{crc32(label.encode()):x}"


def make_field(
    model: type[models.Model], name: str, *, initial: str
) -> forms.CharField:
    stored: Any = model._meta.get_field(name)
    is_long = isinstance(stored, models.TextField)
    field = forms.CharField(
        required=False,
        max_length=stored.max_length or MAX_TEXT_LENGTH,
        initial=initial,
        show_hidden_initial=True,
        widget=forms.Textarea(attrs={"rows": 3}) if is_long else None,
    )
    field.widget.attrs["dir"] = "auto"
    return field


@require_http_methods(["GET", "HEAD", "POST"])
def translations(request: HttpRequest, survey_id: int) -> HttpResponse:
    if request.method == "POST":
        return change(request, find_survey(request, survey_id, role=Role.EDITOR))
    return show(request, find_survey(request, survey_id))


@transaction.atomic
def change(request: HttpRequest, found: Survey) -> HttpResponse:
    survey = Survey.objects.select_for_update().get(pk=found.pk)
    address = resolve_url("admin:surveys_survey_translations", survey.pk)
    if not survey.is_draft:
        messages.error(request, FrozenError().messages[0])
        return redirect(address)
    record_first_state(survey)
    action, language = request.POST.get("action"), request.POST.get("language", "")
    if action == "save":
        if language not in survey.other_languages:
            return redirect(address)
        form = TranslationForm(survey, language, request.POST)
        if not form.is_valid():
            return show(request, survey, form)
        done = form.save()
    else:
        known = list_other_languages(survey, is_added=action == "remove")
        choice = LanguageForm(survey, known, request.POST)
        if not choice.is_valid():
            return redirect(address)
        language = choice.cleaned_data["language"]
        done = choice.remove() if action == "remove" else choice.add()
    record(request.user, survey, done)
    record_state(request.user, survey)
    messages.success(request, str(done))
    is_there = language in survey.other_languages
    return redirect(f"{address}?language={language}" if is_there else address)


def list_other_languages(survey: Survey, *, is_added: bool) -> dict[str, str]:
    return {
        code: name
        for code, name in get_languages()
        if code != survey.language and (code in survey.translations) == is_added
    }


def show(
    request: HttpRequest, survey: Survey, form: TranslationForm | None = None
) -> HttpResponse:
    prefetch_related_objects([survey], "questions__choices")
    added = list_other_languages(survey, is_added=True)
    language = form.language if form else request.GET.get("language", "")
    if language not in added:
        language = next(iter(added), "")
    if language and form is None:
        form = TranslationForm(survey, language)
    can_be_added = list_other_languages(survey, is_added=False)
    return render_page(
        request,
        survey,
        "surveys/authoring/translations.html",
        subtitle=_("Translations"),
        added=added,
        language=language,
        language_name=added.get(language, ""),
        main_name=dict(get_languages()).get(survey.language, survey.language),
        form=form,
        add=LanguageForm(survey, can_be_added, auto_id="add_%s")
        if can_be_added
        else None,
    )
