"""The base class of kinds: a question with two answers, or with a list of them."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from django import forms
from django.utils.functional import Promise

from candor.mechanisms import Family, Mechanism, load_families
from candor.mechanisms.parameters import Parameter
from candor.mechanisms.scale import Scale
from surveys.kinds.labels import add_decline_answer, get_default_labels
from surveys.problem import Problem

LABEL_FIELDS = ("yes_label", "no_label")

StoredScale = Mapping[str, object] | None
"""What the first and the last answer stand for: see `Question.scale`."""

SHORTEST_LABEL = 4
"""Characters of Yes and No, which stand next to each other in surveys by hand."""

COIN_EPSILON = "1.0986"
"""ln 3 = 1.09861..., rounded down, so that the odds shift 3 times at most."""


@dataclass(frozen=True, kw_only=True)
class FamilySwitch:
    """A button that changes the family of a question."""

    label: Promise
    of: str
    to: str


@dataclass(frozen=True)
class Wording:
    """What the inputs of a question say of its answers."""

    labels: tuple[str, ...]
    field: str
    """The input at which an error in the labels is shown."""
    scale: Scale | None = None


@dataclass(frozen=True, kw_only=True)
class AnswerSet:
    """Answers whose share results show together, under the label of one of them."""

    answers: tuple[int, ...]
    labelled: int


def get_field_name(family: Family, parameter: str) -> str:
    return f"{family.identifier}__{parameter}"


class Kind(ABC):
    """How questions of one kind are written, checked, shown and estimated.

    A kind is read off the family of a question, so nothing is stored twice. The family
    draws the report and the library estimates from its table; all that is special of a
    kind besides is a method or attribute of its class.
    """

    label: ClassVar[Promise]
    family: ClassVar[str]
    listed_as: ClassVar[str] = ""
    """The first family of the kind in whose place it is listed; empty for itself."""
    switches: ClassVar[tuple[FamilySwitch, ...]] = ()
    skippable: ClassVar[Mapping[str, str]] = {}
    """Families whose questions may have "Prefer not to answer" as one more answer, and
    the family that they then have."""
    skip_field: ClassVar[str] = "skip"
    is_timeless: ClassVar[bool] = False
    """Whether its questions need no period, such as "in the last 12 months"."""
    answers_help: ClassVar[Any] = ""
    blank: ClassVar[Mapping[str, str]] = {}
    """Inputs besides labels and parameters, and what a blank question holds in them."""
    template_name: ClassVar[str] = ""

    @abstractmethod
    def includes(self, family: Family) -> bool:
        """Return whether questions of this family are of this kind."""

    # Labels

    def label_answers(
        self, mechanism: Mechanism, scale: StoredScale, language: str
    ) -> tuple[str, ...]:
        """Return the default label of each answer; of many, their names."""
        answers, usual = mechanism.answers, get_default_labels(language)
        return answers if len(answers) > len(usual) else usual[: len(answers)]

    def suggest_labels(self, language: str) -> tuple[str, ...]:
        """Return the labels that a list of answers has until others are typed."""
        return get_default_labels(language)[:2]

    def find_scale(self, mechanism: Mechanism, stored: StoredScale) -> Scale | None:
        """Return what the answers stand for; None where they are no numbers."""
        return None

    # Inputs of the author's form

    def list_parameters(self, family: Family) -> list[Parameter]:
        return list(family.parameters)

    def make_fields(self) -> dict[str, forms.Field]:
        """Return the inputs of `blank`; fields are shared, and no one changes them."""
        return {}

    def list_inputs(self, family: Family) -> list[str]:
        parameters = self.list_parameters(family)
        return [
            *(LABEL_FIELDS if family.answers else ()),
            *self.blank,
            *(get_field_name(family, each.name) for each in parameters),
        ]

    def read_wording(
        self, family: Family, cleaned: Mapping[str, Any], language: str
    ) -> Wording:
        """Return the labels that the inputs make; a `ValidationError` names inputs."""
        if counted := list(family.counted(0)):
            field = get_field_name(family, counted[0])
            lines = cleaned.get(field)
            typed = lines.split("\n") if lines else self.suggest_labels(language)
            return Wording(tuple(typed), field)
        usual = zip(LABEL_FIELDS, get_default_labels(language), strict=False)
        labels = tuple(cleaned.get(field) or label for field, label in usual)
        return Wording(labels, LABEL_FIELDS[-1])

    def fill_inputs(self, labels: Sequence[str], scale: StoredScale) -> dict[str, str]:
        """Return what the inputs of a stored question hold, parameters left out."""
        return dict(zip(LABEL_FIELDS, labels, strict=False))

    def keep_labels(
        self, labels: list[str], stored: Sequence[str], mechanism: Mechanism
    ) -> list[str]:
        """Return the labels to store, with stored ones that have no input."""
        return labels

    # Skipping

    def add_skip(
        self, family: Family, given: Mapping[str, Any], labels: Sequence[str]
    ) -> tuple[Family, dict[str, Any]]:
        """Return the family and its parameters once "Prefer not to answer" is added.

        `labels` have it already.
        """
        skipped = load_families()[self.skippable[family.identifier]]
        named = {each.name for each in skipped.parameters if not each.counts_answers}
        kept = {name: given.get(name, COIN_EPSILON) for name in named}
        return skipped, {**kept, **skipped.counted(len(labels))}

    def add_skip_label(self, labels: Sequence[str], language: str) -> tuple[str, ...]:
        return add_decline_answer(labels, language) if len(labels) > 1 else (*labels,)

    def recognise_skip(
        self, family: Family, parameters: Mapping[str, str], *, is_yes_or_no: bool
    ) -> dict[str, str]:
        """Return the family, and inputs that differ, to which `add_skip` was applied.

        `is_yes_or_no` is whether the other answers are the usual two. Empty where it
        was another kind.
        """
        return {}

    # Checks

    def find_problems(
        self, mechanism: Mechanism, scale: StoredScale, *, is_shuffled: bool
    ) -> Iterator[Problem]:
        return iter(())

    # Respondents

    def arrange(
        self, labels: Sequence[str], declined: int | None, *, is_by_hand: bool
    ) -> dict[str, Any]:
        """Return each label in two parts, and how they stand on the screen."""
        is_pair = is_by_hand and len(labels) == 2
        is_pair = is_pair and max(map(len, labels)) <= SHORTEST_LABEL
        return {
            "options": [(label, "") for label in labels],
            "shape": "pair" if is_pair else "",
            "ends": (),
        }

    # Results

    def list_answer_sets(self) -> tuple[AnswerSet, ...]:
        return ()

    def reduce_answers(
        self, mechanism: Mechanism, choices: tuple[str, ...], language: str
    ) -> tuple[Mechanism, tuple[str, ...]] | None:
        """Return the table and labels of which results know the shares."""
        return None
