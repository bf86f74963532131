"""Chances of binomial counts are those of scipy's own distribution."""

import numpy as np
import pytest
from scipy.stats import binom

from candor.binomial import binomial


@pytest.mark.parametrize("respondents", [0, 1, 7, 1_000_000])
def test_they_are_scipys_at_every_count_and_0_beyond(respondents):
    counts = np.array([-1, 0, 1, respondents // 3, respondents, respondents + 1])
    for chance in (0, 1e-9, 0.3, 1):
        expected = binom.pmf(counts, respondents, chance)
        assert binomial(counts, respondents, chance) == pytest.approx(expected, abs=0)


def test_there_is_none_where_there_is_no_such_chance():
    assert np.isnan(binomial(1, 2, np.array([-0.1, 1.1, np.nan]))).all()
