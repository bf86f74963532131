"""Mechanisms with a harmless question, whose share of "yes" is known."""

from dataclasses import replace
from fractions import Fraction

from candor.mechanisms.by_hand import (
    ANSWER_TRULY,
    Instruction,
    Outcome,
    compare_answers,
    find_device,
    for_researchers,
    gettext_noop,
    span,
)
from candor.mechanisms.family import PREVALENCE, Family
from candor.mechanisms.parameters import Parameter
from candor.mechanisms.table import Weights, make_two_by_two

ANY_OTHER_PAIR = gettext_noop("Any other pair")


class Crosswise(Family):
    """Two questions at once; the report is whether their answers are the same."""

    label = gettext_noop("Crosswise")
    source = "Yu, Tian & Tang 2008, Metrika 67:251-263"
    reports = ("same", "different")
    needs_innocuous_question = True
    parameters = (PREVALENCE,)

    def weights(self, *, prevalence: Fraction) -> Weights:
        # Yes agrees with a harmless yes, No with a harmless no.
        return make_two_by_two(prevalence, 1 - prevalence)

    def by_hand(self, *, prevalence: Fraction) -> Instruction:
        return compare_answers(
            Outcome(
                gettext_noop("%(yes)s and Yes, or %(no)s and No"),
                gettext_noop("enter Same."),
            ),
            Outcome(ANY_OTHER_PAIR, gettext_noop("enter Different.")),
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
        return make_two_by_two(Fraction(1), prevalence)

    def by_hand(self, *, prevalence: Fraction) -> Instruction:
        return compare_answers(
            Outcome(gettext_noop("%(no)s and No"), gettext_noop("enter Neither.")),
            Outcome(ANY_OTHER_PAIR, gettext_noop("enter Either.")),
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
        return make_two_by_two(p_sensitive + harmless_yes, harmless_yes)

    def by_hand(
        self, *, p_sensitive: Fraction, prevalence: Fraction
    ) -> Instruction | None:
        if (device := find_device(p_sensitive)) is None:
            return None
        sensitive = device.share(p_sensitive)
        return Instruction(
            device.kind,
            device.start,
            (
                device.outcome(span(1, sensitive), ANSWER_TRULY),
                device.outcome(
                    span(sensitive + 1, device.sides),
                    gettext_noop(
                        "answer this question instead and enter %(yes)s for Yes, "
                        "%(no)s for No: %(innocuous_question)s"
                    ),
                ),
            ),
            {"sides": device.sides},
        )
