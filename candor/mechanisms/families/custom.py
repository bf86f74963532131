"""Any table for yes and no, by its two probabilities."""

from fractions import Fraction

from candor.mechanisms.by_hand import for_researchers, gettext_noop
from candor.mechanisms.family import Family
from candor.mechanisms.parameters import Parameter
from candor.mechanisms.table import Weights, two_by_two


class Custom(Family):
    """P(yes|yes) and P(yes|no) as the researcher gives them."""

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
        return two_by_two(p_yes_given_yes, p_yes_given_no)
