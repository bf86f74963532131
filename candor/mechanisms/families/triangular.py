"""Triangular model: the report says whether both answers are no."""

from fractions import Fraction

from candor.mechanisms.by_hand import (
    Device,
    Instruction,
    for_researchers,
    gettext_noop,
)
from candor.mechanisms.family import Family
from candor.mechanisms.parameters import Parameter
from candor.mechanisms.table import Weights, two_by_two


class Triangular(Family):
    """Two questions at once; the report says whether either answer is yes."""

    label = gettext_noop("One-sided: triangular (a Neither is proof)")
    source = "Yu, Tian & Tang 2008, Metrika 67:251-263"
    reports = ("either", "neither")
    is_one_sided = True
    needs_innocuous_question = True
    parameters = (
        Parameter(
            name="prevalence",
            label=for_researchers("Known share of Yes to the harmless question"),
            example="1/2",
        ),
    )

    def weights(self, *, prevalence: Fraction) -> Weights:
        # With a Yes there is always one; with a No, where the harmless answer is yes.
        return two_by_two(Fraction(1), prevalence)

    def by_hand(self, *, prevalence: Fraction) -> Instruction:
        return Instruction(
            Device.QUESTION,
            (
                gettext_noop("Think of your true answer to the question above."),
                gettext_noop(
                    "Think of your answer to this question too: %(innocuous_question)s"
                ),
                gettext_noop(
                    "Enter Neither if the first is %(no)s and the second is No."
                ),
                gettext_noop("Enter Either otherwise."),
            ),
        )
