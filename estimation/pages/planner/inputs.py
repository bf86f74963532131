"""What the planner is asked: assumptions, and the questions as they stand on a form."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy

from candor.intervals import DEFAULT_CONFIDENCE_LEVEL, DEFAULT_METHOD
from candor.intervals.one_sided import ONE_SIDED_METHODS
from candor.mechanisms import Mechanism, ParameterError, load_families
from candor.mechanisms.composition import MAX_QUESTIONS
from candor.mechanisms.draws import DrawnGroup
from candor.mechanisms.parameters import exact
from candor.planning.assumptions import DEFAULT_SHARE, largest_sd
from candor.planning.fieldwork import DESIGN_EFFECT
from candor.planning.groups import RATIO
from candor.planning.posterior import DEFAULT_PRIOR
from candor.planning.power import DEFAULT_POWER
from candor.validation import Range
from surveys.authoring.forms.answer_lines import AnswerLines
from surveys.authoring.forms.inputs import list_inputs, read_table
from surveys.authoring.forms.named_errors import is_removed
from surveys.authoring.forms.typed_numbers import normalise_integer, normalise_number
from surveys.models import Survey, get_default_labels
from surveys.models.draws import read_draws
from surveys.models.period import LARGEST_MARGIN, LARGEST_TARGET, SMALLEST_MARGIN
from surveys.text.errors import explain_error as told_refusal
from surveys.text.tables import TableDescription

SHARE = Range(low=0, high=100, example="50")
RESPONSE_RATE = Range(low=0.1, high=100, example="40")
POWER = Range(low=50, high=99.9, example="80")
DIFFERENCE = Range(low=0.1, high=100, example="10")
MEAN = Range(low=0, high=100, example="50")
SD = Range(low=0, high=50, example="30")
"""In hundredths of the scale; nothing spreads more than half at each end."""
MARGIN = Range(low=float(SMALLEST_MARGIN), high=float(LARGEST_MARGIN), example="5")
WHOLE_RESPONDENTS = f"a whole number in [1, {LARGEST_TARGET}], such as 1000"
"""As the survey's own fields allow."""

USUAL_LEVEL = str(DEFAULT_CONFIDENCE_LEVEL)

DEFAULT_MEAN = 0.5
"""The middle of a scale, as a part of it."""

EXAMPLE_RESPONDENTS = 1_000
EXAMPLE_MARGIN = 0.05
"""Figures to start with where nothing is planned yet; they are called examples."""

ON_THE_FORM = {
    "mode": "mode",
    "language": "language",
    "respondents": "target",
    "margin": "wanted_margin",
    "level": "pinned_level",
    "intervals": "pinned_method",
    "draws": "draws",
}
"""What is assumed by fields of the survey itself."""


NAMES = {
    "share": gettext_lazy("The expected share"),
    "against": gettext_lazy("The share to beat"),
    "other": gettext_lazy("The share in the second group"),
    "difference": gettext_lazy("The difference of two means"),
    "mean": gettext_lazy("The expected mean"),
    "sd": gettext_lazy("The standard deviation"),
    "ratio": gettext_lazy("The ratio of the groups"),
    "power": gettext_lazy("The power"),
    "prior": gettext_lazy("The suspicion"),
    "response_rate": gettext_lazy("The response rate"),
    "design_effect": gettext_lazy("The design effect"),
    "respondents": gettext_lazy("The planned number of responses"),
    "margin": gettext_lazy("The wanted margin of error"),
}
"""Of what a person types."""


def refused(name: str, *, allowed: str, value: object) -> ValidationError:
    """Return the error that names the input, what it may be, and what came."""
    shown = str(NAMES.get(name, name))
    return ValidationError(
        told_refusal(ParameterError(shown, allowed=allowed, value=value))
    )


def exact_within(name: str, text: str, *, within: Range) -> Fraction:
    """Return a number within a range."""
    number = exact(normalise_number(text))
    # The ends as they are written: the float 0.1 is a little more than a tenth.
    low, high = (Fraction(str(end)) for end in (within.low, within.high))
    if number is None or not low <= number <= high:
        raise refused(name, allowed=within.allowed, value=text)
    return number


def as_number_within(name: str, text: str, *, within: Range) -> float:
    """Return a number that is no percentage."""
    return float(exact_within(name, text, within=within))


def as_fraction(name: str, text: str, *, within: Range) -> float:
    """Return percent, or percentage points, as a fraction of 1."""
    return float(exact_within(name, text, within=within) / 100)


def as_respondents(name: str, text: str) -> int:
    """Return a planned number of respondents."""
    number = exact(normalise_integer(text))
    is_sound = number is not None and number.denominator == 1
    if number is None or not is_sound or not 1 <= number <= LARGEST_TARGET:
        raise refused(name, allowed=WHOLE_RESPONDENTS, value=text)
    return int(number)


def as_groups(text: str) -> tuple[DrawnGroup, ...]:
    """Return the groups of questions of which each respondent is asked some."""
    return tuple(read_draws(text))


class Typed(forms.Field):
    """A number in a text, read exactly; nothing typed gives the default."""

    def __init__(self, read: Callable[[str], Any], default: Any) -> None:
        super().__init__(required=False)
        self.read, self.default = read, default

    def clean(self, value: Any) -> Any:
        text = (value or "").strip()
        return self.read(text) if text else self.default


class OneOf(forms.Field):
    """One of a few names; nothing given means the first."""

    def __init__(self, name: str, names: Callable[[], Sequence[str]]) -> None:
        super().__init__(required=False)
        self.name, self.names = name, names

    def clean(self, value: Any) -> str:
        names = self.names()
        if value and value not in names:
            allowed = f"one of {', '.join(names)}"
            raise refused(self.name, allowed=allowed, value=value)
        return value or names[0]


def usual_first(names: Sequence[str], usual: str) -> list[str]:
    """Return the names, what is meant where none is given before the others."""
    return [usual, *(name for name in names if name != usual)]


class PlanForm(forms.Form):
    """Assumptions of a plan. Shares in percent, margins in percentage points."""

    mode = OneOf("mode", lambda: Survey.Mode.values)
    language = OneOf("language", lambda: [code for code, _name in settings.LANGUAGES])
    share = Typed(partial(as_fraction, "share", within=SHARE), DEFAULT_SHARE)
    respondents = Typed(partial(as_respondents, "respondents"), None)
    margin = Typed(partial(as_fraction, "margin", within=MARGIN), None)
    against = Typed(partial(as_fraction, "against", within=SHARE), None)
    other = Typed(partial(as_fraction, "other", within=SHARE), None)
    level = OneOf("level", lambda: usual_first(Survey.Level.values, USUAL_LEVEL))
    intervals = OneOf(
        "intervals", lambda: usual_first(Survey.Method.values, DEFAULT_METHOD)
    )
    draws = Typed(as_groups, ())
    prior = Typed(partial(as_fraction, "prior", within=SHARE), DEFAULT_PRIOR)
    difference = Typed(partial(as_fraction, "difference", within=DIFFERENCE), None)
    mean = Typed(partial(as_fraction, "mean", within=MEAN), DEFAULT_MEAN)
    sd = Typed(partial(as_fraction, "sd", within=SD), None)
    ratio = Typed(partial(as_number_within, "ratio", within=RATIO), 1.0)
    power = Typed(partial(as_fraction, "power", within=POWER), DEFAULT_POWER)
    design_effect = Typed(
        partial(as_number_within, "design_effect", within=DESIGN_EFFECT), 1.0
    )
    response_rate = Typed(
        partial(as_fraction, "response_rate", within=RESPONSE_RATE), 1.0
    )

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        for name in ("against", "other"):
            other = cleaned.get(name)
            if other is not None and other == cleaned.get("share"):
                allowed = f"{SHARE.allowed}, and not the assumed share"
                told = refused(name, allowed=allowed, value=self.data[name])
                self.add_error(name, told)
        mean, sd = cleaned.get("mean"), cleaned.get("sd")
        # Two means lie around it, half of their difference to either side.
        apart = (cleaned.get("difference") or 0.0) / 2
        if mean is None or not self.keeps("mean", mean, low=apart, high=1 - apart):
            return cleaned
        if sd is not None:
            # Means so near to an end leave answers only so much room.
            most = largest_sd(mean - apart, mean + apart, last=1)
            self.keeps("sd", sd, low=0, high=most)
        return cleaned

    def keeps(self, name: str, part: float, *, low: float, high: float) -> bool:
        """Refuse what others leave no room for, to a tenth of a percent inwards."""
        least, tenths, most = (round(1000 * each, 6) for each in (low, part, high))
        lowest, highest = math.ceil(least), math.floor(most)
        if lowest <= tenths <= highest:
            return True
        halfway = f"{(lowest + highest) / 20:g}"
        room = Range(low=lowest / 10, high=highest / 10, example=halfway)
        told = refused(name, allowed=room.allowed, value=self.data[name])
        self.add_error(name, told)
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
    design_effect: float = 1.0
    response_rate: float = 1.0
    other: float | None = None
    difference: float | None = None
    mean: float = DEFAULT_MEAN
    sd: float | None = None
    ratio: float = 1.0
    power: float = DEFAULT_POWER
    level: str = USUAL_LEVEL
    intervals: str = DEFAULT_METHOD
    draws: tuple[DrawnGroup, ...] = ()

    def of_estimand(self, mechanism: Mechanism) -> dict[str, Any]:
        """Return the assumed share, or mean and standard deviation in points."""
        if not load_families()[mechanism.family].is_scale:
            return {"share": self.share}
        last = len(mechanism.answers) - 1
        sd = None if self.sd is None else self.sd * last
        return {"mean": self.mean * last, "sd": sd}

    @property
    def confidence_level(self) -> float:
        """Of the planned intervals, and so of all margins."""
        return float(self.level)

    @property
    def tested_by(self) -> str:
        """The interval whose test is planned: a Bayesian one has none."""
        return self.intervals if self.intervals in ONE_SIDED_METHODS else DEFAULT_METHOD

    @property
    def planned(self) -> int:
        """The planned number of respondents, or the example."""
        return self.respondents or EXAMPLE_RESPONDENTS

    @property
    def wanted(self) -> float:
        """The wanted margin of error, or the example."""
        return self.margin or EXAMPLE_MARGIN


@dataclass(frozen=True)
class Refusal:
    """What is wrong with one input; of a question, with those of these numbers."""

    field: str
    message: str
    numbers: tuple[int, ...] = ()


def refusals(
    errors: Mapping[str, Iterable[object]], numbers: tuple[int, ...] = ()
) -> list[Refusal]:
    """Return what is wrong, by input."""
    return [
        Refusal(field, str(message), numbers)
        for field, messages in errors.items()
        for message in messages
    ]


def as_asked(form: Any, formset: Any, assumed: QueryDict) -> QueryDict:
    """Return what is stored or typed, as static/js/planner/planner.js asks about it.

    Parameters
    ----------
    form, formset : SurveyForm, QuestionFormSet
    assumed : QueryDict
        What belongs to the planner alone: share, against, power, other, mean, sd,
        difference, ratio, prior, design_effect and response_rate.
    """
    asked = assumed.copy()
    for name, field in ON_THE_FORM.items():
        value = form[field].value()
        asked[name] = "" if value is None else str(value)
    alike: dict[str, list[int]] = {}
    for number, each in enumerate(formset.forms, start=1):
        family = load_families().get(each["family"].value())
        if family and not is_removed(formset, each):
            inputs = {name: each[name].value() or "" for name in list_inputs(family)}
            alike.setdefault(urlencode(inputs), []).append(number)
    questions = [
        f"{inputs}&{urlencode({'number': numbers}, doseq=True)}"
        for inputs, numbers in alike.items()
    ]
    asked.setlist("question", questions)
    return asked


def read_questions(
    asked: Sequence[str], *, language: str
) -> tuple[list[TableDescription], list[Refusal]]:
    """Return the tables that the inputs of questions make, and what is wrong.

    Parameters
    ----------
    asked : sequence of str
        Each the inputs of one question, or of several that are alike, encoded as a
        query: `family`, that family's parameters, wordings under the names of the
        authoring form, and the `number` of every such question.
    language : str
        Of wordings that nobody typed.
    """
    tables: list[TableDescription] = []
    wrong: list[Refusal] = []
    taken: set[int] = set()
    for place, text in enumerate(asked, start=1):
        given = QueryDict(text)
        numbers: tuple[int, ...] = ()
        try:
            numbers = read_numbers(given.getlist("number") or [str(place)], taken)
            tables.append(read_question(given, numbers, language=language))
        except ValidationError as error:
            wrong += refusals(error.message_dict, numbers)
    return tables, wrong


def read_numbers(given: Sequence[str], taken: set[int]) -> tuple[int, ...]:
    """Return the numbers of questions, none of which has come before."""
    allowed = f"a whole number in [1, {MAX_QUESTIONS}] that no other question has"
    numbers = []
    for text in given:
        is_number = text.isascii() and text.isdigit() and len(text) < len(allowed)
        number = int(text) if is_number else 0
        if not 1 <= number <= MAX_QUESTIONS or number in taken:
            raise ValidationError(
                {"number": refused("number", allowed=allowed, value=text)}
            )
        taken.add(number)
        numbers.append(number)
    return tuple(sorted(numbers))


def read_question(
    given: QueryDict, numbers: tuple[int, ...], *, language: str
) -> TableDescription:
    """Return the table and its wordings, by the rules of the authoring form."""
    name, usual = given.get("family", ""), get_default_labels(language)
    family = load_families().get(name)
    if family is None:
        allowed = f"one of {', '.join(load_families())}"
        raise ValidationError(
            {"family": refused("family", allowed=allowed, value=name)}
        )
    lines = AnswerLines(usual=usual, is_scrambled=family.is_protected)
    cleaned = {name: lines.to_python(typed) for name, typed in given.items()}
    mechanism, labels, scale = read_table(family, cleaned, usual, language=language)
    return TableDescription(numbers, mechanism, tuple(labels), scale)
