"""Mechanisms with a coin, a die or packs of cards."""

from fractions import Fraction

from candor.mechanisms.by_hand import (
    ANSWER_TRULY,
    ENTER_OPPOSITE,
    Device,
    Face,
    Instruction,
    Outcome,
    answer_truly_or,
    find_device,
    for_researchers,
    gettext_noop,
)
from candor.mechanisms.family import Family
from candor.mechanisms.parameters import Parameter
from candor.mechanisms.table import Weights, make_two_by_two


class Coin(Family):
    """Heads: report the truth. Tails: report a second toss. P(yes|yes) = 3/4."""

    label = gettext_noop("Coin flip")
    source = "Dwork & Roth 2014, section 3.2; a form of Warner 1965"

    def weights(self) -> Weights:
        # Of 4 pairs of tosses, 2 report the truth, 1 reports "yes", and 1 "no".
        return ((3, 1), (1, 3))

    def by_hand(self) -> Instruction:
        return Instruction(
            Device.COIN,
            gettext_noop("Toss a coin twice. What does it say?"),
            (
                Outcome(gettext_noop("First toss is heads"), ANSWER_TRULY, Face.HEADS),
                Outcome(
                    gettext_noop("First toss is tails"),
                    gettext_noop(
                        "enter what the second toss says. Heads is %(yes)s, tails is "
                        "%(no)s."
                    ),
                    Face.TAILS,
                ),
            ),
        )


class Die(Family):
    """1 to 4: report the truth. 5 or 6: report the opposite. P(yes|yes) = 2/3."""

    label = gettext_noop("Die roll")
    source = "Warner 1965, with p = 2/3"

    def weights(self) -> Weights:
        return ((2, 1), (1, 2))

    def by_hand(self) -> Instruction | None:
        return answer_truly_or(ENTER_OPPOSITE, p_truth=Fraction(2, 3))


class Kuk(Family):
    """Report the colour of a card from the pack of the true answer."""

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
        return make_two_by_two(p_red_given_yes, p_red_given_no)

    def by_hand(
        self, *, p_red_given_yes: Fraction, p_red_given_no: Fraction
    ) -> Instruction | None:
        if (pack := find_device(p_red_given_yes, p_red_given_no)) is None:
            return None
        red_in_yes, red_in_no = pack.share(p_red_given_yes), pack.share(p_red_given_no)
        return Instruction(
            Device.CARDS,
            gettext_noop(
                "Shuffle two packs of %(cards)s cards. Draw one card from each."
            ),
            (
                Outcome(
                    gettext_noop("Your true answer is %(yes)s"),
                    gettext_noop(
                        "enter the colour of the card from the %(yes)s pack "
                        "(%(red_in_yes)s red, %(black_in_yes)s black)."
                    ),
                ),
                Outcome(
                    gettext_noop("Your true answer is %(no)s"),
                    gettext_noop(
                        "enter the colour of the card from the %(no)s pack "
                        "(%(red_in_no)s red, %(black_in_no)s black)."
                    ),
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


class Warner(Family):
    """Report the truth with probability p, and its opposite otherwise."""

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
        return make_two_by_two(p, 1 - p)

    def by_hand(self, *, p: Fraction) -> Instruction | None:
        return answer_truly_or(ENTER_OPPOSITE, p_truth=p)
