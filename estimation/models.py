"""Published results of a survey: their settings, address and releases."""

import hashlib
import secrets
from typing import Any

from django.conf import settings
from django.db import models, transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext_lazy

from candor.intervals import DEFAULT_CONFIDENCE_LEVEL, DEFAULT_METHOD
from surveys.access import has_role
from surveys.models import Role, Survey, Visitor, require_researcher

TOKEN_BYTES = 16
"""128 bits: no one finds an address that was not handed out."""

MAX_TOKEN_LENGTH = 22
"""Characters of `TOKEN_BYTES` in base64 without padding."""

MAX_NOTE_LENGTH = 5000


def new_token() -> str:
    return secrets.token_urlsafe(TOKEN_BYTES)


class Publication(models.Model):
    survey = models.OneToOneField(
        Survey, on_delete=models.PROTECT, related_name="+", editable=False
    )
    token = models.CharField(
        max_length=MAX_TOKEN_LENGTH, unique=True, default=new_token, editable=False
    )
    headline = models.CharField(
        gettext_lazy("headline"),
        max_length=200,
        blank=True,
        help_text=gettext_lazy("Left empty, the page has the title of the survey."),
    )
    note = models.TextField(
        gettext_lazy("note"),
        max_length=MAX_NOTE_LENGTH,
        blank=True,
        help_text=gettext_lazy(
            "Sample, procedure and where to read more. Plain text; an empty line "
            "begins a paragraph."
        ),
    )
    questions = models.JSONField(default=list)
    """Numbers of the questions that are shown, 1 for the first."""
    method = models.CharField(max_length=20, default=DEFAULT_METHOD)
    confidence_level = models.FloatField(default=DEFAULT_CONFIDENCE_LEVEL)
    release_epsilon = models.DecimalField(
        gettext_lazy("Numbers of people"),
        max_digits=5,
        decimal_places=2,
        null=True,
        blank=True,
        default=None,
    )
    """Epsilon of the noise that is added to all counts; null shows them as they are."""
    releases = models.JSONField(default=list, editable=False)
    """All releases with noise, of the page and of counting queries, in their order.
    `rows.released.store` adds to them. Drawing again at each view would let readers
    average the noise away. Nothing takes a release away but the deletion of all
    reports, which deletes this row; then nothing is left that could be released
    again."""
    is_public = models.BooleanField(default=False, editable=False)
    published_on = models.DateField(null=True, editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(is_public=False)
                | models.Q(published_on__isnull=False),
                name="a_public_page_has_its_day",
            ),
        ]

    def __str__(self) -> str:
        return self.headline or str(self.survey)

    def get_absolute_url(self) -> str:
        return reverse("published:results", args=[self.token])

    @property
    def is_stored(self) -> bool:
        return not self._state.adding

    def switch(self, *, is_public: bool) -> None:
        """Publish the page or withdraw it; its address stays the same."""
        self.is_public = is_public
        if is_public:
            self.published_on = timezone.localdate()
        self.survey.results_address = self.get_absolute_url() if is_public else ""
        with transaction.atomic():
            # The survey first, as the deletion of reports does, or each could wait for
            # the other. Of one whose reports were just deleted, no row is left here.
            Survey.objects.filter(pk=self.survey.pk, purged_on=None).update(
                results_address=self.survey.results_address
            )
            Publication.objects.filter(pk=self.pk).update(
                is_public=self.is_public, published_on=self.published_on
            )

    @property
    def interval(self) -> dict[str, Any]:
        return {"confidence_level": self.confidence_level, "method": self.method}


BEGINNING = "candor"
"""So that scanners of published code recognise a token."""

SELECTOR_BYTES, SECRET_BYTES = 6, 32
"""48 bits find the row, 256 open it: too many to try, so a plain hash is enough."""


class AccessTokenQuerySet(models.QuerySet["AccessToken"]):
    def make(
        self, survey: Survey, user: Visitor, name: str
    ) -> tuple["AccessToken", str]:
        """Return a new token and its text, which is stored nowhere."""
        selector = secrets.token_hex(SELECTOR_BYTES)
        text = "_".join([BEGINNING, selector, secrets.token_urlsafe(SECRET_BYTES)])
        made = self.create(
            survey=survey,
            made_by=require_researcher(user),
            name=name,
            selector=selector,
            digest=hash_token(text),
            made_on=timezone.localdate(),
        )
        return made, text

    def find(self, text: str) -> "AccessToken | None":
        """Return the token of this text, as long as its maker owns the survey."""
        rows = self.select_related("survey", "made_by")
        found = rows.filter(selector=read_selector(text)).first()
        if found is None or not constant_time_compare(found.digest, hash_token(text)):
            return None
        return found if has_role(found.made_by, found.survey, Role.OWNER) else None


def read_selector(text: str) -> str:
    return text.split("_", 2)[1] if text.count("_") > 1 else ""


def hash_token(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


class AccessToken(models.Model):
    """Lets a program read the files without reports of one survey."""

    survey = models.ForeignKey(
        Survey, on_delete=models.CASCADE, related_name="+", editable=False
    )
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="+",
        editable=False,
    )
    name = models.CharField(
        gettext_lazy("name"),
        max_length=80,
        help_text=gettext_lazy("Such as: lab dashboard."),
    )
    selector = models.CharField(
        max_length=2 * SELECTOR_BYTES, unique=True, editable=False
    )
    digest = models.CharField(max_length=64, editable=False)
    made_on = models.DateField(editable=False)
    last_used_on = models.DateField(null=True, editable=False)
    """A day and no time: enough to see which tokens are needed."""

    objects = AccessTokenQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.survey}: {self.name}"

    def note_use(self) -> None:
        today = timezone.localdate()
        if self.last_used_on != today:
            AccessToken.objects.filter(pk=self.pk).update(last_used_on=today)
