"""One-time links: each stores one response and leads to no person.

docs/decisions/0006-invitations.md says what a copy of the database still discloses.
"""

import hashlib

from django.db import connection, models

from respondents.storage.exactly_once import SurveyClosedError
from respondents.storage.write_lock import open_write_transaction
from respondents.tokens import make_token
from surveys.models import Survey

HASH_BYTES = 32


class TooFewLinksError(Exception):
    """The first links of a survey have to be at least as many as it promises."""


class UnknownInvitationError(Exception):
    """No link of this survey has this token."""


def hash_token(token: str) -> bytes:
    """Return SHA-256 of a token as `read_token` returns it.

    Without salt or repetition: there is nothing to guess in 125 random bits.
    """
    return hashlib.sha256(token.encode()).digest()


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def make(self, survey: Survey, count: int) -> list[str]:
        """Return the tokens of new links; they are not stored.

        Raises
        ------
        SurveyClosedError
            Where the survey is not open at the moment of writing.
        TooFewLinksError
            Where `count` is below `least_to_make`.
        """
        with open_write_transaction():
            # Makes a closing survey wait, which deletes all links.
            locked = Survey.objects.select_for_update(no_key=True).get(pk=survey.pk)
            if not locked.is_open:
                raise SurveyClosedError
            if count < self.least_to_make(locked):
                raise TooFewLinksError
            tokens = [make_token(locked.design_digest) for _ in range(count)]
            # Sorted: rows lie as they were written, and that is not the file's order.
            hashes = sorted(map(hash_token, tokens))
            self.bulk_create(Invitation(hash=each, survey=locked) for each in hashes)
        return tokens

    def least_to_make(self, survey: Survey) -> int:
        """Return how many links have to be made now: at first all that are promised.

        So no link works before that many exist. One that an earlier release opened
        promises none.
        """
        is_first = not self.filter(survey=survey).exists()
        promised = survey.group_sizes().get("least_links", 1)
        return promised if is_first else 1

    def knows(self, survey: Survey, token: str) -> bool:
        """Return whether a link of this survey has this token, spent or not."""
        if connection.vendor == "sqlite":
            return self.filter(hash=hash_token(token), survey=survey).exists()
        # The role of the respondents' server may not read the table.
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT respondents_knows(%s, %s)", [survey.pk, hash_token(token)]
            )
            [is_known] = cursor.fetchone()
        return bool(is_known)


class Invitation(models.Model):
    """A link that stores one response, without a name, a time or that response."""

    hash = models.BinaryField(primary_key=True, max_length=HASH_BYTES)
    survey = models.ForeignKey(Survey, on_delete=models.PROTECT, related_name="+")
    spent = models.BooleanField(default=False)

    objects = InvitationQuerySet.as_manager()

    def __str__(self) -> str:
        return "invitation"
