"""Exact samplers of noise: whole random numbers and fractions, no floating point.

A sampler that rounds has another distribution than the one that is claimed for it, and
the difference has revealed data (Mironov 2012, ACM CCS, "On significance of the least
significant bits for differential privacy"). Arguments are checked by the callers.

References
----------
Canonne, Kamath & Steinke 2020, "The discrete Gaussian for differential privacy",
NeurIPS 33, algorithms 1 to 3 (numbered as in arXiv:2004.00010).
"""

from collections.abc import Callable
from fractions import Fraction
from math import floor

from candor.mechanisms.parameters import shown
from candor.mechanisms.randomness import WORD_BITS, Draw, uniform_below, word
from candor.validation import is_whole

Below = Callable[[int], int]
"""Returns a whole number that is uniform on [0, n), for any n of 1 or more."""


def below(n: int, draw: Draw = word, *, word_bits: int = WORD_BITS) -> int:
    """Return a whole number that is exactly uniform on [0, n), however large n is.

    As many words as it needs are read as the digits of one number.

    >>> below(1)
    0
    """
    if not is_whole(n) or n < 1:
        message = f"n must be a whole number of 1 or more; got {shown(n)}"
        raise ValueError(message) if is_whole(n) else TypeError(message)
    words = max(1, -(-(n - 1).bit_length() // word_bits))

    def long_word() -> int:
        long = 0
        for _ in range(words):
            long = (long << word_bits) | draw()
        return long

    return uniform_below(n, long_word, word_bits=words * word_bits)


def bernoulli(p: Fraction, source: Below = below) -> bool:
    """Return true with probability p, in [0, 1]."""
    return source(p.denominator) < p.numerator


def bernoulli_exp(gamma: Fraction, source: Below = below) -> bool:
    """Return true with probability e^-gamma, gamma 0 or more (algorithm 1)."""
    for _ in range(floor(gamma)):
        if not _bernoulli_exp(Fraction(1), source):
            return False
    return _bernoulli_exp(gamma - floor(gamma), source)


def _bernoulli_exp(gamma: Fraction, source: Below) -> bool:
    # P(the first k all succeed) = gamma^k / k!; odd stops add up to e^-gamma.
    k = 1
    while bernoulli(gamma / k, source):
        k += 1
    return k % 2 == 1


def discrete_laplace(scale: Fraction, source: Below = below) -> int:
    """Return k with probability proportional to e^(-|k| / scale) (algorithm 2)."""
    t, s = scale.numerator, scale.denominator
    while True:
        rest = source(t)
        if not bernoulli_exp(Fraction(rest, t), source):
            continue
        whole = 0
        while bernoulli_exp(Fraction(1), source):
            whole += 1
        # rest + t whole is geometric with ratio e^(-1/t); by s it becomes e^(-s/t).
        size = (rest + t * whole) // s
        is_negative = bernoulli(Fraction(1, 2), source)
        # Else 0 would be drawn twice as often as it should: once for each sign.
        if not (is_negative and size == 0):
            return -size if is_negative else size


def discrete_gaussian(sigma: Fraction, source: Below = below) -> int:
    """Return k with probability proportional to e^(-k^2 / 2 sigma^2) (algorithm 3)."""
    variance, t = sigma**2, floor(sigma) + 1
    while True:
        k = discrete_laplace(Fraction(t), source)
        gamma = (abs(k) - variance / t) ** 2 / (2 * variance)
        if bernoulli_exp(gamma, source):
            return k
