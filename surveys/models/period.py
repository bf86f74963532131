"""Who may answer a survey, for how long, and in which batches responses count."""

import math
from collections.abc import Iterator
from datetime import datetime, timedelta
from decimal import Decimal

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator, URLValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.problem import Problem
from surveys.thresholds import MIN_BATCH_SIZE

DEFAULT_BATCH_SIZE = 20
MAX_BATCH_SIZE = 10_000

MAX_LINKS_PER_REQUEST = 10_000
"""Maximum number of one-time links that one request creates."""

MAX_TARGET = 10_000_000

MIN_MARGIN, MAX_MARGIN = Decimal("0.1"), Decimal(50)
"""Percentage points: no survey can reach less, and more says nothing."""

GRACE = timedelta(minutes=10)
"""Time for respondents who were answering when the last day ended: ten questions take
three minutes, by hand eight, as the first page says, and some are offline meanwhile."""


class FieldPeriod(models.Model):
    class Access(models.TextChoices):
        LINK = "link", gettext_lazy("Anyone with the link")
        INVITATION = "invitation", gettext_lazy("One-time links that you hand out")

    access = models.CharField(
        gettext_lazy("who may answer"),
        max_length=10,
        choices=Access,
        default=Access.LINK,
    )
    least_links = models.PositiveIntegerField(
        gettext_lazy("number of one-time links"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(MAX_LINKS_PER_REQUEST)],
        help_text=gettext_lazy(
            "Made at once after opening. Respondents read the number."
        ),
    )
    completion_code = models.CharField(
        gettext_lazy("completion code"),
        max_length=100,
        blank=True,
        help_text=gettext_lazy("The same for all, shown after sending."),
    )
    completion_link = models.CharField(
        gettext_lazy("completion link"),
        max_length=500,
        blank=True,
        validators=[URLValidator(["https"])],
        help_text=gettext_lazy(
            "A button on the last page. The panel sees who finished, but no answers."
        ),
    )
    screened_code = models.CharField(
        gettext_lazy("code after screening"),
        max_length=100,
        blank=True,
        help_text=gettext_lazy("Shown to respondents who are screened out."),
    )
    screened_link = models.CharField(
        gettext_lazy("link after screening"),
        max_length=500,
        blank=True,
        validators=[URLValidator(["https"])],
        help_text=gettext_lazy(
            "A button for them. The panel sees who was screened out."
        ),
    )

    batch_size = models.PositiveSmallIntegerField(
        gettext_lazy("batch size"),
        default=DEFAULT_BATCH_SIZE,
        validators=[
            MinValueValidator(MIN_BATCH_SIZE),
            MaxValueValidator(MAX_BATCH_SIZE),
        ],
        help_text=gettext_lazy(
            "Results change in steps of this size, which hides single reports."
        ),
    )
    least_responses = models.PositiveIntegerField(null=True, editable=False)
    """Number of responses from which results are shown, as respondents were promised.

    None for drafts, imported studies and surveys that an earlier release opened.
    """

    closes_on = models.DateField(
        gettext_lazy("last day"),
        null=True,
        blank=True,
        help_text=gettext_lazy("If empty, you close the survey."),
    )
    target = models.PositiveIntegerField(
        gettext_lazy("planned number of responses"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(MAX_TARGET)],
    )
    closes_at_target = models.BooleanField(
        gettext_lazy("close when the planned number is reached"), default=False
    )
    wanted_margin = models.DecimalField(
        gettext_lazy("wanted margin of error"),
        max_digits=4,
        decimal_places=2,
        null=True,
        blank=True,
        validators=[
            MinValueValidator(MIN_MARGIN),
            MaxValueValidator(MAX_MARGIN),
        ],
        help_text=gettext_lazy("In percentage points."),
    )

    class Meta:
        abstract = True

    @property
    def is_by_invitation(self) -> bool:
        return self.access == self.Access.INVITATION

    @property
    def step(self) -> int:
        return self.batch_size

    @property
    def held_back(self) -> int:
        """Number of responses held back while the survey is open: a batch.

        So each visible change, also at closing, adds at least a whole batch: otherwise,
        closing right after one person's answer would reveal that person's report as a
        difference. In batches of one, each report is visible anyway.
        """
        return self.step if self.step > 1 else 0

    @property
    def seals_at(self) -> int:
        """Number of waiting responses at which a batch is counted."""
        return self.step + self.held_back

    def find_group_size_problems(self) -> Iterator[Problem]:
        if self.batch_size < MIN_BATCH_SIZE:
            text = _("The batch size must be at least %s.")
            yield Problem("batch_size", text % MIN_BATCH_SIZE)
        least = settings.LEAST_RESPONSES
        if self.is_by_invitation and (self.least_links or 0) < least:
            text = _("Plan at least %s one-time links.")
            yield Problem("least_links", text % least)

    def clean(self) -> None:
        super().clean()
        wrong = {}
        if self.is_over:
            text = _("Enter today or a later day.")
            wrong["closes_on"] = ValidationError(text, code="is_over")
        if self.closes_at_target and self.target is None:
            wrong["target"] = ValidationError(_("Enter the number at which it closes."))
        if wrong:
            raise ValidationError(wrong)

    @property
    def is_over(self) -> bool:
        """Whether the last day has passed, in the time zone of this server."""
        return self.was_over_at(timezone.now())

    @property
    def is_past_grace(self) -> bool:
        return self.was_over_at(timezone.now() - GRACE)

    def was_over_at(self, moment: datetime) -> bool:
        # Dates are compared, not midnights: where clocks change at night, a day may
        # have no midnight, or two.
        return self.closes_on is not None and self.closes_on < timezone.localdate(
            moment
        )

    def closes_at(self, sealed: int = 0) -> int | None:
        """Return the number of responses at which it closes automatically, if it does.

        The number is checked when a batch is counted, so the result is `sealed` plus
        whole batches, two at least. Simultaneous responses can make a batch larger.
        """
        if not (self.closes_at_target and self.target):
            return None
        batches = math.ceil((self.target - sealed) / self.batch_size)
        return sealed + max(self.seals_at, batches * self.batch_size)
