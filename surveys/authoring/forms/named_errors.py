import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _


@dataclass(frozen=True)
class NamedError:
    """An error with the name and the id of its input, for the list above a form."""

    name: str
    target: str
    message: str
    code: str = ""


def list_errors(form: forms.BaseForm, formsets: Sequence[Any]) -> list[NamedError]:
    found = list(list_form_errors(form, prefix=""))
    for formset in formsets:
        kept = [each for each in formset.forms if not is_removed(formset, each)]
        # As scripts show them after an error: by their places, not by their inputs.
        for number, each in enumerate(sorted(kept, key=get_position), start=1):
            found += list_form_errors(each, prefix=_("Question %s, ") % number)
    return found


def get_position(form: forms.BaseForm) -> float:
    try:
        return int(form["position"].value())
    except (TypeError, ValueError):
        return math.inf


def is_removed(formset: Any, form: forms.BaseForm) -> bool:
    """Whether it is about to go: what is wrong with it then matters to nobody."""
    name = form.add_prefix("DELETE")
    return formset.is_bound and form.data.get(name) == "on"


def list_form_errors(form: forms.BaseForm, *, prefix: str) -> Iterator[NamedError]:
    # Most forms have none, and each field that is looked at is made first.
    for field in form if form.errors else ():
        for error in field.errors.as_data():
            # A group of radio buttons has no id of its own; its first button has.
            target = field.id_for_label or f"{field.auto_id}_0"
            name = f"{prefix}{field.label}"
            for message in error.messages:
                yield NamedError(name, target, message, error.code or "")
