"""The power of the tests between the means of two groups, and the people they need.

The tests are those by which results compare means (`differences`): where one count
tells the mean, as under one bit, Fisher's exact test of the reports, and else Welch's t
test of their scores. Means are in points of the scale, 0 to K.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy

from candor.binary import FloatArray
from candor.dichotomies import dichotomy_of_mean, ends_of_scale
from candor.differences import AT_EACH_END
from candor.estimands import mean_of_points
from candor.mechanisms import Mechanism
from candor.planning.assumed_mean import ROUNDING, AssumedMean, check_sd
from candor.planning.groups import (
    RATIO,
    group_test,
    is_counted_out,
    sizes_with,
)
from candor.planning.power import DEFAULT_ALPHA, DEFAULT_POWER, check_errors
from candor.planning.scales import WAYS
from candor.scores import score_values
from candor.validation import (
    MARGIN,
    MAX_RESPONDENTS,
    Range,
    check_mechanism,
    check_whole,
)

FISHER, WELCH = "fisher", "welch"

LEGENDRE = np.polynomial.legendre.leggauss(200)
"""Nodes of an integral over a normal curve: many more than ten digits need, because
the other group's curve may be ten times as steep."""

CURVE_ENDS = 9
"""Standard deviations to either side, beyond which a normal curve has nothing."""


@dataclass(frozen=True, kw_only=True)
class MeanGroups:
    """Two groups whose means are supposed; what the test does with them.

    Attributes
    ----------
    mechanism : Mechanism
        Of both.
    first, second : AssumedMean
        The answers in each group; the mean of the first is higher.
    alpha : float
        Of both sides together.
    """

    mechanism: Mechanism
    first: AssumedMean
    second: AssumedMean
    alpha: float

    @property
    def last(self) -> int:
        """The largest value: K."""
        return len(self.mechanism.answers) - 1

    @property
    def means(self) -> tuple[float, float]:
        """Of the first and of the second group, in points."""
        return self.first.mean, self.second.mean

    @property
    def test(self) -> str:
        """By which test results compare the two."""
        return WELCH if self._counted is None else FISHER

    def is_exact(self, respondents: int, others: int) -> bool:
        """Whether the power is counted out."""
        return self._counted is not None and is_counted_out(respondents, others)

    def power(self, respondents: int, others: int) -> float:
        """Return the chance that the test finds the first mean to be higher."""
        if self._counted is not None:
            return group_test(
                self._counted,
                share=self.first.mean / self.last,
                other_share=self.second.mean / self.last,
                respondents=respondents,
                others=others,
                alpha=self.alpha,
            ).power
        if min(respondents, others) < 2:
            return 0.0
        return self._power_of_scores(respondents, others)

    @cached_property
    def _counted(self) -> Mechanism | None:
        if dichotomy_of_mean(self.mechanism) is None:
            return None
        return ends_of_scale(self.mechanism)

    def _power_of_scores(self, respondents: int, others: int) -> float:
        """Return the chance that Welch's t lies beyond its quantile.

        Mean scores are taken as normal, their estimated variances as what is expected.
        """
        sizes, groups = (respondents, others), (self.first, self.second)
        spread, expected = np.array(
            [self._variances(n, group) for n, group in zip(sizes, groups, strict=True)]
        ).T
        total = float(expected.sum())
        # Welch, as in differences
        freedom = total**2 / float((expected**2 / (np.array(sizes) - 1)).sum())
        quantile = float(scipy.special.stdtrit(freedom, 1 - self.alpha / 2))
        apart = quantile * math.sqrt(total)
        if apart >= self.last:
            return 0.0
        (mean, other), (here, there) = self.means, np.sqrt(spread)
        # Mean scores are cut off at 0 and K, so P(M > apart) where the second is at 0,
        low = max(0.0, other - CURVE_ENDS * there)
        high = min(self.last - apart, other + CURVE_ENDS * there)
        found = scipy.special.ndtr(-other / there)
        found *= scipy.special.ndtr((mean - apart) / here)
        if low >= high:
            return float(found)
        # and the integral of P(M > apart + y) over it, as far as M may reach.
        nodes, weights = LEGENDRE
        second = low + (high - low) * (nodes + 1) / 2
        curve = np.exp(-(((second - other) / there) ** 2) / 2)
        above = scipy.special.ndtr((mean - apart - second) / here)
        scale = (high - low) / 2 / (there * math.sqrt(2 * math.pi))
        return min(1.0, float(found + scale * (weights @ (curve * above))))

    def _variances(self, n: int, group: AssumedMean) -> tuple[float, float]:
        """Return the variance of a mean score, and what is expected of its estimate."""
        weights, mean = self.mechanism.weights, group.mean
        second, variance = group.square_of_scores(weights), group.variance(weights)
        # The sum of squares about the mean of n reports and of one at each end:
        # E[sum of s^2] - E[(sum of s)^2] / (n + 2)
        added, ends = AT_EACH_END * self._ends.sum(), AT_EACH_END * self._ends**2
        total = n * variance + (n * mean + added) ** 2
        squares = n * second + ends.sum() - total / (n + 2 * AT_EACH_END)
        return variance / n, float(squares) / n**2

    @cached_property
    def _ends(self) -> FloatArray:
        score = score_values(
            self.mechanism.weights, mean_of_points(len(self.mechanism.answers))
        )
        return np.array([score.min(), score.max()])


@dataclass(frozen=True, kw_only=True)
class MeanGroupTest:
    """What the test does with two groups of these sizes.

    Attributes
    ----------
    respondents, others : int
        In the first and in the second group.
    power : float
        Chance that the test finds the first mean to be higher.
    is_exact : bool
        Whether it was counted out.
    """

    respondents: int
    others: int
    power: float
    is_exact: bool


@dataclass(frozen=True, kw_only=True)
class MeanGroupSizes:
    """How many people the test needs in each of two groups.

    Attributes
    ----------
    difference, mean, other_mean, sd, other_sd, alpha
        As supposed: `MeanGroups`. The standard deviations are None where the test does
        not depend on them.
    test : str
        `FISHER` or `WELCH`.
    power : float
        The power that was wanted.
    ratio : float
        People in the second group for each in the first.
    respondents, others : int or None
        In the first and in the second group: from here on the power is never less.
        None beyond 10**9.
    is_exact : bool
        Whether the power was counted out.
    """

    difference: float
    mean: float
    other_mean: float
    sd: float | None
    other_sd: float | None
    alpha: float
    test: str
    power: float
    ratio: float
    respondents: int | None
    others: int | None
    is_exact: bool


def suppose_means(
    mechanism: Mechanism,
    *,
    difference: float,
    mean: float | None = None,
    sd: float | None = None,
    alpha: float = DEFAULT_ALPHA,
) -> MeanGroups:
    """Return two groups whose means are supposed, once everything is checked.

    Parameters
    ----------
    mechanism : Mechanism
        As `plan_scale` takes it.
    difference : float
        Of the two means, in points: in [1e-6 K, K].
    mean : float, optional
        Around which the two lie, half their difference to either side: in
        [difference / 2, K - difference / 2]; left out, the middle of the scale.
    sd : float, optional
        Standard deviation of the answers in each group, in points, as `AssumedMean.of`
        takes it: no larger than either mean allows. One bit has no use for it.
    alpha : float
        In [1e-9, 0.5], of both sides together.
    """
    check_mechanism(mechanism)
    if mechanism.family not in WAYS:
        allowed = " or ".join(WAYS)
        raise ValueError(f"mechanism must be of {allowed}; got {mechanism.family}")
    last = len(mechanism.answers) - 1
    apart = Range(low=MARGIN.low * last, high=last, example=f"{last / 10:g}").check(
        "difference", difference
    )
    middle = last / 2
    if mean is not None:
        # An end that was worked out may be off by rounding.
        off, least = ROUNDING * last, apart / 2
        room = Range(
            low=max(least - off, 0.0), high=last - least + off, example=f"{last / 2:g}"
        )
        middle = room.check("mean", mean)
    higher, lower = min(middle + apart / 2, last), max(middle - apart / 2, 0.0)
    if sd is not None:
        check_sd(sd, higher, lower, last=last)
    level, _power = check_errors(alpha=alpha, power=1 - 1e-9)
    first, second = (
        AssumedMean.of(last + 1, mean=each, sd=sd) for each in (higher, lower)
    )
    return MeanGroups(mechanism=mechanism, first=first, second=second, alpha=level)


def mean_group_sizes(
    supposed: MeanGroups, *, power: float = DEFAULT_POWER, ratio: float = 1.0
) -> MeanGroupSizes:
    """Return how many people the test needs in each group.

    Parameters
    ----------
    supposed : MeanGroups
        What `suppose_means` returned.
    power : float
        In (alpha, 1).
    ratio : float
        People in the second group for each in the first, in [0.01, 100]; rounded up.

    Examples
    --------
    Epsilon 1, one point apart on 0 to 10: as one bit, and as points.

    >>> from candor.mechanisms import build
    >>> for family in ("one_bit", "grid"):
    ...     scale = build(family, epsilon=1, points=11)
    ...     found = mean_group_sizes(suppose_means(scale, difference=1))
    ...     print(found.test, found.respondents)
    fisher 1891
    welch 8629
    """
    _alpha, wanted = check_errors(alpha=supposed.alpha, power=power)
    shared = RATIO.check("ratio", ratio)
    found = sizes_with(supposed.power, power=wanted, ratio=shared)
    first, second = supposed.first, supposed.second
    counts = supposed.test == FISHER
    return MeanGroupSizes(
        difference=first.mean - second.mean,
        mean=first.mean,
        other_mean=second.mean,
        sd=None if counts else first.sd,
        other_sd=None if counts else second.sd,
        alpha=supposed.alpha,
        test=supposed.test,
        power=wanted,
        ratio=shared,
        respondents=found[0] if found else None,
        others=found[1] if found else None,
        is_exact=found is not None and supposed.is_exact(*found),
    )


def mean_group_test(
    supposed: MeanGroups, *, respondents: int, others: int
) -> MeanGroupTest:
    """Return what the test does with so many people in each group, in [1, 10**9]."""
    n = check_whole("respondents", respondents, low=1, high=MAX_RESPONDENTS)
    m = check_whole("others", others, low=1, high=MAX_RESPONDENTS)
    return MeanGroupTest(
        respondents=n,
        others=m,
        power=supposed.power(n, m),
        is_exact=supposed.is_exact(n, m),
    )
