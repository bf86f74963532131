"""Questions whose answers are stored as they are given."""

from collections.abc import Mapping
from typing import ClassVar

from django.utils.translation import gettext_lazy

from candor.mechanisms import Family
from surveys.kinds.kind import FamilySwitch, Kind


class Background(Kind):
    label = gettext_lazy("Not scrambled")
    family = "direct"
    switches = (
        FamilySwitch(
            label=gettext_lazy("Answers other than Yes and No"),
            of="direct",
            to="direct_choice",
        ),
        FamilySwitch(
            label=gettext_lazy("Only Yes and No"), of="direct_choice", to="direct"
        ),
    )
    skippable: ClassVar[Mapping[str, str]] = {
        "direct": "direct_choice",
        "direct_choice": "direct_choice",
    }
    is_timeless = True
    answers_help = gettext_lazy(
        "Use few, broad groups: narrow ones can identify a person."
    )

    def includes(self, family: Family) -> bool:
        return not family.is_protected

    def recognise_skip(
        self, family: Family, parameters: Mapping[str, str], *, is_yes_or_no: bool
    ) -> dict[str, str]:
        if family.identifier != "direct_choice":
            return {}
        return {"family": "direct" if is_yes_or_no else "direct_choice"}
