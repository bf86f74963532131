"""The form of a plan's assumptions."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from candor.intervals import DEFAULT_CONFIDENCE_LEVEL, DEFAULT_METHOD
from candor.intervals.one_sided import ONE_SIDED_METHODS
from candor.mechanisms import Mechanism, ParameterError, load_families
from candor.mechanisms.draws import DrawnGroup
from candor.mechanisms.parameters import exact
from candor.planning.assumptions import find_largest_sd
from candor.planning.inputs import INPUTS
from candor.validation import Range
from surveys.models import Survey
from surveys.models.draws import read_draws
from surveys.models.period import MAX_MARGIN, MAX_TARGET, MIN_MARGIN
from surveys.text.errors import explain_error
from surveys.typed_numbers import normalise_integer, normalise_number

PERCENT = 100

USUAL_LEVEL = str(DEFAULT_CONFIDENCE_LEVEL)

DEFAULT_MEAN = 0.5

EXAMPLE_RESPONDENTS = 1_000
EXAMPLE_MARGIN = 0.05
"""Figures to start with where nothing is planned yet; they are called examples."""


def refuse(subject: object, *, allowed: str, value: object) -> ValidationError:
    error = ParameterError(str(subject), allowed=allowed, value=value)
    return ValidationError(explain_error(error))


class NumberField(forms.Field):
    """An input of `candor.plan` as a person types it; nothing typed is the default."""

    def __init__(
        self,
        argument: str,
        *,
        unit: int = 1,
        low: float | None = None,
        high: float | None = None,
        default: float | None = None,
        **shown: Any,
    ) -> None:
        super().__init__(required=False, **shown)
        declared = INPUTS[argument]
        self.unit, self.is_whole = unit, declared.is_whole
        self.default = declared.default if default is None else default
        within = declared.within
        self.within = Range(
            low=unit * within.low if low is None else low,
            high=unit * within.high if high is None else high,
            example=f"{unit * float(within.example):g}",
        )
        if self.default is not None:
            self.initial = f"{unit * self.default:g}"

    @property
    def allowed(self) -> str:
        if not self.is_whole:
            return self.within.allowed
        low, high = int(self.within.low), int(self.within.high)
        return f"a whole number in [{low}, {high}], such as {self.within.example}"

    def clean(self, value: Any) -> Any:
        text = (value or "").strip()
        if not text:
            return self.default
        number = exact((normalise_integer if self.is_whole else normalise_number)(text))
        # The ends as they are written: the float 0.1 is a little more than a tenth.
        low, high = (Fraction(str(end)) for end in (self.within.low, self.within.high))
        is_sound = number is not None and low <= number <= high
        if number is None or not is_sound or (self.is_whole and number % 1):
            raise self.refuse(text)
        return int(number) if self.is_whole else float(number / self.unit)

    def refuse(self, value: object, *, allowed: str = "") -> ValidationError:
        return refuse(self.label, allowed=allowed or self.allowed, value=value)


class DrawsField(forms.Field):
    def clean(self, value: Any) -> tuple[DrawnGroup, ...]:
        text = (value or "").strip()
        return tuple(read_draws(text)) if text else ()


class OneOf(forms.Field):
    """One of a few names; nothing given means the first."""

    def __init__(self, name: str, names: Callable[[], Sequence[str]]) -> None:
        super().__init__(required=False)
        self.name, self.names = name, names

    def clean(self, value: Any) -> str:
        names = self.names()
        if value and value not in names:
            allowed = f"one of {', '.join(names)}"
            raise refuse(self.name, allowed=allowed, value=value)
        return value or names[0]


def usual_first(names: Sequence[str], usual: str) -> list[str]:
    return [usual, *(name for name in names if name != usual)]


class PlanForm(forms.Form):
    """Assumptions of a plan. Shares in percent, margins in percentage points."""

    mode = OneOf("mode", lambda: Survey.Mode.values)
    language = OneOf("language", lambda: [code for code, _name in settings.LANGUAGES])
    level = OneOf("level", lambda: usual_first(Survey.Level.values, USUAL_LEVEL))
    intervals = OneOf(
        "intervals", lambda: usual_first(Survey.Method.values, DEFAULT_METHOD)
    )
    draws = DrawsField(required=False)
    respondents = NumberField(
        "respondents",
        label=capfirst(Survey._meta.get_field("target").verbose_name),
        high=MAX_TARGET,
    )
    margin = NumberField(
        "margin",
        label=capfirst(Survey._meta.get_field("wanted_margin").verbose_name),
        unit=PERCENT,
        low=float(MIN_MARGIN),
        high=float(MAX_MARGIN),
    )
    share = NumberField(
        "share",
        unit=PERCENT,
        label=_("Expected share (%)"),
        help_text=_("Of the first answer. If unknown, keep 50."),
    )
    against = NumberField("against", unit=PERCENT, label=_("Share to beat (%)"))
    prior = NumberField(
        "prior",
        unit=PERCENT,
        label=_("Suspicion (%)"),
        help_text=_("About one person, before seeing the report."),
    )
    power = NumberField(
        "power",
        unit=PERCENT,
        low=50,
        high=99.9,
        label=_("Power (%)"),
        help_text=_("80 is usual."),
    )
    response_rate = NumberField(
        "response_rate", unit=PERCENT, low=0.1, label=_("Response rate (%)")
    )
    design_effect = NumberField(
        "design_effect",
        label=_("Design effect"),
        help_text=_("1 without weights, often 1.2 to 2 with them."),
    )
    intra_class = NumberField(
        "intra_class",
        label=_("Intra-class correlation"),
        help_text=_("Often 0.05 to 0.2."),
    )
    cluster_size = NumberField("cluster_size", label=_("People per cluster"))
    mean = NumberField(
        "mean",
        unit=PERCENT,
        default=DEFAULT_MEAN,
        label=_("Expected mean (% of scale)"),
        help_text=_("If unknown, keep 50."),
    )
    sd = NumberField(
        "sd",
        unit=PERCENT,
        label=_("Standard deviation (% of scale)"),
        help_text=_("If empty, all values are equally common."),
    )
    other = NumberField(
        "other_share", unit=PERCENT, label=_("Share in second group (%)")
    )
    difference = NumberField(
        "difference", unit=PERCENT, low=0.1, label=_("Difference of means (% of scale)")
    )
    ratio = NumberField("ratio", label=_("Ratio of group sizes, second to first"))

    groups: ClassVar = (
        (
            "",
            (
                *("share", "against", "prior", "power"),
                *("response_rate", "design_effect", "intra_class", "cluster_size"),
            ),
        ),
        (_("Numbers and scales"), ("mean", "sd")),
        (_("Two groups"), ("other", "difference", "ratio")),
    )

    def shown_groups(self) -> Iterator[dict[str, Any]]:
        for title, names in self.groups:
            shown = [
                (self[name], self.data.get(name) or self.fields[name].initial or "")
                for name in names
            ]
            is_set = any(value != (each.field.initial or "") for each, value in shown)
            yield {"title": title, "fields": shown, "is_open": is_set}

    @property
    def is_open(self) -> bool:
        return any(group["is_open"] for group in self.shown_groups())

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        for name in ("against", "other"):
            other = cleaned.get(name)
            if other is not None and other == cleaned.get("share"):
                field = self.number_field(name)
                allowed = f"{field.allowed}, and not the assumed share"
                self.add_error(name, field.refuse(self.data[name], allowed=allowed))
        mean, sd = cleaned.get("mean"), cleaned.get("sd")
        # Two means lie around it, half of their difference to either side.
        apart = (cleaned.get("difference") or 0.0) / 2
        if mean is None or not self.keeps("mean", mean, low=apart, high=1 - apart):
            return cleaned
        if sd is not None:
            # Means so near to an end leave answers only so much room.
            most = find_largest_sd(mean - apart, mean + apart, last=1)
            self.keeps("sd", sd, low=0, high=most)
        return cleaned

    def number_field(self, name: str) -> NumberField:
        field: NumberField = self.fields[name]  # type: ignore[assignment]
        return field

    def keeps(self, name: str, part: float, *, low: float, high: float) -> bool:
        """Refuse what others leave no room for, to a tenth of a percent inwards."""
        least, tenths, most = (round(1000 * each, 6) for each in (low, part, high))
        lowest, highest = math.ceil(least), math.floor(most)
        if lowest <= tenths <= highest:
            return True
        halfway = f"{(lowest + highest) / 20:g}"
        room = Range(low=lowest / 10, high=highest / 10, example=halfway)
        refusal = self.number_field(name).refuse(self.data[name], allowed=room.allowed)
        self.add_error(name, refusal)
        return False


@dataclass(frozen=True, kw_only=True)
class Assumptions:
    """What `PlanForm` found; shares and margins as fractions of 1."""

    mode: str
    language: str
    share: float
    respondents: int | None
    margin: float | None
    against: float | None
    prior: float
    design_effect: float
    intra_class: float
    cluster_size: float
    response_rate: float
    other: float | None
    difference: float | None
    mean: float
    sd: float | None
    ratio: float
    power: float
    level: str
    intervals: str
    draws: tuple[DrawnGroup, ...]

    def estimand_arguments(self, mechanism: Mechanism) -> dict[str, Any]:
        if not load_families()[mechanism.family].is_scale:
            return {"share": self.share}
        last = mechanism.points - 1
        sd = None if self.sd is None else self.sd * last
        return {"mean": self.mean * last, "sd": sd}

    @property
    def confidence_level(self) -> float:
        return float(self.level)

    @property
    def tested_by(self) -> str:
        """The interval whose test is planned: a Bayesian one has none."""
        return self.intervals if self.intervals in ONE_SIDED_METHODS else DEFAULT_METHOD

    @property
    def planned(self) -> int:
        return self.respondents or EXAMPLE_RESPONDENTS

    @property
    def wanted(self) -> float:
        return self.margin or EXAMPLE_MARGIN
