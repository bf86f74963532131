"""A panel: people whom several surveys of one owner ask, and their privacy budget."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal
from functools import cached_property
from typing import Any

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from candor.accounting import total_epsilon
from candor.mechanisms.composition import Composition
from surveys.numbers import format_rounded_up
from surveys.problem import Problem

MIN_BUDGET, MAX_BUDGET = Decimal("0.01"), Decimal(100)
"""Range of epsilon: pages show hundredths, and beyond 100 nothing is protected."""


@dataclass(frozen=True)
class LedgerEntry:
    """Epsilon of an opened survey: of one respondent's reports, and of its releases."""

    survey: Any
    reports: float
    releases: float

    @property
    def total(self) -> float:
        return total_epsilon([self.reports, self.releases]).epsilon


@dataclass(frozen=True)
class Ledger:
    """The privacy budget of a panel, and the surveys that have spent part of it."""

    panel: str
    budget: Decimal
    entries: Sequence[LedgerEntry]
    """In order of opening."""

    @cached_property
    def spent(self) -> float:
        return total_epsilon([each.total for each in self.entries]).epsilon

    def find_left(self, epsilon: float = 0.0) -> float:
        return float(self.budget) - total_epsilon([self.spent, epsilon]).epsilon

    def refuse(self, epsilon: float) -> str:
        """Return why `epsilon` more cannot be spent; empty where it can."""
        if self.find_left(epsilon) >= 0:
            return ""
        text = _(
            "This needs epsilon %(epsilon)s. The panel “%(panel)s” has %(left)s left "
            "of %(budget)s."
        )
        return text % {**self.shown, "epsilon": format_rounded_up(epsilon)}

    def describe(self, epsilon: float) -> str:
        text = _(
            "Epsilon %(epsilon)s. Then the panel “%(panel)s” has %(after)s left of "
            "%(budget)s."
        )
        after = format_left(self.find_left(epsilon))
        shown = {**self.shown, "epsilon": format_rounded_up(epsilon), "after": after}
        return self.refuse(epsilon) or text % shown

    @property
    def shown(self) -> dict[str, str]:
        return {
            "panel": self.panel,
            "budget": format_budget(self.budget),
            "left": format_left(self.find_left()),
        }


def write_budget(budget: Decimal) -> str:
    """Return the budget without trailing zeros: databases return 5 as 5.00."""
    return f"{budget.normalize():f}"


def format_budget(budget: Decimal) -> str:
    return number_format(write_budget(budget))


def format_left(epsilon: float) -> str:
    """Return the remaining epsilon, rounded down to two decimals."""
    if math.isinf(epsilon):
        return "\N{MINUS SIGN}∞"
    return number_format(Decimal(repr(epsilon)).quantize(MIN_BUDGET, ROUND_FLOOR))


def measure_epsilon(numbers: Composition | None) -> float:
    """Return epsilon of all scrambled answers; direct ones spend no budget."""
    return numbers.epsilon if numbers and numbers.scrambled else 0.0


class Panel(models.Model):
    panel = models.CharField(
        gettext_lazy("panel"),
        max_length=100,
        blank=True,
        help_text=gettext_lazy(
            "Use one name in all surveys of the same people. It is public."
        ),
    )
    panel_budget = models.DecimalField(
        gettext_lazy("epsilon for the panel"),
        max_digits=5,
        decimal_places=2,
        null=True,
        blank=True,
        validators=[
            MinValueValidator(MIN_BUDGET),
            MaxValueValidator(MAX_BUDGET),
        ],
        help_text=gettext_lazy(
            "All these surveys and releases with noise never exceed it together."
        ),
    )
    released_epsilon = models.DecimalField(
        max_digits=8, decimal_places=2, default=0, editable=False
    )
    """Epsilon of releases with noise, also after all reports are deleted. Releases from
    before panels were introduced are not included: their surveys belong to none."""

    class Meta:
        abstract = True

    def find_panel_problems(
        self, ledger: Ledger | None, numbers: Composition | None
    ) -> Iterator[Problem]:
        if bool(self.panel) != (self.panel_budget is not None):
            yield Problem("panel", _("Enter both the panel and its epsilon."))
        elif ledger and ledger.budget != self.panel_budget:
            text = _("This panel has the epsilon %s: enter the same.")
            yield Problem("panel", text % ledger.shown["budget"])
        elif ledger and (text := ledger.refuse(measure_epsilon(numbers))):
            yield Problem("panel", text)
