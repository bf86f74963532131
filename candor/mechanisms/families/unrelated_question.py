"""Unrelated question: chance decides whether the sensitive question is answered."""

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


class UnrelatedQuestion(Family):
    """The sensitive question, or a harmless one whose share of "yes" is known."""

    label = gettext_noop("Unrelated question")
    source = "Greenberg, Abul-Ela, Simmons & Horvitz 1969, JASA 64:520-539"
    needs_innocuous_question = True
    parameters = (
        Parameter(
            name="p_sensitive",
            label=for_researchers("Chance that the sensitive question is answered"),
            example="2/3",
        ),
        Parameter(
            name="prevalence",
            label=for_researchers("Known share of Yes to the harmless question"),
            example="1/4",
        ),
    )

    def weights(self, *, p_sensitive: Fraction, prevalence: Fraction) -> Weights:
        harmless_yes = (1 - p_sensitive) * prevalence
        return two_by_two(p_sensitive + harmless_yes, harmless_yes)

    def by_hand(
        self, *, p_sensitive: Fraction, prevalence: Fraction
    ) -> Instruction | None:
        if (device := device_for(p_sensitive)) is None:
            return None
        sensitive = device.share(p_sensitive)
        return Instruction(
            device.kind,
            (
                device.step,
                gettext_noop(
                    "%(sensitive)s: enter your true answer to the question above."
                ),
                gettext_noop(
                    "%(harmless)s: answer this question instead and enter %(yes)s for "
                    "Yes, %(no)s for No: %(innocuous_question)s"
                ),
            ),
            {
                "sides": device.sides,
                "sensitive": span(1, sensitive),
                "harmless": span(sensitive + 1, device.sides),
            },
        )
