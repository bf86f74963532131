"""Questions whose answers are numbers, one step apart; results show their mean."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar

from django import forms
from django.utils import translation
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from candor.mechanisms import Family, Mechanism
from candor.mechanisms.parameters import Parameter, exact
from candor.mechanisms.scale import LARGEST, Scale, ScaleError, reduce_to_ends
from surveys.kinds.kind import Kind, StoredScale, Wording
from surveys.kinds.labels import get_default_labels
from surveys.numbers import format_integer, format_written_number
from surveys.problem import Problem
from surveys.typed_numbers import normalise_number

LOW, HIGH, STEP = "scale__low", "scale__high", "scale__step"
ENDS = ("scale__first", "scale__last")

BEFORE_MEANING = ": "
"""Separates the value at an end of a scale from its meaning: "0: not at all"."""

VALUE_DIGITS = 6
"""Significant digits of a value that is not whole: a third of 10 is 3.33333."""

MAX_REPEATED_LENGTH = 30
"""Maximum characters of a typed value in an error."""

NARROW_LABEL = 3
"""Maximum characters of a label that fits into a cell of 44 px."""

SHORT_LABEL, MANY_POINTS = 9, 12
"""With more points than MANY_POINTS, labels up to SHORT_LABEL characters share rows, in
wider cells."""


class ScaleKind(Kind):
    label = gettext_lazy("Number or scale")
    family = "one_bit"
    skippable: ClassVar[Mapping[str, str]] = {
        "grid": "grid_skip",
        "one_bit": "one_bit_skip",
    }
    skip_field = "skip_scale"
    """Off by default: means of such questions cannot be compared."""
    is_timeless = True
    blank: ClassVar[Mapping[str, str]] = {
        LOW: "0", HIGH: "10", STEP: "1", **dict.fromkeys(ENDS, "")
    }  # fmt: skip
    template_name = "surveys/authoring/kinds/_scale.html"

    def includes(self, family: Family) -> bool:
        return family.is_scale

    def label_answers(
        self, mechanism: Mechanism, scale: StoredScale, language: str
    ) -> tuple[str, ...]:
        points = label_points(Scale.of(scale, mechanism.points), language)
        more = get_default_labels(language)[-1:] if mechanism.can_be_skipped else ()
        return (*points, *more)

    def find_scale(self, mechanism: Mechanism, stored: StoredScale) -> Scale | None:
        return Scale.of(stored, mechanism.points)

    def list_parameters(self, family: Family) -> list[Parameter]:
        """Return all but the number of points, which follows from the values."""
        return [each for each in family.parameters if not each.counts_answers]

    def make_fields(self) -> dict[str, forms.Field]:
        return {
            name: forms.CharField(label=label, max_length=most, required=False)
            for name, label, most in (
                (LOW, gettext_lazy("Lowest value"), 30),
                (HIGH, gettext_lazy("Highest value"), 30),
                (STEP, gettext_lazy("Step"), 30),
                (ENDS[0], gettext_lazy("Label of the lowest value"), 60),
                (ENDS[1], gettext_lazy("Label of the highest value"), 60),
            )
        }

    def read_wording(
        self, family: Family, cleaned: Mapping[str, Any], language: str
    ) -> Wording:
        scale = self.read_scale(family, cleaned)
        first, last = ((cleaned.get(name) or "").strip() for name in ENDS)
        labels = label_points(scale, language, first=first, last=last)
        return Wording(labels, ENDS[-1], scale)

    def read_scale(self, family: Family, cleaned: Mapping[str, Any]) -> Scale:
        typed = {
            name: (cleaned.get(name) or self.blank[name]).strip()
            for name in (LOW, HIGH, STEP)
        }
        numbers = {name: exact(normalise_number(text)) for name, text in typed.items()}
        wrong = {
            name: _("Not a number: %s") % typed[name][:MAX_REPEATED_LENGTH]
            for name, number in numbers.items()
            if number is None
        }
        if wrong:
            raise forms.ValidationError(wrong)
        low, high, step = (number or Fraction(0) for number in numbers.values())
        (most,) = (each.high for each in family.parameters if each.counts_answers)
        if step <= 0 or low >= high or (high - low) % step:
            message = _("Enter a step that reaches the highest value.")
            raise forms.ValidationError({STEP: message})
        points = int((high - low) / step) + 1
        if points > most:
            message = _("This mechanism takes at most %(most)s points.")
            shown = {"points": format_integer(points), "most": format_integer(most)}
            raise forms.ValidationError({STEP: message % shown})
        try:
            return Scale(low, high, points)
        except ScaleError:
            message = _("Enter values from %(least)s to %(most)s.")
            bounds = {
                "least": format_written_number(str(-LARGEST)),
                "most": format_written_number(str(LARGEST)),
            }
            raise forms.ValidationError({HIGH: message % bounds}) from None

    def fill_inputs(self, labels: Sequence[str], scale: StoredScale) -> dict[str, str]:
        if len(labels) < 2:
            return {}
        try:
            found = Scale.of(scale, len(labels))
        except ScaleError:
            return {}
        # The meanings as written by `label_points`.
        first, last = (labels[end].partition(BEFORE_MEANING)[2] for end in (0, -1))
        values = (found.low, found.high, found.step, first, last)
        return dict(zip(self.blank, map(str, values), strict=True))

    def keep_labels(
        self, labels: list[str], stored: Sequence[str], mechanism: Mechanism
    ) -> list[str]:
        if len(stored) != len(labels):
            return labels
        last = mechanism.points - 1
        return [labels[0], *stored[1:last], labels[last], *stored[last + 1 :]]

    def recognise_skip(
        self, family: Family, parameters: Mapping[str, str], *, is_yes_or_no: bool
    ) -> dict[str, str]:
        return {"family": family.without_skip} if family.without_skip else {}

    def find_problems(
        self, mechanism: Mechanism, scale: StoredScale, *, is_shuffled: bool
    ) -> Iterator[Problem]:
        try:
            Scale.of(scale, mechanism.points)
        except ScaleError:
            yield Problem("family", _("The values do not form a scale."))
        if is_shuffled:
            text = _("The points of a scale stay in order.")
            yield Problem("shuffle_choices", text)

    def arrange(
        self, labels: Sequence[str], declined: int | None, *, is_by_hand: bool
    ) -> dict[str, Any]:
        """Return the points in cells of equal size if their labels fit."""
        whole = super().arrange(labels, declined, is_by_hand=is_by_hand)
        if is_by_hand:
            return whole
        points = labels if declined is None else labels[:declined]
        values = [label.partition(" ")[0].rstrip(":") for label in points]
        if max(map(len, values)) > NARROW_LABEL:
            is_short = max(map(len, points)) <= SHORT_LABEL
            is_wider = is_short and len(points) > MANY_POINTS
            return {**whole, "shape": "scale wider" if is_wider else ""}
        cells = zip(values, points, strict=True)
        ends = (points[0], points[-1])
        return {
            "options": [
                *((value, label[len(value) :]) for value, label in cells),
                *((label, "") for label in labels[len(points) :]),
            ],
            "shape": "scale",
            "ends": () if ends == (values[0], values[-1]) else ends,
        }

    def reduce_answers(
        self, mechanism: Mechanism, choices: tuple[str, ...], language: str
    ) -> tuple[Mechanism, tuple[str, ...]] | None:
        """Return a scale that can be skipped as a question with several answers.

        No analysis of a scale may treat the skip answer as a point. If reports are High
        or Low, the points become the two ends to which they are rounded.
        """
        if not mechanism.can_be_skipped:
            return None
        reduced = reduce_to_ends(mechanism)
        if reduced.answers != mechanism.answers:
            with translation.override(language):
                ends = (_("Rounded to %s") % choices[each] for each in (-2, 0))
                choices = (*ends, choices[-1])
        return reduced, choices


def label_points(
    scale: Scale, language: str, *, first: str = "", last: str = ""
) -> tuple[str, ...]:
    """Return a label for each point: its value, and at the ends its meaning."""
    with translation.override(language):
        values = [format_scale_value(value) for value in scale.values]
    for place, meaning in ((0, first), (-1, last)):
        if meaning:
            values[place] = f"{values[place]}{BEFORE_MEANING}{meaning}"
    return tuple(values)


def format_scale_value(value: Fraction) -> str:
    digits = f"{float(value):.{VALUE_DIGITS}g}" if value.denominator > 1 else str(value)
    return number_format(digits, use_l10n=True, force_grouping=False)
