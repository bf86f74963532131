"""The mean of a scale that can be skipped, among those who answered."""

import math
from functools import cache
from itertools import product

import numpy as np
import pytest

import candor
from candor.mechanisms import build
from candor.mechanisms.scale import reduce_to_ends
from candor.planning.margins import compute_achieved_margin
from candor.skipped_scales import MeanAmongAnswered
from candor.weighting import Sums, weigh
from tests.candor.tables import coverage, sample_of

BY_ENDS = build("one_bit_skip", epsilon="1", points="11")
BY_POINTS = build("grid_skip", epsilon="2", points="3")
BOTH = pytest.mark.parametrize("mechanism", [BY_ENDS, BY_POINTS])


def expect_counts(mechanism, shares, n=10**6):
    chances = np.array(shares) @ np.array(mechanism.weights) / mechanism.total
    return [round(each) for each in chances * n]


@pytest.mark.parametrize("points", [2, 3, 101])
@pytest.mark.parametrize("epsilon", ["0.01", "1", "10"])
def test_skipping_costs_no_epsilon(points, epsilon):
    plain, skipped = (
        build(name, epsilon=epsilon, points=points)
        for name in ("one_bit", "one_bit_skip")
    )
    assert skipped.epsilon <= float(epsilon)
    assert skipped.epsilon == pytest.approx(plain.epsilon, abs=1e-6)


def test_a_one_bit_scale_is_reduced_to_its_ends():
    ends = reduce_to_ends(BY_ENDS)
    truth, other = ends.weights[0][:2]
    assert ends.answers == ends.reports == ("high", "low", "skipped")
    assert ends.weights == tuple(
        tuple(truth if a == r else other for r in range(3)) for a in range(3)
    )
    assert reduce_to_ends(ends) == ends
    assert reduce_to_ends(BY_POINTS) == BY_POINTS


@pytest.mark.parametrize("family", ["one_bit_skip", "grid_skip"])
def test_many_respondents_give_the_mean_of_those_who_answered(family):
    mechanism = build(family, epsilon="2", points="5")
    shares = np.array([0.1, 0.15, 0.25, 0.2, 0.1, 0.2])
    counts = expect_counts(mechanism, shares)
    table = candor.estimate(
        mechanism, dict(zip(mechanism.reports, counts, strict=True))
    )
    expected = shares[:5] @ np.arange(5) / 0.8
    assert table["mean"].estimate == pytest.approx(expected, abs=1e-4)
    assert table["mean"].raw == pytest.approx(expected, abs=1e-4)
    assert table["skipped"].estimate == pytest.approx(0.2, abs=1e-4)
    least, most, (low, high) = sample_of(mechanism, *counts).find_mean_bounds()
    assert least == pytest.approx(shares[:5] @ np.arange(5), abs=1e-4)
    assert most == pytest.approx(least + 0.2 * 4, abs=1e-4)
    assert low < least < table["mean"].low < table["mean"].high < most < high


@BOTH
def test_the_standard_error_matches_repeated_surveys(mechanism):
    shares = np.full(len(mechanism.answers), 0.8 / mechanism.points)
    shares[-1] = 0.2
    chances = shares @ np.array(mechanism.weights) / mechanism.total
    source = np.random.default_rng(7)  # noqa: TID251 - a fixed seed
    drawn = source.multinomial(4000, chances, size=2000)
    found = MeanAmongAnswered(reduce_to_ends(mechanism))
    total, answered = found.find_scores() @ drawn.T / 4000
    sample = sample_of(mechanism, *map(int, drawn[0]))
    # The standard deviation over 2,000 surveys has an error of 1.6 %.
    assert sample.row_among_answered(0.95).standard_error == pytest.approx(
        float((total / answered).std()), rel=0.1
    )


@BOTH
def test_the_interval_is_the_full_range_if_all_seem_to_decline(mechanism):
    last = MeanAmongAnswered(reduce_to_ends(mechanism)).last
    *others, _skipped = mechanism.reports
    for skipped in (0, 1, 500):
        sample = sample_of(mechanism, *(0 for _each in others), skipped)
        mean, ends = sample.mean_among_answered()
        assert math.isnan(mean)
        assert ends == (0, last)


@BOTH
def test_all_reports_at_an_end_have_an_interval_and_a_standard_error(mechanism):
    found = MeanAmongAnswered(reduce_to_ends(mechanism))
    top = found.points.index(found.last)
    counts = [50 * (place == top) for place in range(len(mechanism.reports))]
    row = sample_of(mechanism, *counts).row_among_answered(0.95)
    assert row.estimate == row.high == found.last
    assert 0 < row.low < found.last
    assert row.standard_error > 0


@pytest.mark.parametrize("epsilon", ["0.01", "10"])
@pytest.mark.parametrize("family", ["one_bit_skip", "grid_skip"])
def test_the_interval_stays_on_the_scale_at_any_epsilon(family, epsilon):
    mechanism = build(family, epsilon=epsilon, points="3")
    for counts in product((0, 7), repeat=len(mechanism.reports)):
        mean, (low, high) = sample_of(mechanism, *counts).mean_among_answered()
        assert 0 <= low <= high <= 2
        assert math.isnan(mean) or low <= mean <= high


@cache
def find_ends(counts):
    return sample_of(BY_POINTS, *counts).mean_among_answered()[1]


@pytest.mark.parametrize(
    "shares",
    [
        (1, 0, 0, 0),
        (0.5, 0, 0.5, 0),
        (0.5, 0, 0, 0.5),
        (0.1, 0.1, 0.1, 0.7),
        (0.3, 0.3, 0.2, 0.2),
    ],
)
def test_the_interval_covers_the_mean_in_every_group(shares):
    truth = np.array(shares[:3]) @ np.arange(3) / sum(shares[:3])
    assert coverage(BY_POINTS, shares, 5, find_ends, truth) >= 0.95


def test_the_interval_of_ends_covers_the_mean_at_a_large_epsilon():
    mechanism = reduce_to_ends(build("one_bit_skip", epsilon="8", points="11"))

    def find(counts):
        return sample_of(mechanism, *counts).mean_among_answered()[1]

    # Unlikely counts have a total chance below 0.5 %.
    assert coverage(mechanism, (0.08, 0.72, 0.2), 20, find, 1, likely=1e-4) >= 0.945


def test_the_interval_allows_answers_that_no_report_shows():
    # With 1 % at the top, 13 of 100 surveys of 200 people have none there.
    mechanism = build("grid_skip", epsilon="8", points="11")
    sample = sample_of(mechanism, 200, *(0 for _each in mechanism.reports[1:]))
    assert sample.mean_among_answered()[1].high > 0.1


@BOTH
def test_equal_weights_leave_the_mean_as_it_is(mechanism):
    counts = expect_counts(
        mechanism, [1 / len(mechanism.answers)] * len(mechanism.answers), n=600
    )
    sums = {
        ("all", report): Sums(count, float(count), float(count), 1.0)
        for report, count in zip(mechanism.reports, counts, strict=True)
    }
    weighted = weigh(mechanism, sums, [{"all": 1.0}]).row_among_answered(0.95)
    plain = sample_of(mechanism, *counts).row_among_answered(0.95)
    assert weighted.estimate == pytest.approx(plain.estimate, abs=1e-6)
    assert weighted.standard_error == pytest.approx(plain.standard_error, rel=0.01)
    assert (weighted.low, weighted.high) == pytest.approx(
        (plain.low, plain.high), abs=0.1 * (plain.high - plain.low)
    )


@BOTH
def test_the_mean_of_all_respondents_is_rejected(mechanism):
    sample = sample_of(mechanism, *(10 for _report in mechanism.reports))
    with pytest.raises(ValueError, match="only the mean among those who answered"):
        sample.raw("mean")
    counts = dict.fromkeys(mechanism.reports, 10)
    with pytest.raises(ValueError, match="only the mean among those who answered"):
        candor.difference(mechanism, counts, counts, estimand="mean")
    with pytest.raises(ValueError, match="no test of two means among those"):
        candor.group_sizes(mechanism, difference=1, power=0.8)


@pytest.mark.parametrize(("family", "price"), [("one_bit", 1.269), ("grid", 1.0786)])
def test_plans_include_the_variance_added_by_skipping(family, price):
    plain = build(family, epsilon="1", points="11")
    skipped = build(f"{family}_skip", epsilon="1", points="11")
    plans = [candor.plan(each, respondents=1000) for each in (plain, skipped)]
    variances = [each.assumed.variance for each in plans]
    # (E + 2) / (E + 1), and (E + 11) / (E + 10) for the eleven points.
    assert variances[1] / variances[0] == pytest.approx(price, abs=1e-3)
    shares = [1 / 11] * 11 + [0]
    counts = dict(zip(skipped.reports, expect_counts(skipped, shares), strict=True))
    achieved = 10 * compute_achieved_margin(skipped, counts) * math.sqrt(10**6 / 1000)
    assert achieved == pytest.approx(plans[1].precision.margin, rel=1e-3)
