"""Crosswise model: the report says whether two answers agree."""

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


class Crosswise(Family):
    """Two questions at once; the report says whether their answers are the same."""

    label = gettext_noop("Crosswise")
    source = "Yu, Tian & Tang 2008, Metrika 67:251-263"
    reports = ("same", "different")
    needs_innocuous_question = True
    parameters = (
        Parameter(
            name="prevalence",
            label=for_researchers("Known share of Yes to the harmless question"),
            example="1/4",
        ),
    )

    def weights(self, *, prevalence: Fraction) -> Weights:
        # Yes agrees with a harmless yes, No with a harmless no.
        return two_by_two(prevalence, 1 - prevalence)

    def by_hand(self, *, prevalence: Fraction) -> Instruction:
        return Instruction(
            Device.QUESTION,
            (
                gettext_noop("Think of your true answer to the question above."),
                gettext_noop(
                    "Think of your answer to this question too: %(innocuous_question)s"
                ),
                gettext_noop(
                    "Enter Same if the first is %(yes)s and the second is Yes, or "
                    "the first is %(no)s and the second is No."
                ),
                gettext_noop("Enter Different otherwise."),
            ),
        )
