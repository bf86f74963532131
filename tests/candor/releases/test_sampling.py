"""The exact distribution of each sampler, by enumeration.

Bottom up: numbers from words, coins from numbers, then noise from coins that were
enumerated before.
"""

import math
from fractions import Fraction
from itertools import product

import pytest

from candor.releases import noise as noises
from candor.releases.noise import (
    DiscreteGaussian,
    DiscreteLaplace,
    below,
    bernoulli,
    bernoulli_exp,
)
from tests.candor.mechanisms.checks import OutOfWordsError, only
from tests.candor.releases.sources import channel_of


@pytest.mark.parametrize("n", [1, 2, 3, 5, 8, 9, 13, 16])
def test_every_number_comes_from_equally_many_words(n):
    # Words of 2 bits: one up to 4, then two, read as one number of 4 bits.
    words = 1 if n <= 4 else 2
    counts, drawn_again = [0] * n, 0
    for given in product(range(4), repeat=words):
        try:
            counts[below(n, only(*given), word_bits=2)] += 1
        except OutOfWordsError:
            drawn_again += 1
    assert counts == [4**words // n] * n
    assert drawn_again == 4**words % n


def test_numbers_beyond_one_word_are_drawn_too():
    # 2^64 is one less than n.
    assert below(2**64 + 1, only(1, 2, 3)) == 2 * 2**32 + 3 - 1
    assert max(below(2**64 + 1) for _ in range(50)) > 2**32


@pytest.mark.parametrize("p", ["0", "1/3", "5/7", "1"])
def test_a_bernoulli_draw_has_its_probability(p):
    distribution, left = channel_of(
        lambda source: bernoulli(Fraction(p), source), least=0
    )
    assert left == 0
    assert distribution.get(True, 0) == pytest.approx(float(Fraction(p)), abs=1e-15)


def coin_of(source, p):
    return source.one_of([1 - p, p]) == 1


@pytest.mark.parametrize("gamma", ["0", "1/3", "1", "2", "5/2"])
def test_an_exponential_bernoulli_draw_has_its_probability(monkeypatch, gamma):
    monkeypatch.setattr(
        noises, "bernoulli", lambda p, source: coin_of(source, float(p))
    )
    distribution, left = channel_of(
        lambda source: bernoulli_exp(Fraction(gamma), source), least=1e-13
    )
    assert distribution[True] == pytest.approx(
        math.exp(-Fraction(gamma)), abs=left + 1e-13
    )
    assert left < 1e-10


def exponential_coin(gamma, source):
    return coin_of(source, math.exp(-gamma))


def assert_probabilities_match(noise, distribution, left):
    assert left < 1e-9
    for k in range(-9, 10):
        assert distribution.get(k, 0) == pytest.approx(
            float(noise.probability(k)), abs=1e-9
        )


@pytest.mark.parametrize(
    "noise",
    [
        DiscreteLaplace(Fraction(2)),
        DiscreteLaplace(Fraction(2, 3)),
        DiscreteLaplace(Fraction(4, 3)),
        DiscreteLaplace(Fraction(7, 5), 3),
    ],
    ids=str,
)
def test_laplace_noise_is_drawn_with_the_chances_it_claims(monkeypatch, noise):
    monkeypatch.setattr(noises, "bernoulli_exp", exponential_coin)
    first = (noise.sensitivity / noise.epsilon).numerator
    distribution, left = channel_of(noise.draw, least=1e-13, first=first)
    assert_probabilities_match(noise, distribution, left)


@pytest.mark.parametrize("sigma", ["1/2", "4/5", "1", "7/3"])
def test_gaussian_noise_is_drawn_with_the_chances_it_claims(monkeypatch, sigma):
    noise = DiscreteGaussian(Fraction(sigma))

    def laplace(scale, source):
        source.begin()
        k = range(-80, 81)
        return k[source.one_of(DiscreteLaplace(1 / scale).probability(k).tolist())]

    monkeypatch.setattr(noises, "bernoulli_exp", exponential_coin)
    monkeypatch.setattr(noises, "discrete_laplace", laplace)
    distribution, left = channel_of(noise.draw, least=1e-16)
    assert_probabilities_match(noise, distribution, left)


def test_noise_is_random_by_default():
    drawn = [DiscreteLaplace(Fraction(1, 20)).draw() for _ in range(60)]
    # Of 60 draws more than 40 equal: chance below 1 in 10^60, the largest is .025.
    assert len(set(drawn)) > 20
