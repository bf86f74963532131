"""Mechanisms with a harmless question, whose share of "yes" is known."""

from dataclasses import replace
from fractions import Fraction

from candor.mechanisms.by_hand import (
    Instruction,
    Outcome,
    answer_truly_or,
    compare_answers,
    for_researchers,
    gettext_noop,
)
from candor.mechanisms.family import PREVALENCE, Family
from candor.mechanisms.parameters import Parameter
from candor.mechanisms.table import Weights, make_two_by_two

ANY_OTHER_PAIR = gettext_noop("Any other pair")


class Crosswise(Family):
    """Report whether the answers to two questions are the same."""

    label = gettext_noop("Crosswise")
    source = "Yu, Tian & Tang 2008, Metrika 67:251-263"
    reports = ("same", "different")
    needs_innocuous_question = True
    parameters = (PREVALENCE,)

    def weights(self, *, prevalence: Fraction) -> Weights:
        # P(same|yes) and P(same|no) are the harmless shares of yes and of no.
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
    """Report whether the answer to either of two questions is yes."""

    label = gettext_noop("One-sided: triangular (a Neither is proof)")
    source = "Yu, Tian & Tang 2008, Metrika 67:251-263"
    reports = ("either", "neither")
    is_one_sided = True
    needs_innocuous_question = True
    parameters = (replace(PREVALENCE, example="1/2"),)

    def weights(self, *, prevalence: Fraction) -> Weights:
        # P(either|yes) = 1, and P(either|no) is the harmless share of yes.
        return make_two_by_two(Fraction(1), prevalence)

    def by_hand(self, *, prevalence: Fraction) -> Instruction:
        return compare_answers(
            Outcome(gettext_noop("%(no)s and No"), gettext_noop("enter Neither.")),
            Outcome(ANY_OTHER_PAIR, gettext_noop("enter Either.")),
        )


class UnrelatedQuestion(Family):
    """Answer either the sensitive question or a harmless one with a known share."""

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
        return answer_truly_or(
            gettext_noop(
                "answer this question instead and enter %(yes)s for Yes, "
                "%(no)s for No: %(innocuous_question)s"
            ),
            p_truth=p_sensitive,
        )
