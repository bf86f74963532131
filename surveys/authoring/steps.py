"""The three steps in which a draft is written, and the fields of each."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.models import Survey
from surveys.models.key_holder import read_holder_key
from surveys.models.panel import format_budget
from surveys.numbers import format_margin, format_responses

TITLE, PEOPLE, EXPERT = "title", "people", "expert"
"""Classes of the fieldsets, by which the template places them."""

STEPS = (
    ("questions", gettext_lazy("Questions")),
    ("people", gettext_lazy("People")),
    ("check", gettext_lazy("Check and open")),
)

PLAN_DESCRIPTION = gettext_lazy(
    "Frozen and public at opening. All else is exploratory."
)


def make_fieldset(
    heading: Promise | None, *fields: Any, classes: str = EXPERT, **options: Any
) -> Any:
    return heading, {"classes": classes.split(), "fields": fields, **options}


FIELDSETS = (
    make_fieldset(None, "title", classes=TITLE),
    make_fieldset(
        gettext_lazy("Who asks, and why"),
        ("organiser", "contact"),
        "purpose",
        "consent",
        ("helpline", "ethics_reference"),
        "results_note",
        classes=PEOPLE,
    ),
    make_fieldset(
        gettext_lazy("Who answers"),
        "access",
        "least_links",
        ("target", "closes_on"),
        "closes_at_target",
        classes=PEOPLE,
    ),
    make_fieldset(
        gettext_lazy("Completion codes"),
        ("completion_code", "completion_link"),
        ("screened_code", "screened_link"),
        classes=f"collapse {PEOPLE}",
    ),
    make_fieldset(gettext_lazy("Languages"), "language", classes=PEOPLE),
    make_fieldset(gettext_lazy("Address"), "slug"),
    make_fieldset(gettext_lazy("Where answers are scrambled"), "mode"),
    make_fieldset(gettext_lazy("Batch size"), "batch_size"),
    make_fieldset(gettext_lazy("Questions per person"), "draws"),
    make_fieldset(
        gettext_lazy("Sealed until closing"), "holder_key", "declared_tables"
    ),
    make_fieldset(gettext_lazy("Reason for a high epsilon"), "epsilon_reason"),
    make_fieldset(
        gettext_lazy("Same people in several surveys"), ("panel", "panel_budget")
    ),
    make_fieldset(
        gettext_lazy("Planned analysis"),
        ("pinned_level", "pinned_method"),
        "shares_to_beat",
        "pinned_pairs",
        description=PLAN_DESCRIPTION,
    ),
    make_fieldset(gettext_lazy("Wanted margin"), "wanted_margin"),
)


@dataclass(frozen=True)
class Setting:
    """An expert setting, folded to its name and value."""

    fieldset: Any
    value: str
    is_open: bool
    """Whether it differs from the default, or is wrong."""

    @property
    def name(self) -> str:
        return str(self.fieldset.name)


def list_settings(adminform: Any) -> Iterator[Setting]:
    form = adminform.form
    for fieldset in adminform:
        if EXPERT not in fieldset.classes.split():
            continue
        names = [name for line in fieldset.fields for name in split_line(line)]
        values = {name: form[name].value() for name in names}
        usual = {name: getattr(Survey(), name) for name in names}
        is_usual = all(
            str(values[name] or "") == str(usual[name] or "") for name in names
        )
        is_wrong = any(form[name].errors for name in names)
        # Every survey has an address of its own.
        is_open = is_wrong or (not is_usual and names != ["slug"])
        yield Setting(fieldset, describe_value(names[0], values, is_usual), is_open)


def list_frozen_settings(
    survey: Survey, adminform: Any
) -> dict[str, list[tuple[str, str]]]:
    """Return the settings as pairs of label and value, by heading."""
    found: dict[str, list[tuple[str, str]]] = {}
    for fieldset in adminform:
        classes = fieldset.classes.split()
        is_plan = fieldset.description is not None
        if TITLE in classes or (is_plan and not survey.has_analysis_plan):
            continue
        is_single = EXPERT in classes or len(fieldset.fields) == 1
        heading = _("Settings") if is_single else str(fieldset.name)
        for field in (each for line in fieldset for each in line):
            name, label = field.field["name"], capfirst(field.field["label"])
            if value := getattr(survey, name):
                write = FROZEN_VALUES.get(name)
                shown = write(value) if write else field.contents()
                found.setdefault(heading, []).append((label, shown))
    return found


def split_line(line: str | tuple[str, ...]) -> tuple[str, ...]:
    return (line,) if isinstance(line, str) else tuple(line)


def describe_value(name: str, values: Mapping[str, Any], is_usual: bool) -> str:
    value = values[name]
    if name == "slug":
        return f"/s/{value}/" if value else _("Made from the title")
    if name == "mode":
        return str(Survey.Mode(value).label) if value in Survey.Mode else ""
    if name == "batch_size" and str(value).isdecimal():
        return format_responses(int(value))
    if name == "draws":
        return _("All") if is_usual else _("Some, drawn by chance")
    if name == "pinned_level":
        return _("None") if is_usual else _("Planned")
    if name == "holder_key":
        return describe_holder(value)
    if name == "wanted_margin" and not is_usual:
        return format_wanted_margin(value)
    return str(value or _("None"))


def describe_holder(text: str) -> str:
    try:
        holder = read_holder_key(text) if text else None
    except ValueError:
        return ""
    return f"{holder.holder} ({holder.fingerprint})" if holder else _("No")


def format_wanted_margin(value: Any) -> str:
    try:
        return format_margin(float(value) / 100, trimmed=True)
    except ValueError:
        return str(value)


FROZEN_VALUES: dict[str, Callable[[Any], str]] = {
    "wanted_margin": format_wanted_margin,
    **dict.fromkeys(("closes_at_target", "declared_tables"), lambda _value: _("Yes")),
    "holder_key": describe_holder,
    "panel_budget": format_budget,
}
"""Formats of settings for which Django's format of a value is not suitable."""
