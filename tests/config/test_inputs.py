"""Candor renders form widgets as Django's templates do."""

import pytest
from django import forms
from django.forms.renderers import DjangoTemplates, get_default_renderer
from django.utils.safestring import mark_safe
from django.utils.translation import gettext_lazy, override

from config.inputs import WRITTEN, Written

LABELS = ["", "Yes & No", mark_safe("<b>two</b>"), gettext_lazy("Choose a mechanism")]
VALUES = [None, "", " a ", "<'\"&>", "a\n b\n", mark_safe("&ndash;"), 0, 1234.5, True]
CHOICES = [
    ("", "---"),
    (None, "none"),
    (1234, 1234),
    ("Group <1>", [("a", "A & B"), ("b", LABELS[-1]), (5, LABELS[2])]),
    (gettext_lazy("Other kinds of question"), [("1.5", "c")]),
]
ATTRIBUTES = [
    {},
    {"id": "x", "class": 'a "b"', "required": True, "disabled": False, "rows": 1234},
    {"data-x": mark_safe("&amp;"), "placeholder": LABELS[-1], "aria-label": None},
]
WIDGETS = [
    forms.TextInput(),
    forms.NumberInput(),
    forms.HiddenInput(),
    forms.DateInput(),
    forms.CheckboxInput(),
    forms.Textarea(),
    forms.Select(choices=CHOICES),
    forms.Select(choices=[]),
]


class Awkward(forms.Form):
    text = forms.CharField(label=LABELS[1], help_text="help", max_length=5)
    plain = forms.CharField(label=LABELS[2], widget=forms.Textarea, required=False)
    lazy = forms.ChoiceField(label=LABELS[3], choices=CHOICES)
    nothing = forms.IntegerField(label="", widget=forms.HiddenInput, initial=1234)
    several = forms.MultipleChoiceField(choices=CHOICES)
    radio = forms.ChoiceField(choices=CHOICES, widget=forms.RadioSelect)
    file = forms.FileField()


class OwnOption(forms.Select):
    option_template_name = "django/forms/widgets/radio_option.html"


def test_forms_use_the_custom_renderer():
    assert isinstance(get_default_renderer(), Written)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("widget", [*WIDGETS, OwnOption(choices=CHOICES)])
def test_inputs_are_rendered_as_by_django(widget, language):
    is_written = widget.template_name in WRITTEN
    with override(language):
        for attributes in ATTRIBUTES:
            for value in VALUES:
                written, django = (
                    widget.render("n<a>me", value, attributes, renderer)
                    for renderer in (Written(), DjangoTemplates())
                )
                assert (is_written, written) == (True, django)


@pytest.mark.parametrize("auto_id", [True, "id_%s", False])
@pytest.mark.parametrize("sent", [None, {}, {"text": "<too long>", "lazy": "1234"}])
def test_forms_are_rendered_as_by_django(auto_id, sent):
    written, django = (
        str(Awkward(sent, auto_id=auto_id, label_suffix=" ?", renderer=renderer()))
        for renderer in (Written, DjangoTemplates)
    )
    assert written == django
