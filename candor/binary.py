"""The two probabilities of a yes/no question, and the distribution of the yes count."""

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
    """The chances that a yes and a no send the report that is counted.

    The chance of that report is lam = b + (a - b) * share, in [b, a], with 0 <= b < a
    <= 1. Where a no sends the report more often, count the other one.
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
        """How much more often a yes than a no is reported yes: a - b."""
        return self.p_yes_given_yes - self.p_yes_given_no

    @cached_property
    def mirrored(self) -> Self:
        """The same channel for "no": its reports, and the share of no."""
        return replace(
            self,
            p_yes_given_yes=1 - self.p_yes_given_no,
            p_yes_given_no=1 - self.p_yes_given_yes,
        )

    def report_chance(self, share: float) -> float:
        """Return the chance that a respondent drawn at random reports yes."""
        # lam = b + (a - b) pi, Warner 1965. At share 1 the sum may round past a.
        return min(self.p_yes_given_no + self.span * share, self.p_yes_given_yes)

    def share(self, chance: float) -> float:
        """Return the share behind a chance of a yes report, cut off at [0, 1]."""
        # Warner 1965, equation for the estimate: (lam - b) / (a - b)
        share = (chance - self.p_yes_given_no) / self.span
        return float(min(max(share, 0.0), 1.0))

    def variance(self, share: float) -> float:
        """Return the variance of the raw share, times the number of respondents."""
        # lam (1 - lam) / (a - b)^2, Warner 1965
        chance = self.report_chance(share)
        return chance * (1 - chance) / self.span**2

    def design(self, respondents: int) -> "BinomialDesign":
        """Return the distribution of the number of yes reports of n respondents."""
        return BinomialDesign(
            respondents=respondents,
            p_yes_given_yes=self.p_yes_given_yes,
            p_yes_given_no=self.p_yes_given_no,
        )


DIRECT = BinaryChannel(p_yes_given_yes=1.0, p_yes_given_no=0.0)
"""A question that is answered as it is."""


@dataclass(frozen=True, kw_only=True)
class BinomialDesign(BinaryChannel):
    """The distribution of the yes reports of `respondents`, 0 or more."""

    respondents: int

    def peak(self, yes: int) -> float:
        """Return the most likely chance of a yes report: yes / n within [b, a]."""
        observed = yes / self.respondents
        return min(max(observed, self.p_yes_given_no), self.p_yes_given_yes)

    def log_likelihood(self, yes: int, chance: float) -> float:
        """Return ln[lam^x (1 - lam)^(n - x)], the binomial coefficient left out."""
        # For one number scipy takes five times as long as `math`.
        no = self.respondents - yes
        try:
            return (yes and yes * math.log(chance)) + (no and no * math.log1p(-chance))
        except ValueError:  # ln 0
            return -math.inf

    def log_likelihoods(self, yes: int, chances: FloatArray) -> FloatArray:
        """Return `log_likelihood` at each of `chances`."""
        no = self.respondents - yes
        return scipy.special.xlogy(yes, chances) + scipy.special.xlog1py(no, -chances)


def more_than(
    counts: npt.ArrayLike, respondents: npt.ArrayLike, chance: float | FloatArray
) -> FloatArray:
    """Return P(X > count) for X binomial, for every real number of respondents.

    1 where the count is below 0, else 0 where there are no more respondents than it.
    """
    count, n = np.asarray(counts, dtype=float), np.asarray(respondents, dtype=float)
    # P(X > c) = I(chance; c + 1, n - c), DLMF 8.17.5; grows with n, as I does. scipy's
    # bdtr keeps only nine digits at n = 10**6, betainc and betaincc fifteen (measured
    # against exact sums).
    inside = (count >= 0) & (n > count)
    tail = scipy.special.betainc(
        np.where(inside, count + 1, 1.0), np.where(inside, n - count, 1.0), chance
    )
    return np.where(inside, tail, count < 0)


def at_most(
    counts: npt.ArrayLike, respondents: npt.ArrayLike, chance: float | FloatArray
) -> FloatArray:
    """Return P(X <= count), the rest of `more_than`, for counts >= 0."""
    count, n = np.asarray(counts, dtype=float), np.asarray(respondents, dtype=float)
    inside = n > count
    rest = scipy.special.betaincc(count + 1, np.where(inside, n - count, 1.0), chance)
    return np.where(inside, rest, 1.0)


def symmetric_noise(epsilon: float) -> float:
    """Return what the best table at `epsilon` adds to `variance`; 0 at infinity.

    Kairouz, Oh & Viswanath 2016, Journal of Machine Learning Research 17(17): no
    table at the same epsilon adds less.
    """
    # e^eps / (e^eps - 1)^2, with e^-eps, which never overflows
    return math.exp(-epsilon) / math.expm1(-epsilon) ** 2


def likely_counts(respondents: int, chance: float, *, left_out: float) -> IntArray:
    """Return the counts that a binomial one leaves rarely.

    On either side with a probability of at most `left_out`, in (0, 1).
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
    """Return a share in [0, 1] moved to half a report away from either end.

    The usual correction for continuity: where no respondent or every respondent gave an
    answer to a direct question, a normal approximation would have a margin of 0. With
    protected answers it changes no digit that is shown.
    """
    least = 0.5 / respondents
    return min(max(share, least), 1 - least)
