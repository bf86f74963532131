"""The named strengths of protection on the form."""

import math

import pytest

from candor.mechanisms import build
from surveys.authoring.strengths import STRENGTHS, find_strength

EPSILONS = {"strong": 0.5, "coin": math.log(3), "light": 2.0}


@pytest.mark.parametrize(
    "strength", STRENGTHS, ids=lambda strength: strength.identifier
)
def test_a_strength_has_at_most_its_stated_epsilon(strength):
    for mechanism in (
        strength.for_two,
        build("k_ary", epsilon=strength.epsilon, choices=4),
    ):
        named = EPSILONS[strength.identifier]
        assert named - 1e-4 < mechanism.epsilon <= math.nextafter(named, 3)
        assert find_strength(mechanism) == strength.identifier


@pytest.mark.parametrize(
    "mechanism",
    [
        build("epsilon", epsilon="0.51"),
        build("k_ary", epsilon="1", choices=3),
        build("die"),
        # The same table as two coins; on the form it is another choice.
        build("warner", p="3/4"),
    ],
    ids=lambda mechanism: mechanism.family,
)
def test_other_mechanisms_have_no_named_strength(mechanism):
    assert find_strength(mechanism) is None
