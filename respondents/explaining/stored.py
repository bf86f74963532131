"""The page *What we store*: each stored column in plain language.

The page is generated from the models. A column without a sentence here is an error,
which tests/respondents/explaining/test_method.py detects.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from respondents.models import Receipt, Response, SealedPattern, SealedTally
from respondents.storage.invitations import Invitation
from respondents.storage.secure_deletion import Unerased

HOW_MANY = gettext_noop("How many people.")

COMMON = {
    "id": gettext_noop("A random number."),
    "survey_id": gettext_noop("The survey."),
    "pattern": gettext_noop("The scrambled answers; unprotected ones as given."),
}
"""Columns that mean the same in several tables; explained once."""


@dataclass(frozen=True)
class Description:
    purpose: str
    until: str
    columns: Mapping[str, str] = field(default_factory=dict)
    """Columns whose meaning differs from `COMMON`, or that are not in it."""


DESCRIPTIONS: dict[type[models.Model], Description] = {
    Response: Description(
        gettext_noop("A row for each person, until enough answered."),
        gettext_noop("Then counted and deleted."),
    ),
    SealedPattern: Description(
        gettext_noop("Counts: how many people sent the same answers."),
        gettext_noop("Kept until deleted."),
        {"count": HOW_MANY},
    ),
    SealedTally: Description(
        gettext_noop("The same counts for each question."),
        gettext_noop("Kept until deleted."),
        {
            "respondents": HOW_MANY,
            "counts": gettext_noop("How many sent each answer."),
            "tables": gettext_noop("If sealed: questions combined."),
        },
    ),
    Receipt: Description(
        gettext_noop("Receipts: a message that comes twice counts once."),
        gettext_noop("Deleted when the survey closes."),
        {"id": gettext_noop("A fingerprint that leads to no answer.")},
    ),
    Invitation: Description(
        gettext_noop("One-time links, if a survey uses them."),
        gettext_noop("Deleted when the survey closes."),
        {
            "hash": gettext_noop("A fingerprint of its code."),
            "spent": gettext_noop("Whether it was used."),
        },
    ),
    Unerased: Description(
        gettext_noop("A note to overwrite deleted rows."),
        gettext_noop("Deleted afterwards."),
    ),
}
"""Every table of this app, in the order in which an answer is processed."""


def describe_stored() -> dict[str, Any]:
    """Return every table, and the columns that mean the same in several of them.

    Raises `KeyError` if a column has no sentence.
    """
    return {
        "tables": [
            {
                "purpose": _(each.purpose),
                "until": _(each.until),
                "columns": [
                    (name, _(sentence))
                    for name, sentence in list_columns(model)
                    if COMMON.get(name) != sentence
                ],
            }
            for model, each in DESCRIPTIONS.items()
        ],
        "common": [(name, _(sentence)) for name, sentence in COMMON.items()],
    }


def list_columns(model: type[models.Model]) -> list[tuple[str, str]]:
    sentences = {**COMMON, **DESCRIPTIONS[model].columns}
    names = [str(each.column) for each in model._meta.concrete_fields]
    return [(name, sentences[name]) for name in names]
