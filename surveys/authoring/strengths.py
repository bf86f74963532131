"""Three named strengths of protection, for authors who do not know epsilon."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from candor.mechanisms import Mechanism, build
from surveys.kinds.kind import COIN_EPSILON

FAMILIES_OF_MANY = (
    "k_ary", "linked_pair", "one_bit", "one_bit_skip", "grid", "grid_skip"
)  # fmt: skip
"""Families of several answers and of scales: a strength sets their epsilon and does not
change the family."""


@dataclass(frozen=True, kw_only=True)
class Strength:
    """A strength that the form offers for two answers, or for several.

    `family` is that of two answers. `epsilon` applies to several answers, and to two if
    the family has this parameter.
    """

    identifier: str
    label: str | Promise
    rounded: str
    exactly: str = ""
    family: str
    epsilon: str

    @cached_property
    def for_two(self) -> Mechanism:
        given = {"epsilon": self.epsilon} if self.family == "epsilon" else {}
        return build(self.family, **given)

    @property
    def shown(self) -> str:
        number = number_format(self.rounded)
        return f"{self.exactly} = {number}" if self.exactly else number

    def apply(self, mechanism: Mechanism) -> Mechanism:
        if mechanism.family not in FAMILIES_OF_MANY:
            return self.for_two
        given = {**mechanism.parameters, "epsilon": self.epsilon}
        return build(mechanism.family, **given)

    def makes(self, mechanism: Mechanism) -> bool:
        if mechanism.family in FAMILIES_OF_MANY:
            return mechanism.parameters["epsilon"] == str(Fraction(self.epsilon))
        is_same = mechanism.parameters == self.for_two.parameters
        return mechanism.family == self.family and is_same


STRENGTHS = (
    Strength(
        identifier="strong",
        label=gettext_lazy("Strong"),
        rounded="0.5",
        family="epsilon",
        epsilon="0.5",
    ),
    Strength(
        identifier="coin",
        label=gettext_lazy("Coin flip"),
        exactly="ln 3",
        rounded="1.1",
        family="coin",
        epsilon=COIN_EPSILON,
    ),
    Strength(
        identifier="light",
        label=gettext_lazy("Light"),
        rounded="2.0",
        family="epsilon",
        epsilon="2",
    ),
)


def find_strength(mechanism: Mechanism) -> str | None:
    return next((each.identifier for each in STRENGTHS if each.makes(mechanism)), None)
