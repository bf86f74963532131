"""The total epsilon of surveys and releases, against exact distributions."""

import math
from fractions import Fraction

import numpy as np
import pytest

from candor import Release, total_epsilon
from candor.releases.noise import DiscreteGaussian, DiscreteLaplace

DELTA = 1e-6


def released(noise):
    return Release(
        released=0, noise=noise, sensitivity=noise.sensitivity, epsilon=0.5, delta=0.0
    )


def gaussian(sigma, sensitivity=1):
    return released(DiscreteGaussian(Fraction(sigma), sensitivity))


def exact_delta(epsilon, *, sigma, sensitivity, releases, coins):
    """Return the total delta of releases and coins from their full distribution.

    Neighbours shift each Gaussian number by the sensitivity, and each coin reports the
    truth with 3/4. Privacy loss depends on the sum of the numbers, and the number of
    coins that report the truth.
    """
    k = np.arange(-12 * sigma, 12 * sigma + 1)  # beyond: less than 1e-31
    chances = np.exp(-(k**2) / (2 * sigma**2))
    chances /= chances.sum()
    summed = np.ones(1)
    for _ in range(releases):
        summed = np.convolve(summed, chances)
    middle = len(summed) // 2
    numbers = np.arange(len(summed)) - middle
    of_numbers = (2 * sensitivity * numbers + releases * sensitivity**2) / (
        2 * sigma**2
    )
    delta = 0.0
    for true in range(coins + 1):
        chance = math.comb(coins, true) * 0.75**true * 0.25 ** (coins - true)
        loss = of_numbers + (2 * true - coins) * math.log(3)
        gain = -np.expm1(np.minimum(epsilon - loss, 0.0))
        delta += chance * float((summed * gain).sum())
    return delta


@pytest.mark.parametrize(
    ("sigma", "sensitivity", "releases", "coins"),
    [(4, 1, 1, 0), (8, 1, 12, 0), (8, 2, 12, 1), (3, 1, 2, 3), (40, 1, 50, 2)],
)
def test_both_total_epsilons_are_valid_upper_bounds(
    sigma, sensitivity, releases, coins
):
    parts = [math.log(3)] * coins + [gaussian(sigma, sensitivity)] * releases
    total = total_epsilon(parts, delta=DELTA)
    given = {"sigma": sigma, "sensitivity": sensitivity, "releases": releases}
    for epsilon in (total.basic, total.concentrated):
        # 1e-9: rounding of a sum of some thousand terms
        assert exact_delta(epsilon, coins=coins, **given) <= DELTA * (1 + 1e-9)
    if releases == 1 and not coins:
        assert exact_delta(total.basic, coins=0, **given) == pytest.approx(DELTA)


def test_the_formulas_by_hand():
    # rho = 12 / (2 64) = 0.09375; ln 10^6 = 13.8155; 0.09375 + 2 sqrt(1.29520)
    total = total_epsilon([gaussian(8)] * 12, delta=DELTA)
    assert total.rho == 0.09375
    assert total.concentrated == pytest.approx(2.36989, abs=5e-6)
    assert total.epsilon == total.concentrated < total.basic
    # 100 waves at epsilon 0.1: rho = 100 / 200; 0.5 + 2 sqrt(6.90776)
    total = total_epsilon([0.1] * 100, delta=DELTA)
    assert total.basic == pytest.approx(10)
    assert total.epsilon == pytest.approx(5.75652, abs=5e-6)


def test_without_gaussian_noise_epsilons_add_and_need_no_delta():
    laplace = released(DiscreteLaplace(Fraction(1, 2)))
    total = total_epsilon([1.1, 1.1, laplace])
    assert total.epsilon == total.basic == total.concentrated == pytest.approx(2.7)
    assert total.delta == 0
    assert total_epsilon([]).epsilon == 0
    assert total_epsilon([1.0, math.inf], delta=DELTA).epsilon == math.inf


def test_one_gaussian_release_has_its_basic_epsilon():
    total = total_epsilon([gaussian(4)], delta=DELTA)
    assert total.epsilon == total.basic == DiscreteGaussian(Fraction(4)).epsilon(DELTA)
    assert total.basic < total.concentrated
