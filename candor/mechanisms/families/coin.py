"""Two coins, as they are tossed in lecture halls."""

from candor.mechanisms.by_hand import Device, Instruction, gettext_noop
from candor.mechanisms.family import Family
from candor.mechanisms.table import Weights


class Coin(Family):
    """Heads: the truth; tails: a second toss answers. P(yes|yes) = 3/4."""

    label = gettext_noop("Coin flip")
    source = "Dwork & Roth 2014, section 3.2; a form of Warner 1965"

    def weights(self) -> Weights:
        # Out of 4 pairs of tosses: 2 the truth, 1 "yes", 1 "no".
        return ((3, 1), (1, 3))

    def by_hand(self) -> Instruction:
        return Instruction(
            Device.COIN,
            (
                gettext_noop("Toss a coin twice where nobody else can see it."),
                gettext_noop("First toss heads: enter your true answer."),
                gettext_noop(
                    "First toss tails: the second toss decides. Heads: enter %(yes)s. "
                    "Tails: enter %(no)s."
                ),
            ),
        )
