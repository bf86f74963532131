"""Complete studies to start from: questions, consent and planned analysis."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import get_language, get_language_info
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from candor.mechanisms import load_families
from candor.mechanisms.composition import compose
from surveys.authoring.library import suggest_consent
from surveys.authoring.pages import render_page
from surveys.files.definition import Definition, QuestionDefinition, store_definition
from surveys.files.read import read_parsed
from surveys.log import record
from surveys.models.draws import read_draws
from surveys.multilingual import choose_texts
from surveys.numbers import format_epsilon, format_integer
from surveys.sentence import make_sentence

FOLDER = Path(__file__).with_name("study_files")

LANGUAGES = ("en", "de")
"""Languages in which every study is written."""

ADDED_KEYS = ("about", "consent_more")
"""Keys of a file that a survey file does not have."""


@dataclass(frozen=True)
class Study:
    name: str
    about: str
    reasons: tuple[str, ...]
    definition: Definition

    @property
    def title(self) -> str:
        return str(self.definition.fields["title"])

    @property
    def questions(self) -> list[tuple[QuestionDefinition, str, str]]:
        families = load_families()
        return [
            (question, _(families[question.mechanism.family].label), reason)
            for question, reason in zip(
                self.definition.questions, self.reasons, strict=True
            )
        ]

    @property
    def total_epsilon(self) -> str:
        mechanisms = [each.mechanism for each in self.definition.questions]
        groups = read_draws(self.definition.fields["draws"])
        return format_epsilon(compose(mechanisms, groups).ratio)

    @property
    def people(self) -> str:
        return format_integer(self.definition.fields["target"])


@cache
def read_files() -> dict[str, Any]:
    return {
        path.stem.partition("-")[2]: json.loads(path.read_text("utf-8"))
        for path in sorted(FOLDER.glob("*.json"))
    }


def read_study(name: str, language: str) -> Study:
    written = choose_texts(read_files()[name], language)
    reasons = tuple(question.pop("reason") for question in written["questions"])
    about, more = (written.pop(key, "") for key in ADDED_KEYS)
    if more:
        consent = suggest_consent(
            title=written["title"], organiser="", contact="", language=language
        )
        written["consent"] = f"{consent}\n{more}"
    definition = read_parsed({**written, "language": language})
    return Study(name, about, reasons, definition)


class StudyForm(forms.Form):
    study = forms.ChoiceField(choices=lambda: [(name, name) for name in read_files()])
    language = forms.ChoiceField(choices=[(each, each) for each in LANGUAGES])


@require_http_methods(["GET", "HEAD", "POST"])
def studies(request: HttpRequest) -> HttpResponse:
    form = StudyForm(request.POST)
    if request.method == "POST" and form.is_valid():
        study = read_study(form.cleaned_data["study"], form.cleaned_data["language"])
        with transaction.atomic():
            survey = store_definition(study.definition, request.user)
            made = make_sentence(
                "Created from the study “%(title)s”.", title=study.title
            )
            record(request.user, survey, made)
        messages.success(request, _("Fill in what is in brackets."))
        return redirect("admin:surveys_survey_change", survey.pk)
    shown = get_language() if get_language() in LANGUAGES else LANGUAGES[0]
    return render_page(
        request,
        None,
        "surveys/authoring/studies.html",
        title=_("Start from a study"),
        studies=[read_study(name, str(shown)) for name in read_files()],
        languages=[
            (code, get_language_info(code)["name_local"])
            for code in sorted(LANGUAGES, key=lambda each: each != shown)
        ],
    )
