"""The inputs of a question's table: their fields, and what was typed into them.

The fields are made once for a language and shared by all forms of a page, which hold
what is stored as `initial`: a field for each of 20 questions took a sixth of the page.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from candor.mechanisms import Family, Mechanism, ParameterError, load_families
from candor.mechanisms.families.symmetric import LINKED_PAIR
from candor.mechanisms.parameters import Parameter, exact
from candor.mechanisms.scale import LARGEST, Scale, ScaleError
from surveys.authoring.forms.fields import normalise_number
from surveys.authoring.kinds import grouped_choices, list_offered
from surveys.authoring.strengths import COIN_EPSILON
from surveys.models import Question, get_default_labels
from surveys.models.question import (
    find_decline_answer,
    find_label_problem,
    get_pair_labels,
    label_scale,
)
from surveys.text.errors import explain_error, translate_allowed
from surveys.text.language_cache import cache_by_language
from surveys.text.numbers import format_integer, format_written_number

LABEL_FIELDS = ("yes_label", "no_label")

SCALE_FIELDS = {
    "scale__low": "0",
    "scale__high": "10",
    "scale__step": "1",
    "scale__first": "",
    "scale__last": "",
}
"""Inputs for the points of a scale, and what a blank question holds in them."""

ENDS = ("scale__first", "scale__last")

SKIPPABLE = {
    "coin": "k_ary",
    "direct": "direct_choice",
    "direct_choice": "direct_choice",
    "epsilon": "k_ary",
    "grid": "grid_skip",
    "k_ary": "k_ary",
    "one_bit": "one_bit_skip",
}
"""Families whose questions may have "Prefer not to answer" as one more answer, and the
family that they then have."""

SWITCHES = {
    "skip": gettext_lazy("Let respondents skip it"),
    "skip_scale": gettext_lazy("Let respondents skip the scale"),
}
"""Labels by input. The second is of scales, and off unless it is chosen: it takes the
comparison of means."""

LONGEST_REPEATED = 30
"""Characters of a typed value that an error repeats."""


def get_field_name(family: Family, parameter: str) -> str:
    return f"{family.identifier}__{parameter}"


def list_parameters(family: Family) -> list[Parameter]:
    """Return those that have an input; the points of a scale follow from its values."""
    return [
        each
        for each in family.parameters
        if not (family.is_scale and each.counts_answers)
    ]


def get_switch(family: str) -> str:
    """Return the input by which respondents may skip a question of this family."""
    return "skip_scale" if load_families()[family].is_scale else "skip"


@cache
def get_blank_parameters() -> dict[str, str]:
    return {
        get_field_name(family, parameter.name): ""
        if parameter.counts_answers
        else parameter.example
        for family in list_offered()
        for parameter in list_parameters(family)
    }


def list_inputs(family: Family) -> list[str]:
    wordings: Iterable[str] = LABEL_FIELDS if family.answers else ()
    if family.is_scale:
        wordings = SCALE_FIELDS
    parameters = [get_field_name(family, each.name) for each in list_parameters(family)]
    return ["family", *wordings, *parameters]


def read_scale(family: Family, cleaned: Mapping[str, Any]) -> Scale:
    """Return the scale that the inputs make.

    Raises
    ------
    ValidationError
        With what is wrong, by input.
    """
    typed = {
        name: (cleaned.get(name) or SCALE_FIELDS[name]).strip()
        for name in ("scale__low", "scale__high", "scale__step")
    }
    numbers = {name: exact(normalise_number(text)) for name, text in typed.items()}
    wrong = {
        name: _("Not a number: %s") % typed[name][:LONGEST_REPEATED]
        for name, number in numbers.items()
        if number is None
    }
    if wrong:
        raise forms.ValidationError(wrong)
    low, high, step = (number or Fraction(0) for number in numbers.values())
    (most,) = (each.high for each in family.parameters if each.counts_answers)
    if step <= 0 or low >= high or (high - low) % step:
        message = _("Enter a step that leads from the lowest to the highest value.")
        raise forms.ValidationError({"scale__step": message})
    points = int((high - low) / step) + 1
    if points > most:
        message = _(
            "%(points)s points are too many: this mechanism takes at most %(most)s."
        )
        numbers_told = {"points": format_integer(points), "most": format_integer(most)}
        raise forms.ValidationError({"scale__step": message % numbers_told})
    try:
        return Scale(low, high, points)
    except ScaleError:
        message = _("Enter values from %(least)s to %(most)s.")
        bounds = {
            "least": format_written_number(str(-LARGEST)),
            "most": format_written_number(str(LARGEST)),
        }
        raise forms.ValidationError({"scale__high": message % bounds}) from None


def read_table(
    family: Family, cleaned: Mapping[str, Any], usual: Sequence[str], *, language: str
) -> tuple[Mechanism, list[str], Scale | None]:
    """Return the table that the inputs make, the wordings of its answers, its scale.

    The numbers of a scale are written as in `language`. With its switch in `cleaned` a
    family of `SKIPPABLE` gets the last of the `usual` wordings as one more answer.

    Raises
    ------
    ValidationError
        With what is wrong, by input.
    """
    names = {each.name: get_field_name(family, each.name) for each in family.parameters}
    fields = [names[name] for name in family.counted(0)] or list(LABEL_FIELDS)
    scale = read_scale(family, cleaned) if family.is_scale else None
    if scale:
        fields = ["scale__last"]
        first, last = ((cleaned.get(name) or "").strip() for name in ENDS)
        labels = list(label_scale(scale, language, first=first, last=last))
    elif family.counted(0):
        lines = cleaned.get(fields[0])
        offered = (
            get_pair_labels(language) if family.identifier == LINKED_PAIR else usual[:2]
        )
        labels = lines.split("\n") if lines else list(offered)
    else:
        pairs = zip(fields, usual, strict=False)
        labels = [cleaned.get(field) or label for field, label in pairs]
    is_skippable = family.identifier in SKIPPABLE and bool(
        cleaned.get(get_switch(family.identifier))
    )
    if is_skippable and len(labels) > 1:
        labels = add_decline_answer(labels, usual[-1], language)
    wrong: dict[str, list[str]] = {}
    if problem := find_label_problem(labels):
        wrong[fields[-1]] = [problem]
    given: dict[str, Any] = {
        name: normalise_number(cleaned.get(field) or "")
        for name, field in names.items()
    }
    given |= family.counted(len(labels))
    if is_skippable and scale:
        family = load_families()[SKIPPABLE[family.identifier]]
        given |= family.counted(len(labels))
    for parameter in family.parameters:
        try:
            parameter.parse(given[parameter.name])
        except ParameterError as error:
            text = explain_error(error, name=name_parameters(error.parameter, family))
            wrong.setdefault(names[parameter.name], []).append(text)
    if wrong:
        raise forms.ValidationError(wrong)
    if is_skippable and family.answers:
        family = load_families()[SKIPPABLE[family.identifier]]
        given = family.counted(len(labels)) | {
            each.name: given.get("epsilon", COIN_EPSILON)
            for each in family.parameters
            if not each.counts_answers
        }
    try:
        return family.build(**given), labels, scale
    except ParameterError as error:
        # Each is sound and yet they do not go together: said at the first.
        at_input = next(iter(names.values()), "family")
        text = explain_error(error, name=name_parameters(error.parameter, family))
        raise forms.ValidationError({at_input: text}) from error


def add_decline_answer(labels: list[str], decline: str, language: str) -> list[str]:
    if labels[-1] == decline or find_decline_answer(labels, language) is not None:
        return labels
    return [*labels, decline]


def name_parameters(parameters: str, family: Family) -> str:
    called = {each.name: _(each.label) for each in family.parameters}
    called["and"] = _("and")
    return re.sub(r"\w+", lambda found: called.get(found[0], found[0]), parameters)


class AnswerLines(forms.CharField):
    """Lines, blank ones and space around left out; browsers end them in another way."""

    def __init__(
        self,
        *,
        usual: Sequence[str],
        is_scrambled: bool,
        is_pair: bool = False,
    ) -> None:
        shown = {"rows": 4, "placeholder": "\n".join(usual)}
        super().__init__(
            widget=forms.Textarea(attrs=shown),
            label=gettext_lazy("Answers, one per line"),
            initial="",
            help_text=gettext_lazy(
                "In this order: yes to both, only to the first, only to the second, "
                "to neither."
            )
            if is_pair
            else ""
            if is_scrambled
            else gettext_lazy(
                "Use few, broad groups: narrow ones can identify a person."
            ),
            required=False,
        )

    def to_python(self, value: Any) -> str:
        lines = (line.strip() for line in (value or "").splitlines())
        return "\n".join(line for line in lines if line)


REMEMBERED = 32
"""Languages of pages times languages of surveys."""


@cache_by_language(maxsize=REMEMBERED)
def make_family_inputs(language: str) -> dict[str, forms.Field]:
    """Return the inputs for a survey in `language`; nobody may change them."""
    return {
        **make_wording_fields(language),
        **make_scale_fields(),
        **{
            name: forms.BooleanField(label=label, required=False)
            for name, label in SWITCHES.items()
        },
        **{
            get_field_name(family, parameter.name): make_answer_lines(family, language)
            if parameter.counts_answers
            else make_parameter_field(parameter)
            for family in list_offered()
            for parameter in list_parameters(family)
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
            ("scale__first", gettext_lazy("Label of the lowest value"), 60),
            ("scale__last", gettext_lazy("Label of the highest value"), 60),
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
    is_pair = family.identifier == LINKED_PAIR
    return AnswerLines(
        usual=get_pair_labels(language)
        if is_pair
        else get_default_labels(language)[:2],
        is_scrambled=family.is_protected,
        is_pair=is_pair,
    )
