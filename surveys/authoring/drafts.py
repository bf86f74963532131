"""Save drafts: match posted questions to stored ones, find conflicts, save on a pause.

All of a draft is saved or nothing, as with the button: docs/decisions/0010-drafts.md.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django import forms
from django.forms import all_valid
from django.forms.boundfield import BoundField
from django.http import HttpRequest, JsonResponse, QueryDict
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from surveys.authoring.pages import (
    NamedError,
    is_removed,
    list_errors,
)
from surveys.authoring.renumbering import describe_renumbering
from surveys.log import find_last_edit
from surveys.models import Question, Survey, Visitor

SENT_AS = "sent_as"
"""The number that a question has on the page, beside the one that it gets here."""

NUMBER = re.compile(r"0|[1-9]\d{0,3}")


def match_stored_questions(
    posted: QueryDict, prefix: str, stored: Collection[int]
) -> QueryDict:
    """Return the same with stored questions first, as formsets of Django want them.

    A page that saved a new question goes on with it under the same number. One whose
    question was deleted elsewhere still holds its words: they make a new one, or, where
    it was to be deleted anyway, nothing.
    """
    total = posted.get(f"{prefix}-TOTAL_FORMS", "")
    if not NUMBER.fullmatch(total):
        return posted
    inputs = group_inputs(posted, prefix)
    known, own, new = {str(pk) for pk in stored}, {}, []
    for number in sorted(number for number in inputs if number < int(total)):
        identifier = posted.get(f"{prefix}-{number}-id", "")
        if identifier in known and identifier not in own:
            own[identifier] = number
        elif not (identifier and posted.get(f"{prefix}-{number}-DELETE")):
            new.append(number)
    matched = posted.copy()
    for each in inputs.values():
        for name in each.values():
            del matched[name]
    placed = [*own.items(), *(("", number) for number in new)]
    for place, (identifier, number) in enumerate(placed):
        for field, name in inputs[number].items():
            matched.setlist(f"{prefix}-{place}-{field}", posted.getlist(name))
        matched[f"{prefix}-{place}-id"] = identifier
        matched[f"{prefix}-{place}-{SENT_AS}"] = str(number)
    matched[f"{prefix}-TOTAL_FORMS"] = str(len(placed))
    matched[f"{prefix}-INITIAL_FORMS"] = str(len(own))
    return matched


def knows_all_questions(
    posted: Mapping[str, str], prefix: str, stored: Iterable[int]
) -> bool:
    inputs = group_inputs(posted, prefix).values()
    known = {posted[each["id"]] for each in inputs if "id" in each}
    return {str(pk) for pk in stored} <= known


def group_inputs(posted: Mapping[str, str], prefix: str) -> dict[int, dict[str, str]]:
    found: dict[int, dict[str, str]] = {}
    for name in posted:
        start, _dash, rest = name.partition("-")
        number, _dash, field = rest.partition("-")
        if start == prefix and field and NUMBER.fullmatch(number):
            found.setdefault(int(number), {})[field] = name
    return found


def list_changed_keys(formset: Any) -> Iterator[int]:
    """Yield the key of each question in the order in which Django's log names them."""
    yield from (question.pk for question in formset.new_objects)
    yield from (question.pk for question, _fields in formset.changed_objects)
    # Deleted ones have lost theirs; what was posted still has it.
    deleted = formset.deleted_forms
    yield from (
        int(form["id"].value()) for form in formset.initial_forms if form in deleted
    )


def list_rewritten_conditions(formsets: Sequence[Any]) -> list[int]:
    """Return the keys of questions whose condition was just written on the page."""
    return [
        form.instance.pk
        for formset in formsets
        for form in formset.forms
        if "show_if" in form.changed_data and form.instance.pk
    ]


def move_unknown_questions_last(survey: Survey, formset: Any) -> None:
    """Give questions that others added, unknown to the page, the last places."""
    kept = {form.instance.pk for form in formset.forms if form.instance.pk}
    last = max((form.instance.position for form in formset.kept_forms()), default=0)
    for place, question in enumerate(survey.questions.exclude(pk__in=kept), last + 1):
        if question.position != place:
            question.position = place
            question.save(update_fields=["position"])


def map_stored_questions(formset: Any) -> dict[str, int]:
    return {
        formset.data[form.add_prefix(SENT_AS)]: form.instance.pk
        for form in formset.forms
        if form.instance.pk and form not in formset.deleted_forms
    }


KEEP = "_keep_mine"
"""Posted by the button that saves all the same: the version that may be replaced."""


@dataclass(frozen=True)
class Difference:
    name: str
    mine: str
    theirs: str


@dataclass(frozen=True)
class Conflict:
    who: str
    """Who saved last; nothing where it is who asks, on another page."""
    when: datetime | None
    version: int
    differences: tuple[Difference, ...]


def find_conflict(
    user: Visitor,
    survey: Survey,
    form: forms.BaseForm,
    formsets: Sequence[Any],
) -> Conflict:
    last = find_last_edit(survey)
    found = [*compare_fields(form)]
    for formset in formsets:
        found += compare_questions(survey, formset)
    return Conflict(
        who=last.user.get_username() if last and last.user_id != user.pk else "",
        when=last.action_time if last else None,
        version=survey.version,
        differences=tuple(found),
    )


def compare_fields(form: forms.BaseForm) -> Iterator[Difference]:
    for name in form.changed_data:
        bound = form[name]
        initial = form.get_initial_for_field(bound.field, name)
        mine, theirs = format_value(bound, bound.value()), format_value(bound, initial)
        # A line that ends in another way is the same line.
        if mine.split() != theirs.split():
            yield Difference(str(bound.label), mine, theirs)


def compare_questions(survey: Survey, formset: Any) -> Iterator[Difference]:
    stored: dict[int, Question] = {each.pk: each for each in survey.questions.all()}
    for number, form in enumerate(formset.forms, start=1):
        question = stored.pop(form.instance.pk, None)
        name = _("Question %s") % (form["position"].value() or number)
        is_gone = is_removed(formset, form)
        if question is None:
            if form.has_changed() and not is_gone:
                yield Difference(name, form["text"].value() or "", "")
        elif is_gone:
            yield Difference(name, "", question.text)
        else:
            for each in compare_fields(form):
                yield Difference(f"{name}, {each.name}", each.mine, each.theirs)
    for question in stored.values():
        yield Difference(_("A further question"), "", question.text)


def format_value(bound: BoundField, value: Any) -> str:
    if isinstance(bound.field, forms.BooleanField):
        return _("yes") if value else _("no")
    choices: Any = getattr(bound.field, "choices", ())
    for key, label in choices:
        if str(key) == str(value):
            return str(label)
    return "" if value is None else str(value)


AUTOSAVE = "_autosave"


def autosave(model_admin: Any, request: HttpRequest, survey: Survey) -> JsonResponse:
    """Save what a script posts, through the admin that `model_admin` is.

    The caller holds the survey's row and has asked whether it may be changed.
    """
    form = model_admin.get_form(request, survey, change=True)(
        request.POST, instance=survey
    )
    formsets = [
        each(
            **model_admin.get_formset_kwargs(
                request, form.instance, inline, each.get_default_prefix()
            )
        )
        for each, inline in model_admin.get_formsets_with_inlines(request, survey)
    ]
    is_valid = form.is_valid()
    is_valid = all_valid(formsets) and is_valid
    if form.has_error("version"):
        found = find_conflict(request.user, survey, form, formsets)
        if found.differences:
            return answer_conflict(found, request)
    elif not is_valid:
        # No error of HTTP: the server's log would have a line for each pause.
        text = describe_errors(list_errors(form, formsets))
        return JsonResponse({"outcome": "unfinished", "told": text})
    else:
        model_admin.save_form(request, form, change=True)
        model_admin.save_model(request, survey, form, True)
        model_admin.save_related(request, form, formsets, True)
        message = model_admin.construct_change_message(request, form, formsets)
        model_admin.log_change(request, survey, message)
    numbers = {
        number: pk
        for formset in formsets
        for number, pk in map_stored_questions(formset).items()
    }
    conditions = {
        f"questions-{number}-show_if": survey.renumbered_conditions[pk]
        for number, pk in numbers.items()
        if pk in survey.renumbered_conditions
    }
    return JsonResponse(
        {
            "outcome": "saved",
            "told": " ".join(
                [
                    _("Saved at %s.") % date_format(timezone.localtime(), "H:i"),
                    *filter(None, [describe_renumbering(survey)]),
                ]
            ),
            "version": survey.version,
            "followed": {**survey.renumbered, **conditions},
            "questions": numbers,
            "title": survey.title,
        }
    )


def answer_conflict(found: Conflict, request: HttpRequest) -> JsonResponse:
    template = "surveys/authoring/drafts/_conflict.html"
    shown = {"conflict": found, "is_put_in_place": True}
    return JsonResponse(
        {
            "outcome": "conflict",
            "told": describe_change(found.who),
            "notice": render_to_string(template, shown, request),
        }
    )


def describe_change(who: str) -> str:
    """Return who came first; nobody's name where it was the same person elsewhere."""
    if who:
        return _("Not saved: %s changed the draft meanwhile.") % who
    return _(
        "Not saved: you changed the draft in another window, or before you came back."
    )


def describe_errors(errors: Sequence[NamedError]) -> str:
    if not errors:
        return _("Not saved yet: this page contains errors.")
    first, *others = errors
    amiss = (
        _("%s is still empty") % first.name
        if first.code == "required"
        else f"{first.name}: {first.message.rstrip('.')}"
    )
    if not others:
        return _("Not saved yet: %s.") % amiss
    more = ngettext("and %s more", "and %s more", len(others)) % len(others)
    return _("Not saved yet: %(first)s, %(more)s.") % {"first": amiss, "more": more}
