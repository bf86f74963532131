"""Kinds of question, one module each.

A module defines how its questions are labelled, entered in the author's form, checked,
skipped and shown to respondents. It also defines which sets of answers and which scale
results estimate. The family draws the reports from a table in `candor.mechanisms`. To
add a kind, add a module and an entry in `KINDS`. A tick list is a group of yes/no
questions: see `surveys.kinds.tick_list`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from candor.mechanisms import Family, Mechanism, load_families
from candor.mechanisms.scale import Scale
from surveys.kinds.background import Background
from surveys.kinds.kind import FamilySwitch, Kind, StoredScale, Wording, get_field_name
from surveys.kinds.labels import find_decline_answer
from surveys.kinds.linked_pair import LinkedPair
from surveys.kinds.scale import ScaleKind
from surveys.kinds.several import SeveralAnswers
from surveys.kinds.yes_or_no import YesOrNo, is_yes_and_no

__all__ = [
    "BACKGROUND", "KINDS", "LINKED_PAIR", "SCALE", "SEVERAL_ANSWERS", "YES_OR_NO",
    "FamilySwitch", "Kind", "Wording", "find_declined", "find_kind",
    "find_kind_of_table", "find_scale", "get_field_name", "label_answers",
    "list_families", "list_offered", "recognise_skip",
]  # fmt: skip

YES_OR_NO, SEVERAL_ANSWERS = YesOrNo(), SeveralAnswers()
LINKED_PAIR, SCALE, BACKGROUND = LinkedPair(), ScaleKind(), Background()

KINDS: tuple[Kind, ...] = (YES_OR_NO, SEVERAL_ANSWERS, LINKED_PAIR, SCALE, BACKGROUND)
"""In the order of the form."""


def find_kind(family: Family) -> Kind:
    return next(kind for kind in KINDS if kind.includes(family))


def find_kind_of_table(mechanism: Mechanism) -> Kind:
    if family := load_families().get(mechanism.family):
        return find_kind(family)
    if not mechanism.identifies_shares:
        return SCALE
    return YES_OR_NO if len(mechanism.answers) == 2 else SEVERAL_ANSWERS


def list_offered() -> list[Family]:
    return [each for each in load_families().values() if not each.without_skip]


def list_families(*kinds: Kind) -> list[str]:
    return [
        each.identifier
        for kind in kinds
        for each in list_offered()
        if kind.includes(each)
    ]


def find_scale(mechanism: Mechanism, stored: StoredScale = None) -> Scale | None:
    return find_kind_of_table(mechanism).find_scale(mechanism, stored)


def label_answers(
    mechanism: Mechanism, scale: StoredScale, language: str
) -> tuple[str, ...]:
    return find_kind_of_table(mechanism).label_answers(mechanism, scale, language)


def find_declined(
    labels: Sequence[str], mechanism: Mechanism, language: str
) -> int | None:
    if mechanism.can_be_skipped:
        return len(labels) - 1
    return find_decline_answer(labels, language)


def recognise_skip(
    family: Family, parameters: Mapping[str, Any], labels: Sequence[str], language: str
) -> dict[str, str]:
    """Return the family before `Kind.add_skip`, and inputs that differ, if it was used.

    The result is empty for other questions.
    """
    if not family.without_skip and find_decline_answer(labels, language) is None:
        return {}
    is_yes_or_no = is_yes_and_no(labels[:-1], language)
    found = (
        kind.recognise_skip(family, parameters, is_yes_or_no=is_yes_or_no)
        for kind in KINDS
    )
    return next(filter(None, found), {})
