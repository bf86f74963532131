"""The inputs that an unchanged form of a state would post."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms.boundfield import BoundField
from django.utils.choices import flatten_choices
from django.utils.translation import gettext as _

from candor.mechanisms import load_families
from surveys.authoring.forms.inputs import LabelField, find_skip_field, list_inputs
from surveys.authoring.forms.question import QuestionForm
from surveys.authoring.forms.survey import SurveyForm
from surveys.authoring.history import QUESTION_STATE, SURVEY_STATE, State, select_known
from surveys.authoring.renumbering import QUESTION_REFERENCES
from surveys.models import Choice, Question, Survey
from surveys.models.conditions import renumber_condition
from surveys.models.translations import CHOICES

TEXT_INPUTS = ("text", "innocuous_question", *Question.PRESENTATION)
"""Inputs of a question other than its mechanism and its answers."""

Places = Mapping[int, int | None]

REFERENCES: Mapping[str, Callable[[str, Places], str]] = {
    "show_if": renumber_condition,
    **{name: follow for name, (follow, _check) in QUESTION_REFERENCES.items()},
}


def make_survey_form(state: State) -> SurveyForm:
    return SurveyForm(
        instance=Survey(**select_known(Survey, SURVEY_STATE, state.survey))
    )


def make_question_form(values: Mapping[str, Any], state: State) -> QuestionForm:
    # Without a key, the form would not read the answers; the value is never used.
    question: Any = Question(pk=-1, **select_known(Question, QUESTION_STATE, values))
    answers = [Choice(label=label) for label in values[CHOICES]]
    question._prefetched_objects_cache = {CHOICES: answers}
    return QuestionForm(
        instance=question,
        language=state.survey["language"],
        is_by_hand=state.survey["mode"] == Survey.Mode.HAND,
    )


def list_answers(form: QuestionForm, family: str = "") -> list[str]:
    """Return the inputs of a mechanism, by default the form's, and of the answers."""
    family = family or form["family"].value()
    if family not in load_families():
        return ["family"]
    switch = "" if form.is_by_hand else find_skip_field(family)
    return [*list_inputs(load_families()[family]), *filter(None, [switch])]


def describe_inputs(form: forms.BaseForm, values: Mapping[str, str]) -> str:
    return "\n".join(
        f"{form[name].label}: {format_value(form[name], value)}"
        for name, value in values.items()
    )


def map_places(before: Sequence[int], after: Sequence[int]) -> Places:
    places = {number: place for place, number in enumerate(after, start=1)}
    return {place: places.get(n) for place, n in enumerate(before, start=1)}


def weave(first: Sequence[int], second: Sequence[int]) -> list[int]:
    """Return `first` with the other items of `second` behind their predecessors."""
    woven = list(first)
    for place, each in enumerate(second):
        if each not in woven:
            behind = woven.index(second[place - 1]) + 1 if place else 0
            woven.insert(behind, each)
    return woven


def follow(name: str, text: str, places: Places) -> str:
    try:
        return REFERENCES[name](text, places) if text and name in REFERENCES else text
    except ValidationError:
        return text


def format_input(form: forms.BaseForm, name: str) -> str:
    """Return the value that an unchanged page posts; empty for an unticked box."""
    bound = form[name]
    value = bound.value()
    if isinstance(bound.field, forms.BooleanField):
        return "on" if value else ""
    if not isinstance(bound.field.widget, forms.Select | forms.RadioSelect):
        value = bound.field.widget.format_value(value)
    return "" if value is None else str(value)


def differs(form: forms.BaseForm, name: str, sent: str) -> bool:
    if sent.split() == format_input(form, name).split():
        return False
    initial = form.get_initial_for_field(form.fields[name], name)
    return form.fields[name].has_changed(initial, sent)


def format_value(bound: BoundField, value: Any) -> str:
    if isinstance(bound.field, forms.BooleanField):
        return _("yes") if value else _("no")
    if isinstance(bound.field, LabelField):
        return str(value or bound.field.usual)
    choices: Any = flatten_choices(getattr(bound.field, "choices", ()))
    labels = {str(key): str(label) for key, label in choices}
    return labels.get(str(value), "" if value is None else str(value))
