"""What is stored about respondents, column by column, in words for everybody.

The page is made from the models: a column without a sentence here is an error, and
tests/respondents/explaining/test_method.py finds it before anybody else does.
"""

from dataclasses import dataclass
from typing import Any

from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from respondents.models import Receipt, Response, SealedPattern, SealedTally
from respondents.storage.invitations import Invitation
from respondents.storage.secure_deletion import Unerased

WHICH_SURVEY = gettext_noop("Which survey it belongs to.")
BY_CHANCE = gettext_noop(
    "A number drawn by chance. It does not tell when the row was written."
)
SCRAMBLED_ANSWERS = gettext_noop(
    "The scrambled answers: two digits for each question. 00 is the first choice, 01 "
    "the second, ff a question that was not asked. An answer that is not protected "
    "stands there as it is."
)


@dataclass(frozen=True)
class Description:
    """One table in words, with the rows that three respondents leave in it."""

    model: type[models.Model]
    purpose: str
    until: str
    columns: dict[str, str]
    example: tuple[tuple[str, ...], ...]


# The rows are those of data-flow.md, where they are followed from answer to share.
DESCRIPTIONS = {
    "respondents_response": Description(
        Response,
        purpose=gettext_noop(
            "One row for each person, until enough people have answered."
        ),
        until=gettext_noop("Then the rows are counted and deleted."),
        columns={
            "id": BY_CHANCE,
            "survey_id": WHICH_SURVEY,
            "pattern": SCRAMBLED_ANSWERS,
        },
        example=(
            ("2049912312840247594", "1", "0101"),
            ("2572905699942045899", "1", "0000"),
            ("3771635597238792353", "1", "0100"),
        ),
    ),
    "respondents_sealedpattern": Description(
        SealedPattern,
        purpose=gettext_noop(
            "Counts: how many people sent the same scrambled answers."
        ),
        until=gettext_noop("Kept until the researchers delete them."),
        columns={
            "id": BY_CHANCE,
            "survey_id": WHICH_SURVEY,
            "pattern": SCRAMBLED_ANSWERS,
            "count": gettext_noop("How many people sent exactly these."),
        },
        example=(
            ("1181727408364417012", "1", "0000", "1"),
            ("4414471880281900040", "1", "0100", "1"),
            ("7730411958720193336", "1", "0101", "1"),
        ),
    ),
    "respondents_sealedtally": Description(
        SealedTally,
        purpose=gettext_noop("The same counts, added up for each question by itself."),
        until=gettext_noop("Kept until the researchers delete them."),
        columns={
            "id": BY_CHANCE,
            "survey_id": WHICH_SURVEY,
            "respondents": gettext_noop("How many people are counted."),
            "counts": gettext_noop(
                "For each question: how many people sent the first choice, how many "
                "the second."
            ),
        },
        example=(
            ("5908132264410773906", "1", "3", "[[1, 2], [2, 1]]"),
            ("1439287102210357711", "2", "40", "[[13, 27]]"),
            ("7316004458127390524", "3", "20", "[[9, 11], [4, 6, 10]]"),
        ),
    ),
    "respondents_receipt": Description(
        Receipt,
        purpose=gettext_noop(
            "Receipts: a message that comes twice is counted only once."
        ),
        until=gettext_noop("Deleted when the survey closes."),
        columns={
            "id": gettext_noop(
                "A fingerprint of the number that your device drew for its message. It "
                "leads to no answer."
            ),
            "survey_id": WHICH_SURVEY,
        },
        example=(
            ("6023540444466972582", "1"),
            ("6989672721478436985", "1"),
            ("9212205998756586176", "1"),
        ),
    ),
    "respondents_invitation": Description(
        Invitation,
        purpose=gettext_noop("One-time links, in surveys that use them."),
        until=gettext_noop("Deleted when the survey closes."),
        columns={
            "hash": gettext_noop(
                "A fingerprint of the code in the link. The code itself is not stored."
            ),
            "survey_id": WHICH_SURVEY,
            "spent": gettext_noop("Whether the link was used: yes or no."),
        },
        example=(
            ("0e1c5dd8…", "2", "yes"),
            ("8f434346…", "2", "no"),
            ("d9298a10…", "2", "yes"),
        ),
    ),
    "respondents_unerased": Description(
        Unerased,
        purpose=gettext_noop("A note that deleted rows must still be overwritten."),
        until=gettext_noop("Deleted when they are overwritten."),
        columns={"id": BY_CHANCE},
        example=(
            ("3308170516622942417",),
            ("6641204872330195284",),
            ("8120573394418860035",),
        ),
    ),
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
            "name": name,
            "purpose": _(each.purpose),
            "until": _(each.until),
            "columns": [
                (field.column, _(each.columns[str(field.column)]))
                for field in each.model._meta.concrete_fields
            ],
            "example": each.example,
        }
        for name, each in DESCRIPTIONS.items()
    ]
