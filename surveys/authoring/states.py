"""Show the states of a draft with what changed, and restore one of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from surveys.authoring.history import State, find_revisions, read_states, restore_state
from surveys.authoring.pages import find_survey, render_page
from surveys.authoring.state_inputs import (
    TEXT_INPUTS,
    format_input,
    format_value,
    list_answers,
    make_question_form,
    make_survey_form,
)
from surveys.files.definition import SURVEY_FIELDS
from surveys.frozen import FrozenError
from surveys.log import record
from surveys.models import Role, Survey
from surveys.sentence import make_sentence

STATES_PER_PAGE = 20
MAX_SHOWN_LENGTH = 160
"""Maximum characters of an old or new text."""


@dataclass(frozen=True)
class Change:
    name: str
    before: str
    after: str


def compare_states(before: State, after: State) -> Iterator[Change]:
    old, new = make_survey_form(before), make_survey_form(after)
    yield from compare_forms(old, new, SURVEY_FIELDS, SURVEY_FIELDS)
    yield from compare_translations(before.survey, after.survey)
    places = {pk: place for place, pk in enumerate(after.questions, start=1)}
    for place, (pk, values) in enumerate(before.questions.items(), start=1):
        if pk not in places:
            yield Change(_("Question %s") % place, shorten(values["text"]), "")
    for pk, values in after.questions.items():
        title = _("Question %s") % places[pk]
        if pk not in before.questions:
            yield Change(title, "", shorten(values["text"]))
        elif values != before.questions[pk]:
            for change in compare_questions(pk, before, after):
                yield Change(f"{title}, {change.name}", change.before, change.after)
    order = [places[pk] for pk in before.questions if pk in places]
    if order != sorted(order):
        texts = (", ".join(map(str, each)) for each in (sorted(order), order))
        yield Change(_("Order of questions"), *texts)


def compare_questions(pk: int, before: State, after: State) -> Iterator[Change]:
    old, new = (
        make_question_form(each.questions[pk], each) for each in (before, after)
    )
    names = [[*TEXT_INPUTS, *list_answers(form)] for form in (old, new)]
    yield from compare_forms(old, new, *names)
    yield from compare_translations(before.questions[pk], after.questions[pk])


def compare_forms(
    old: forms.BaseForm,
    new: forms.BaseForm,
    old_names: Sequence[str],
    new_names: Sequence[str],
) -> Iterator[Change]:
    for name in dict.fromkeys([*old_names, *new_names]):
        was = format_input(old, name) if name in old_names else ""
        now = format_input(new, name) if name in new_names else ""
        if was != now:
            texts = (shorten(format_value(new[name], each)) for each in (was, now))
            yield Change(str(new[name].label), *texts)


def compare_translations(
    before: Mapping[str, Any], after: Mapping[str, Any]
) -> Iterator[Change]:
    was, now = (
        {
            f"{language}, {name}": text if isinstance(text, str) else ", ".join(text)
            for language, texts in each.get("translations", {}).items()
            for name, text in texts.items()
        }
        for each in (before, after)
    )
    if was != now:
        texts = (
            "; ".join(one[each] for each in one if one[each] != other.get(each))
            for one, other in ((was, now), (now, was))
        )
        yield Change(_("Translations"), *map(shorten, texts))


def shorten(text: str) -> str:
    return Truncator(text).chars(MAX_SHOWN_LENGTH)


@require_http_methods(["GET", "HEAD", "POST"])
def states(request: HttpRequest, survey_id: int) -> HttpResponse:
    survey = find_survey(request, survey_id, role=Role.EDITOR)
    if request.method == "POST":
        return restore(request, survey)
    revisions = find_revisions(survey)
    page = Paginator(revisions, STATES_PER_PAGE).get_page(request.GET.get("page"))
    start = (page.number - 1) * STATES_PER_PAGE
    # One more than shown, with which the last one is compared.
    shown = list(revisions[start : start + STATES_PER_PAGE + 1])
    found = read_states(shown)
    lines = [
        (each, before and [*compare_states(found[before.pk], found[each.pk])])
        for each, before in zip_longest(shown, shown[1:])
    ]
    return render_page(
        request,
        survey,
        "surveys/authoring/states.html",
        title=_("History of “%s”") % survey,
        subtitle=_("History"),
        lines=lines[:STATES_PER_PAGE],
        page=page,
    )


def restore(request: HttpRequest, survey: Survey) -> HttpResponse:
    key = request.POST.get("revision", "")
    chosen = get_object_or_404(
        find_revisions(survey), pk=int(key) if key.isdecimal() else 0
    )
    try:
        restore_state(request.user, survey, chosen)
    except FrozenError as error:
        messages.error(request, error.messages[0])
        return redirect("admin:surveys_survey_states", survey.pk)
    when = timezone.localtime(chosen.date_created).strftime("%Y-%m-%d %H:%M")
    done = make_sentence("Restored the state of %(when)s.", when=when)
    record(request.user, survey, done)
    messages.success(request, str(done))
    return redirect("admin:surveys_survey_change", survey.pk)
