"""Weighted shares: by hand, by R and in cases with known results."""

import math
from itertools import product

import pytest
from scipy.stats import binom

import candor
from candor.dichotomies import make_channel
from candor.differences import pad_variance
from candor.estimands import MEAN, mean_of_points
from candor.mechanisms import build
from candor.sample import Sample
from candor.weighting import Sums, key_by_pattern, weigh
from candor.weighting.margins import EmptyGroupError, MarginsError, NotRakedError

COIN, DIRECT = build("coin"), build("direct")
THREE = build("k_ary", epsilon=1, choices=3)

# One in four of the sample are women, half of the population are.
WOMEN = {("f", "yes"): 50, ("f", "no"): 50, ("m", "yes"): 105, ("m", "no"): 195}
HALF = {"f": 0.5, "m": 0.5}

CELLS = {("f", "y"): (60, 30), ("m", "y"): (90, 40), ("f", "o"): (40, 14)}
CELLS |= {("m", "o"): (210, 70)}
MARGINS = [{"f": 0.52, "m": 0.48}, {"y": 0.3, "o": 0.7}]


def post_stratify(mechanism, counts, shares):
    return weigh(mechanism, counts, [shares])


def estimate_weighted(mechanism, sums):
    return weigh(mechanism, key_by_pattern(sums), [])


rake = weigh


def make_raked_counts(cells=CELLS):
    return {
        (*cell, report): count
        for cell, (n, yes) in cells.items()
        for report, count in (("yes", yes), ("no", n - yes))
    }


def rows():
    """Return each respondent of CELLS with the weights 1, 2, .5, 4 in turn."""
    people = [cell for cell, n in make_raked_counts().items() for _ in range(n)]
    return [
        (cell, weight)
        for cell, weight in zip(people, [1, 2, 0.5, 4] * 100, strict=True)
    ]


def sums_by(part):
    found = {}
    for cell, weight in rows():
        found.setdefault(part(cell), []).append(weight)
    return {key: Sums.of(weights) for key, weights in found.items()}


def test_post_stratifying_two_groups_matches_hand_calculation():
    found = post_stratify(COIN, WOMEN, HALF)
    # Raw shares: women (.5 - .25)/.5, men (.35 - .25)/.5; each counts a half.
    assert found.raw("yes") == pytest.approx(0.35, abs=1e-12)
    # Each half squared times the variance, x/n (1 - x/n)/(n - 1) over .5 squared.
    by_hand = math.sqrt(0.25 / 99 + 0.2275 / 299)
    assert found.standard_errors["yes"] == pytest.approx(by_hand, rel=1e-12)
    # 100 women with weight 2, 300 men with 2/3: 400^2 / (100 * 4 + 300 * 4/9)
    assert found.effective_n == pytest.approx(300)
    assert found.design_effect == pytest.approx(4 / 3)
    assert found.largest_weight == pytest.approx(2)


def test_raking_and_weighting_match_r():
    # R 4.5, survey 4.1.1, des <- svydesign(ids = ~1, weights = rep(1, 400), data = d),
    # r <- rake(des, list(~a, ~b), ...); svymean(~s, r) with s the scores.
    # calibrate(..., calfun = "raking") gives three of the numbers too.
    found = rake(COIN, make_raked_counts(), MARGINS)
    assert found.raw("yes") == pytest.approx(0.2676186510, abs=1e-9)
    assert found.standard_errors["yes"] == pytest.approx(0.0601958380, abs=1e-9)
    assert found.effective_n == pytest.approx(256.31483105, abs=1e-6)
    assert found.largest_weight == pytest.approx(3.02045916, abs=1e-7)
    weighted = estimate_weighted(COIN, sums_by(lambda cell: cell[-1]))
    assert weighted.raw("yes") == pytest.approx(0.2720000000, abs=1e-9)
    assert weighted.standard_errors["yes"] == pytest.approx(0.0599671459, abs=1e-9)
    both = rake(COIN, sums_by(lambda cell: cell), MARGINS)
    assert both.raw("yes") == pytest.approx(0.2720999384, abs=1e-9)
    assert both.standard_errors["yes"] == pytest.approx(0.0746618901, abs=1e-9)


@pytest.mark.parametrize(
    ("mechanism", "report_counts"),
    [(COIN, (40, 60)), (COIN, (24, 76)), (DIRECT, (0, 100)), (THREE, (20, 50, 30))],
)
def test_equal_weights_change_nothing(mechanism, report_counts):
    counts = dict(zip(mechanism.reports, report_counts, strict=True))
    plain = Sample.of(mechanism, counts)
    sums = {report: Sums.of([2.5] * count) for report, count in counts.items()}
    weighted = estimate_weighted(mechanism, sums)
    assert weighted.raw_shares == pytest.approx(plain.raw_shares)
    assert weighted.shares == pytest.approx(plain.shares, abs=1e-6)
    assert weighted.standard_errors == pytest.approx(plain.standard_errors)
    for answer in mechanism.answers:
        assert weighted.interval(answer) == plain.interval(answer)


def test_weighted_shares_stay_in_range_if_raw_shares_do_not():
    report_counts = {("f", "1"): 5, ("f", "2"): 60, ("f", "3"): 35}
    report_counts |= {("m", "1"): 9, ("m", "2"): 61, ("m", "3"): 30}
    found = post_stratify(THREE, report_counts, {"f": 0.8, "m": 0.2})
    assert min(found.raw_shares.values()) < 0
    assert sum(found.raw_shares.values()) == pytest.approx(1)
    # Reports weighted by group: .058, .602, .34. Of the first no one; of the others
    # (C / mu - q) / (p - q) with mu = .942 / (p + q).
    p, q = (float(THREE.probability("1", given=each)) for each in ("1", "2"))
    second = (0.602 * (p + q) / 0.942 - q) / (p - q)
    assert found.shares == pytest.approx({"1": 0, "2": second, "3": 1 - second})


def test_groups_of_identical_reports_leave_uncertainty():
    counts = {("f", "yes"): 0, ("f", "no"): 30, ("m", "yes"): 0, ("m", "no"): 970}
    found = post_stratify(DIRECT, counts, HALF)
    # All reports are the same: half of an effective report above 0.
    n, half = found.effective_n, 0.5 / found.effective_n
    expected = math.sqrt(half * (1 - half) / n)
    assert found.standard_error("yes") == pytest.approx(expected)
    assert found.interval("yes").low == 0
    # 0 of 30 women leave up to 10 % of them possible: 5 % of the population.
    assert found.interval("yes").high > 0.045
    # Each group sent one report and is half of the population.
    found = post_stratify(DIRECT, {("f", "yes"): 30, ("m", "no"): 970}, HALF)
    expected = math.sqrt(0.5 * 0.5 / found.effective_n)
    assert found.standard_error("yes") == pytest.approx(expected)


# The shares with the lowest coverage found.
HARDEST = [
    (DIRECT, (30, 60), (0.5, 0.5), (0.08, 0.005), 0.93),
    (COIN, (30, 60), (0.15, 0.85), (0, 0), 0.95),
]


@pytest.mark.parametrize(("mechanism", "sizes", "known", "shares", "least"), HARDEST)
def test_weighted_intervals_cover_the_true_share(
    mechanism, sizes, known, shares, least
):
    true = sum(w * pi for w, pi in zip(known, shares, strict=True))
    distribution = make_channel(mechanism)
    chances = [
        binom.pmf(range(size + 1), size, distribution.report_chance(pi))
        for size, pi in zip(sizes, shares, strict=True)
    ]
    holds = left_out = 0.0
    for first, second in product(*(range(size + 1) for size in sizes)):
        chance = chances[0][first] * chances[1][second]
        if chance < 2e-5:
            left_out += chance
            continue
        report_counts = {("a", "yes"): first, ("a", "no"): sizes[0] - first}
        report_counts |= {("b", "yes"): second, ("b", "no"): sizes[1] - second}
        found = post_stratify(
            mechanism, report_counts, dict(zip("ab", known, strict=True))
        )
        low, high = found.interval("yes")
        holds += chance * (low - 1e-12 <= true <= high + 1e-12)
    assert left_out < 0.01
    assert holds + left_out >= least


WRONG = [
    ({("f", "yes"): 3}, HALF, EmptyGroupError, "no one in the sample has 'm'"),
    (WOMEN, {"f": 1.0, "m": 0.0}, MarginsError, "population has no one with 'm'"),
]


@pytest.mark.parametrize(("counts", "shares", "error", "message"), WRONG)
def test_wrong_strata_and_shares_are_named(counts, shares, error, message):
    with pytest.raises(error, match=message):
        candor.post_stratify(COIN, counts, shares)


@pytest.mark.parametrize("shares", [(0.331, 0.331, 0.333), (0.335, 0.335, 0.335)])
def test_shares_may_differ_from_100_percent_by_half_a_point(shares):
    margin = dict(zip("abc", shares, strict=True))
    report_counts = {(group, "yes"): 10 for group in "abc"}
    assert sum(
        post_stratify(COIN, report_counts, margin).weights[:, 0]
    ) == pytest.approx(1)
    margin["c"] += 0.0011 if sum(shares) > 1 else -0.0011
    with pytest.raises(MarginsError, match="must sum to 1"):
        post_stratify(COIN, report_counts, margin)


def test_margins_without_common_cells_cannot_be_raked():
    # All women are young and all men old: different margins contradict each other.
    apart = {("f", "y"): (50, 20), ("m", "o"): (50, 20)}
    with pytest.raises(NotRakedError, match="does not converge"):
        rake(COIN, make_raked_counts(apart), MARGINS)


def test_an_empty_group_of_the_second_margin_is_named():
    with pytest.raises(EmptyGroupError) as caught:
        rake(COIN, make_raked_counts({("f", "y"): (9, 3), ("m", "y"): (9, 3)}), MARGINS)
    assert (caught.value.question, caught.value.answer) == (1, "o")


def test_an_extreme_weight_is_reported():
    report_counts = {
        ("f", "yes"): 2,
        ("f", "no"): 2,
        ("m", "yes"): 200,
        ("m", "no"): 196,
    }
    found = post_stratify(COIN, report_counts, HALF)
    assert found.largest_weight == pytest.approx(50)
    assert found.has_extreme_weight
    assert not post_stratify(COIN, WOMEN, HALF).has_extreme_weight


def test_a_weight_of_exactly_ten_is_not_extreme():
    # 38.5 is ten times the mean of itself and eleven weights of .7.
    sums = {"yes": Sums.of([38.5]), "no": Sums.of([0.7] * 11)}
    assert not estimate_weighted(COIN, sums).has_extreme_weight


@pytest.mark.parametrize("weight", [0.1, 0.3, 1.7])
@pytest.mark.parametrize("report_counts", [(1, 3), (6, 2), (30, 10)])
def test_rounding_keeps_weighted_shares_in_range(weight, report_counts):
    # A quarter of yes by two coins is a share of 0, three quarters one of 1.
    sums = {
        report: Sums.of([weight] * count)
        for report, count in zip(COIN.reports, report_counts, strict=True)
    }
    found = estimate_weighted(COIN, sums)
    assert set(found.raw_shares.values()) == {0.0, 1.0}
    assert found.shares == found.raw_shares


def test_equal_weights_give_the_unweighted_mean_of_a_scale():
    grid = build("grid", epsilon=2, points=3)
    counts = dict(zip(grid.reports, (30, 50, 40), strict=True))
    equal_sums = {name: Sums.of([1.5] * count) for name, count in counts.items()}
    found, plain = estimate_weighted(grid, equal_sums), Sample.of(grid, counts)
    for figure in ("raw", "estimate", "standard_error"):
        assert getattr(found, figure)(MEAN) == pytest.approx(
            getattr(plain, figure)(MEAN)
        )
    low, high = found.interval(MEAN)
    assert low < plain.estimate(MEAN) < high
    # One more report at each end, with 120, lengthens it by some 2 %.
    usual = 2 * 1.98 * plain.standard_error(MEAN)
    assert usual < high - low < 1.05 * usual
    # The same in a comparison: one variance, with or without weights.
    assert found.pad_variance(MEAN) == pytest.approx(
        pad_variance(plain, mean_of_points(3))
    )
