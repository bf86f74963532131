"""Questions with two answers, usually Yes and No."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import ClassVar

from django.utils.translation import gettext_lazy

from candor.mechanisms import Family, load_families
from surveys.kinds.kind import COIN_EPSILON, Kind, get_field_name
from surveys.kinds.labels import get_default_labels

ANY_EPSILON = "epsilon"
"""The family that "Set epsilon" opens."""


class YesOrNo(Kind):
    label = gettext_lazy("Yes or no")
    family = "coin"
    skippable: ClassVar[Mapping[str, str]] = {"coin": "k_ary", ANY_EPSILON: "k_ary"}

    def includes(self, family: Family) -> bool:
        return family.is_protected and bool(family.answers)

    def recognise_skip(
        self, family: Family, parameters: Mapping[str, str], *, is_yes_or_no: bool
    ) -> dict[str, str]:
        if family.identifier != "k_ary" or not is_yes_or_no:
            return {}
        epsilon = str(parameters["epsilon"])
        if Fraction(epsilon) == Fraction(COIN_EPSILON):
            return {"family": "coin"}
        name = get_field_name(load_families()[ANY_EPSILON], "epsilon")
        return {"family": ANY_EPSILON, name: epsilon}


def is_yes_and_no(labels: Sequence[str], language: str) -> bool:
    return tuple(labels) == get_default_labels(language)[:2]
