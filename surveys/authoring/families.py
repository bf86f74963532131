"""Families in the author's form: grouped by what they need, with a line of advice."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from candor.mechanisms import Family, load_families
from candor.mechanisms.by_hand import Device
from surveys.kinds import YES_OR_NO, list_offered

NEEDS = {
    None: gettext_lazy("No device"),
    Device.COIN: gettext_lazy("A coin"),
    Device.DIE: gettext_lazy("A die"),
    Device.CARDS: gettext_lazy("Cards"),
}

OTHER_KINDS = gettext_lazy("Other kinds of question")

WHEN = {
    "coin": gettext_lazy("The easiest to explain."),
    "crosswise": gettext_lazy("People say only whether two answers match."),
    "custom": gettext_lazy("For other mechanisms: enter both chances."),
    "die": gettext_lazy("More protection than the coin, with a single roll."),
    "epsilon": gettext_lazy("The most precise for a given epsilon."),
    "forced_no": gettext_lazy("Only No is sensitive. A Yes is always true."),
    "forced_response": gettext_lazy(
        "Most answer truthfully; the die decides for the rest."
    ),
    "forced_yes": gettext_lazy("Only Yes is sensitive. A No is always true."),
    "kuk": gettext_lazy("People name the colour of a card."),
    "triangular": gettext_lazy("Only Yes is sensitive. A Neither is always true."),
    "unrelated_question": gettext_lazy(
        "Everyone answers truthfully, but chance picks the question."
    ),
    "warner": gettext_lazy("For replications of Warner (1965)."),
}
"""When to choose which family, in one line."""


@dataclass(frozen=True)
class OfferedFamily:
    family: Family
    when: Promise | str

    @property
    def label(self) -> str:
        return _(self.family.label)


@dataclass(frozen=True)
class FamilyGroup:
    """Families for questions with Yes and No that need the same device by hand."""

    label: Promise
    families: tuple[OfferedFamily, ...]


def find_need(family: Family) -> Device | None:
    """Return the device that a family needs by hand, with its initial parameters."""
    instruction = family.instruction(
        {each.name: each.example for each in family.parameters}
    )
    # Another question is not a device that respondents need to have.
    if instruction is None or instruction.device is Device.QUESTION:
        return None
    return Device.CARDS if instruction.device is Device.ANY else instruction.device


@cache
def list_family_groups() -> tuple[FamilyGroup, ...]:
    families = [each for each in load_families().values() if YES_OR_NO.includes(each)]
    return tuple(
        FamilyGroup(
            label,
            tuple(
                OfferedFamily(family, WHEN.get(family.identifier, ""))
                for family in families
                if find_need(family) is need
            ),
        )
        for need, label in NEEDS.items()
    )


@cache
def list_grouped_choices() -> list[tuple[Promise, list[tuple[str, str | Promise]]]]:
    groups = [
        (group.label, make_choices(each.family for each in group.families))
        for group in list_family_groups()
    ]
    listed = {name for _label, choices in groups for name, _shown in choices}
    rest = [each for each in list_offered() if each.identifier not in listed]
    return [*groups, (OTHER_KINDS, make_choices(rest))]


def make_choices(families: Iterable[Family]) -> list[tuple[str, str | Promise]]:
    return [(family.identifier, gettext_lazy(family.label)) for family in families]
