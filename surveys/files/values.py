"""Read values of a JSON file as strictly as the model fields require."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from candor.files.table import FileError
from candor.mechanisms.parameters import shown
from surveys.sentence import Sentence, make_sentence


@dataclass(frozen=True)
class FileProblem:
    """A problem at one place of a file.

    Commands print it in code notation ("questions[0]", "(0, 10]"), since programs read
    their output; `surveys.text.errors` explains it on pages.
    """

    place: str
    text: Sentence
    separator: str = " "

    def __str__(self) -> str:
        return f"{self.place}{self.separator}{self.text}"


def parse_json(text: str) -> object:
    """Return the parsed text, with exact decimals.

    Raises
    ------
    FileError
        Also for infinity, which is not JSON, and for a repeated key of an object.
    """
    try:
        return json.loads(
            text,
            object_pairs_hook=refuse_duplicates,
            parse_float=Decimal,
            parse_constant=refuse_constant,
        )
    except FileError:
        raise
    except json.JSONDecodeError as error:
        message = make_sentence(
            "This is not JSON: line %(line)s, column %(column)s",
            line=error.lineno,
            column=error.colno,
        )
        raise FileError([message]) from error
    except (ValueError, RecursionError) as error:
        message = make_sentence("This is not JSON: %(problem)s", problem=str(error))
        raise FileError([message]) from error


def refuse_duplicates(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    if len(set(keys)) < len(keys):
        twice = next(key for key in keys if keys.count(key) > 1)
        text = make_sentence("One object has the key %(key)s twice", key=shown(twice))
        raise FileError([text])
    return dict(pairs)


def refuse_constant(name: str) -> None:
    text = make_sentence("This is not JSON: %(name)s is no number there", name=name)
    raise FileError([text])


def is_storable(value: object) -> bool:
    """Whether databases can store a value, which JSON may have escaped.

    PostgreSQL cannot store NUL, and no database half of a surrogate pair.
    """
    return not isinstance(value, str) or not (
        "\0" in value or any("\ud800" <= each <= "\udfff" for each in value)
    )


def read_value(field: Any, given: object) -> Any:
    """Return the value of a model's field.

    Raises
    ------
    ValidationError
        If `given` is of another type than the field, or breaks one of its rules.
    """
    if given is None and field.null:
        return None
    if not isinstance(given, get_json_types(field)) or (
        isinstance(given, bool) and not isinstance(field, models.BooleanField)
    ):
        raise ValidationError("The kind is another one")
    if isinstance(given, str) and not field.blank and not given.strip():
        raise ValidationError("The text is blank")
    return field.clean(given, None)


def get_json_types(field: Any) -> type | tuple[type, ...]:
    if isinstance(field, models.BooleanField):
        return bool
    if isinstance(field, models.IntegerField):
        return int
    if isinstance(field, models.DecimalField):
        return (int, Decimal)
    return str


def describe_field(field: Any) -> Sentence:
    kind = describe_type(field)
    return make_sentence("%(kind)s, or null", kind=kind) if field.null else kind


def describe_type(field: Any) -> Sentence:
    if field.choices:
        values = ", ".join(value for value, _label in field.choices)
        return make_sentence("one of %(values)s", values=values)
    if isinstance(field, models.BooleanField):
        return make_sentence("true or false")
    if isinstance(field, models.DateField):
        return make_sentence("a date such as 2026-12-31")
    if isinstance(field, models.SlugField):
        return make_sentence(
            "at most %(most)s of the letters a-z, digits, - and _",
            most=field.max_length,
        )
    if isinstance(field, models.IntegerField):
        low, high = find_bounds(field)
        return make_sentence(
            "a whole number from %(low)s to %(high)s", low=low, high=high
        )
    if isinstance(field, models.DecimalField):
        low, high = find_bounds(field)
        return make_sentence(
            "a number from %(low)s to %(high)s with at most %(decimals)s decimals",
            low=low,
            high=high,
            decimals=field.decimal_places,
        )
    if not field.max_length:
        return make_sentence("text of any length")
    return make_sentence(
        "text of %(least)s to %(most)s characters",
        least=0 if field.blank else 1,
        most=field.max_length,
    )


def find_bounds(field: Any) -> tuple[str, str]:
    """Return the strictest limits, where databases may add their own."""
    limits = {
        kind: [
            validator.limit_value
            for validator in field.validators
            if isinstance(validator, kind)
        ]
        for kind in (MinValueValidator, MaxValueValidator)
    }
    least, most = max(limits[MinValueValidator]), min(limits[MaxValueValidator])
    return str(least), str(most)
