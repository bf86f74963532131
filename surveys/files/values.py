"""Values of a JSON file, read as strictly as the fields of the models want them."""

import json
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from surveys.mechanisms.parameters import shown


class FileError(ValueError):
    """A file that cannot be read: one problem for each thing that is wrong."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems: Sequence[Any] = problems
        super().__init__("\n".join(problems))


def parse_json(text: str) -> object:
    """Return what the text says, decimals exactly.

    Raises
    ------
    FileError
        Also for infinity, which is no JSON, and for one key with two values.
    """
    try:
        return json.loads(
            text,
            object_pairs_hook=without_duplicates,
            parse_float=Decimal,
            parse_constant=refuse_constant,
        )
    except FileError:
        raise
    except (ValueError, RecursionError) as error:
        raise FileError([f"This is not JSON: {error}"]) from error


def without_duplicates(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object, or refuse one that says two things about one key."""
    keys = [key for key, _ in pairs]
    if len(set(keys)) < len(keys):
        twice = next(key for key in keys if keys.count(key) > 1)
        raise FileError([f"One object has the key {shown(twice)} twice"])
    return dict(pairs)


def refuse_constant(name: str) -> None:
    raise FileError([f"This is not JSON: {name} is no number there"])


def is_storable(value: object) -> bool:
    """Whether databases take a value that JSON can escape.

    PostgreSQL takes no NUL, and no database half of a surrogate pair.
    """
    return not isinstance(value, str) or not (
        "\0" in value or any("\ud800" <= each <= "\udfff" for each in value)
    )


def read_value(field: Any, given: object) -> Any:
    """Return the value of a model's field.

    Raises
    ------
    ValidationError
        Where `given` is of another kind than the field, or breaks one of its rules.
    """
    if given is None and field.null:
        return None
    if not isinstance(given, kind_of(field)) or (
        isinstance(given, bool) and not isinstance(field, models.BooleanField)
    ):
        raise ValidationError("The kind is another one")
    if isinstance(given, str) and not field.blank and not given.strip():
        raise ValidationError("The text is blank")
    return field.clean(given, None)


def kind_of(field: Any) -> type | tuple[type, ...]:
    """Return the types by which JSON writes values of the field."""
    if isinstance(field, models.BooleanField):
        return bool
    if isinstance(field, models.IntegerField):
        return int
    if isinstance(field, models.DecimalField):
        return (int, Decimal)
    return str


def allowed_by(field: Any) -> str:
    """Return in words what the field takes."""
    ending = ", or null" if field.null else ""
    return kind_in_words(field) + ending


def kind_in_words(field: Any) -> str:
    if field.choices:
        return "one of " + ", ".join(value for value, _label in field.choices)
    if isinstance(field, models.BooleanField):
        return "true or false"
    if isinstance(field, models.DateField):
        return "a date such as 2026-12-31"
    if isinstance(field, models.SlugField):
        return f"at most {field.max_length} of the letters a-z, digits, - and _"
    if isinstance(field, models.IntegerField):
        return f"a whole number {bounds(field)}"
    if isinstance(field, models.DecimalField):
        return f"a number {bounds(field)} with at most {field.decimal_places} decimals"
    least = 0 if field.blank else 1
    most = (
        f"{least} to {field.max_length} characters"
        if field.max_length
        else "any length"
    )
    return f"text of {most}"


def bounds(field: Any) -> str:
    """Return "from 1 to 9"; the largest of each kind, where databases have one."""
    limits = {
        kind: [
            validator.limit_value
            for validator in field.validators
            if isinstance(validator, kind)
        ]
        for kind in (MinValueValidator, MaxValueValidator)
    }
    return f"from {max(limits[MinValueValidator])} to {min(limits[MaxValueValidator])}"
