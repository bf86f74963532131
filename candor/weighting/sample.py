"""A sample whose respondents have different weights."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, cast

import numpy as np
import scipy

from candor.binary import FloatArray, IntArray
from candor.dichotomies import Dichotomy
from candor.differences import AT_EACH_END, SCORES
from candor.estimands import Estimand, find_estimand, score_values
from candor.intervals import (
    DEFAULT_CONFIDENCE_LEVEL,
    ROUNDING,
    Interval,
    find_effective_interval,
)
from candor.likelihood import find_maximum_likelihood_shares
from candor.mechanisms import Mechanism
from candor.sample import BaseSample
from candor.skipped_scales import MeanAmongAnswered
from candor.tolerance import is_at_most
from candor.validation import CONFIDENCE_LEVEL

MORE_REPORTS = 1.0
"""Reports added on either side before an effective sample size is computed: see
`WeightedSample.compute_effective_n`."""

PARTS_OF_A_REPORT = 10**6
"""Weighted counts are converted to millionths where whole numbers are needed."""

EXTREME_WEIGHT = 10.0
"""A respondent with this multiple of the mean weight dominates the estimate."""


@dataclass(frozen=True, eq=False)
class WeightedSample(BaseSample):
    """Reports of respondents with different weights.

    `counts`, `weights` and `squares` have shape (cells, reports): how many members of a
    cell sent each report, and the sums of their weights and of their squared weights.
    For each cell, `largest` is the largest weight and `sampled` the sum of weights
    before calibration to the margins. `indicators`, shape (cells, k), are the groups of
    the population that contain the cell; what they explain has no sampling error. If
    `is_by_cell`, each cell is one such group with its own variance.
    """

    mechanism: Mechanism
    counts: IntArray
    weights: FloatArray
    squares: FloatArray
    largest: FloatArray
    sampled: FloatArray
    indicators: FloatArray
    is_by_cell: bool = True
    scored_method: ClassVar[str] = SCORES

    @property
    def n(self) -> int:
        return int(self.counts.sum())

    @property
    def report_counts(self) -> tuple[int, ...]:
        return tuple(self.counts.sum(axis=0).tolist())

    @property
    def total(self) -> float:
        return float(self.weights.sum())

    @property
    def effective_n(self) -> float:
        """Effective sample size: how many respondents of equal weight are as precise.

        (sum w)^2 / sum w^2, in (0, n], if weights are unrelated to reports (Kish 1965,
        Survey Sampling, section 11.7).
        """
        return self.total**2 / float(self.squares.sum())

    @property
    def design_effect(self) -> float:
        """The factor n / n_eff, 1 or more, by which weights raise the required n."""
        return self.n / self.effective_n

    @property
    def largest_weight(self) -> float:
        """The largest weight of a respondent, relative to the mean weight."""
        return float(self.largest.max()) * self.n / self.total

    @property
    def has_extreme_weight(self) -> bool:
        return not is_at_most(self.largest_weight, EXTREME_WEIGHT)

    def raw(self, estimand: Estimand | str) -> float:
        """Return the weighted mean score, which may be out of range.

        It is unbiased except for the bias of a ratio of two sums, of order 1 / n.
        """
        wanted, score = self._scored(estimand)
        # sum w_i s(r_i) / sum w_i
        found = float(self.weights.sum(axis=0) @ score) / self.total
        # Rounding must not move an estimate at the edge beyond it.
        edge = float(wanted.clipped(round(found)))
        return edge if abs(found - edge) < ROUNDING else found

    def standard_error(self, estimand: Estimand | str) -> float:
        """Return the estimated standard deviation of `raw`, linearised.

        The variance is sum w^2 e^2 / (sum w)^2, with n - 1, for the residuals e of the
        scores on the indicators. If `is_by_cell`, n is that of each cell, and the error
        is NaN if a cell has one member. If no cell has any variance, it is the error at
        the maximum-likelihood estimate, with the effective sample size.

        References: Deville & Sarndal 1992, Journal of the American Statistical
        Association 87:376 (calibration); Cochran 1977, Sampling Techniques, section
        5A.9 (post-strata).
        """
        wanted, score = self._scored(estimand)
        found = self.linearised_error(score)
        if found < ROUNDING:
            return self.error_at_estimate(wanted, self.effective_n)
        return found

    @property
    def _sizes(self) -> IntArray:
        members = self.counts.sum(axis=1)
        return members if self.is_by_cell else np.full_like(members, members.sum())

    def linearised_error(self, score: FloatArray) -> float:
        n = self._sizes
        means = self.weights @ score / self.weights.sum(axis=1)
        residuals = score[None] - self.fit_means(means)[:, None]
        correction = np.divide(n, n - 1, where=n > 1, out=np.full(n.shape, math.nan))
        found = float((correction[:, None] * self.squares * residuals**2).sum())
        # With several margins the weighted residuals do not sum to 0 by themselves.
        left = float((self.weights * residuals).sum())
        found -= left**2 / max(self.n - 1, 1)
        # Rounding may make a variance of 0 negative.
        return float(np.sqrt(np.maximum(found, 0.0))) / self.total

    def _counted_interval(
        self, wanted: Estimand, dichotomy: Dichotomy, level: float, method: str
    ) -> Interval:
        """Return the approximate interval, with the effective sample size."""
        ends = find_effective_interval(
            self.compute_counted_share(dichotomy),
            self.compute_effective_n(dichotomy),
            dichotomy.channel,
            confidence_level=level,
            method=method,
        )
        return Interval(*map(wanted.between, ends))

    def compute_counted_share(self, dichotomy: Dichotomy) -> float:
        """Return the weighted share of the counted reports, in [0, 1]."""
        counted = self.weights[:, list(dichotomy.counted)].sum() / self.total
        return min(max(float(counted), 0.0), 1.0)

    def compute_effective_n(self, dichotomy: Dichotomy) -> float:
        """Return the effective sample size for the count of a dichotomy, in (0, n].

        It is l (1 - l) / V(l), where l is the weighted share of counted reports and V
        its linearised variance (Korn & Graubard 1998, Survey Methodology 24:193). One
        counted and one other report, with the largest weight, are added to each cell,
        so that a cell without variance does not look certain (Fay & Feuer 1997,
        Statistics in Medicine 16:791, for rates).
        """
        channel, counted = dichotomy.channel, list(dichotomy.counted)
        ends = channel.p_yes_given_no, channel.p_yes_given_yes
        by_cell, squares = self.weights.sum(axis=1), self.squares.sum(axis=1)
        more, squared = MORE_REPORTS * self.largest, MORE_REPORTS * self.largest**2
        chances = (self.weights[:, counted].sum(axis=1) + more) / (by_cell + 2 * more)
        spread = (self.squares[:, counted].sum(axis=1) + squared) / (
            squares + 2 * squared
        )
        chances, spread = np.clip(chances, *ends), np.clip(spread, *ends)
        chance = float(by_cell @ chances) / self.total
        fit_means = self.fit_means(chances)
        each = spread * (1 - fit_means) ** 2 + (1 - spread) * fit_means**2
        variance = float(squares @ each) / self.total**2
        if variance <= 0:
            return float(self.n)
        return min(chance * (1 - chance) / variance, float(self.n))

    def pad_variance(self, estimand: Estimand | str) -> float:
        """Return the padded variance of `raw`, which is not too small for few reports.

        It is padded as in `differences`, with the largest weight of each cell; with
        equal weights both variances are equal.
        """
        _wanted, score = self._scored(estimand)
        return float(self._padded_covariance(score[None], score)[0, 0])

    def _padded_covariance(self, scores: FloatArray, ends_of: FloatArray) -> FloatArray:
        """Return the covariance of mean scores, padded with reports at both ends.

        `scores` has shape (estimands, reports). The added reports are those with the
        smallest and the largest score in `ends_of`.
        """
        ends = [ends_of.argmin(), ends_of.argmax()]
        weights, squares = self.weights.copy(), self.squares.copy()
        weights[:, ends] += AT_EACH_END * self.largest[:, None]
        squares[:, ends] += AT_EACH_END * self.largest[:, None] ** 2
        by_cell = weights.sum(axis=1)
        apart = np.array(
            [
                score[None] - self.fit_means(weights @ score / by_cell)[:, None]
                for score in scores
            ]
        )
        products = np.einsum("cr,icr,jcr->ij", squares, apart, apart)
        return cast(FloatArray, products / self.total**2)

    def fit_means(self, means: FloatArray) -> FloatArray:
        """Return the means of the cells that the indicators predict."""
        if self.is_by_cell:
            return means
        # Least squares of reports on indicators, which are equal within a cell, by the
        # weights before raking (Deville & Sarndal 1992).
        root = np.sqrt(self.sampled)
        solved = np.linalg.lstsq(
            root[:, None] * self.indicators, root * means, rcond=None
        )[0]
        return cast(FloatArray, self.indicators @ solved)

    def _maximum_likelihood(self) -> Sequence[float]:
        """Return the maximum of the pseudo-likelihood, with weights as counts.

        Binder 1983, International Statistical Review 51:279.
        """
        parts = self.weights.sum(axis=0) * (self.n * PARTS_OF_A_REPORT / self.total)
        counts = [round(part) for part in parts]
        return find_maximum_likelihood_shares(self.mechanism.weights, counts)

    def _scored_interval(self, wanted: Estimand, level: float) -> Interval:
        """Return the mean score plus and minus t standard errors, within its range.

        It uses `pad_variance`, with effective sample size - 1 degrees of freedom. It
        is approximate: see weights.md for the observed coverage.
        """
        freedom = max(self.effective_n - 1, 1.0)
        t = float(scipy.special.stdtrit(freedom, (1 + level) / 2))
        reach = t * math.sqrt(self.pad_variance(wanted))
        return self.interval_around_score(wanted, reach)

    def mean_among_answered(
        self, confidence_level: float = DEFAULT_CONFIDENCE_LEVEL
    ) -> tuple[float, Interval]:
        """Return the mean among those who answered, and the interval of its score.

        It uses padded variances (Fieller 1954), with effective sample size - 1 degrees
        of freedom, and is approximate like all weighted intervals.
        """
        found = MeanAmongAnswered(self.mechanism)
        level = CONFIDENCE_LEVEL.check("confidence_level", confidence_level)
        estimate = self.estimate_among_answered(found)
        if self.n < 2 or math.isnan(estimate):
            return math.nan, Interval(0.0, float(found.last))
        freedom = max(self.effective_n - 1, 1.0)
        t = float(scipy.special.stdtrit(freedom, (1 + level) / 2))
        values = np.array([self.raw(found.total), self.raw(found.answered)])
        covariance = self._padded_covariance(
            found.find_scores(), found.residual_score(estimate)
        )
        low, high = found.find_fieller_interval(values, covariance, t=t)
        # Maximum-likelihood shares are nonnegative, which the score ignores.
        return estimate, Interval(min(low, estimate), max(high, estimate))

    def _scored(self, estimand: Estimand | str) -> tuple[Estimand, FloatArray]:
        wanted = find_estimand(self.mechanism, estimand)
        return wanted, score_values(self.mechanism.weights, wanted)
