"""Bands over assumed non-compliance: exact coverage and tipping points."""

import math
from importlib import import_module
from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import binom

import candor

COIN = candor.mechanism("coin")
FORTY = {"yes": 40, "no": 60}

GRID = candor.mechanism("grid", epsilon=2, points=5)
ONE_BIT = candor.mechanism("one_bit", epsilon=1, points=11)
SEVERAL = candor.mechanism("k_ary", epsilon="1/100", choices=4)

CASES = {
    "coin": (COIN, FORTY, "yes"),
    "the other answer": (COIN, FORTY, "no"),
    "several answers": (SEVERAL, dict(zip("1234", (30, 20, 30, 20), strict=True)), "2"),
    "mean by one bit": (
        ONE_BIT,
        dict(zip(ONE_BIT.reports, (600, 400), strict=True)),
        "mean",
    ),
    "mean of a grid": (
        GRID,
        dict(zip(GRID.reports, (153, 198, 292, 223, 134), strict=True)),
        "mean",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_band_without_non_compliance_equals_the_estimate(case):
    mechanism, counts, estimand = CASES[case]
    row = candor.estimate(mechanism, counts, estimand=estimand)[estimand]
    band = candor.sensitivity(mechanism, counts, estimand=estimand).band(0)
    assert band.lowest == band.highest == row.estimate
    assert (band.low, band.high) == (row.low, row.high)


@pytest.mark.parametrize("case", CASES)
def test_a_larger_share_gives_a_longer_band_within_the_range(case):
    mechanism, counts, estimand = CASES[case]
    found = candor.sensitivity(mechanism, counts, estimand=estimand)
    bands = [found.band(share) for share in (0, 0.1, 0.2, 0.5)]
    for shorter, longer in pairwise(bands):
        assert longer.low <= shorter.low <= shorter.high <= longer.high
        assert longer.lowest <= shorter.lowest <= shorter.highest <= longer.highest
    assert bands[-1].low >= found.estimand.low
    assert bands[-1].high <= found.estimand.high


def test_the_ends_of_the_band_solve_the_equations():
    """0.4 = 0.9 (1/4 + f / 2): 0.9 f have "yes", and the 0.1 who err may have it."""
    band = candor.sensitivity(COIN, FORTY).band(0.1)
    assert band.lowest == pytest.approx(0.3)
    assert band.highest == pytest.approx(0.45)
    swapped = candor.sensitivity(COIN, FORTY, safe_report="yes").band(0.1)
    # 0.4 = 0.9 (1/4 + f / 2) + 0.1: almost no one who complies has "yes".
    assert swapped.lowest == pytest.approx(0.15)
    assert swapped.highest == pytest.approx(0.3)


@pytest.mark.parametrize("respondents", [10, 60])
@pytest.mark.parametrize("erring", [0.0333, 0.1])
def test_the_band_covers_the_share_for_any_non_compliant_answers(respondents, erring):
    """The coverage is exact: a sum over all counts."""
    bands = [
        candor.sensitivity(COIN, {"yes": yes, "no": respondents - yes}).band(0.1)
        for yes in range(respondents + 1)
    ]
    lows, highs = (np.array([getattr(each, end) for each in bands])
                   for end in ("low", "high"))  # fmt: skip
    for share in np.linspace(0, 1, 21):
        sent = (1 - erring) * (1 / 4 + share / 2)
        chances = binom.pmf(range(respondents + 1), respondents, sent)
        for of_the_others in (0, 0.5, 1):
            true = (1 - erring) * share + erring * of_the_others
            covered = (lows <= true + 1e-9) & (true - 1e-9 <= highs)
            assert chances[covered].sum() >= 0.95 - 1e-9


@pytest.mark.parametrize("value", [-0.1, 1.1, math.nan, "0.5"])
def test_a_value_out_of_range_is_refused(value):
    found = candor.sensitivity(COIN, FORTY)
    with pytest.raises((TypeError, ValueError), match="value must be a number in"):
        found.tipping_point(value)
    with pytest.raises((TypeError, ValueError), match="non_compliance must be"):
        found.band(0.51 if value == 1.1 else value)


def test_more_profile_steps_do_not_change_the_band(monkeypatch):
    counts = dict(zip(GRID.reports, (153, 198, 292, 223, 134), strict=True))

    def find_bands():
        return [
            candor.sensitivity(GRID, counts, estimand="mean", safe_report=report).band(
                0.5
            )
            for report in (GRID.reports[0], GRID.reports[-1])
        ]

    few = find_bands()
    module = import_module("candor.compliance.sensitivity")
    monkeypatch.setattr(module, "STEPS_OF_PROFILES", 20)
    assert few == find_bands()


@pytest.mark.parametrize("yes", [2, 9, 16])
@pytest.mark.parametrize("value", [0.1, 0.5, 0.9])
def test_the_tipping_point_is_the_smallest_share_with_the_value(yes, value):
    found = candor.sensitivity(COIN, {"yes": yes, "no": 18 - yes})

    def contains(share):
        band = found.band(share)
        return band.low <= value <= band.high

    tipping = found.tipping_point(value)
    if tipping is None:
        assert not contains(0.5)
    else:
        assert contains(tipping)
        assert tipping == 0 or not contains(tipping - 0.0001)
