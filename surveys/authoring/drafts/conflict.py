"""Two pages on one draft: who saved after this one was loaded, and what differs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext as _

from surveys.authoring.forms.named_errors import is_removed
from surveys.log import find_last_edit
from surveys.models import Question, Survey, Visitor

KEEP = "_keep_mine"
"""Posted by the button that saves all the same: the version that may be replaced."""


@dataclass(frozen=True)
class Difference:
    """A difference between the page and the stored draft."""

    name: str
    mine: str
    theirs: str


@dataclass(frozen=True)
class Conflict:
    """The differences between which the author chooses."""

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
    """Return how the forms, filled in on an old page, differ from what is stored."""
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
    """Return a value as somebody reads it who compares two."""
    if isinstance(bound.field, forms.BooleanField):
        return _("yes") if value else _("no")
    choices: Any = getattr(bound.field, "choices", ())
    for key, label in choices:
        if str(key) == str(value):
            return str(label)
    return "" if value is None else str(value)
