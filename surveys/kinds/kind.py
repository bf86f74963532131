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
"""Values of the first and the last answer: see `Question.scale`."""

MIN_LABEL_LENGTH = 4
"""Maximum characters of two labels that surveys by hand show next to each other."""

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
    """The labels and the scale that the inputs of a question define."""

    labels: tuple[str, ...]
    field: str
    """The input at which an error in the labels is shown."""
    scale: Scale | None = None


@dataclass(frozen=True, kw_only=True)
class AnswerSet:
    """Answers whose total share results show, under the label of one of them."""

    answers: tuple[int, ...]
    labelled: int


def get_field_name(family: Family, parameter: str) -> str:
    return f"{family.identifier}__{parameter}"


class Kind(ABC):
    """How questions of one kind are written, checked, shown and estimated.

    The family of a question determines its kind, so nothing is stored twice. The family
    draws the report and the library estimates from its table; everything else that is
    specific to a kind is a method or attribute of its class.
    """

    label: ClassVar[Promise]
    family: ClassVar[str]
    listed_as: ClassVar[str] = ""
    """The first family of the kind under which it is listed; empty for itself."""
    switches: ClassVar[tuple[FamilySwitch, ...]] = ()
    skippable: ClassVar[Mapping[str, str]] = {}
    """{family: family with "Prefer not to answer" as an additional answer}."""
    skip_field: ClassVar[str] = "skip"
    is_timeless: ClassVar[bool] = False
    """Whether its questions need no period, such as "in the last 12 months"."""
    answers_help: ClassVar[Any] = ""
    blank: ClassVar[Mapping[str, str]] = {}
    """Inputs other than labels and parameters, with their initial values."""
    template_name: ClassVar[str] = ""

    @abstractmethod
    def includes(self, family: Family) -> bool:
        """Return whether questions of this family are of this kind."""

    # Labels

    def label_answers(
        self, mechanism: Mechanism, scale: StoredScale, language: str
    ) -> tuple[str, ...]:
        """Return the default labels, or the names of the answers if there are more."""
        answers, usual = mechanism.answers, get_default_labels(language)
        return answers if len(answers) > len(usual) else usual[: len(answers)]

    def suggest_labels(self, language: str) -> tuple[str, ...]:
        """Return the labels of a list of answers until others are typed."""
        return get_default_labels(language)[:2]

    def find_scale(self, mechanism: Mechanism, stored: StoredScale) -> Scale | None:
        """Return the values of the answers; None if they are not numbers."""
        return None

    # Inputs of the author's form

    def list_parameters(self, family: Family) -> list[Parameter]:
        return list(family.parameters)

    def make_fields(self) -> dict[str, forms.Field]:
        """Return the fields of `blank`, which are shared and must not be changed."""
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
        """Return the labels in the inputs; a `ValidationError` names wrong inputs."""
        if counted := list(family.counted(0)):
            field = get_field_name(family, counted[0])
            lines = cleaned.get(field)
            typed = lines.split("\n") if lines else self.suggest_labels(language)
            return Wording(tuple(typed), field)
        usual = zip(LABEL_FIELDS, get_default_labels(language), strict=False)
        labels = tuple(cleaned.get(field) or label for field, label in usual)
        return Wording(labels, LABEL_FIELDS[-1])

    def fill_inputs(self, labels: Sequence[str], scale: StoredScale) -> dict[str, str]:
        """Return the values of a stored question's inputs, without parameters."""
        return dict(zip(LABEL_FIELDS, labels, strict=False))

    def keep_labels(
        self, labels: list[str], stored: Sequence[str], mechanism: Mechanism
    ) -> list[str]:
        """Return the labels to store, including stored ones that have no input."""
        return labels

    # Skipping

    def add_skip(
        self, family: Family, given: Mapping[str, Any], labels: Sequence[str]
    ) -> tuple[Family, dict[str, Any]]:
        """Return the family and its parameters after "Prefer not to answer" is added.

        `labels` already include it.
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
        """Return the family before `add_skip` was applied, and inputs that differ.

        `is_yes_or_no` states whether the other answers are the default Yes and No. The
        result is empty if the question was of another kind.
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
        """Return each label in two parts, and their layout on the screen."""
        is_pair = is_by_hand and len(labels) == 2
        is_pair = is_pair and max(map(len, labels)) <= MIN_LABEL_LENGTH
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
        """Return the table and labels of results if they differ from the question's."""
        return None
