"""Guarantees of noise, against integrals, sums and enumeration."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import scipy

from candor.releases.guarantees import (
    Gaussian,
    Laplace,
    compute_count_posterior,
    compute_expected_maximum,
    compute_gaussian_sigma,
    compute_response_delta,
    compute_sensitivity,
    find_best_response,
)
from candor.releases.noise import DiscreteLaplace

NOISES = [
    (Laplace(0.7, 2), scipy.stats.laplace(scale=2 / 0.7), 2),
    (Gaussian(3, 2), scipy.stats.norm(scale=3), 2),
]


@pytest.mark.parametrize(("noise", "density", "shift"), NOISES)
def test_the_privacy_loss_matches_numerical_integration(noise, density, shift):
    # A midpoint rule with steps of 1e-4; the error is far below 1e-4.
    x = np.arange(-60, 60, 1e-4) + 5e-5
    loss = density.logpdf(x) - density.logpdf(x - shift)
    chances = density.pdf(x) * 1e-4
    assert noise.expected_loss == pytest.approx((loss * chances).sum(), abs=1e-5)
    for most in (-0.8, -0.5, 0.0, 0.3, 0.8):
        found = chances[loss <= most].sum()
        assert noise.loss_at_most(most) == pytest.approx(found, abs=1e-4)


def test_delta_of_gaussian_noise_is_the_mass_beyond_epsilon():
    x = np.arange(-30, 30, 1e-3)
    first, second = scipy.stats.norm.pdf(x, 1, 2), scipy.stats.norm.pdf(x, 0, 2)
    beyond = np.clip(first - math.exp(0.3) * second, 0, None).sum() * 1e-3
    assert Gaussian(2).delta(0.3) == pytest.approx(beyond, abs=1e-6)
    sigma = compute_gaussian_sigma(epsilon=0.3, delta=1e-6, sensitivity=4)
    assert Gaussian(sigma, 4).delta(0.3) == pytest.approx(1e-6, rel=1e-6)
    # Dwork & Roth 2014, theorem A.1, needs more.
    assert sigma < 4 * math.sqrt(2 * math.log(1.25e6)) / 0.3


def test_the_count_posterior_matches_an_enumeration():
    noise, total, counted = DiscreteLaplace(Fraction(1, 2)), 0.0, 0.0
    for people in product((0, 1), repeat=5):
        chance = math.prod(0.3 if each else 0.7 for each in people)
        chance *= float(noise.probability(4 - sum(people)))
        total, counted = total + chance, counted + people[0] * chance
    found = compute_count_posterior(4, people=5, prior=0.3, noise=noise)
    assert found == pytest.approx(counted / total)


def test_the_best_response_is_at_the_edge_of_the_privacy_region():
    p, q = find_best_response(0.8, delta=0.1)
    assert compute_response_delta(p, q, epsilon=0.8) == pytest.approx(0.1)
    assert compute_response_delta(p + 0.01, q - 0.01, epsilon=0.8) > 0.1
    assert compute_response_delta(1, 0, epsilon=0.8) == 1


def test_sums_and_sensitivities_by_hand():
    assert compute_expected_maximum(3, scale=6) == pytest.approx(6 + 3 + 2)
    assert compute_sensitivity("histogram") == (2, math.sqrt(2))


def test_arguments_out_of_range_are_refused():
    for call in (
        lambda: compute_sensitivity("median"),
        lambda: compute_sensitivity("mean", people=0),
        lambda: compute_response_delta(1.1, 0, epsilon=1),
        lambda: find_best_response(0),
        lambda: Laplace(math.nan),
        lambda: Gaussian(0),
        lambda: compute_gaussian_sigma(epsilon=1, delta=0),
        lambda: compute_expected_maximum(0),
    ):
        with pytest.raises(ValueError, match="must be"):
            call()
