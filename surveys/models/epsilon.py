"""The site's limit of total epsilon, and the written reason to go beyond it."""

from collections.abc import Iterator

from django.conf import settings
from django.db import models
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from candor.mechanisms.composition import Composition
from candor.mechanisms.epsilon import epsilon_rounded_up
from surveys.problem import Problem


def is_over_limit(numbers: Composition) -> bool:
    """Return whether scrambled answers reveal more than this site allows."""
    return bool(numbers.scrambled) and numbers.epsilon > settings.MAX_TOTAL_EPSILON


def format_epsilon_limit() -> str:
    return number_format(settings.MAX_TOTAL_EPSILON)


def advise_on_limit(numbers: Composition) -> str:
    if not is_over_limit(numbers):
        return ""
    advice = _("Draw questions, strengthen protection, or give a reason.")
    return f"{describe_excess(numbers)} {advice}"


def describe_excess(numbers: Composition) -> str:
    text = _("Total epsilon is %(epsilon)s, above this site's limit of %(limit)s.")
    epsilon = number_format(epsilon_rounded_up(numbers.ratio))
    return text % {"epsilon": epsilon, "limit": format_epsilon_limit()}


class EpsilonReason(models.Model):
    epsilon_reason = models.CharField(
        gettext_lazy("reason for the total epsilon"),
        max_length=300,
        blank=True,
        help_text=gettext_lazy("Respondents read this on the first page."),
    )

    class Meta:
        abstract = True

    def find_epsilon_problems(self, numbers: Composition) -> Iterator[Problem]:
        if is_over_limit(numbers):
            if not self.epsilon_reason.strip():
                yield Problem("epsilon_reason", advise_on_limit(numbers))
        elif self.epsilon_reason:
            # Respondents would read that the total is above the limit.
            text = _("Total epsilon is within the limit of %s: delete the reason.")
            yield Problem("epsilon_reason", text % format_epsilon_limit())
