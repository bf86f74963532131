"""In which steps the results of an open survey move, so that nobody sees one report."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy

DEFAULT_BATCH_SIZE = 20
LARGEST_BATCH_SIZE = 10_000


class Batches(models.Model):
    batch_size = models.PositiveSmallIntegerField(
        gettext_lazy("batch size"),
        default=DEFAULT_BATCH_SIZE,
        validators=[MinValueValidator(1), MaxValueValidator(LARGEST_BATCH_SIZE)],
        help_text=gettext_lazy(
            "Results of an open survey move in steps of at least this many responses, "
            "and as many are held back until it closes: nobody can watch one person's "
            "report arrive. With 1, results follow each answer."
        ),
    )

    class Meta:
        abstract = True

    @property
    def held_back(self) -> int:
        """How many responses no result shows while the survey is open: a batch.

        So whatever is seen next, closing included, adds a whole batch: closing right
        after one person's answer would show that person's report as a difference. In
        batches of one each report is seen anyway.
        """
        return self.batch_size if self.batch_size > 1 else 0

    @property
    def seals_at(self) -> int:
        """With how many responses that wait a batch of them is counted."""
        return self.batch_size + self.held_back
