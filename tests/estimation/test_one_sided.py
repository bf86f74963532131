"""Exact intervals of designs with a conclusive report."""

import pytest
from scipy.stats import binom

from candor.mechanisms import build
from candor.sample import Sample

ONE_SIDED = [
    ("forced_yes", {"forced_yes": "1/2"}),
    ("forced_yes", {"forced_yes": "1/6"}),
    ("forced_no", {"forced_no": "1/2"}),
    ("forced_no", {"forced_no": "5/6"}),
    ("triangular", {"prevalence": "1/4"}),
]
EXACT = ("feldman-cousins", "pratt")


class TestEstimate:
    @pytest.mark.parametrize(("family", "parameters"), ONE_SIDED)
    @pytest.mark.parametrize("method", EXACT)
    def test_exact_intervals_of_one_sided_designs_cover_every_share(
        self, family, parameters, method
    ):
        mechanism, n, level = build(family, **parameters), 12, 0.9
        a, b = (
            float(mechanism.probability(mechanism.reports[0], given=answer))
            for answer in ("yes", "no")
        )
        intervals = [
            Sample.of(
                mechanism, dict(zip(mechanism.reports, (x, n - x), strict=True))
            ).interval("yes", level, method)
            for x in range(n + 1)
        ]
        for step in range(101):
            share = step / 100
            chance = b + (a - b) * share
            covered = sum(
                binom.pmf(x, n, chance)
                for x, (low, high) in enumerate(intervals)
                if low - 1e-12 <= share <= high + 1e-12
            )
            assert covered >= level - 1e-9
