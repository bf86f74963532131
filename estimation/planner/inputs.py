"""What the planner is asked: assumptions, and the questions as they stand on a form."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import QueryDict

from estimation.charts.style import THEMES, WIDTHS
from estimation.maths.checked import Range
from estimation.maths.planning.budget import MAX_QUESTIONS
from estimation.maths.planning.plan import DEFAULT_SHARE
from estimation.maths.planning.reading import DEFAULT_PRIOR
from surveys.authoring.forms.answer_lines import AnswerLines
from surveys.authoring.forms.question import LABEL_FIELDS, field_name
from surveys.mechanisms import Family, ParameterError, families
from surveys.mechanisms.parameters import exact, shown
from surveys.models import Survey, usual_labels
from surveys.models.period import LARGEST_MARGIN, LARGEST_TARGET, SMALLEST_MARGIN
from surveys.models.question import problem_of
from surveys.words.tables import TableInWords

SHARE = Range(low=0, high=100, example="50")
MARGIN = Range(low=float(SMALLEST_MARGIN), high=float(LARGEST_MARGIN), example="5")
WHOLE_RESPONDENTS = f"a whole number in [1, {LARGEST_TARGET}], such as 1000"
"""As the survey's own fields allow."""


def refused(name: str, *, allowed: str, value: object) -> ValidationError:
    """Return the error that names the field, what it may be, and what came."""
    return ValidationError(
        f"{name} must be {allowed}; got {shown(value)}",
        params={"field": name, "allowed": allowed, "value": str(value)},
    )


def as_fraction(name: str, text: str, *, within: Range) -> float:
    """Return percent, or percentage points, as a fraction of 1."""
    number = exact(text)
    if number is None or not within.low <= number <= within.high:
        raise refused(name, allowed=within.allowed, value=text)
    return float(number / 100)


def as_respondents(name: str, text: str) -> int:
    """Return a planned number of respondents."""
    number = exact(text)
    is_sound = number is not None and number.denominator == 1
    if number is None or not is_sound or not 1 <= number <= LARGEST_TARGET:
        raise refused(name, allowed=WHOLE_RESPONDENTS, value=text)
    return int(number)


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


class PlanForm(forms.Form):
    """Assumptions of a plan. Shares in percent, margins in percentage points."""

    mode = OneOf("mode", lambda: Survey.Mode.values)
    language = OneOf("language", lambda: [code for code, _name in settings.LANGUAGES])
    share = Typed(partial(as_fraction, "share", within=SHARE), DEFAULT_SHARE)
    respondents = Typed(partial(as_respondents, "respondents"), None)
    margin = Typed(partial(as_fraction, "margin", within=MARGIN), None)
    against = Typed(partial(as_fraction, "against", within=SHARE), None)
    prior = Typed(partial(as_fraction, "prior", within=SHARE), DEFAULT_PRIOR)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        against = cleaned.get("against")
        if against is not None and against == cleaned.get("share"):
            value = self.data["against"]
            allowed = f"{SHARE.allowed}, and not the assumed share"
            self.add_error("against", refused("against", allowed=allowed, value=value))
        return cleaned


class PlanChartForm(PlanForm):
    """Which drawing of the margins."""

    theme = OneOf("theme", lambda: list(THEMES))
    size = OneOf("size", lambda: list(WIDTHS))


@dataclass(frozen=True)
class Refusal:
    """What is wrong with one input; of a question, with those of these numbers."""

    field: str
    allowed: str
    value: str
    message: str
    questions: tuple[int, ...] = ()


def refusals(form: PlanForm) -> list[Refusal]:
    """Return what is wrong with the assumptions."""
    return [
        refusal_of(error)
        for errors in form.errors.as_data().values()
        for error in errors
    ]


def refusal_of(
    error: ValidationError, questions: tuple[int, ...] = (), field: str = ""
) -> Refusal:
    """Return an error of this file as the page and programs read it."""
    params: Mapping[str, str] = error.params or {}
    return Refusal(
        field=field or params["field"],
        allowed=params["allowed"],
        value=params["value"],
        message=error.messages[0],
        questions=questions,
    )


def read_questions(
    asked: Sequence[str], *, language: str
) -> tuple[list[TableInWords], list[Refusal]]:
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
    tables: list[TableInWords] = []
    wrong: list[Refusal] = []
    taken: set[int] = set()
    for place, text in enumerate(asked, start=1):
        given = QueryDict(text)
        numbers: tuple[int, ...] = ()
        try:
            numbers = read_numbers(given.getlist("number") or [str(place)], taken)
            tables.append(read_question(given, numbers, language=language))
        except ParameterError as error:
            family = families().get(given.get("family", ""))
            wrong.append(refused_parameter(error, numbers, family))
        except ValidationError as error:
            wrong.append(refusal_of(error, numbers))
    return tables, wrong


def read_numbers(given: Sequence[str], taken: set[int]) -> tuple[int, ...]:
    """Return the numbers of questions, none of which has come before."""
    allowed = f"a whole number in [1, {MAX_QUESTIONS}] that no other question has"
    numbers = []
    for text in given:
        is_number = text.isascii() and text.isdigit() and len(text) < len(allowed)
        number = int(text) if is_number else 0
        if not 1 <= number <= MAX_QUESTIONS or number in taken:
            raise refused("number", allowed=allowed, value=text)
        taken.add(number)
        numbers.append(number)
    return tuple(sorted(numbers))


def read_question(
    given: QueryDict, numbers: tuple[int, ...], *, language: str
) -> TableInWords:
    """Return the table and its wordings, by the rules of the authoring form."""
    name = given.get("family", "")
    family = families().get(name)
    if family is None:
        raise ParameterError(
            "family", allowed=f"one of {', '.join(families())}", value=name
        )
    usual = usual_labels(language)
    labels = read_labels(family, given, usual)
    values: dict[str, object] = {
        parameter.name: given.get(field_name(family, parameter.name))
        for parameter in family.parameters
    }
    mechanism = family.build(**values | family.counted(len(labels)))
    return TableInWords(numbers, mechanism, tuple(labels))


def read_labels(
    family: Family, given: QueryDict, usual: Sequence[str]
) -> Sequence[str]:
    """Return the wordings of the answers."""
    counted = list(family.counted(0))
    name = field_name(family, counted[0]) if counted else LABEL_FIELDS[-1]
    if counted:
        lines = AnswerLines((), usual=usual).to_python(given.get(name))
        labels = lines.split("\n") if lines else list(usual)
    else:
        labels = [
            given.get(field, "").strip() or label
            for field, label in zip(LABEL_FIELDS, usual, strict=False)
        ]
    if problem := problem_of(labels):
        value = ", ".join(labels)
        allowed = "different wordings, short enough to store"
        raise ValidationError(
            problem, params={"field": name, "allowed": allowed, "value": value}
        )
    return labels


def refused_parameter(
    error: ParameterError, numbers: tuple[int, ...], family: Family | None
) -> Refusal:
    """Return an error of a mechanism, at the input that the authoring form names."""
    own = [parameter.name for parameter in family.parameters] if family else []
    # Sound numbers that do not go together are named together: said at the first.
    name = error.parameter if error.parameter in own else next(iter(own), None)
    at_input = field_name(family, name) if family and name else "family"
    return Refusal(
        field=at_input,
        allowed=error.allowed,
        value=str(error.value),
        message=str(error),
        questions=numbers,
    )
