"""The page *What we store*: each stored column in plain language.

The page is made from the models: a column without a sentence here is an error, and
tests/respondents/explaining/test_method.py finds it first.
"""

from dataclasses import dataclass
from typing import Any

from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from respondents.models import Receipt, Response, SealedPattern, SealedTally
from respondents.storage.invitations import Invitation
from respondents.storage.secure_deletion import Unerased

WHICH_SURVEY = gettext_noop("The survey.")
BY_CHANCE = gettext_noop("A random number.")
HOW_MANY = gettext_noop("How many people.")
SCRAMBLED_ANSWERS = gettext_noop("The scrambled answers; unprotected ones as given.")


@dataclass(frozen=True)
class Description:
    """One table in words."""

    model: type[models.Model]
    purpose: str
    until: str
    columns: dict[str, str]


DESCRIPTIONS = {
    "respondents_response": Description(
        Response,
        purpose=gettext_noop("A row for each person, until enough answered."),
        until=gettext_noop("Then counted and deleted."),
        columns={
            "id": BY_CHANCE,
            "survey_id": WHICH_SURVEY,
            "pattern": SCRAMBLED_ANSWERS,
        },
    ),
    "respondents_sealedpattern": Description(
        SealedPattern,
        purpose=gettext_noop("Counts: how many people sent the same answers."),
        until=gettext_noop("Kept until deleted."),
        columns={
            "id": BY_CHANCE,
            "survey_id": WHICH_SURVEY,
            "pattern": SCRAMBLED_ANSWERS,
            "count": HOW_MANY,
        },
    ),
    "respondents_sealedtally": Description(
        SealedTally,
        purpose=gettext_noop("The same counts for each question."),
        until=gettext_noop("Kept until deleted."),
        columns={
            "id": BY_CHANCE,
            "survey_id": WHICH_SURVEY,
            "respondents": HOW_MANY,
            "counts": gettext_noop("How many sent each answer."),
            "tables": gettext_noop("If sealed: questions combined."),
        },
    ),
    "respondents_receipt": Description(
        Receipt,
        purpose=gettext_noop("Receipts: a message that comes twice counts once."),
        until=gettext_noop("Deleted when the survey closes."),
        columns={
            "id": gettext_noop("A fingerprint that leads to no answer."),
            "survey_id": WHICH_SURVEY,
        },
    ),
    "respondents_invitation": Description(
        Invitation,
        purpose=gettext_noop("One-time links, if a survey uses them."),
        until=gettext_noop("Deleted when the survey closes."),
        columns={
            "hash": gettext_noop("A fingerprint of its code."),
            "survey_id": WHICH_SURVEY,
            "spent": gettext_noop("Whether it was used."),
        },
    ),
    "respondents_unerased": Description(
        Unerased,
        purpose=gettext_noop("A note to overwrite deleted rows."),
        until=gettext_noop("Deleted afterwards."),
        columns={"id": BY_CHANCE},
    ),
}


COMMON = {
    "id": BY_CHANCE,
    "survey_id": WHICH_SURVEY,
    "pattern": SCRAMBLED_ANSWERS,
}
"""Columns that mean the same in several tables, said once."""


def describe_stored() -> dict[str, Any]:
    """Return every table, and the columns that mean the same in several of them."""
    return {
        "tables": describe_tables(),
        "common": [(name, _(sentence)) for name, sentence in COMMON.items()],
    }


def describe_tables() -> list[dict[str, Any]]:
    """Return every table of this app, in the order in which an answer passes them.

    Raises
    ------
    KeyError
        Where a column has no sentence.
    """
    return [
        {
            "purpose": _(each.purpose),
            "until": _(each.until),
            "columns": [
                (name, _(sentence))
                for name, sentence in list_columns(each)
                if COMMON.get(name) != sentence
            ],
        }
        for each in DESCRIPTIONS.values()
    ]


def list_columns(table: Description) -> list[tuple[str, str]]:
    fields = table.model._meta.concrete_fields
    names = [str(each.column) for each in fields]
    return [(name, table.columns[name]) for name in names]
