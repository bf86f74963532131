"""A direct question with several answers, such as the age group of a respondent."""

from fractions import Fraction

from candor.mechanisms.by_hand import gettext_noop
from candor.mechanisms.family import CHOICES, Family
from candor.mechanisms.table import Weights, identity


class DirectChoice(Family):
    """The report is the answer: for groups that are not sensitive."""

    label = gettext_noop("Direct question with several answers (not protected)")
    source = "The ordinary survey question"
    is_protected = False
    answers = ()
    reports = ()
    parameters = (CHOICES,)

    def weights(self, *, choices: Fraction) -> Weights:
        return identity(int(choices))
