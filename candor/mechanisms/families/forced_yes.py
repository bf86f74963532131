"""Forced Yes only: heads: say yes, tails: the truth."""

from fractions import Fraction

from candor.mechanisms.by_hand import (
    Instruction,
    for_researchers,
    forced_one_way,
    gettext_noop,
)
from candor.mechanisms.family import Family
from candor.mechanisms.parameters import Parameter
from candor.mechanisms.table import Weights, two_by_two


class ForcedYes(Family):
    """Chance dictates "yes" or leaves the truth, so "no" is proof. P(yes|yes) = 1."""

    label = gettext_noop("One-sided: forced Yes (a No is proof)")
    source = "Forced response that dictates no No: Fox & Tracy 1986"
    is_one_sided = True
    parameters = (
        Parameter(
            name="forced_yes",
            label=for_researchers("Chance that Yes is dictated"),
            example="1/2",
        ),
    )

    def weights(self, *, forced_yes: Fraction) -> Weights:
        # P(yes|yes) = P(truth) + P(forced yes) = 1, P(yes|no) = P(forced yes)
        return two_by_two(Fraction(1), forced_yes)

    def by_hand(self, *, forced_yes: Fraction) -> Instruction | None:
        return forced_one_way(
            forced_yes,
            heads=gettext_noop("Heads: enter %(yes)s, whatever is true."),
            otherwise=gettext_noop("%(forced)s: enter %(yes)s, whatever is true."),
        )
