"""Exact intervals of designs with a conclusive report."""

from functools import cache

import numpy as np
import pytest

from candor.mechanisms import build
from tests.candor.tables import coverage, sample_of

ONE_SIDED = [
    ("forced_yes", {"forced_yes": "1/2"}),
    ("forced_yes", {"forced_yes": "1/6"}),
    ("forced_no", {"forced_no": "1/2"}),
    ("forced_no", {"forced_no": "5/6"}),
    ("triangular", {"prevalence": "1/4"}),
]


@pytest.mark.parametrize(("family", "parameters"), ONE_SIDED)
@pytest.mark.parametrize("method", ["feldman-cousins", "pratt"])
def test_exact_intervals_of_one_sided_designs_cover_every_share(
    family, parameters, method
):
    mechanism, level = build(family, **parameters), 0.9

    @cache
    def find_interval(counts):
        low, high = sample_of(mechanism, *counts).interval("yes", level, method)
        return low - 1e-12, high + 1e-12

    for share in np.linspace(0, 1, 101):
        found = coverage(mechanism, (share, 1 - share), 12, find_interval, share)
        assert found >= level - 1e-9
