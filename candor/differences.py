"""Differences of an estimand between two groups, surveys or waves.

The groups are independent samples of different people, asked with the same mechanism or
with two. `latent_groups` compares groups whose members are not known.

A difference has a profile-likelihood interval if the estimand has a dichotomy in both
groups. Otherwise the mean scores are compared by Welch's t.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import scipy

from candor.dichotomies import Dichotomy
from candor.estimands import (
    Estimand,
    list_named_estimands,
    score_values,
    select_estimands,
)
from candor.homogeneity import NEVER, exact_test
from candor.intervals import DEFAULT_CONFIDENCE_LEVEL, Interval
from candor.mechanisms import Mechanism
from candor.profile_likelihood import TwoSampleLikelihood
from candor.sample import PROFILE, Sample, check_group, read_sample
from candor.table import Estimate, Estimates, Status
from candor.validation import CONFIDENCE_LEVEL, check_mechanism, check_sequence

SCORES = "scores"
"""The method for an estimand without a dichotomy in one of the groups."""

AT_EACH_END = 1.0
"""Reports with the lowest and with the highest score that are added to the spread. With
half as many, 93 of 100 intervals covered the true value for 30 to 300 respondents at
epsilon 4 and 8."""


class Ratio(NamedTuple):
    """The first value divided by the second; infinite or NaN if the second is 0."""

    estimate: float
    low: float
    high: float


@dataclass(frozen=True)
class Difference:
    """An estimand in a first group minus the same estimand in a second one.

    Callers check that both mechanisms have the same number of answers, and that each
    group has a report. Coverage is approximate: see differences.md.
    """

    first: Sample
    second: Sample
    estimand: Estimand
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL

    @property
    def groups(self) -> tuple[Sample, Sample]:
        return self.first, self.second

    @property
    def method(self) -> str:
        return PROFILE if self._dichotomies else SCORES

    @property
    def estimate(self) -> float:
        first, second = (group.estimate(self.estimand) for group in self.groups)
        return first - second

    @property
    def raw(self) -> float:
        """The unbiased difference, which may be out of range."""
        return self.first.raw(self.estimand) - self.second.raw(self.estimand)

    @property
    def standard_error(self) -> float:
        """Estimated standard deviation of `raw`; NaN if a group has one report."""
        # The groups are independent: variances add up.
        return math.hypot(*(each.standard_error(self.estimand) for each in self.groups))

    @property
    def low(self) -> float:
        return self.interval.low

    @property
    def high(self) -> float:
        return self.interval.high

    @cached_property
    def interval(self) -> Interval:
        """The interval in the unit of the estimand; it contains the estimate.

        With dichotomies it is {d : 2 [l(maximum) - l(d)] <= c}, where l(d) is the
        largest log likelihood of shares in [0, 1]^2 that differ by d, and c the
        quantile of chi-squared with one degree of freedom. Otherwise it is the
        difference of the mean scores, each clipped to the range of the estimand, plus
        and minus t standard errors. Student's t has the degrees of freedom of Welch
        1947, Biometrika 34:28.
        """
        span = float(self.estimand.span)
        if self._dichotomies:
            low, high = (span * float(end[0]) for end in self._pairs.differences())
        elif min(group.n for group in self.groups) < 2:
            low, high = -span, span
        else:
            apart, error, freedom = self._scored
            level = (1 + self.confidence_level) / 2
            reach = error * float(scipy.special.stdtrit(freedom, level))
            low, high = max(apart - reach, -span), min(apart + reach, span)
        # The maximum-likelihood estimates depend on all counts, and may lie outside the
        # interval of one count or of the scores. A longer interval does not cover less.
        return Interval(min(low, self.estimate), max(high, self.estimate))

    @cached_property
    def p_value(self) -> float:
        """Two-sided p-value of "the estimand is equal in both groups", in (0, 1].

        With dichotomies whose reports have the same chances in both groups, the test is
        Fisher's exact test of the reports. With other dichotomies, it is the
        likelihood-ratio test (Wilks 1938). Without, it is Welch's t test of clipped
        mean scores, which does not decrease the p-value.
        """
        if self.is_exact:
            return exact_test(self._counts)
        if self._dichotomies:
            deviance = self._pairs.compute_deviance_if_equal()[0]
            return max(NEVER, float(scipy.special.chdtrc(1, deviance)))
        if min(group.n for group in self.groups) < 2:
            return 1.0
        apart, error, freedom = self._scored
        return max(NEVER, 2 * float(scipy.special.stdtr(freedom, -abs(apart) / error)))

    @property
    def is_exact(self) -> bool:
        if not self._dichotomies:
            return False
        first, second = (each.channel for each in self._dichotomies)
        return first == second

    @cached_property
    def ratio(self) -> Ratio:
        """The ratio of the first value to the second, with its profile interval.

        `ValueError` if the smallest value of the estimand is not 0, or it has no
        dichotomy in a group.
        """
        if self.estimand.low != 0 or not self._dichotomies:
            raise ValueError(
                "estimand must have 0 as its smallest value, and a dichotomy in both "
                f"groups, to have a ratio; got {self.estimand.coefficients}"
            )
        first, second = (group.estimate(self.estimand) for group in self.groups)
        estimate = divide_nonnegative(first, second)
        low = divide_nonnegative(1.0, self._pairs.swapped.largest_ratio())
        high = self._pairs.largest_ratio()
        if math.isnan(estimate):
            return Ratio(estimate, low, high)
        return Ratio(estimate, min(low, estimate), max(high, estimate))

    @property
    def status(self) -> Status:
        """The status of the worse group."""
        both = {group.status(self.estimand) for group in self.groups}
        order = (Status.MISFIT, Status.ONE_REPORT, Status.IDENTICAL_REPORTS, Status.OK)
        return next(status for status in order if status in both)

    def row(self, name: str, groups: tuple[str, str]) -> Estimate:
        def find_interval(level: float) -> Interval:
            return replace(self, confidence_level=level).interval

        return Estimate(
            estimand=name,
            group=" - ".join(groups),
            estimate=self.estimate,
            raw=self.raw,
            standard_error=self.standard_error,
            low=self.low,
            high=self.high,
            confidence_level=self.confidence_level,
            method=self.method,
            p_value=self.p_value,
            n=self.first.n + self.second.n,
            status=self.status,
            find_interval=find_interval,
        )

    @cached_property
    def _dichotomies(self) -> tuple[Dichotomy, Dichotomy] | None:
        first, second = (group.dichotomy(self.estimand) for group in self.groups)
        return (first, second) if first and second else None

    @property
    def _counts(self) -> list[tuple[int, int]]:
        """Uncounted and counted reports of each group."""
        counts = []
        for group, each in zip(self.groups, self._dichotomies or (), strict=True):
            yes = each.count(group.counts)
            counts.append((group.n - yes, yes))
        return counts

    @cached_property
    def _pairs(self) -> TwoSampleLikelihood:
        no, yes = np.array(self._counts, dtype=float).T[..., None]
        channels = [each.channel for each in self._dichotomies or ()]
        return TwoSampleLikelihood(
            yes=yes,
            no=no,
            least=np.array([[each.p_yes_given_no] for each in channels]),
            most=np.array([[each.p_yes_given_yes] for each in channels]),
            reach=float(scipy.special.chdtri(1, 1 - self.confidence_level)),
        )

    @property
    def _spreads(self) -> list[tuple[float, int]]:
        """Variance of the mean score of each group, and its degrees of freedom."""
        return [(pad_variance(each, self.estimand), each.n - 1) for each in self.groups]

    @cached_property
    def _scored(self) -> tuple[float, float, float]:
        """Difference of the mean scores, its standard error and degrees of freedom."""
        first, second = (
            self.estimand.clipped(each.raw(self.estimand)) for each in self.groups
        )
        total = sum(variance for variance, _freedom in self._spreads)
        # Welch: (v + w)^2 over the sum of v^2 / (n - 1) and w^2 / (m - 1).
        freedom = total**2 / sum(variance**2 / each for variance, each in self._spreads)
        return first - second, math.sqrt(total), freedom


def pad_variance(group: Sample, estimand: Estimand) -> float:
    """Return the variance of a mean score, padded so that it is not too small.

    Reports with nearly equal scores would look too certain. So a report is added at
    each end of the scores, to the spread but not to the estimate. Agresti & Caffo 2000,
    American Statistician 54:280, add reports to both for two shares.
    """
    score = score_values(group.mechanism.weights, estimand)
    counts, n = np.array(group.counts, dtype=np.float64), group.n
    for end in (score.argmin(), score.argmax()):
        counts[end] += AT_EACH_END
    mean = counts @ score / counts.sum()
    return float(counts @ (score - mean) ** 2) / n**2


def difference(
    mechanism: Mechanism,
    first_counts: Mapping[str, int],
    second_counts: Mapping[str, int],
    *,
    second_mechanism: Mechanism | None = None,
    estimand: Estimand | str | None = None,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
    groups: tuple[str, str] = ("first", "second"),
) -> Estimates:
    """Estimate the difference between a first and a second group.

    Parameters
    ----------
    mechanism : Mechanism
        The mechanism of the first group, and of the second unless `second_mechanism` is
        given.
    first_counts, second_counts : mapping of str to int
        How many respondents of each group sent each report, 0 or more; reports left out
        count 0. Each has at least one report and at most 10**9. The groups are
        independent: no respondent is in both.
    second_mechanism : Mechanism, optional
        The mechanism of the second group, with the same number of answers.
    estimand : Estimand or str, optional
        The only row: an answer, "mean" for the mean of a scale, or coefficients. By
        default there is a row for each answer; for a scale the mean is the first row,
        in points from 0.
    confidence_level : float
        In (0, 1), for each interval by itself.
    groups : tuple of str
        The names of both groups.

    Returns
    -------
    Estimates
        First minus second, with the two-sided p-value of "both are the same". Adjust
        p-values of several answers by `with_adjusted_p_values`. The standard error is
        NaN if a group has one report.

    Raises
    ------
    TypeError, ValueError
        If an argument has the wrong type or is out of its range.

    References
    ----------
    Wilks 1938, Annals of Mathematical Statistics 9:60; Venzon & Moolgavkar 1988,
    Applied Statistics 37:87; Fisher 1935, Journal of the Royal Statistical Society
    98:39; Welch 1947, Biometrika 34:28 (means).

    Examples
    --------
    Example (a) of Newcombe 1998, Statistics in Medicine 17:873, table II: 56 of 70
    against 48 of 80, asked directly. The true profile method gives .0547 to .3394.

    >>> import candor
    >>> direct = candor.mechanism("direct")
    >>> counts = {"yes": 56, "no": 14}, {"yes": 48, "no": 32}
    >>> (row, _no) = candor.difference(direct, *counts)
    >>> print(f"{row.estimate:.4f} ({row.low:.4f} to {row.high:.4f})")
    0.2000 (0.0547 to 0.3394)
    """
    other = mechanism if second_mechanism is None else second_mechanism
    check_mechanism(mechanism)
    check_mechanism(other, name="second_mechanism")
    sizes = [len(each.answers) for each in (mechanism, other)]
    if sizes[0] != sizes[1]:
        raise ValueError(
            "mechanism and second_mechanism must have as many answers; got "
            f"{sizes[0]} and {sizes[1]}"
        )
    first = read_sample(mechanism, first_counts, name="first_counts")
    second = read_sample(other, second_counts, name="second_counts")
    for name, group in (("first_counts", first), ("second_counts", second)):
        if not group.n:
            raise ValueError(f"{name} must have at least one report; got none")
    check_groups(groups)
    level = CONFIDENCE_LEVEL.check("confidence_level", confidence_level)
    # A mechanism that identifies only the mean of a scale allows no other comparison.
    narrower = other if mechanism.identifies_shares else mechanism
    allowed = list_named_estimands(narrower).values()
    return Estimates(
        Difference(first, second, each, level).row(name, groups)
        for name, each in select_estimands(mechanism, estimand).items()
        if estimand is not None or each in allowed
    )


def check_groups(groups: tuple[str, str]) -> None:
    """Raise `TypeError` or `ValueError` unless `groups` are two names."""
    check_sequence("groups", groups, of="two names")
    if len(groups) != 2:
        raise ValueError(f"groups must be two names; got {groups!r}")
    for name in groups:
        check_group(name, name="a name in groups")


def divide_nonnegative(number: float, by: float) -> float:
    """Return a ratio of nonnegative numbers; infinite or NaN for a divisor of 0."""
    if by == 0:
        return math.inf if number > 0 else math.nan
    return number / by
