"""The mean of a scale: of the points that answers are, counted from 0.

Where one count tells it, as under one bit, its interval is the exact one of a yes/no
question. Else it joins two: the profile likelihood, over all shares of the points with
this mean, and the mean score with its standard error.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import scipy

from candor.binary import FloatArray
from candor.dichotomies import Dichotomy, dichotomy_of_mean
from candor.estimands import Estimand, mean_of_points
from candor.intervals import (
    DEFAULT_CONFIDENCE_LEVEL,
    DEFAULT_METHOD,
    Interval,
    share_interval,
)
from candor.likelihood import fit_mixture, likeliest
from candor.mechanisms import Mechanism
from candor.mechanisms.table import Weights
from candor.scores import scores
from candor.shares import design_fit
from candor.validation import (
    CONFIDENCE_LEVEL,
    check_mechanism,
    check_tally,
)

PROFILE = "profile"
"""The method where no count tells the mean alone."""

ROOT_TOLERANCE = 1e-9
"""Of an end of an interval, as a part of the scale."""


@dataclass(frozen=True)
class MeanEstimate:
    """The mean of a scale behind a tally of reports, in points from 0 to K.

    Attributes
    ----------
    mechanism : Mechanism
        Its answers are the points 0 to K of the scale, in this order.
    tally : mapping of str to int
        How many respondents sent each report, every report of the table named.
    """

    mechanism: Mechanism
    tally: Mapping[str, int] = field(hash=False)

    @property
    def target(self) -> Estimand:
        """What is estimated."""
        return mean_of_points(len(self.mechanism.answers))

    @property
    def last(self) -> int:
        """The largest value: K."""
        return len(self.mechanism.answers) - 1

    @property
    def respondents(self) -> int:
        """How many reports there are: n."""
        return sum(self.tally.values())

    @property
    def counts(self) -> tuple[int, ...]:
        """The tally in the order of the table's columns."""
        return tuple(self.tally[report] for report in self.mechanism.reports)

    @property
    def design_fit(self) -> float:
        """Whether any shares of the points explain the reports, as for shares."""
        return design_fit(self.mechanism, self.counts)

    @cached_property
    def fold(self) -> Dichotomy | None:
        """The reports whose count alone tells the mean, where there are such."""
        return dichotomy_of_mean(self.mechanism)

    @cached_property
    def raw(self) -> float:
        """Mean score of the reports: unbiased, may leave [0, K]; NaN without any."""
        if not self.respondents:
            return math.nan
        total, _squares, denominator = self._sums_of_scores()
        return total / (self.respondents * denominator)

    @cached_property
    def estimate(self) -> float:
        """The likeliest mean, in [0, K]; NaN without reports."""
        if not self.respondents:
            return math.nan
        if self.fold:
            return min(max(self.raw, 0.0), float(self.last))
        found = likeliest(self.mechanism.weights, self.counts)
        return float(np.arange(self.last + 1) @ found)

    @cached_property
    def standard_error(self) -> float:
        """Estimated standard deviation of `raw`; NaN for fewer than two reports.

        Its square is unbiased. 0 where all reports score alike.
        """
        n = self.respondents
        if n < 2:
            return math.nan
        # [sum of C s^2 / n - raw^2] / (n - 1), in whole numbers until the last step
        total, squares, denominator = self._sums_of_scores()
        spread = n * squares - total**2
        return math.sqrt(spread / (n**2 * (n - 1) * denominator**2))

    def method(self, method: str = DEFAULT_METHOD) -> str:
        """Return by which method the interval is found where this one is asked for."""
        return method if self.fold else PROFILE

    def interval(
        self,
        confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
        method: str = DEFAULT_METHOD,
    ) -> Interval:
        """Return an interval for the mean, within [0, K]; all of it without reports.

        Parameters
        ----------
        confidence_level : float
            In (0, 1). Where the mean has no fold it is kept in every group that was
            tried, and proved in none: docs/researchers/scales.md has what was found.
        method : str
            A key of `candor.intervals.METHODS`, for a mean that has a fold.
        """
        if self.fold:
            ends = share_interval(
                self.fold.count(self.counts),
                self.fold.law.design(self.respondents),
                confidence_level=confidence_level,
                method=method,
            )
            return Interval(*map(self.target.between, ends))
        level = CONFIDENCE_LEVEL.check("confidence_level", confidence_level)
        if not self.respondents:
            return Interval(0.0, float(self.last))
        if self.respondents < 2:
            return profile_interval(
                self.mechanism.weights, self.counts, confidence_level=level
            )
        # Student's t, and its square for the likelihood ratio of a mean (Owen 2001,
        # Empirical Likelihood): by z and chi-squared too few of small surveys held the
        # mean.
        t = float(scipy.special.stdtrit(self.respondents - 1, (1 + level) / 2))
        found = profile_interval(
            self.mechanism.weights, self.counts, confidence_level=level, drop=t**2
        )
        # Where all people are near one end, the likeliest shares of the other points
        # are above 0 by chance alone and draw the mean away: the profile then misses
        # in up to half of all surveys. The mean score is unbiased there, but its
        # standard error may be too small in the middle. Each mends the other.
        reach = t * self.standard_error
        low, high = self.raw - reach, self.raw + reach
        return Interval(
            max(min(found.low, low), 0.0), min(max(found.high, high), float(self.last))
        )

    def _sums_of_scores(self) -> tuple[int, int, int]:
        """Return the sum of all scores and of their squares, and their denominator."""
        numerators, denominator = scores(self.mechanism.weights, self.target)
        pairs = list(zip(numerators[:, 0].tolist(), self.counts, strict=True))
        total = sum(score * count for score, count in pairs)
        squares = sum(score**2 * count for score, count in pairs)
        return total, squares, denominator


def profile_interval(
    weights: Weights,
    counts: Sequence[int],
    *,
    confidence_level: float,
    drop: float | None = None,
) -> Interval:
    """Return the means that a likelihood-ratio test does not reject.

    2 [l(likeliest) - l(likeliest with the true mean)] has nearly a chi-squared
    distribution with one degree of freedom (Wilks 1938, Annals of Mathematical
    Statistics 9:60; Venzon & Moolgavkar 1988, Applied Statistics 37:87).

    Parameters
    ----------
    weights : tuple of tuples of int
        Shape (points, reports), rows of one sum; it tells every share.
    counts : sequence of int
        How many sent each report, 0 or more, not all 0.
    confidence_level : float
        In (0, 1).
    drop : float, optional
        In place of the quantile of chi-squared: above 0.
    """
    table = np.array(weights, dtype=np.float64) / sum(weights[0])
    counted = np.array(counts, dtype=np.float64)
    last = len(weights) - 1
    found, top = fit_mixture(table[None], counted[None])
    middle = float(np.arange(last + 1) @ found[0])
    limit = (
        float(scipy.special.chdtri(1, 1 - confidence_level)) if drop is None else drop
    )

    def excess(mean: float) -> float:
        held = components_with_mean(mean, table)
        _, likelihood = fit_mixture(held[None], counted[None])
        return 2 * float(top[0] - likelihood[0]) - limit

    ends = []
    for edge in (0.0, float(last)):
        if edge == middle or excess(edge) <= 0:
            ends.append(edge)
        else:
            ends.append(
                scipy.optimize.brentq(excess, edge, middle, xtol=ROOT_TOLERANCE * last)
            )
    return Interval(*ends)


def components_with_mean(mean: float, table: FloatArray) -> FloatArray:
    """Return the chances of the reports under all that has this mean, to be mixed.

    Shares of points with a given mean are mixtures of pairs: one point below it, one
    above, in the proportions that give the mean.

    Parameters
    ----------
    mean : float
        In [0, K].
    table : array of float
        Shape (K + 1, reports), rows that sum to 1.

    Returns
    -------
    array of float
        Shape (pairs, reports).
    """
    last = len(table) - 1
    split = min(math.floor(mean), last - 1)
    below = np.arange(split + 1)[:, None]
    above = np.arange(split + 1, last + 1)[None, :]
    part = ((above - mean) / (above - below))[..., None]
    mixed = part * table[: split + 1, None] + (1 - part) * table[None, split + 1 :]
    return mixed.reshape(-1, table.shape[1])


def mean_scores(weights: Weights) -> FloatArray:
    """Return what each report tells of the mean, in points: shape (reports,)."""
    numerators, denominator = scores(weights, mean_of_points(len(weights)))
    return (numerators[:, 0] / denominator).astype(np.float64)


def variance_of_mean(weights: Weights, shares: Sequence[float]) -> float:
    """Return n times the variance of the raw mean, the scale taken from 0 to 1.

    Sampling and scrambling together: (sum of lam_r s_r^2 - t^2) / K^2.

    Parameters
    ----------
    weights : tuple of tuples of int
        Shape (points, reports), rows of one sum, that tell the mean.
    shares : sequence of float
        How common each point is; they sum to 1.

    Examples
    --------
    One bit at epsilon 1 on a scale of 0 to 10, all points equally common:

    >>> from candor.mechanisms import build
    >>> table = build("one_bit", epsilon=1, points=11)
    >>> print(f"{variance_of_mean(table.weights, [1 / 11] * 11):.2f}")
    1.17
    """
    last, score = len(weights) - 1, mean_scores(weights)
    sent = np.array(shares) @ (np.array(weights, dtype=np.float64) / sum(weights[0]))
    mean = float(sent @ score)
    return (float(sent @ score**2) - mean**2) / last**2


def estimate_mean(mechanism: Mechanism, tally: Mapping[str, int]) -> MeanEstimate:
    """Return the mean of a scale behind a tally of reports, in points from 0.

    Parameters
    ----------
    mechanism : Mechanism
        Its answers are the points of the scale, from the lowest to the highest.
    tally : mapping of str to int
        How many respondents sent each report, 0 or more; reports left out count 0.

    Raises
    ------
    TypeError, ValueError
        For what is no mechanism or no tally.

    References
    ----------
    Ding, Kulkarni & Yekhanin 2017, NeurIPS 30:3571 (one bit); Wang et al. 2017, USENIX
    Security (the folds of k-RR).

    Examples
    --------
    >>> from candor.mechanisms import build
    >>> one_bit = build("one_bit", epsilon=1, points=11)
    >>> result = estimate_mean(one_bit, {"high": 60, "low": 40})
    >>> print(f"{result.raw:.3f} ({result.standard_error:.3f})")
    7.164 (1.065)
    """
    check_mechanism(mechanism)
    counts = check_tally(tally, mechanism.reports)
    return MeanEstimate(mechanism, dict(zip(mechanism.reports, counts, strict=True)))
