import math

import numpy as np
import pytest
from scipy.stats import binom, norm

from candor.binary import BinomialDesign
from candor.intervals import share_interval
from candor.mechanisms import build
from candor.mechanisms.epsilon import MAX_EPSILON
from candor.planning.assumptions import assume, assume_share
from candor.planning.margins import expect_half_width, margin_of_error
from candor.planning.plan import plan
from candor.planning.privacy import smallest_epsilon, standard_errors

# One table of each kind: symmetric, asymmetric, reports exchanged, unprotected.
TABLES = {
    "coin": build("coin"),
    "forced yes": build("forced_response", forced_yes="1/2", forced_no="1/100"),
    "crosswise": build("crosswise", prevalence="1/4"),
    "exchanged": build("custom", p_yes_given_yes="1/6", p_yes_given_no="11/12"),
    "direct": build("direct"),
}

SHARES = (0, 0.01, 0.1, 0.5, 0.9, 1)


def channel_of(mechanism):
    """Return P(first report | yes) and P(first report | no) as fractions."""
    first = mechanism.reports[0]
    return [mechanism.probability(first, given=each) for each in mechanism.answers]


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("name", TABLES)
def test_the_margin_of_error_follows_from_the_binomial_count(name, share):
    # Half width of the normal interval of a binomial chance, scipy's quantile.
    a, b = channel_of(TABLES[name])
    chance = float(b + (a - b) * share)
    spread = binom.std(400, chance) / 400 / abs(float(a - b))
    found = margin_of_error(
        TABLES[name], respondents=400, share=share, confidence_level=0.9
    )
    assert found == pytest.approx(norm.ppf(0.95) * spread, abs=1e-12)


@pytest.mark.parametrize("margin", [0.3, 0.05, 0.004])
@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("name", TABLES)
def test_the_needed_respondents_are_the_fewest_with_the_margin(name, share, margin):
    needed = assume(TABLES[name], share=share).needed(margin)

    def reaches(respondents):
        found = margin_of_error(TABLES[name], respondents=respondents, share=share)
        return found <= margin

    assert reaches(needed)
    assert needed == 1 or not reaches(needed - 1)


@pytest.mark.parametrize("respondents", [1, 7, 60])
@pytest.mark.parametrize("share", [0, 0.1, 0.5, 1])
@pytest.mark.parametrize("name", TABLES)
def test_the_expected_half_width_is_the_mean_over_all_counts(name, share, respondents):
    a, b = map(float, channel_of(TABLES[name]))
    if a < b:  # The other report indicates yes.
        a, b = 1 - a, 1 - b
    design = BinomialDesign(
        respondents=respondents, p_yes_given_yes=a, p_yes_given_no=b
    )
    chances = binom.pmf(np.arange(respondents + 1), respondents, b + (a - b) * share)
    widths = [
        high - low
        for low, high in (share_interval(x, design) for x in range(respondents + 1))
    ]
    found = expect_half_width(assume(TABLES[name], share=share), respondents)
    assert found == pytest.approx(chances @ widths / 2, rel=1e-5)


def test_the_cost_of_privacy_at_share_0_is_infinite_unless_direct():
    assert assume(build("coin"), share=0).cost_of_privacy == math.inf
    assert assume(build("direct"), share=0).cost_of_privacy == 1
    assert assume(build("direct"), share=0.3).cost_of_privacy == 1


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("margin", [0.2, 0.05, 0.02])
@pytest.mark.parametrize("respondents", [150, 5000])
def test_the_smallest_epsilon_just_reaches_the_margin(respondents, margin, share):
    planned = {"respondents": respondents, "share": share}
    assumed = assume_share(share)
    found = smallest_epsilon(assumed, respondents=respondents, margin=margin).epsilon
    if found is None:
        strongest = build("epsilon", epsilon=MAX_EPSILON)
        assert margin_of_error(strongest, **planned) > margin
        return
    reached, missed = (
        margin_of_error(build("epsilon", epsilon=found * factor), **planned)
        for factor in (1.001, 0.999)
    )
    assert reached <= margin < missed


def test_an_epsilon_above_ten_is_not_offered():
    # With 400 respondents a direct question just reaches .049, 1.96 sqrt(.25 / 400).
    half = assume_share(0.5)
    found = smallest_epsilon(half, respondents=400, margin=0.0490001)
    assert found.direct_margin < found.margin
    assert found.epsilon is None
    offered = smallest_epsilon(half, respondents=400, margin=0.049005).epsilon
    assert 0.95 * MAX_EPSILON < offered < MAX_EPSILON


def test_central_noise_has_the_variance_of_the_geometric_mechanism():
    # Variance of two-sided geometric noise, summed: P(k) = (1 - r) / (1 + r) r^|k|.
    k = np.arange(-200, 201)
    ratio = 1 / 3  # e^-epsilon of the coin
    variance = float(((1 - ratio) / (1 + ratio) * ratio ** np.abs(k)) @ k**2)
    found = standard_errors(
        assume(build("coin"), share=0.2), respondents=50, epsilon=math.log(3)
    )
    assert found.central == pytest.approx(math.sqrt(0.2 * 0.8 / 50 + variance / 50**2))


def test_margins_exist_for_one_of_several_answers_and_for_means():
    three = build("k_ary", epsilon=1, choices=3)
    planned = plan(three, share=0.1, respondents=100, with_shuffling=False)
    found = margin_of_error(three, respondents=100, share=0.1)
    assert found == planned.precision.margin
    scale = build("one_bit", epsilon=1, points=11)
    found = margin_of_error(scale, respondents=1000)
    assert found == plan(scale, respondents=1000).precision.margin
    with pytest.raises(TypeError, match="mechanism must be a Mechanism; got 'coin'"):
        margin_of_error("coin", respondents=100, share=0.1)


@pytest.mark.parametrize("level", [math.nextafter(1, 0), 1e-300])
def test_extreme_confidence_levels_give_finite_margins(level):
    found = margin_of_error(
        build("coin"), respondents=100, share=0.1, confidence_level=level
    )
    assert 0 <= found < 2
    planned = plan(
        build("coin"), respondents=100, margin=0.1, confidence_level=level, share=0.1
    )
    assert (planned.smallest_epsilon.epsilon is None) == (level > 0.5)
