"""The distributions of noise on a count, their privacy, and exact samplers.

The discrete Laplace distribution, also called two-sided geometric, and the discrete
Gaussian distribution are symmetric about 0 and have integer values. A sampler that
rounds has a different distribution, and the difference has revealed data (Mironov 2012,
ACM CCS, "On significance of the least significant bits for differential privacy"). The
samplers therefore use whole random numbers and fractions.

References
----------
Canonne, Kamath & Steinke 2020, "The discrete Gaussian for differential privacy",
NeurIPS 33, algorithms 1 to 3 (numbered as in arXiv:2004.00010).
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import floor
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from candor.binary import FloatArray
from candor.mechanisms.parameters import shown
from candor.mechanisms.randomness import WORD_BITS, Draw, uniform_below, word
from candor.validation import check_whole, is_whole

Below = Callable[[int], int]
"""A function that returns a uniform whole number in [0, n), for any n of 1 or more."""


def below(n: int, draw: Draw = word, *, word_bits: int = WORD_BITS) -> int:
    """Return a whole number that is exactly uniform on [0, n), for any n.

    As many words as needed are read as the digits of one number.

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
        if not _draw_small_exponent(Fraction(1), source):
            return False
    return _draw_small_exponent(gamma - floor(gamma), source)


def _draw_small_exponent(gamma: Fraction, source: Below) -> bool:
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
        # Otherwise 0 would be drawn twice as often as it should: once for each sign.
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


MAX_SIGMAS = 38
"""Beyond this many sigmas the Gaussian probability is 0 in a float."""

LEFT_OUT = 1e-15
"""Probability that sums of noise omit at either end, similar to the rounding error."""

MAX_CONTRIBUTIONS = 10_000
"""Largest sensitivity: no respondent is counted more often."""

MIN_STEP = 1e-12
"""Relative tolerance of the search for epsilon, which never returns too small a value.
"""

CACHED_SUMS = 64


class Distribution(ABC):
    """A symmetric distribution of whole numbers."""

    @abstractmethod
    def more_than(self, k: npt.ArrayLike) -> FloatArray:
        """Return P(N > k) for whole numbers k."""

    def at_most(self, k: npt.ArrayLike) -> FloatArray:
        """Return P(N <= k), which is P(N > -k - 1)."""
        return self.more_than(-np.asarray(k) - 1)

    def reach(self, tail: float) -> int:
        """Return the smallest k of 0 or more with P(N > k) <= tail, tail in (0, 1)."""
        low, high = -1, 1
        while self.more_than(high) > tail:
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            if self.more_than(middle) > tail:
                low = middle
            else:
                high = middle
        return high


def check_noise(name: str, scale: Fraction, sensitivity: int) -> None:
    """Raise an error if the scale or the sensitivity of noise is invalid."""
    message = f"{name} must be a fraction above 0; got {shown(scale)}"
    if not isinstance(scale, Fraction):
        raise TypeError(message)
    if scale <= 0:
        raise ValueError(message)
    check_whole("sensitivity", sensitivity, low=1, high=MAX_CONTRIBUTIONS)


class Noise(Distribution):
    """The distribution of noise that is added to a count."""

    name: ClassVar[str]

    @property
    @abstractmethod
    def standard_deviation(self) -> float:
        """Standard deviation, in respondents."""

    @abstractmethod
    def draw(self, source: Below = below) -> int:
        """Return one number, drawn exactly."""

    @abstractmethod
    def probability(self, k: npt.ArrayLike) -> FloatArray:
        """Return P(N = k) for whole numbers k."""


@dataclass(frozen=True)
class DiscreteLaplace(Noise):
    """P(N = k) = (1 - q)/(1 + q) q^|k| with q = e^(-epsilon / sensitivity).

    For two counts that differ by at most `sensitivity`, the probabilities of any
    released number differ by a factor of at most e^epsilon: Ghosh, Roughgarden &
    Sundararajan 2012, SIAM Journal on Computing 41:1673 (two-sided geometric); Dwork,
    McSherry, Nissim & Smith 2006, TCC (Laplace noise). With q = 1/2 the probability of
    0 is (1 - q)/(1 + q).

    >>> from math import log
    >>> print(f"{DiscreteLaplace(Fraction(log(2))).probability(0):.4f}")
    0.3333
    """

    name: ClassVar[str] = "discrete Laplace"

    epsilon: Fraction
    sensitivity: int = 1

    def __post_init__(self) -> None:
        check_noise("epsilon", self.epsilon, self.sensitivity)

    @cached_property
    def rate(self) -> float:
        return float(self.epsilon / self.sensitivity)

    @property
    def standard_deviation(self) -> float:
        return math.sqrt(2 * math.exp(-self.rate)) / -math.expm1(-self.rate)

    def draw(self, source: Below = below) -> int:
        return discrete_laplace(self.sensitivity / self.epsilon, source)

    def probability(self, k: npt.ArrayLike) -> FloatArray:
        # (1 - q)/(1 + q) = tanh(rate / 2)
        size = np.abs(np.asarray(k, dtype=float))
        return math.tanh(self.rate / 2) * np.exp(-self.rate * size)

    def more_than(self, k: npt.ArrayLike) -> FloatArray:
        """Return P(N > k): q^(k + 1) / (1 + q) for k of 0 or more."""
        k = np.asarray(k, dtype=float)
        # The smallest |N| in the tail: k + 1 for k >= 0, and -k in P(N <= k) for k < 0.
        nearest = np.where(k >= 0, k + 1, -k)
        tail = np.exp(-self.rate * nearest) / (1 + math.exp(-self.rate))
        return np.where(k >= 0, tail, 1 - tail)


@dataclass(frozen=True)
class DiscreteGaussian(Noise):
    """P(N = k) is proportional to e^(-k^2 / (2 sigma^2)).

    For every epsilon there is a delta with (epsilon, delta)-differential privacy:
    Canonne, Kamath & Steinke 2020, NeurIPS 33 (arXiv:2004.00010).
    """

    name: ClassVar[str] = "discrete Gaussian"

    sigma: Fraction
    sensitivity: int = 1

    def __post_init__(self) -> None:
        check_noise("sigma", self.sigma, self.sensitivity)

    @property
    def widest(self) -> int:
        """The largest number whose probability is above 0 in a float."""
        return math.ceil(MAX_SIGMAS * self.sigma) + 1

    @cached_property
    def chances(self) -> FloatArray:
        relative = np.exp(-((np.arange(self.widest + 1) / float(self.sigma)) ** 2) / 2)
        return relative / (1 + 2 * relative[:0:-1].sum())

    @cached_property
    def tails(self) -> FloatArray:
        # Sum from the far end, so that small probabilities are not lost to rounding.
        return np.append(self.chances[:0:-1].cumsum()[::-1], 0.0)

    @cached_property
    def standard_deviation(self) -> float:
        """Standard deviation, a little below sigma where sigma is small."""
        squares = np.arange(self.widest + 1, dtype=float) ** 2
        return math.sqrt(2 * float((squares * self.chances).sum()))

    def draw(self, source: Below = below) -> int:
        return discrete_gaussian(self.sigma, source)

    def probability(self, k: npt.ArrayLike) -> FloatArray:
        size = np.abs(np.asarray(k))
        return np.where(
            size <= self.widest, self.chances[np.minimum(size, self.widest)], 0.0
        )

    def more_than(self, k: npt.ArrayLike) -> FloatArray:
        k = np.asarray(k)
        tail = self.tails[np.minimum(np.where(k >= 0, k, -k - 1), self.widest)]
        return np.where(k >= 0, tail, 1 - tail)

    def delta(self, epsilon: float) -> float:
        """Return the smallest delta for an epsilon of 0 or more."""
        # Theorem 7: P[Y > e s^2/D - D/2] - e^e P[Y > e s^2/D + D/2], Y this noise. Pair
        # each y of the first tail with y + D of the second one:
        # p(y) (1 - e^(e - D(2y+D)/2s^2)).
        variance, shift = self.sigma**2, self.sensitivity
        bound = Fraction(epsilon) * variance / shift - Fraction(shift, 2)
        first = math.floor(bound) + 1
        if first > self.widest:
            return 0.0
        y = np.arange(first, self.widest + 1)
        loss = shift * (2 * y + shift) / (2 * float(variance))
        terms = self.probability(y) * -np.expm1(np.minimum(epsilon - loss, 0.0))
        return float(terms[::-1].sum())

    def epsilon(self, delta: float) -> float:
        """Return the smallest epsilon for a delta in (0, 1), rounded up."""
        low, high = 0.0, 1.0
        if self.delta(low) <= delta:
            return low
        while self.delta(high) > delta:
            low, high = high, 2 * high
        while high - low > MIN_STEP * high:
            middle = (low + high) / 2
            low, high = (middle, high) if self.delta(middle) > delta else (low, middle)
        return high


@dataclass(frozen=True)
class SummedNoise(Distribution):
    """The distribution of the sum of independent draws of the same noise."""

    noise: Noise
    cells: int

    @cached_property
    def tails(self) -> FloatArray:
        """P(N > k) for k from -w to w, where w is the middle index."""
        reach = self.noise.reach(LEFT_OUT)
        chances = self.noise.probability(np.arange(-reach, reach + 1))
        length = self.cells * 2 * reach + 1
        spectrum = np.fft.rfft(chances, length)
        summed = np.maximum(np.fft.irfft(spectrum**self.cells, length), 0.0)
        return np.append(summed[:0:-1].cumsum()[::-1], 0.0)

    def more_than(self, k: npt.ArrayLike) -> FloatArray:
        """Return P(N > k) for whole numbers k, to about 1e-15."""
        middle = len(self.tails) // 2
        place = np.asarray(k, dtype=np.int64) + middle
        inside = self.tails[np.clip(place, 0, len(self.tails) - 1)]
        return np.where(place < 0, 1.0, inside)


@lru_cache(maxsize=CACHED_SUMS)
def summed(noise: Noise, cells: int) -> Distribution:
    """Return the distribution of a sum; cached, because its table is slow."""
    return noise if cells == 1 else SummedNoise(noise, cells)
