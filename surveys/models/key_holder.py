"""The institution that alone can open a survey's reports, after it closes."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Protocol

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.problem import Problem

CACHED_KEYS = 256


class Holder(Protocol):
    """The public half of a key, which `candor.keys.PublicKey` describes."""

    @property
    def holder(self) -> str: ...
    @property
    def contact(self) -> str: ...
    @property
    def sealing(self) -> bytes: ...
    @property
    def fingerprint(self) -> str: ...
    def seal(self, pattern: bytes, digest: str) -> bytes: ...
    def write(self) -> bytes: ...


@lru_cache(maxsize=CACHED_KEYS)
def read_holder_key(text: str) -> Holder:
    """Return the key of a public key file, or raise `KeysError`, a `ValueError`."""
    # Loaded here because a server without sealed surveys needs none of it: 7 MB.
    from candor.keys import PublicKey

    return PublicKey.read(text.encode())


def check_holder_key(text: str) -> None:
    try:
        read_holder_key(text)
    except ValueError as error:
        message = _("This is not a valid public key file.")
        raise ValidationError(message) from error


class KeyHolder(models.Model):
    holder_key = models.TextField(
        gettext_lazy("key holder's public key"),
        blank=True,
        validators=[check_holder_key],
        help_text=gettext_lazy(
            "Only its holder can open the reports, once, after closing. Paste the "
            ".public.json file."
        ),
    )
    declared_tables = models.BooleanField(
        gettext_lazy("only declared tables"),
        default=False,
        help_text=gettext_lazy(
            "Only counts are returned: of each question, planned comparison, and "
            "scrambled question by direct one."
        ),
    )
    unsealed = models.JSONField(default=dict, blank=True, editable=False)
    """For opened reports: the day, and how many the key holder refused, by reason."""

    class Meta:
        abstract = True

    @property
    def holder(self) -> Holder | None:
        return read_holder_key(self.holder_key) if self.holder_key else None

    def find_key_holder_problems(self, *, is_in_browser: bool) -> Iterator[Problem]:
        if self.holder_key and not is_in_browser:
            text = _("Only a respondent's browser can seal reports.")
            yield Problem("holder_key", text)
