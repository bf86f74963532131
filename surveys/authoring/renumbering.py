"""Renumber the questions in lines that name them, after questions moved."""

from collections.abc import Collection, Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from surveys.models import Survey
from surveys.models.analysis_plan import (
    check_claims,
    check_pairs,
    renumber_claims,
    renumber_pairs,
)
from surveys.models.conditions import renumber_condition
from surveys.models.draws import check_draws, renumber_draws

QUESTION_REFERENCES = {
    "draws": (renumber_draws, check_draws),
    "shares_to_beat": (renumber_claims, check_claims),
    "pinned_pairs": (renumber_pairs, check_pairs),
}
"""Lines that name questions by number: how to renumber and how to check each."""


def read_positions(survey: Survey) -> dict[int, int]:
    return dict(survey.questions.values_list("pk", "position"))


def map_positions(
    before: Mapping[int, int], after: Mapping[int, int]
) -> dict[int, int | None]:
    return {place: after.get(pk) for pk, place in before.items()}


def renumber_lines(
    survey: Survey, places: Mapping[int, int | None], names: Collection[str]
) -> dict[str, str]:
    """Renumber the questions in lines of the survey; return those that changed."""
    changed = find_renumbered_lines(survey, places, names)
    for name, now in changed.items():
        setattr(survey, name, now)
    if changed:
        survey.save(update_fields=list(changed))
    return changed


def find_renumbered_lines(
    survey: Survey, places: Mapping[int, int | None], names: Collection[str]
) -> dict[str, str]:
    """Return the lines of the survey that change when its questions are renumbered.

    Parameters
    ----------
    survey : Survey
    places : mapping of int to int or None
        As in `renumber_draws`.
    names : collection of str
        Names of the lines that may change: keys of `QUESTION_REFERENCES`.
    """
    changed: dict[str, str] = {}
    for name in names:
        follow, check = QUESTION_REFERENCES[name]
        before = getattr(survey, name)
        now = follow(before, places)
        if now == follow(before, {}):
            continue
        try:
            check(now)
        except ValidationError:
            # Two questions have one number: one of them does not exist yet.
            continue
        changed[name] = now
    return changed


def refuse_long_lines(survey: Survey, places: Mapping[int, int | None]) -> None:
    """Raise `ValidationError` if a line is too long with the new numbers.

    `survey` has the values on the page; a line that was edited there is not renumbered.
    """
    stored = Survey.objects.filter(pk=survey.pk).values(*QUESTION_REFERENCES).get()
    names = [name for name in stored if stored[name] == getattr(survey, name)]
    for name, line in find_renumbered_lines(survey, places, names).items():
        field: Any = Survey._meta.get_field(name)
        try:
            MaxLengthValidator(field.max_length)(line)
        except ValidationError as error:
            text = f"{capfirst(field.verbose_name)}: {error.messages[0]}"
            raise ValidationError(text, code="max_length") from error


def renumber_conditions(
    survey: Survey, places: Mapping[int, int | None], rewritten: Collection[int]
) -> dict[int, str]:
    """Renumber the questions in conditions, except those that were just rewritten.

    `rewritten` contains keys of questions. Return the conditions that changed, by key.
    """
    changed = {}
    for question in survey.questions.exclude(show_if="").exclude(pk__in=rewritten):
        now = renumber_condition(question.show_if, places)
        if now != question.show_if:
            question.show_if = changed[question.pk] = now
            question.save(update_fields=["show_if"])
    return changed


def describe_renumbering(survey: Survey) -> str:
    fields = forms.fields_for_model(Survey, fields=survey.renumbered)
    lines = {fields[each].label: line for each, line in survey.renumbered.items()}
    positions = read_positions(survey)
    for pk, line in survey.renumbered_conditions.items():
        lines[_("Question %s") % positions[pk]] = line
    sentences = [
        _("%(name)s: %(line)s.") % {"name": name, "line": line or _("nothing any more")}
        for name, line in lines.items()
    ]
    if sentences:
        sentences.insert(0, _("Questions were renumbered."))
    return " ".join(sentences)
