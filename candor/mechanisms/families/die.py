"""One die: four sides for the truth, two for its opposite."""

from candor.mechanisms.by_hand import Device, Instruction, gettext_noop
from candor.mechanisms.family import Family
from candor.mechanisms.table import Weights


class Die(Family):
    """1 to 4: the truth; 5 or 6: the opposite. P(yes|yes) = 2/3."""

    label = gettext_noop("Die roll")
    source = "Warner 1965, with p = 2/3"

    def weights(self) -> Weights:
        return ((2, 1), (1, 2))

    def by_hand(self) -> Instruction:
        return Instruction(
            Device.DIE,
            (
                gettext_noop("Roll a die where nobody else can see it."),
                gettext_noop("1 to 4: enter your true answer."),
                gettext_noop(
                    "5 or 6: enter the opposite (%(no)s if your true answer is "
                    "%(yes)s, %(yes)s if it is %(no)s)."
                ),
            ),
        )
