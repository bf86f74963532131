"""Mechanisms with a harmless question, whose share of "yes" is known."""

from dataclasses import replace
from fractions import Fraction

from candor.mechanisms.by_hand import (
    Instruction,
    answer_both,
    device_for,
    for_researchers,
    gettext_noop,
    span,
)
from candor.mechanisms.family import PREVALENCE, Family
from candor.mechanisms.parameters import Parameter
from candor.mechanisms.table import Weights, two_by_two


class Crosswise(Family):
    """Two questions at once; the report is whether their answers are the same."""

    label = gettext_noop("Crosswise")
    source = "Yu, Tian & Tang 2008, Metrika 67:251-263"
    reports = ("same", "different")
    needs_innocuous_question = True
    parameters = (PREVALENCE,)

    def weights(self, *, prevalence: Fraction) -> Weights:
        # Yes agrees with a harmless yes, No with a harmless no.
        return two_by_two(prevalence, 1 - prevalence)

    def by_hand(self, *, prevalence: Fraction) -> Instruction:
        return answer_both(
            gettext_noop(
                "Enter Same if the first is %(yes)s and the second is Yes, or "
                "the first is %(no)s and the second is No."
            ),
            gettext_noop("Enter Different otherwise."),
        )


class Triangular(Family):
    """Two questions at once; the report is whether either answer is yes."""

    label = gettext_noop("One-sided: triangular (a Neither is proof)")
    source = "Yu, Tian & Tang 2008, Metrika 67:251-263"
    reports = ("either", "neither")
    is_one_sided = True
    needs_innocuous_question = True
    parameters = (replace(PREVALENCE, example="1/2"),)

    def weights(self, *, prevalence: Fraction) -> Weights:
        # With a Yes there is always one; with a No, where the harmless answer is yes.
        return two_by_two(Fraction(1), prevalence)

    def by_hand(self, *, prevalence: Fraction) -> Instruction:
        return answer_both(
            gettext_noop("Enter Neither if the first is %(no)s and the second is No."),
            gettext_noop("Enter Either otherwise."),
        )


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
        PREVALENCE,
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
