"""Probabilities of binomial counts are exact fractions and scipy's distribution."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from candor.binary import binomial

CHANCES = (0, 1e-9, 0.3, 1)


@pytest.mark.parametrize("respondents", [0, 1, 7, 40, 300, 3000])
def test_binomial_probabilities_match_exact_fractions(respondents):
    counts = np.unique([0, 1, 2, respondents // 3, respondents - 1, respondents])
    counts = counts[(counts >= 0) & (counts <= respondents)]
    for chance in map(Fraction, CHANCES):
        exact = [
            comb(respondents, k) * chance**k * (1 - chance) ** (respondents - k)
            for k in counts.tolist()
        ]
        found = binomial(counts, respondents, float(chance))
        # A float of 1 - chance is wrong by 1e-16, and its power by n times as much.
        assert found == pytest.approx(list(map(float, exact)), rel=2e-13, abs=0)


def test_impossible_counts_have_probability_0():
    for chance in CHANCES:
        assert not binomial(np.array([-1, 8]), 7, chance).any()


def test_the_probability_is_nan_where_the_chance_is_out_of_range():
    assert np.isnan(binomial(1, 2, np.array([-0.1, 1.1, np.nan]))).all()
