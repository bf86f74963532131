"""A test of a draft: an opened copy, answered like any survey, and then wiped.

docs/developers/test-of-a-draft.md tells how, and why it is a survey of its own.
"""

import secrets
from copy import copy
from typing import Any

from django.db import connection, transaction

from candor.mechanisms import ParameterError
from respondents.models import Response, SealedPattern
from respondents.storage.related_rows import list_rows
from respondents.storage.secure_deletion import Unerased, overwrite_deleted_rows
from surveys.files.definition import copy_survey
from surveys.frozen import FrozenError, compute_digest
from surveys.models import Survey

SLUG_BYTES = 16
"""128 random bits: nobody finds a test by trying addresses."""

OF_ITS_OWN: dict[str, Any] = {
    "access": Survey.Access.LINK,
    "closes_on": None,
    "closes_at_target": False,
    "is_simulated": True,
}
"""One link for everybody who helps to test, closed by nobody.

Results follow each answer: see `Survey.step`.
"""

NOT_COMPARED = ("slug", "access")


def find(draft: Survey) -> Survey | None:
    """Return the test of this draft, where there is one."""
    return Survey.objects.filter(rehearsal_of=draft).first()


def problems(draft: Survey) -> list[str]:
    """Return what keeps the draft from being tried: group sizes do not."""
    tried = copy(draft)
    tried.is_simulated = True
    return tried.problems()


@transaction.atomic
def start(draft: Survey) -> Survey:
    """Return a new test of the draft as it is now; answers to an earlier one go.

    The address stays, so that a link which was passed on leads to the new one.

    Raises
    ------
    FrozenError
        Where the survey is not a draft.
    ValidationError
        With what keeps the draft from being opened; an earlier test then stays.
    """
    locked = lock(draft)
    if not locked.is_draft:
        raise FrozenError
    earlier = find(draft)
    if earlier:
        delete(earlier)
    test = copy_survey(
        locked,
        owner=locked.owner,
        rehearsal_of=locked,
        slug=earlier.slug if earlier else f"try-{secrets.token_hex(SLUG_BYTES)}",
        **OF_ITS_OWN,
    )
    test.open()
    return test


def lock(draft: Survey) -> Survey:
    """Return the draft as it is stored; whoever else starts or wipes must wait."""
    return Survey.objects.select_for_update().get(pk=draft.pk)


@transaction.atomic
def wipe(draft: Survey) -> bool:
    """Delete the test and all that was answered; returns whether there was one.

    The database's files are rewritten once this is committed.
    """
    lock(draft)
    rehearsal = find(draft)
    if rehearsal is None:
        return False
    delete(rehearsal)
    Unerased.objects.note_deletion()
    transaction.on_commit(overwrite_deleted_rows, robust=True)
    return True


def delete(rehearsal: Survey) -> None:
    """Delete an opened copy with everything that belongs to it.

    The survey goes first, in SQL: triggers keep the questions of an opened survey, and
    spare those of none. Foreign keys are looked at when the transaction ends.
    """
    with connection.cursor() as cursor:
        # Whoever is storing a response is waited for, and finds no survey afterwards.
        Survey.objects.select_for_update().get(pk=rehearsal.pk)
        cursor.execute("DELETE FROM surveys_survey WHERE id = %s", [rehearsal.pk])
    for rows in list_rows(rehearsal.pk):
        rows.delete()


@transaction.atomic
def open_survey(draft: Survey) -> None:
    """Wipe the test and open the draft, both or neither.

    Raises
    ------
    ValidationError
        As `Survey.open`: with the list of problems, or where it is not a draft.
    """
    wipe(draft)
    draft.open()


def is_outdated(rehearsal: Survey, draft: Survey) -> bool:
    """Whether the draft was changed since the test was started."""
    try:
        return comparable(rehearsal) != comparable(draft)
    except ParameterError:
        # A draft can be so broken that nobody could ask its questions.
        return True


def comparable(survey: Survey) -> str:
    definition = survey.definition()
    # One that an earlier release started promises nothing.
    definition.get("counting", {}).pop("least_links", None)
    return compute_digest(
        {name: definition[name] for name in definition.keys() - NOT_COMPARED}
    )


def count_responses(rehearsal: Survey) -> int:
    """Return how many people, or programs, have answered the test."""
    Response.objects.seal_if_due(rehearsal)
    return SealedPattern.objects.respondents(rehearsal)
