"""Several answers under one epsilon."""

from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from candor.mechanisms import build, load_families
from tests import reference

fixed = settings(derandomize=True, deadline=None, max_examples=60, database=None)

WORDS = 2**32


@pytest.mark.parametrize("choices", [2, 3, 19, 20])
@pytest.mark.parametrize("epsilon", ["0.01", "1", 8.318, 10])
def test_k_ary_totals_fit_one_word_at_every_epsilon(epsilon, choices):
    mechanism = build("k_ary", epsilon=epsilon, choices=choices)
    expected = reference.k_ary(reference.read_number(epsilon), Fraction(choices))
    assert mechanism.to_dict()["weights"] == expected
    assert mechanism.total <= WORDS
    # Twice the scale would not fit, or it is the finest one.
    scale = mechanism.weights[0][1]
    assert scale == 2**20 or 2 * mechanism.total > WORDS


@fixed
@given(st.fractions(Fraction(1, 1000), 10), st.integers(2, 20))
@example(Fraction(10), 20)
def test_a_stated_epsilon_is_never_exceeded_and_nearly_reached(epsilon, choices):
    below, _ = reference.exp_bounds(epsilon)
    mechanism = build("k_ary", epsilon=epsilon, choices=choices)
    assert mechanism.worst_ratio <= below
    truth, scale = mechanism.weights[0][:2]
    assert Fraction(truth + 1, scale) > below


@fixed
@given(st.fractions(Fraction(1, 1000), 10))
@example(Fraction("8.31751"))
@example(Fraction("8.31753"))
def test_k_ary_with_two_answers_equals_the_yes_no_table(epsilon):
    numbered = build("k_ary", epsilon=epsilon, choices=2)
    assert numbered.weights == build("epsilon", epsilon=epsilon).weights


def test_only_one_parameter_counts_the_answers():
    """A form counts the wordings, so there is no separate field."""
    for family in load_families().values():
        counting = [given for given in family.parameters if given.counts_answers]
        assert len(counting) == (not family.answers)
        assert bool(family.answers) <= bool(family.reports)
        assert family.is_scale or bool(family.answers) == bool(family.reports)
