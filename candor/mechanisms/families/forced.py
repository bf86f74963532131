"""Forced response: a device decides some of the reports."""

from fractions import Fraction

from candor.mechanisms.by_hand import (
    ANSWER_TRULY,
    ENTER_NO,
    ENTER_YES,
    Instruction,
    find_device,
    for_researchers,
    force_one_way,
    gettext_noop,
    span,
)
from candor.mechanisms.family import Family
from candor.mechanisms.parameters import Parameter, ParameterError
from candor.mechanisms.table import Weights, make_two_by_two


class ForcedResponse(Family):
    """A device decides whether to report "yes", "no" or the truth."""

    label = gettext_noop("Forced response")
    source = "Boruch 1971; Fox & Tracy 1986; Blair, Imai & Zhou 2015"
    parameters = (
        Parameter(
            name="forced_yes",
            label=for_researchers("Chance of a forced Yes"),
            example="1/6",
        ),
        Parameter(
            name="forced_no",
            label=for_researchers("Chance of a forced No"),
            example="1/6",
        ),
    )

    def weights(self, *, forced_yes: Fraction, forced_no: Fraction) -> Weights:
        if forced_yes + forced_no >= 1:
            raise ParameterError(
                "forced_yes + forced_no",
                allowed="less than 1, which leaves the truth a chance",
                value=forced_yes + forced_no,
            )
        # P(yes|yes) = P(truth) + P(forced yes), P(yes|no) = P(forced yes)
        return make_two_by_two(1 - forced_no, forced_yes)

    def by_hand(
        self, *, forced_yes: Fraction, forced_no: Fraction
    ) -> Instruction | None:
        if (device := find_device(forced_yes, forced_no)) is None:
            return None
        truth = device.share(1 - forced_yes - forced_no)
        forced = truth + device.share(forced_yes)
        return Instruction(
            device.kind,
            device.start,
            (
                device.outcome(span(1, truth), ANSWER_TRULY),
                device.outcome(span(truth + 1, forced), ENTER_YES),
                device.outcome(span(forced + 1, device.sides), ENTER_NO),
            ),
            {"sides": device.sides},
        )


class ForcedNo(Family):
    """A device decides whether to report "no" or the truth, so "yes" is proof."""

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
        # P(yes|yes) = P(truth), P(yes|no) = 0, because no "yes" is forced.
        return make_two_by_two(1 - forced_no, Fraction(0))

    def by_hand(self, *, forced_no: Fraction) -> Instruction | None:
        return force_one_way(forced_no, ENTER_NO)


class ForcedYes(Family):
    """A device decides whether to report "yes" or the truth, so "no" is proof."""

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
        return make_two_by_two(Fraction(1), forced_yes)

    def by_hand(self, *, forced_yes: Fraction) -> Instruction | None:
        return force_one_way(forced_yes, ENTER_YES)
