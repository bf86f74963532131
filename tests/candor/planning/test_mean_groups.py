"""Power between the means of two groups, against simulated surveys.

The simulation is independent of the planner: answers are drawn, randomised and scored
by the documented formulas, and compared by Welch's t as in differences.md.
"""

import math

import numpy as np
import pytest
from scipy.stats import fisher_exact
from scipy.stats import t as student

from candor.differences import Difference
from candor.estimands import mean_of_points
from candor.mechanisms import build
from candor.planning.groups import compare, group_sizes
from candor.sample import Sample
from tests.candor.tables import sample_of

SEED, SURVEYS = 11, 20_000
NEAR = 0.02
"""The accuracy of points in planning.md, and .01 for 3.3 standard errors of 20,000
surveys near .8."""


def tilted(points, mean, *, spread):
    """Return shares of the points with this mean, flat or peaked."""
    value = np.arange(points)
    base = np.exp(-spread * (value - (points - 1) / 2) ** 2)
    low, high = -20.0, 20.0
    for _step in range(200):
        middle = (low + high) / 2
        shares = base * np.exp(middle * (value - (points - 1) / 2))
        shares /= shares.sum()
        low, high = (middle, high) if shares @ value < mean else (low, middle)
    return shares


def deviation(shares):
    value = np.arange(len(shares))
    return math.sqrt(shares @ value**2 - (shares @ value) ** 2)


def drawn_reports(source, shares, *, epsilon, n, surveys):
    """Draw reported points: the true one E times as often as another."""
    k, e = len(shares), math.exp(epsilon)
    sent = (1 + (e - 1) * shares) / (e + k - 1)
    return source.multinomial(n, sent, size=surveys)


def welch_by_hand(counts, epsilon):
    """Return clipped mean scores, and variances with one more report at each end."""
    k, e = counts.shape[1], math.exp(epsilon)
    value, n = np.arange(k), counts[0].sum()
    # E[report | v] = [e v + sum of the others] / (e + k - 1) is a line in v.
    score = (value * (e + k - 1) - k * (k - 1) / 2) / (e - 1)
    raw = counts @ score / n
    padded = counts + np.eye(k)[0] + np.eye(k)[-1]
    middle = padded @ score / (n + 2)
    squares = padded @ score**2 - (n + 2) * middle**2
    return np.clip(raw, 0, k - 1), squares / n**2, n


def is_significantly_higher(first, second, epsilon, alpha):
    (here, v, n), (there, w, m) = (welch_by_hand(x, epsilon) for x in (first, second))
    freedom = (v + w) ** 2 / (v**2 / (n - 1) + w**2 / (m - 1))
    p = 2 * student.sf(np.abs(here - there) / np.sqrt(v + w), freedom)
    return (p <= alpha) & (here > there), p


@pytest.mark.parametrize(
    ("epsilon", "points", "mean", "difference", "spread", "ratio", "alpha"),
    [
        (1, 11, 5, 1, 0, 1, 0.05),
        (2, 5, 2, 0.5, 0.3, 1, 0.05),
        (4, 11, 5, 0.5, 0.05, 3, 0.01),
        (8, 5, 2, 0.4, -0.4, 1, 0.05),
        (3, 7, 3, 1, 0.1, 0.5, 0.1),
        # Away from the middle the groups' variances differ.
        (2, 11, 2, 1, 0.05, 1, 0.05),
        (4, 11, 8.5, 1, 0.05, 2, 0.05),
        (4, 5, 0.6, 0.4, 0.05, 1, 0.05),
    ],
)
def test_simulated_power_for_means_matches_the_plan(
    epsilon, points, mean, difference, spread, ratio, alpha
):
    """The truth lies between the two deviations: plan with the larger."""
    groups = [
        tilted(points, mean + side * difference / 2, spread=spread) for side in (1, -1)
    ]
    table = build("grid", epsilon=epsilon, points=points)
    source = np.random.default_rng(SEED)  # noqa: TID251 - made up on purpose, seeded
    shown = []
    for sd in sorted(map(deviation, groups)):
        size = group_sizes(
            table, difference=difference, mean=mean, sd=sd, alpha=alpha, ratio=ratio
        )
        assert (size.test, size.is_exact) == ("welch", False)
        counts = [
            drawn_reports(source, shares, epsilon=epsilon, n=n, surveys=SURVEYS)
            for shares, n in zip(groups, (size.respondents, size.others), strict=True)
        ]
        is_shown, p = is_significantly_higher(*counts, epsilon, alpha)
        shown.append(is_shown.mean())
    assert shown[0] <= 0.8 + NEAR
    assert shown[1] >= 0.8 - NEAR
    # The power is that of the test on the page.
    for place in range(5):
        first, second = (sample_of(table, *each[place].tolist()) for each in counts)
        found = Difference(first, second, mean_of_points(len(table.answers)))
        assert found.p_value == pytest.approx(p[place], rel=1e-4)


def test_one_bit_means_are_planned_with_the_exact_test_of_results():
    table = build("one_bit", epsilon=2, points=11)
    size = group_sizes(table, difference=4)
    assert (size.test, size.sds, size.is_exact) == ("fisher", None, True)
    n = size.respondents
    e = math.exp(2)
    high = [(1 + (e - 1) * part) / (e + 1) for part in (0.7, 0.3)]
    # All pairs of counts with a p-value in results of at most 5 %.
    pmf = [
        [math.comb(n, x) * p**x * (1 - p) ** (n - x) for x in range(n + 1)]
        for p in high
    ]
    power = sum(
        pmf[0][x] * pmf[1][y]
        for x in range(n + 1)
        for y in range(x)
        if pmf[0][x] * pmf[1][y] > 1e-12
        and fisher_exact([[x, n - x], [y, n - y]])[1] <= 0.05
    )
    planned = compare(table, difference=4).power(n, n)
    assert planned == pytest.approx(power, abs=1e-5)
    assert power >= 0.8
    groups = [
        Sample.of(table, {"high": x, "low": n - x})
        for x in (round(n * high[0]), round(n * high[1]))
    ]
    found = Difference(*groups, mean_of_points(11))
    assert found.is_exact
    (x, y) = (each.counts[0] for each in groups)
    expected = fisher_exact([[x, n - x], [y, n - y]])[1]
    assert found.p_value == pytest.approx(expected, rel=1e-6)


def test_two_point_scales_are_planned_with_the_exact_test():
    # With two points the share of the higher is the mean: 1/4 and 3/4.
    points, bit = (
        group_sizes(build(family, epsilon=2, points=2), difference=0.5)
        for family in ("grid", "one_bit")
    )
    assert points.test == bit.test == "fisher"
    assert points.respondents == bit.respondents


def test_the_largest_difference_leaves_no_standard_deviation():
    table = build("grid", epsilon=4, points=5)
    largest = compare(table, difference=4)
    assert largest.sds == (0, 0)
    assert largest.power(10**6, 10**6) == pytest.approx(1)
    # The largest possible value on the page is never refused because of rounding.
    for parts in range(1, 100):
        part = parts / 100
        largest = math.sqrt((1 - part) / 2 * (1 + part) / 2)
        compare(table, difference=part * 4, sd=largest * 4)
    with pytest.raises(ValueError, match=r"sd must be a number in \[0, 1.73205\]"):
        compare(table, difference=2, sd=2)
    # Around 3 and around 1 of 0 to 4, with 3.5 and .5 farthest out: sqrt(3.5 x .5)
    for mean in (3, 1):
        with pytest.raises(ValueError, match=r"sd must be a number in \[0, 1.32288\]"):
            compare(table, difference=1, mean=mean, sd=1.4)
    # Computed ends have rounding errors.
    assert compare(table, difference=0.7 * 4, mean=0.65 * 4).values[0] == 4
    assert compare(table, difference=0.7 * 4, mean=0.35 * 4).values[1] == 0


def test_the_deviation_of_each_group_is_limited_by_its_mean():
    # Around 8.5 of 0 to 10: at 10 with all equal, at 7 with equally common points.
    size = group_sizes(build("grid", epsilon=4, points=11), difference=3, mean=8.5)
    assert size.values == (10, 7)
    assert size.sds == (0, math.sqrt(10))
