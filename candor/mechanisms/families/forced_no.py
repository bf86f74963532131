"""Forced No only: heads: say no, tails: the truth."""

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


class ForcedNo(Family):
    """Chance dictates "no" or leaves the truth, so "yes" is proof. P(yes|no) = 0."""

    label = gettext_noop("One-sided: forced No (a Yes is proof)")
    source = "Forced response that dictates no Yes: Fox & Tracy 1986"
    is_one_sided = True
    parameters = (
        Parameter(
            name="forced_no",
            label=for_researchers("Chance that No is dictated"),
            example="1/2",
        ),
    )

    def weights(self, *, forced_no: Fraction) -> Weights:
        # P(yes|yes) = P(truth), P(yes|no) = 0: nothing dictates yes.
        return two_by_two(1 - forced_no, Fraction(0))

    def by_hand(self, *, forced_no: Fraction) -> Instruction | None:
        return forced_one_way(
            forced_no,
            heads=gettext_noop("Heads: enter %(no)s, whatever is true."),
            otherwise=gettext_noop("%(forced)s: enter %(no)s, whatever is true."),
        )
