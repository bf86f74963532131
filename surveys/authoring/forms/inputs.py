"""The inputs of a question's table: their fields, and reading a table from them.

The fields are made once per language and shared by all forms of a page, which have the
stored values as `initial`: separate fields for 20 questions took a sixth of the page.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from candor.mechanisms import Family, Mechanism, ParameterError, load_families
from candor.mechanisms.parameters import Parameter
from candor.mechanisms.scale import Scale
from surveys.authoring.families import list_grouped_choices
from surveys.kinds import KINDS, find_kind, get_field_name, list_offered
from surveys.kinds.kind import LABEL_FIELDS
from surveys.kinds.labels import get_default_labels
from surveys.models import Question
from surveys.models.question import find_label_problem
from surveys.text.errors import explain_error, translate_allowed
from surveys.text.language_cache import cache_by_language
from surveys.typed_numbers import normalise_number

SWITCHES = tuple(dict.fromkeys(kind.skip_field for kind in KINDS))

BLANK = {name: value for kind in KINDS for name, value in kind.blank.items()}
"""Initial values of a blank question in the inputs of single kinds."""


def find_skip_field(family: str) -> str:
    """Return the input that allows skipping; empty if the family has none."""
    found = load_families().get(family)
    kind = found and find_kind(found)
    return kind.skip_field if kind and family in kind.skippable else ""


@cache
def get_blank_parameters() -> dict[str, str]:
    return {
        get_field_name(family, parameter.name): ""
        if parameter.counts_answers
        else parameter.example
        for family in list_offered()
        for parameter in find_kind(family).list_parameters(family)
    }


def list_inputs(family: Family) -> list[str]:
    return ["family", *find_kind(family).list_inputs(family)]


def read_table(
    family: Family, cleaned: Mapping[str, Any], *, language: str
) -> tuple[Mechanism, list[str], Scale | None]:
    """Return the table, the labels of its answers and the scale that the inputs make.

    Numbers are formatted in `language`. If `cleaned` has its switch on, the question
    gets "Prefer not to answer" as an additional answer.
    """
    kind = find_kind(family)
    names = {each.name: get_field_name(family, each.name) for each in family.parameters}
    wording = kind.read_wording(family, cleaned, language)
    labels = wording.labels
    given: dict[str, Any] = {
        name: normalise_number(cleaned.get(field) or "")
        for name, field in names.items()
    }
    given |= family.counted(len(labels))
    switch = find_skip_field(family.identifier)
    if switch and cleaned.get(switch):
        labels = kind.add_skip_label(labels, language)
        family, given = kind.add_skip(family, given, labels)
    wrong: dict[str, list[str]] = {}
    if problem := find_label_problem(labels):
        wrong[wording.field] = [problem]
    for parameter in family.parameters:
        try:
            parameter.parse(given[parameter.name])
        except ParameterError as error:
            text = explain_error(error, name=name_parameters(error.parameter, family))
            field = names.get(parameter.name, wording.field)
            wrong.setdefault(field, []).append(text)
    if wrong:
        raise forms.ValidationError(wrong)
    try:
        return family.build(**given), list(labels), wording.scale
    except ParameterError as error:
        # Each parameter is valid, but not all together: shown at the first one.
        at_input = next(iter(names.values()), "family")
        text = explain_error(error, name=name_parameters(error.parameter, family))
        raise forms.ValidationError({at_input: text}) from error


def name_parameters(parameters: str, family: Family) -> str:
    called = {each.name: _(each.label) for each in family.parameters}
    called["and"] = _("and")
    return re.sub(r"\w+", lambda found: called.get(found[0], found[0]), parameters)


def clean_lines(text: str) -> str:
    lines = (line.strip() for line in text.splitlines())
    return "\n".join(line for line in lines if line)


class AnswerLines(forms.CharField):
    """Lines without blank ones or outer spaces; line ends differ among browsers."""

    def __init__(self, *, usual: Sequence[str], help_text: Any) -> None:
        super().__init__(
            widget=forms.Textarea(attrs={"rows": 4, "placeholder": "\n".join(usual)}),
            label=gettext_lazy("Answers, one per line"),
            initial="",
            help_text=help_text,
            required=False,
        )

    def to_python(self, value: Any) -> str:
        return clean_lines(value or "")


class LabelField(forms.CharField):
    """A label of Yes or No; the default counts as empty, to follow the language."""

    def __init__(self, *, usual: str, label: Any) -> None:
        super().__init__(label=label, max_length=100, required=False)
        self.usual = usual
        self.widget.attrs["placeholder"] = usual

    def to_python(self, value: Any) -> str:
        text = super().to_python(value) or ""
        return "" if text == self.usual else text


REMEMBERED = 32
"""Cached results: languages of pages times languages of surveys."""


@cache_by_language(maxsize=REMEMBERED)
def make_family_inputs(language: str) -> dict[str, forms.Field]:
    """Return the fields for a survey in `language`, which must not be changed."""
    return {
        **make_wording_fields(language),
        **{name: field for kind in KINDS for name, field in kind.make_fields().items()},
        **{
            name: forms.BooleanField(
                label=gettext_lazy("Let respondents skip it"), required=False
            )
            for name in SWITCHES
        },
        **{
            get_field_name(family, parameter.name): make_answer_lines(family, language)
            if parameter.counts_answers
            else make_parameter_field(parameter)
            for family in list_offered()
            for parameter in find_kind(family).list_parameters(family)
        },
    }


@cache
def make_family_field(*, is_gone: bool) -> Any:
    field: Any = Question._meta.get_field("family").formfield()
    # Without an empty choice, the browser would show, and save, the first one.
    nothing = [("", gettext_lazy("Choose a mechanism"))] if is_gone else []
    field.choices = [*nothing, *list_grouped_choices()]
    return field


def make_wording_fields(language: str) -> dict[str, forms.Field]:
    labels = (gettext_lazy("Wording of Yes"), gettext_lazy("Wording of No"))
    fields: dict[str, forms.Field] = {}
    for name, label, usual in zip(
        LABEL_FIELDS, labels, get_default_labels(language), strict=False
    ):
        fields[name] = LabelField(usual=usual, label=label)
    return fields


def make_parameter_field(parameter: Parameter) -> forms.Field:
    return forms.CharField(
        label=gettext_lazy(parameter.label),
        initial=parameter.example,
        help_text=capfirst(translate_allowed(parameter.allowed)),
        required=False,
    )


def make_answer_lines(family: Family, language: str) -> AnswerLines:
    kind = find_kind(family)
    return AnswerLines(usual=kind.suggest_labels(language), help_text=kind.answers_help)
