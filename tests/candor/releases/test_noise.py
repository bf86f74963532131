"""The two distributions of noise and their guarantees."""

import math
from fractions import Fraction

import numpy as np
import pytest

from candor.releases.noise import DiscreteGaussian, DiscreteLaplace, summed

WIDE = np.arange(-400, 401)
NOISES = [
    DiscreteLaplace(Fraction(1, 2)),
    DiscreteLaplace(Fraction(3), 2),
    DiscreteGaussian(Fraction(4)),
    DiscreteGaussian(Fraction(2, 5)),
]


def test_laplace_probabilities_with_ratio_0_6_match_hand_calculation():
    noise = DiscreteLaplace(Fraction(math.log(5 / 3)))
    assert noise.probability([0, 1, -2, 3]) == pytest.approx([0.25, 0.15, 0.09, 0.054])


@pytest.mark.parametrize("noise", NOISES, ids=str)
def test_probabilities_tails_and_deviation_are_consistent(noise):
    chances = noise.probability(WIDE)
    assert chances.sum() == pytest.approx(1, abs=1e-12)
    assert noise.at_most(WIDE) == pytest.approx(chances.cumsum(), abs=1e-12)
    assert noise.more_than(WIDE) == pytest.approx(1 - chances.cumsum(), abs=1e-12)
    deviation = math.sqrt((WIDE.astype(float) ** 2 * chances).sum())
    assert noise.standard_deviation == pytest.approx(deviation, rel=1e-9)


@pytest.mark.parametrize("sensitivity", [1, 2, 5])
def test_laplace_noise_has_exactly_its_epsilon(sensitivity):
    noise = DiscreteLaplace(Fraction(1, 2), sensitivity)
    losses = np.log(noise.probability(WIDE) / noise.probability(WIDE - sensitivity))
    assert np.abs(losses).max() == pytest.approx(0.5, abs=1e-9)


@pytest.mark.parametrize("sigma", ["2/5", "1", "4"])
@pytest.mark.parametrize("sensitivity", [1, 3])
@pytest.mark.parametrize("epsilon", [0.0, 0.1, 1.0, 3.0])
def test_delta_is_the_excess_probability_beyond_epsilon(sigma, sensitivity, epsilon):
    noise = DiscreteGaussian(Fraction(sigma), sensitivity)
    here, there = noise.probability(WIDE), noise.probability(WIDE - sensitivity)
    exceeding = np.maximum(here - math.exp(epsilon) * there, 0).sum()
    assert noise.delta(epsilon) == pytest.approx(exceeding, rel=1e-9, abs=1e-300)


def test_the_epsilon_of_a_delta_is_the_smallest_valid_one():
    noise = DiscreteGaussian(Fraction(4))
    epsilon = noise.epsilon(1e-6)
    assert noise.delta(epsilon) <= 1e-6 < noise.delta(epsilon * (1 - 1e-9))
    # Sums over the density in decimals with 50 digits
    assert epsilon == pytest.approx(1.06343635837220, rel=1e-9)
    assert noise.epsilon(0.5) == 0


@pytest.mark.parametrize("noise", NOISES, ids=str)
@pytest.mark.parametrize("cells", [1, 2, 7])
def test_a_sum_of_noises_has_the_distribution_of_their_convolution(noise, cells):
    chances = np.ones(1)
    for _ in range(cells):
        chances = np.convolve(chances, noise.probability(np.arange(-120, 121)))
    k = np.arange(-120 * cells, 120 * cells + 1)
    assert summed(noise, cells).at_most(k) == pytest.approx(chances.cumsum(), abs=1e-12)


@pytest.mark.parametrize("noise", NOISES, ids=str)
@pytest.mark.parametrize("tail", [0.6, 0.3, 0.025, 1e-9])
def test_the_reach_is_the_smallest_with_the_tail_probability(noise, tail):
    for law in (noise, summed(noise, 3)):
        reach = law.reach(tail)
        assert law.more_than(reach) <= tail
        assert reach == 0 or law.more_than(reach - 1) > tail
