"""One share from groups with different mechanisms."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import binom, chi2

import candor
from candor.pooling import Pooled
from candor.sample import Sample

COIN, DIE = candor.mechanism("coin"), candor.mechanism("die")
P, Q = (candor.mechanism("crosswise", prevalence=each) for each in ("1/4", "3/4"))


def of_yes(yes, n):
    return {"yes": yes, "no": n - yes}


def test_pooling_two_samples_of_one_mechanism_merges_them():
    pooled = candor.pool([(COIN, of_yes(30, 100)), (COIN, of_yes(50, 100))])
    row = candor.estimate(COIN, of_yes(80, 200))["yes"]
    assert pooled.estimate == pytest.approx(row.estimate)
    assert pooled.raw == pytest.approx(row.raw)
    assert pooled.row.n == 200
    x, n, chances = 80, 200, np.array([0.25, 0.5])
    for end in pooled.interval:
        chance = chances[0] + chances[1] * end
        lost = 2 * (binom.logpmf(x, n, x / n) - binom.logpmf(x, n, chance))
        assert lost == pytest.approx(chi2.ppf(0.95, 1))


def test_pooling_maximises_the_sum_of_the_log_likelihoods():
    pooled = candor.pool([(COIN, of_yes(60, 120)), (DIE, of_yes(200, 500))])

    def loss(share):
        return -(
            binom.logpmf(60, 120, 1 / 4 + share / 2)
            + binom.logpmf(200, 500, 1 / 3 + share / 3)
        )

    found = minimize_scalar(loss, bounds=(0, 1), options={"xatol": 1e-10})
    assert pooled.estimate == pytest.approx(found.x, abs=1e-7)
    each = [0.5, 0.2]
    ratio = 2 * (
        binom.logpmf(60, 120, 0.5) + binom.logpmf(200, 500, 0.4) + loss(found.x)
    )
    assert pooled.homogeneity == pytest.approx(chi2.sf(ratio, 1))
    assert min(each) < pooled.raw < max(each)


@pytest.mark.parametrize(("yes", "share"), [(0, 0.0), (100, 1.0)])
def test_a_pooled_interval_at_the_edge_has_a_length(yes, share):
    pooled = candor.pool([(COIN, of_yes(yes, 100)), (DIE, of_yes(yes, 100))])
    assert pooled.estimate == share
    assert 0 < pooled.interval.high - pooled.interval.low < 0.2
    assert pooled.standard_error > 0


@pytest.mark.parametrize("share", [0, 0.3])
def test_the_interval_covers_the_share(share):
    """Exactly, over all counts of two groups with 30 reports each."""
    counts = range(31)
    chances = [
        binom.pmf(counts, 30, b + (a - b) * share)
        for a, b in ((3 / 4, 1 / 4), (2 / 3, 1 / 3))
    ]
    covered = sum(
        chances[0][x] * chances[1][y]
        for x, y in product(counts, counts)
        if chances[0][x] * chances[1][y] > 1e-5
        for low, high in [
            Pooled((Sample(COIN, (x, 30 - x)), Sample(DIE, (y, 30 - y))), 0).interval
        ]
        if low - 1e-9 <= share <= high + 1e-9
    )
    assert covered > 0.935


@pytest.mark.parametrize(
    ("counts", "share", "error", "p"),
    [
        ((109, 60, 46, 139), 0.166, 0.041, 0.0290),
        ((85, 79, 59, 102), 0.374, 0.046, 0.0353),
        ((270, 192, 129, 324), 0.251, 0.026, 0.0000),
        ((265, 137, 104, 307), 0.161, 0.027, 0.0061),
    ],
)
def test_it_gives_the_extended_crosswise_figures_of_the_package_rrsp1(
    counts, share, error, p
):
    """Its surveys A to D of athletes, with probabilities of .2 and .8 (M. Cruyff).

    `sp_one(Q4 ~ 1, ~ 1, slice(doping[1:4, ], rep(1:4, n)), p4)` of RRsp1 1.0, M0.
    """
    groups = [
        (
            candor.mechanism("crosswise", prevalence=prevalence),
            dict(zip(("same", "different"), each, strict=True)),
        )
        for prevalence, each in (("0.2", counts[:2]), ("0.8", counts[2:]))
    ]
    found = candor.pool(groups)
    assert found.estimate == pytest.approx(share, abs=5e-4)
    assert found.standard_error == pytest.approx(error, abs=5e-4)
    assert found.homogeneity == pytest.approx(p, abs=5e-5)


def test_the_extended_crosswise_model_detects_non_compliance():
    """20 % of both groups always answer "same"; the share is .1."""
    n, same = 2000, [0.1 * p + 0.9 * (1 - p) for p in (1 / 4, 3 / 4)]
    honest = [round(n * chance) for chance in same]
    erring = [round(n * (0.8 * chance + 0.2)) for chance in same]
    groups = [
        [
            (table, {"same": x, "different": n - x})
            for table, x in zip((P, Q), yes, strict=True)
        ]
        for yes in (honest, erring)
    ]
    found = candor.pool(groups[0])
    assert found.estimate == pytest.approx(0.1, abs=1e-3)
    assert found.homogeneity > 0.9
    assert candor.pool(groups[1]).homogeneity < 1e-6
