"""By how much shares differ: between two groups, surveys or waves.

Each group is a `ShareEstimate`, of people who were asked apart and by a table of their
own or the same. `hidden_groups` has groups that nobody knows the members of.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import scipy

from candor.binary import keep_inside
from candor.dichotomies import Dichotomy, folds
from candor.estimands import Estimand
from candor.homogeneity import NEVER, exact_test
from candor.intervals import DEFAULT_CONFIDENCE_LEVEL
from candor.shares import ShareEstimate
from candor.two_sample_likelihood import TwoSampleLikelihood
from candor.validation import CONFIDENCE_LEVEL


class Ratio(NamedTuple):
    """How many times as large the first is; infinite or NaN where the second is 0."""

    estimate: float
    low: float
    high: float


@dataclass(frozen=True)
class Difference:
    """A target in a first group less the same in a second one.

    Attributes
    ----------
    first, second : ShareEstimate
        The groups; tables with as many answers, and at least one report of each.
    target : Estimand
        With a fold in both tables.
    confidence_level : float
        Of the intervals, in (0, 1); aimed at, not guaranteed: differences.md has
        what was found.
    """

    first: ShareEstimate
    second: ShareEstimate
    target: Estimand
    confidence_level: float

    @property
    def groups(self) -> tuple[ShareEstimate, ShareEstimate]:
        """Both."""
        return self.first, self.second

    @property
    def estimate(self) -> float:
        """The difference of the likeliest targets, in the target's own units."""
        first, second = map(self._likeliest, self.groups)
        return first - second

    @property
    def raw(self) -> float:
        """The unbiased difference; may be larger than any difference can be."""
        return self.first.raw_of(self.target) - self.second.raw_of(self.target)

    @property
    def standard_error(self) -> float:
        """Estimated standard deviation of `raw`; NaN where a group has one report.

        Where all reports of a group speak alike, which shows no spread, that of its
        likeliest share half a report away from 0 and 1.
        """
        errors = zip(self.groups, self._folds, strict=True)
        # The groups are independent: variances add up.
        return math.hypot(*(self._error_of(group, fold) for group, fold in errors))

    @property
    def low(self) -> float:
        """The smallest difference that the profile likelihood does not reject."""
        return self.interval[0]

    @property
    def high(self) -> float:
        """The largest."""
        return self.interval[1]

    @cached_property
    def interval(self) -> tuple[float, float]:
        """Both ends, in the target's own units: {d : 2 [l(likeliest) - l(d)] <= c}.

        l(d) is the largest log likelihood of shares in [0, 1]^2 that differ by d, c the
        quantile of chi-squared with one degree of freedom.
        """
        low, high = (self._span * float(ends[0]) for ends in self._pairs.differences())
        # The likeliest shares of several answers come from all counts together, and
        # may lie beside those of one count: an interval that is longer holds no less.
        return min(low, self.estimate), max(high, self.estimate)

    @cached_property
    def p_value(self) -> float:
        """P-value of "both groups have the same", two-sided, in (0, 1].

        Where reports have the same law in both groups, of Fisher's exact test of the
        reports; else of the likelihood ratio (Wilks 1938).
        """
        if self.is_exact:
            return exact_test(self._counts)
        return max(
            NEVER, float(scipy.special.chdtrc(1, self._pairs.lack_if_equal()[0]))
        )

    @property
    def is_exact(self) -> bool:
        """Whether the p-value is that of an exact test."""
        first, second = (fold.law for fold in self._folds)
        return first == second

    @cached_property
    def ratio(self) -> Ratio:
        """The first as a multiple of the second, with its profile interval.

        Raises
        ------
        ValueError
            For a target that is not 0 at its least, which has no ratio to speak of.
        """
        if min(self.target.coefficients) != 0:
            raise ValueError(
                "target must be 0 at its least to have a ratio; got coefficients "
                f"{self.target.coefficients}"
            )
        first, second = map(self._likeliest, self.groups)
        estimate = divided(first, second)
        low = divided(1.0, self._pairs.swapped.largest_ratio())
        high = self._pairs.largest_ratio()
        if math.isnan(estimate):
            return Ratio(estimate, low, high)
        return Ratio(estimate, min(low, estimate), max(high, estimate))

    @cached_property
    def _folds(self) -> tuple[Dichotomy, Dichotomy]:
        first, second = (dichotomy_of(self.target, group) for group in self.groups)
        return first, second

    @property
    def _counts(self) -> list[tuple[int, int]]:
        """Of each group, how many reports are not counted and how many are."""
        found = []
        for group, fold in zip(self.groups, self._folds, strict=True):
            yes = fold.count(group.counts)
            found.append((group.respondents - yes, yes))
        return found

    @cached_property
    def _pairs(self) -> TwoSampleLikelihood:
        no, yes = np.array(self._counts, dtype=float).T[..., None]
        laws = [fold.law for fold in self._folds]
        return TwoSampleLikelihood(
            yes=yes,
            no=no,
            least=np.array([[law.p_yes_given_no] for law in laws]),
            most=np.array([[law.p_yes_given_yes] for law in laws]),
            reach=float(scipy.special.chdtri(1, 1 - self.confidence_level)),
        )

    @property
    def _span(self) -> int:
        return max(self.target.coefficients) - min(self.target.coefficients)

    def _likeliest(self, group: ShareEstimate) -> float:
        pairs = zip(self.target.coefficients, group.shares.values(), strict=True)
        return sum(coefficient * share for coefficient, share in pairs)

    def _error_of(self, group: ShareEstimate, fold: Dichotomy) -> float:
        n = group.respondents
        found = group.standard_error_of(self.target)
        if math.isnan(found) or 0 < fold.count(group.counts) < n:
            return found
        share = keep_inside(fold.law.share(fold.count(group.counts) / n), n)
        return self._span * math.sqrt(fold.law.variance(share) / n)


def difference(
    first: ShareEstimate,
    second: ShareEstimate,
    target: Estimand | None = None,
    *,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
) -> Difference:
    """Return by how much the first group is above the second one.

    Parameters
    ----------
    first, second : ShareEstimate
        What `estimate_shares` returns: independent groups of at least one report each,
        by one table or by two with the same number of answers.
    target : Estimand, optional
        What is compared; left out, the share of the first answer.
    confidence_level : float
        In (0, 1).

    Raises
    ------
    ValueError
        For a group without reports, tables that differ in their answers, or a target
        that the count of no reports tells alone.

    References
    ----------
    Wilks 1938, Annals of Mathematical Statistics 9:60; Venzon & Moolgavkar 1988,
    Applied Statistics 37:87; Fisher 1935, Journal of the Royal Statistical Society
    98:39.

    Examples
    --------
    Two coins, 40 yes of 100 reports against 30 of 100:

    >>> from estimation.shares import estimate_shares
    >>> from candor.mechanisms import build
    >>> groups = [{"yes": 40, "no": 60}, {"yes": 30, "no": 70}]
    >>> found = difference(*(estimate_shares(build("coin"), each) for each in groups))
    >>> print(f"{found.estimate:.3f} ({found.low:.3f} to {found.high:.3f})")
    0.200 (-0.064 to 0.459)
    """
    level = CONFIDENCE_LEVEL.check("confidence_level", confidence_level)
    sizes = []
    for name, group in (("first", first), ("second", second)):
        if not isinstance(group, ShareEstimate):
            raise TypeError(f"{name} must be a ShareEstimate; got {group!r}")
        if not group.respondents:
            raise ValueError(f"{name} must have at least one report; got none")
        sizes.append(len(group.mechanism.answers))
    if len(set(sizes)) > 1:
        raise ValueError(
            f"first and second must have as many answers; got {sizes[0]} and {sizes[1]}"
        )
    wanted = target or Estimand.share_of(0, answers=sizes[0])
    if len(wanted.coefficients) != sizes[0]:
        raise ValueError(
            f"target must have a coefficient for each of {sizes[0]} answers; got "
            f"{len(wanted.coefficients)}"
        )
    for group in (first, second):
        dichotomy_of(wanted, group)
    return Difference(first, second, wanted, level)


def dichotomy_of(target: Estimand, group: ShareEstimate) -> Dichotomy:
    """Return the fold of a target in the table of a group, or raise `ValueError`."""
    (fold,) = folds(group.mechanism.weights, target)
    if fold is None:
        raise ValueError(
            "target must be a sum that the count of some reports tells alone; got "
            f"coefficients {target.coefficients}"
        )
    return fold


def divided(number: float, by: float) -> float:
    """Return the ratio of two numbers of at least 0, infinite or NaN where by is 0."""
    if by == 0:
        return math.inf if number > 0 else math.nan
    return number / by
