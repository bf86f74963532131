"""Two yes/no questions that are scrambled as one question with four answers."""

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from candor.mechanisms import Family, Mechanism
from candor.mechanisms.families.symmetric import BOTH, FIRST, LINKED_PAIR, SECOND
from surveys.kinds.kind import AnswerSet, FamilySwitch, Kind, StoredScale

LABELS = (
    gettext_noop("Both"),
    gettext_noop("Only the first"),
    gettext_noop("Only the second"),
    gettext_noop("Neither"),
)
"""Default labels, in English: yes to both questions, to one, to neither."""


class LinkedPair(Kind):
    family = LINKED_PAIR
    listed_as = "k_ary"
    switches = (
        FamilySwitch(
            label=gettext_lazy("Answers of one question"), of=LINKED_PAIR, to="k_ary"
        ),
    )
    answers_help = gettext_lazy(
        "In this order: yes to both, only the first, only the second, neither."
    )

    def includes(self, family: Family) -> bool:
        return family.identifier == LINKED_PAIR

    def label_answers(
        self, mechanism: Mechanism, scale: StoredScale, language: str
    ) -> tuple[str, ...]:
        return self.suggest_labels(language)

    def suggest_labels(self, language: str) -> tuple[str, ...]:
        with translation.override(language):
            return tuple(_(label) for label in LABELS)

    def list_answer_sets(self) -> tuple[AnswerSet, ...]:
        """Return yes to the first question and yes to the second."""
        return tuple(
            AnswerSet(answers=(BOTH, place), labelled=place)
            for place in (FIRST, SECOND)
        )
