"""Forced response: chance sometimes dictates the report."""

from fractions import Fraction

from candor.mechanisms.by_hand import (
    Instruction,
    device_for,
    for_researchers,
    gettext_noop,
    span,
)
from candor.mechanisms.family import Family
from candor.mechanisms.parameters import Parameter, ParameterError
from candor.mechanisms.table import Weights, two_by_two


class ForcedResponse(Family):
    """Chance dictates "yes", dictates "no", or leaves the truth."""

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
        return two_by_two(1 - forced_no, forced_yes)

    def by_hand(
        self, *, forced_yes: Fraction, forced_no: Fraction
    ) -> Instruction | None:
        if (device := device_for(forced_yes, forced_no)) is None:
            return None
        truth = device.share(1 - forced_yes - forced_no)
        forced = truth + device.share(forced_yes)
        return Instruction(
            device.kind,
            (
                device.step,
                gettext_noop("%(truth)s: enter your true answer."),
                gettext_noop("%(forced_yes)s: enter %(yes)s, whatever is true."),
                gettext_noop("%(forced_no)s: enter %(no)s, whatever is true."),
            ),
            {
                "sides": device.sides,
                "truth": span(1, truth),
                "forced_yes": span(truth + 1, forced),
                "forced_no": span(forced + 1, device.sides),
            },
        )
