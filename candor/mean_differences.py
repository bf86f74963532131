"""By how much the means of a scale differ: between two groups, surveys or waves.

Where one count tells the mean, as under one bit, it is the difference of two shares.
Else two mean scores are held against each other.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy

from candor.dichotomies import ends_of_scale
from candor.differences import Difference, difference
from candor.homogeneity import NEVER
from candor.intervals import DEFAULT_CONFIDENCE_LEVEL
from candor.means import PROFILE, MeanEstimate
from candor.scores import scores
from candor.shares import ShareEstimate
from candor.validation import CONFIDENCE_LEVEL

SCORES = "scores"
"""The method where no count tells both means."""

AT_EACH_END = 1.0
"""Reports that score least, and that score most, added to the spread; with half as many
93 of 100 intervals held the truth between 30 people and 300 at epsilon 4 and 8."""


@dataclass(frozen=True)
class MeanDifference:
    """The mean of a scale in a first group less the same in a second one, in points.

    Attributes
    ----------
    first, second : MeanEstimate
        The groups; scales of as many points, and at least one report each.
    confidence_level : float
        Of the interval, in (0, 1); aimed at, not guaranteed: differences.md has what
        was found.
    """

    first: MeanEstimate
    second: MeanEstimate
    confidence_level: float

    @property
    def groups(self) -> tuple[MeanEstimate, MeanEstimate]:
        """Both."""
        return self.first, self.second

    @cached_property
    def counted(self) -> Difference | None:
        """The same of the parts of the way up the scale, where counts tell both."""
        if not (self.first.fold and self.second.fold):
            return None
        first, second = (
            ShareEstimate(ends_of_scale(group.mechanism), group.tally)
            for group in self.groups
        )
        return difference(first, second, confidence_level=self.confidence_level)

    @property
    def method(self) -> str:
        """By which method the interval is found."""
        return PROFILE if self.counted else SCORES

    @property
    def estimate(self) -> float:
        """The difference of the likeliest means, in [-K, K]."""
        return self.first.estimate - self.second.estimate

    @property
    def raw(self) -> float:
        """The unbiased difference; may be larger than any difference can be."""
        return self.first.raw - self.second.raw

    @property
    def standard_error(self) -> float:
        """Estimated standard deviation of `raw`; NaN where a group has one report.

        Where all reports of a group score alike, which shows no spread, that of its
        spread with a report more at each end of the scores.
        """
        if min(group.respondents for group in self.groups) < 2:
            return math.nan
        return math.hypot(
            *(
                group.standard_error or math.sqrt(padded_variance(group))
                for group in self.groups
            )
        )

    @property
    def low(self) -> float:
        """The smallest difference that is not rejected."""
        return self.interval[0]

    @property
    def high(self) -> float:
        """The largest."""
        return self.interval[1]

    @cached_property
    def interval(self) -> tuple[float, float]:
        """Both ends, in points; the estimate is between them.

        Of means that counts tell, the profile likelihood of the shares. Else the
        difference of the mean scores, each cut off at the ends of its scale, plus and
        minus t standard errors, t of Student's distribution with the degrees of freedom
        of Welch 1947, Biometrika 34:28.
        """
        last = float(self.first.last)
        if self.counted:
            low, high = (last * end for end in self.counted.interval)
        elif min(group.respondents for group in self.groups) < 2:
            low, high = -last, last
        else:
            apart, error, freedom = self._scored
            level = (1 + self.confidence_level) / 2
            reach = error * float(scipy.special.stdtrit(freedom, level))
            low, high = max(apart - reach, -last), min(apart + reach, last)
        # The likeliest mean heeds all shares, none below 0, and the score does not. An
        # interval that is longer holds no less.
        return min(low, self.estimate), max(high, self.estimate)

    @property
    def p_value(self) -> float:
        """P-value of "both groups have the same mean", two-sided, in (0, 1].

        Of means that counts tell, that of the shares; else of Welch's t. Mean scores
        that are cut off lie no further apart than others, so that it is no smaller.
        """
        if self.counted:
            return self.counted.p_value
        if min(group.respondents for group in self.groups) < 2:
            return 1.0
        apart, error, freedom = self._scored
        return max(NEVER, 2 * float(scipy.special.stdtr(freedom, -abs(apart) / error)))

    @property
    def is_exact(self) -> bool:
        """Whether the p-value is that of an exact test."""
        return self.counted is not None and self.counted.is_exact

    @cached_property
    def _scored(self) -> tuple[float, float, float]:
        """Difference of the mean scores, its standard error, degrees of freedom."""
        means = [min(max(each.raw, 0.0), float(each.last)) for each in self.groups]
        variances = [padded_variance(group) for group in self.groups]
        total = sum(variances)
        # Welch: (v + w)^2 over the sum of v^2 / (n - 1) and w^2 / (m - 1).
        freedom = total**2 / sum(
            variance**2 / (group.respondents - 1)
            for group, variance in zip(self.groups, variances, strict=True)
        )
        return means[0] - means[1], math.sqrt(total), freedom


def padded_variance(group: MeanEstimate) -> float:
    """Return the variance of a mean score that no few reports make too small.

    A report is added at each end of the scores, to the spread alone (Agresti & Caffo
    2000, American Statistician 54:280, do so for two shares, and to the estimate too):
    reports that nearly all score alike look far too certain.
    """
    numerators, denominator = scores(group.mechanism.weights, group.target)
    score = (numerators[:, 0] / denominator).astype(np.float64)
    counts, n = np.array(group.counts, dtype=np.float64), group.respondents
    for end in (score.argmin(), score.argmax()):
        counts[end] += AT_EACH_END
    mean = counts @ score / counts.sum()
    return float(counts @ (score - mean) ** 2) / n**2


def mean_difference(
    first: MeanEstimate,
    second: MeanEstimate,
    *,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
) -> MeanDifference:
    """Return by how much the mean of the first group is above that of the second.

    Parameters
    ----------
    first, second : MeanEstimate
        What `estimate_mean` returns: independent groups of at least one report each, by
        one table or by two for scales of as many points.
    confidence_level : float
        In (0, 1).

    Raises
    ------
    TypeError
        For what is no `MeanEstimate`.
    ValueError
        For a group without reports, or scales of different length.

    Examples
    --------
    One bit, epsilon 1, 0 to 10; 60 High of 100 reports against 40 of 100:

    >>> from candor.means import estimate_mean
    >>> from candor.mechanisms import build
    >>> one_bit = build("one_bit", epsilon=1, points=11)
    >>> groups = [{"high": 60, "low": 40}, {"high": 40, "low": 60}]
    >>> found = mean_difference(*(estimate_mean(one_bit, each) for each in groups))
    >>> print(f"{found.estimate:.2f} ({found.low:.2f} to {found.high:.2f})")
    4.33 (1.35 to 7.20)
    """
    level = CONFIDENCE_LEVEL.check("confidence_level", confidence_level)
    for name, group in (("first", first), ("second", second)):
        if not isinstance(group, MeanEstimate):
            raise TypeError(f"{name} must be a MeanEstimate; got {group!r}")
        if not group.respondents:
            raise ValueError(f"{name} must have at least one report; got none")
    if first.last != second.last:
        raise ValueError(
            "first and second must have scales of as many points; got "
            f"{first.last + 1} and {second.last + 1}"
        )
    return MeanDifference(first, second, level)
