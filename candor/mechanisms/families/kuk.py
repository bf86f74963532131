"""Kuk 1990: the report is the colour of a card from one of two packs."""

from fractions import Fraction

from candor.mechanisms.by_hand import (
    Device,
    Instruction,
    device_for,
    for_researchers,
    gettext_noop,
)
from candor.mechanisms.family import Family
from candor.mechanisms.parameters import Parameter
from candor.mechanisms.table import Weights, two_by_two


class Kuk(Family):
    """The true answer picks the pack, chance picks the card; one draw."""

    label = gettext_noop("Kuk (two packs of cards)")
    source = "Kuk 1990, Biometrika 77:436-438, with k = 1"
    reports = ("red", "black")
    parameters = (
        Parameter(
            name="p_red_given_yes",
            label=for_researchers("Share of red cards in the Yes pack"),
            example="4/5",
        ),
        Parameter(
            name="p_red_given_no",
            label=for_researchers("Share of red cards in the No pack"),
            example="1/5",
        ),
    )

    def weights(
        self, *, p_red_given_yes: Fraction, p_red_given_no: Fraction
    ) -> Weights:
        return two_by_two(p_red_given_yes, p_red_given_no)

    def by_hand(
        self, *, p_red_given_yes: Fraction, p_red_given_no: Fraction
    ) -> Instruction | None:
        if (pack := device_for(p_red_given_yes, p_red_given_no)) is None:
            return None
        red_in_yes, red_in_no = pack.share(p_red_given_yes), pack.share(p_red_given_no)
        return Instruction(
            Device.CARDS,
            (
                gettext_noop(
                    "Shuffle two packs of %(cards)s cards. The %(yes)s pack has "
                    "%(red_in_yes)s red and %(black_in_yes)s black cards, the %(no)s "
                    "pack %(red_in_no)s red and %(black_in_no)s black."
                ),
                gettext_noop(
                    "Draw one card from each pack where nobody else can see it."
                ),
                gettext_noop(
                    "Enter only the colour of the card from the pack of your true "
                    "answer."
                ),
            ),
            {
                "cards": pack.sides,
                "red_in_yes": red_in_yes,
                "black_in_yes": pack.sides - red_in_yes,
                "red_in_no": red_in_no,
                "black_in_no": pack.sides - red_in_no,
            },
        )
