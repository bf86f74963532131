"""Direct questions, and any table for yes and no."""

from fractions import Fraction

from candor.mechanisms.by_hand import for_researchers, gettext_noop
from candor.mechanisms.family import CHOICES, Family
from candor.mechanisms.parameters import Parameter
from candor.mechanisms.table import Weights, identity, make_two_by_two


class Direct(Family):
    """Report the true answer. Only for harmless questions and for comparisons."""

    label = gettext_noop("Direct question (not protected)")
    source = "The ordinary survey question"
    is_protected = False

    def weights(self) -> Weights:
        return ((1, 0), (0, 1))


class DirectChoice(Family):
    """Report the true answer. Only for groups that are not sensitive."""

    label = gettext_noop("Direct question with several answers (not protected)")
    source = "The ordinary survey question"
    is_protected = False
    answers = ()
    reports = ()
    parameters = (CHOICES,)

    def weights(self, *, choices: Fraction) -> Weights:
        return identity(int(choices))


class Custom(Family):
    """The table with the P(yes|yes) and P(yes|no) that the researcher chooses."""

    label = gettext_noop("Own table")
    source = "Chaudhuri & Mukerjee 1988 (every yes/no mechanism is such a pair)"
    parameters = (
        Parameter(
            name="p_yes_given_yes",
            label=for_researchers("Chance that Yes is reported when Yes is true"),
            example="3/4",
        ),
        Parameter(
            name="p_yes_given_no",
            label=for_researchers("Chance that Yes is reported when No is true"),
            example="1/4",
        ),
    )

    def weights(
        self, *, p_yes_given_yes: Fraction, p_yes_given_no: Fraction
    ) -> Weights:
        return make_two_by_two(p_yes_given_yes, p_yes_given_no)
