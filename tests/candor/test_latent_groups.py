"""Differences between randomised groups, against the likelihood and known cases."""

import numpy as np
import pytest
from scipy.special import xlogy

from benchmarks.validation.exact import estimated_groups
from candor.differences import Difference
from candor.estimands import Estimand
from candor.latent_groups import LatentPair, find_latent_differences
from candor.mechanisms import Mechanism, build
from candor.mechanisms.table import identity
from candor.sample import Sample
from tests.candor.tables import joint_of

COIN, DIRECT = build("coin"), build("direct")
FIRST = [LatentPair(0, 0, 1)]
CHI_SQUARED = 3.841458820694124  # one degree of freedom, .95


def lack(first, second, counts, distance):
    """Return the deviance at a difference, on successively finer grids."""
    left, right = (np.array(each.weights) / each.total for each in (first, second))
    sent = np.reshape(counts, (2, 2))
    box = [(1e-9, 1 - 1e-9), (max(0, -distance), min(1, 1 - distance))]
    for _zoom in range(6):
        group, other = np.meshgrid(*(np.linspace(*ends, 41) for ends in box))
        within = np.array([other + distance, other])
        joint = np.array([within, 1 - within]) * np.array([group, 1 - group])
        chances = np.einsum("ir,ij...,js->rs...", left, joint, right)
        likelihood = xlogy(sent[..., None, None], chances).sum(axis=(0, 1))
        best = np.unravel_index(likelihood.argmax(), likelihood.shape)
        steps = [(high - low) / 20 for low, high in box]
        box = [
            (max(low, at[best] - step), min(high, at[best] + step))
            for at, (low, high), step in zip((group, other), box, steps, strict=True)
        ]
    shares = joint_of(first, second, *counts).shares
    return 2 * (xlogy(sent, left.T @ shares @ right).sum() - likelihood.max())


@pytest.mark.parametrize(
    ("second", "counts"),
    [(COIN, (310, 190, 170, 130)), (build("epsilon", epsilon=2), (60, 55, 50, 60))],
)
def test_interval_ends_have_the_chi_squared_likelihood_ratio(second, counts):
    (found,) = find_latent_differences(joint_of(COIN, second, *counts), FIRST)
    for end in found[1:]:
        assert lack(COIN, second, counts, end) == pytest.approx(CHI_SQUARED, abs=1e-3)


def test_the_estimate_is_the_difference_of_the_adjusted_shares():
    # docs/reference/statistics.md: .575 / .7 less .175 / .3
    (found,) = find_latent_differences(joint_of(COIN, COIN, 310, 190, 170, 130), FIRST)
    assert found.estimate == pytest.approx(0.575 / 0.7 - 0.175 / 0.3)
    (turned,) = find_latent_differences(
        joint_of(COIN, COIN, 310, 190, 170, 130), [LatentPair(0, 1, 0)]
    )
    expected = (-found.estimate, -found.high, -found.low)
    assert turned == pytest.approx(expected, abs=1e-6)


def test_known_groups_are_compared_as_two_samples():
    (found,) = find_latent_differences(joint_of(COIN, DIRECT, 40, 30, 60, 70), FIRST)
    groups = [{"yes": 40, "no": 60}, {"yes": 30, "no": 70}]
    known = Difference(*(Sample.of(COIN, each) for each in groups), Estimand((1, 0)))
    assert found[1:] == pytest.approx(known.interval, abs=1e-6)


def test_other_groups_do_not_affect_the_difference_of_two():
    """With known groups, reports of the third do not affect the other two."""
    three = Mechanism(
        family="custom",
        parameters={},
        answers=tuple("abc"),
        reports=tuple("abc"),
        weights=identity(3),
    )
    pairs = [LatentPair(0, 0, 2), LatentPair(1, 0, 2)]
    counts = (40, 11, 30, 60, 77, 70)
    found = find_latent_differences(joint_of(COIN, three, *counts), pairs)
    groups = [{"yes": 40, "no": 60}, {"yes": 30, "no": 70}]
    known = Difference(*(Sample.of(COIN, each) for each in groups), Estimand((1, 0)))
    assert found[0][1:] == pytest.approx(known.interval, abs=1e-4)
    # The other answer is what is left.
    assert found[1].low == pytest.approx(-found[0].high, abs=1e-6)


def test_few_reports_give_the_full_range_of_differences():
    (found,) = find_latent_differences(joint_of(COIN, COIN, 1, 1, 1, 1), FIRST)
    assert (found.low, found.high) == (-1, 1)
    (found,) = find_latent_differences(joint_of(COIN, COIN, 0, 0, 0, 0), FIRST)
    assert (found.low, found.high) == (-1, 1)
    assert find_latent_differences(joint_of(COIN, COIN, 1, 1, 1, 1), []) == []


# docs/reference/validation.md has the coverage of more respondents.
def test_the_coverage_of_small_surveys_matches_the_documents():
    found = estimated_groups(8, pairs=((COIN, COIN),)).found
    assert (min(found), np.mean(found)) == pytest.approx((0.923, 0.99), abs=0.005)
