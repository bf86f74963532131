"""A direct question: the answer itself is reported, without protection."""

from candor.mechanisms.by_hand import gettext_noop
from candor.mechanisms.family import Family
from candor.mechanisms.table import Weights


class Direct(Family):
    """The report is the answer. For harmless questions and for comparison only."""

    label = gettext_noop("Direct question (not protected)")
    source = "The ordinary survey question"
    is_protected = False

    def weights(self) -> Weights:
        return ((1, 0), (0, 1))
