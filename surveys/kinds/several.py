"""Questions with several answers, of which respondents choose one."""

from collections.abc import Mapping
from typing import ClassVar

from django.utils.translation import gettext_lazy

from candor.mechanisms import Family
from candor.mechanisms.families.symmetric import LINKED_PAIR
from surveys.kinds.kind import FamilySwitch, Kind


class SeveralAnswers(Kind):
    label = gettext_lazy("One of several")
    family = "k_ary"
    switches = (
        FamilySwitch(
            label=gettext_lazy("Two linked questions in one"),
            of="k_ary",
            to=LINKED_PAIR,
        ),
    )
    skippable: ClassVar[Mapping[str, str]] = {"k_ary": "k_ary"}

    def includes(self, family: Family) -> bool:
        is_list = family.is_protected and not family.answers and not family.is_scale
        return is_list and family.identifier != LINKED_PAIR

    def recognise_skip(
        self, family: Family, parameters: Mapping[str, str], *, is_yes_or_no: bool
    ) -> dict[str, str]:
        return {"family": "k_ary"} if family.identifier == "k_ary" else {}
