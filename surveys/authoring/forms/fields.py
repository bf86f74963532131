"""The inputs of a question that are none of its columns: those of every family.

They are made once for a language and shared by all forms of a page, which hold what is
stored as `initial`: making them anew for each of 20 questions took a sixth of the page.
"""

from functools import cache
from typing import Any

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy

from candor.mechanisms import Family, load_families
from candor.mechanisms.families.symmetric import LINKED_PAIR
from candor.mechanisms.parameters import Parameter
from surveys.authoring.forms.answer_lines import AnswerLines
from surveys.authoring.forms.inputs import LABEL_FIELDS, get_field_name
from surveys.authoring.kinds import grouped_choices
from surveys.models import Question, get_default_labels
from surveys.models.question import get_pair_labels
from surveys.text.errors import translate_allowed
from surveys.text.language_cache import cache_by_language

REMEMBERED = 32
"""Languages of pages times languages of surveys."""


@cache_by_language(maxsize=REMEMBERED)
def make_family_inputs(language: str) -> dict[str, forms.Field]:
    """Return the inputs for a survey in `language`; nobody may change them."""
    return {
        **make_wording_fields(language),
        **make_scale_fields(),
        **{
            get_field_name(family, parameter.name): make_answer_lines(family, language)
            if parameter.counts_answers
            else make_parameter_field(parameter)
            for family in load_families().values()
            for parameter in family.parameters
            if not (family.is_scale and parameter.counts_answers)
        },
    }


@cache
def make_family_field(*, is_gone: bool) -> Any:
    """Return the input for the mechanism; `is_gone` where that of a question is."""
    field: Any = Question._meta.get_field("family").formfield()
    # With none chosen the browser would show, and save, the first of the list.
    nothing = [("", gettext_lazy("Choose a mechanism"))] if is_gone else []
    field.choices = [*nothing, *grouped_choices()]
    return field


def make_wording_fields(language: str) -> dict[str, forms.Field]:
    labels = (gettext_lazy("Wording of Yes"), gettext_lazy("Wording of No"))
    fields: dict[str, forms.Field] = {}
    for name, label, usual in zip(
        LABEL_FIELDS, labels, get_default_labels(language), strict=False
    ):
        fields[name] = forms.CharField(label=label, max_length=100, required=False)
        fields[name].widget.attrs["placeholder"] = usual
    return fields


def make_scale_fields() -> dict[str, forms.Field]:
    return {
        name: forms.CharField(label=label, max_length=most, required=False)
        for name, label, most in (
            ("scale__low", gettext_lazy("Lowest value"), 30),
            ("scale__high", gettext_lazy("Highest value"), 30),
            ("scale__step", gettext_lazy("Step"), 30),
            ("scale__first", gettext_lazy("What the lowest value means"), 60),
            ("scale__last", gettext_lazy("What the highest value means"), 60),
        )
    }


def make_parameter_field(parameter: Parameter) -> forms.Field:
    return forms.CharField(
        label=gettext_lazy(parameter.label),
        initial=parameter.example,
        help_text=capfirst(translate_allowed(parameter.allowed)),
        required=False,
    )


def make_answer_lines(family: Family, language: str) -> AnswerLines:
    """Return the input for the wordings; their number is the parameter."""
    is_pair = family.identifier == LINKED_PAIR
    return AnswerLines(
        usual=get_pair_labels(language) if is_pair else get_default_labels(language),
        is_scrambled=family.is_protected,
        is_pair=is_pair,
    )
