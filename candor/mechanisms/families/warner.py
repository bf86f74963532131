"""Warner 1965: the question or its opposite, as chance decides."""

from fractions import Fraction

from candor.mechanisms.by_hand import (
    Instruction,
    device_for,
    for_researchers,
    gettext_noop,
    span,
)
from candor.mechanisms.family import Family
from candor.mechanisms.parameters import Parameter
from candor.mechanisms.table import Weights, two_by_two


class Warner(Family):
    """With chance p the truth is reported, otherwise its opposite."""

    label = gettext_noop("Warner")
    source = "Warner 1965, JASA 60:63-69"
    parameters = (
        Parameter(
            name="p",
            label=for_researchers("Chance that the truth is reported"),
            example="3/4",
        ),
    )

    def weights(self, *, p: Fraction) -> Weights:
        return two_by_two(p, 1 - p)

    def by_hand(self, *, p: Fraction) -> Instruction | None:
        if (device := device_for(p)) is None:
            return None
        truth = device.share(p)
        return Instruction(
            device.kind,
            (
                device.step,
                gettext_noop("%(truth)s: enter your true answer."),
                gettext_noop(
                    "%(opposite)s: enter the opposite (%(no)s if your true answer is "
                    "%(yes)s, %(yes)s if it is %(no)s)."
                ),
            ),
            {
                "sides": device.sides,
                "truth": span(1, truth),
                "opposite": span(truth + 1, device.sides),
            },
        )
