"""What a researcher chose to show of a survey's results, and under which address."""

import secrets
from typing import Any

from django.db import models, transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy

from candor.intervals import DEFAULT_CONFIDENCE_LEVEL, DEFAULT_METHOD
from surveys.models import Survey

TOKEN_BYTES = 16
"""128 bits: nobody finds an address that was not handed out."""

LONGEST_TOKEN = 22
"""Characters of `TOKEN_BYTES` in base64 without padding."""

LONGEST_NOTE = 5000


def new_token() -> str:
    return secrets.token_urlsafe(TOKEN_BYTES)


class Publication(models.Model):
    """The public results page of one survey; private until it is switched on."""

    survey = models.OneToOneField(
        Survey, on_delete=models.PROTECT, related_name="+", editable=False
    )
    token = models.CharField(
        max_length=LONGEST_TOKEN, unique=True, default=new_token, editable=False
    )
    headline = models.CharField(
        gettext_lazy("headline"),
        max_length=200,
        blank=True,
        help_text=gettext_lazy("Left empty, the page has the title of the survey."),
    )
    note = models.TextField(
        gettext_lazy("note"),
        max_length=LONGEST_NOTE,
        blank=True,
        help_text=gettext_lazy(
            "What readers should know: whom you asked, how, and where to read more. "
            "Plain text; an empty line begins a paragraph."
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
    """All releases of counts with noise, in their order. `publishing.released` adds to
    them. Drawing again at each view would let readers average the noise away. Nothing
    takes a release away but the deletion of all reports, which deletes this row; then
    nothing is left that could be released again."""
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
        """Return the address of the public page, whether or not it is online."""
        return reverse("published:results", args=[self.token])

    @property
    def is_stored(self) -> bool:
        return not self._state.adding

    def switch(self, *, is_public: bool) -> None:
        """Put the page online or take it off; its address stays the same.

        The survey repeats the address to respondents, who know no results.
        """
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
