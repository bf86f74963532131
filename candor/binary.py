"""The two probabilities of a yes/no question, and binomial counts of its reports."""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
import numpy.typing as npt
import scipy

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class BinaryChannel:
    """The probabilities a and b of the counted report, given yes and given no.

    A respondent sends it with chance lam = b + (a - b) * share, in [b, a], with 0 <= b
    < a <= 1. If the report is more likely given no, count the other report.
    """

    p_yes_given_yes: float
    p_yes_given_no: float

    def __post_init__(self) -> None:
        if not 0 <= self.p_yes_given_no < self.p_yes_given_yes <= 1:
            raise ValueError(
                "chances must have 0 <= p_yes_given_no < p_yes_given_yes <= 1; got "
                f"{self.p_yes_given_no} and {self.p_yes_given_yes}"
            )

    @property
    def span(self) -> float:
        """Difference between the probabilities of a yes report: a - b."""
        return self.p_yes_given_yes - self.p_yes_given_no

    @cached_property
    def mirrored(self) -> Self:
        """The channel of the no reports and the share of no."""
        return replace(
            self,
            p_yes_given_yes=1 - self.p_yes_given_no,
            p_yes_given_no=1 - self.p_yes_given_yes,
        )

    def report_chance(self, share: float) -> float:
        """Return the probability that a random respondent reports yes."""
        # lam = b + (a - b) pi, Warner 1965. At share 1 the sum may round past a.
        return min(self.p_yes_given_no + self.span * share, self.p_yes_given_yes)

    def share(self, chance: float) -> float:
        """Return the share for a chance of a yes report, clipped to [0, 1]."""
        # Warner 1965, equation for the estimate: (lam - b) / (a - b)
        share = (chance - self.p_yes_given_no) / self.span
        return float(min(max(share, 0.0), 1.0))

    def variance(self, share: float) -> float:
        # lam (1 - lam) / (a - b)^2, Warner 1965
        chance = self.report_chance(share)
        return chance * (1 - chance) / self.span**2

    def design(self, respondents: int) -> "BinomialDesign":
        return BinomialDesign(
            respondents=respondents,
            p_yes_given_yes=self.p_yes_given_yes,
            p_yes_given_no=self.p_yes_given_no,
        )


DIRECT = BinaryChannel(p_yes_given_yes=1.0, p_yes_given_no=0.0)
"""A question whose answers are not randomised."""


@dataclass(frozen=True, kw_only=True)
class BinomialDesign(BinaryChannel):
    """The distribution of the number of yes reports of `respondents`, 0 or more."""

    respondents: int

    def peak(self, yes: int) -> float:
        """Return the maximum-likelihood chance of a yes report: yes / n in [b, a]."""
        observed = yes / self.respondents
        return min(max(observed, self.p_yes_given_no), self.p_yes_given_yes)

    def log_likelihood(self, yes: int, chance: float) -> float:
        """Return ln[lam^x (1 - lam)^(n - x)], without the binomial coefficient."""
        # For a single number scipy takes five times as long as `math`.
        no = self.respondents - yes
        try:
            return (yes and yes * math.log(chance)) + (no and no * math.log1p(-chance))
        except ValueError:  # ln 0
            return -math.inf

    def log_likelihoods(self, yes: int, chances: FloatArray) -> FloatArray:
        no = self.respondents - yes
        return scipy.special.xlogy(yes, chances) + scipy.special.xlog1py(no, -chances)


def more_than(
    counts: npt.ArrayLike, respondents: npt.ArrayLike, chance: float | FloatArray
) -> FloatArray:
    """Return P(X > count) for X binomial, for any real number of respondents.

    It is 1 for counts below 0, and otherwise 0 for counts of `respondents` or more.
    """
    count, n = np.asarray(counts, dtype=float), np.asarray(respondents, dtype=float)
    # P(X > c) = I(chance; c + 1, n - c), DLMF 8.17.5; grows with n, as I does. scipy's
    # bdtr has only nine correct digits at n = 10**6, betainc and betaincc have fifteen
    # (measured against exact sums).
    inside = (count >= 0) & (n > count)
    tail = scipy.special.betainc(
        np.where(inside, count + 1, 1.0), np.where(inside, n - count, 1.0), chance
    )
    return np.where(inside, tail, count < 0)


def at_most(
    counts: npt.ArrayLike, respondents: npt.ArrayLike, chance: float | FloatArray
) -> FloatArray:
    """Return P(X <= count), the complement of `more_than`, for counts >= 0."""
    count, n = np.asarray(counts, dtype=float), np.asarray(respondents, dtype=float)
    inside = n > count
    rest = scipy.special.betaincc(count + 1, np.where(inside, n - count, 1.0), chance)
    return np.where(inside, rest, 1.0)


def symmetric_noise(epsilon: float) -> float:
    """Return the variance that the best table at `epsilon` adds; 0 at infinity.

    No table at the same epsilon adds less: Kairouz, Oh & Viswanath 2016, Journal of
    Machine Learning Research 17(17).
    """
    # e^eps / (e^eps - 1)^2, with e^-eps, which never overflows
    return math.exp(-epsilon) / math.expm1(-epsilon) ** 2


def find_likely_counts(respondents: int, chance: float, *, left_out: float) -> IntArray:
    """Return the range of counts that a binomial count rarely leaves.

    It is outside, on either side, with a probability of at most `left_out`, in (0, 1).
    """
    # Bernstein's inequality (Boucheron, Lugosi & Massart 2013, corollary 2.11):
    # P(X - n p >= t) <= exp(-t^2 / (2 (v + t/3))), solved for t.
    logarithm = -math.log(left_out)
    variance = respondents * chance * (1 - chance)
    third = logarithm / 3
    reach = third + math.sqrt(third**2 + 2 * variance * logarithm)
    middle = respondents * chance
    first = max(0, math.floor(middle - reach))
    last = min(respondents, math.ceil(middle + reach))
    return np.arange(first, last + 1)


def keep_inside(share: float, respondents: float) -> float:
    """Return a share in [0, 1], moved to at least half a report from either end.

    This is the usual continuity correction: if all or none of the respondents gave an
    answer to a direct question, a normal approximation would have a margin of 0. With
    protected answers it changes no digit that is shown.
    """
    least = 0.5 / respondents
    return min(max(share, least), 1 - least)


Numbers = float | npt.NDArray[np.integer] | FloatArray

SERIES = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188)
"""ln n! less Stirling's formula is the sum of these / n^(2j + 1); DLMF 5.11.1."""

SERIES_FROM = 16
"""For n of this size or more, five terms give all digits of a float."""

TABLE_SIZE = 2**13
"""Number of values of the series that are tabulated."""


def _sum_series(n: FloatArray) -> FloatArray:
    square = n**-2
    found = np.full_like(n, SERIES[-1])
    for term in SERIES[-2::-1]:
        found = found * square + term
    return found / n


def _make_table() -> FloatArray:
    """Return ln n! less Stirling's formula for n below `TABLE_SIZE`."""
    small = [
        math.lgamma(n + 1) - (n + 0.5) * math.log(n) + n - math.log(2 * math.pi) / 2
        for n in range(1, SERIES_FROM)
    ]
    large = _sum_series(np.arange(SERIES_FROM, TABLE_SIZE, dtype=float))
    return np.concatenate([[0.0], small, large])


TABLE = _make_table()


def binomial(counts: Numbers, respondents: Numbers, chance: Numbers) -> FloatArray:
    """Return P(count) for a binomial distribution, accurate far into its tails.

    Arguments are broadcast. Impossible counts give 0, chances outside [0, 1] give NaN.
    Loader 2000, Fast and Accurate Computation of Binomial Probabilities.

    >>> print(binomial(2, 4, 0.5))
    0.375
    """
    x, n = np.asarray(counts, dtype=float), np.asarray(respondents, dtype=float)
    p = np.asarray(chance, dtype=float)
    q, rest = 1 - p, n - x
    with np.errstate(all="ignore"):
        # Stirling's formula has no logarithm at the ends, where x or n - x is 0.
        scale = n / (2 * math.pi * x * rest)
        exponent = (
            _compute_remainder(n)
            - _compute_remainder(x)
            - _compute_remainder(rest)
            - _compute_deviance(x, n * p)
            - _compute_deviance(rest, n * q)
        )
        found = np.exp(exponent) * np.sqrt(scale)
    is_inside = (x > 0) & (rest > 0)
    if not is_inside.all() or not found.all():
        ends = np.where(x == 0, scipy.special.xlog1py(n, -p), scipy.special.xlogy(n, p))
        is_end = (x == 0) | (rest == 0)
        found = np.where(is_inside & (p > 0) & (q > 0), found, np.exp(ends) * is_end)
    return found


def compute_likely_binomial(
    respondents: int, chance: float, *, left_out: float
) -> tuple[IntArray, FloatArray]:
    """Return `find_likely_counts` and their probabilities, which sum to 1."""
    counts = find_likely_counts(respondents, chance, left_out=left_out)
    if chance in (0.0, 1.0):
        return counts, (counts == respondents * chance).astype(float)
    # P(k) / P(k - 1) = (n - k + 1) / k * p / q, multiplied outwards from the mode
    k = counts[1:].astype(float)
    ratios = (respondents - k + 1) / k * (chance / (1 - chance))
    mode = min(max(math.floor((respondents + 1) * chance) - int(counts[0]), 0), k.size)
    relative = np.ones(counts.size)
    np.cumprod(ratios[mode:], out=relative[mode + 1 :])
    relative[:mode] = np.cumprod(1 / ratios[:mode][::-1])[::-1]
    return counts, relative / relative.sum()


def _compute_remainder(n: FloatArray) -> FloatArray:
    """Return ln n! less Stirling's formula for whole numbers n."""
    few = TABLE.take(n.astype(np.intp), mode="clip")
    if n.max(initial=0) < TABLE_SIZE:
        return few
    return np.where(n < TABLE_SIZE, few, _sum_series(n))


def _compute_deviance(x: FloatArray, mean: FloatArray) -> FloatArray:
    """Return x ln(x / mean) + mean - x, accurate where x is close to the mean."""
    apart = x - mean
    return x * np.log1p(apart / mean) - apart
