"""One-time links: each stores one response and is not linked to a person.

docs/decisions/0006-invitations.md lists what a copy of the database still discloses.
"""

import hashlib

from django.db import connection, models

from respondents.storage.exactly_once import SurveyClosedError
from respondents.storage.write_lock import open_write_transaction
from respondents.tokens import make_token
from surveys.models import Survey

HASH_BYTES = 32


class TooFewLinksError(Exception):
    """The first links of a survey are fewer than the number that it promises."""


class UnknownInvitationError(Exception):
    """The token belongs to no link of this survey."""


def hash_token(token: str) -> bytes:
    """Return the SHA-256 of a token, in the form that `read_token` returns.

    No salt and no key stretching are needed: 125 random bits cannot be guessed.
    """
    return hashlib.sha256(token.encode()).digest()


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def make(self, survey: Survey, count: int) -> list[str]:
        """Return the tokens of new links; they are not stored.

        Raises
        ------
        SurveyClosedError
            If the survey is not open at the moment of writing.
        TooFewLinksError
            If `count` is below `compute_least_links`.
        """
        with open_write_transaction():
            # Makes closing the survey wait, because it deletes all links.
            locked = Survey.objects.select_for_update(no_key=True).get(pk=survey.pk)
            if not locked.is_open:
                raise SurveyClosedError
            if count < self.compute_least_links(locked):
                raise TooFewLinksError
            tokens = [make_token(locked.design_digest) for _ in range(count)]
            # Sorted, because rows are stored in the order of writing: it must not be
            # the order of the links in the file.
            hashes = sorted(map(hash_token, tokens))
            self.bulk_create(Invitation(hash=hash_, survey=locked) for hash_ in hashes)
        return tokens

    def compute_least_links(self, survey: Survey) -> int:
        """Return the smallest number of links that can be made now.

        The first links are made in one step, at least as many as the survey promises,
        so that no link works before that many exist. A survey that an earlier release
        opened promises no number.
        """
        is_first = not self.filter(survey=survey).exists()
        promised = survey.group_sizes().get("least_links", 1)
        return promised if is_first else 1

    def knows(self, survey: Survey, token: str) -> bool:
        """Return whether the token belongs to a link of this survey, spent or not."""
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
