"""Batch sizes: responses are counted in groups, so that nobody sees one report."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy

from surveys.thresholds import LEAST_BATCH_SIZE

DEFAULT_BATCH_SIZE = 20
LARGEST_BATCH_SIZE = 10_000

MOST_LINKS_AT_ONCE = 10_000
"""One-time links that one request makes."""


class Batches(models.Model):
    batch_size = models.PositiveSmallIntegerField(
        gettext_lazy("batch size"),
        default=DEFAULT_BATCH_SIZE,
        validators=[
            MinValueValidator(LEAST_BATCH_SIZE),
            MaxValueValidator(LARGEST_BATCH_SIZE),
        ],
        help_text=gettext_lazy(
            "Results of an open survey move in steps of at least this many responses, "
            "and as many are held back until it closes: nobody can watch one person's "
            "report arrive."
        ),
    )
    least_links = models.PositiveIntegerField(
        gettext_lazy("number of one-time links"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_LINKS_AT_ONCE)],
        help_text=gettext_lazy(
            "For one-time links only. You make at least this many at once after "
            "opening, and more whenever you like. Respondents read the number."
        ),
    )
    least_responses = models.PositiveIntegerField(null=True, editable=False)
    """From how many responses on results are shown, as respondents were promised.

    None for drafts, imported studies and surveys that an earlier release opened.
    """

    class Meta:
        abstract = True

    @property
    def step(self) -> int:
        """The least number of responses by which results move."""
        return self.batch_size

    @property
    def held_back(self) -> int:
        """How many responses no result shows while the survey is open: a batch.

        So whatever is seen next, closing included, adds a whole batch: closing right
        after one person's answer would show that person's report as a difference. In
        batches of one each report is seen anyway.
        """
        return self.step if self.step > 1 else 0

    @property
    def seals_at(self) -> int:
        """With how many responses that wait a batch of them is counted."""
        return self.step + self.held_back
