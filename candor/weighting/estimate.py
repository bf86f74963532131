"""Shares of a population from a sample whose respondents do not all count alike."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from candor.binary import FloatArray, IntArray
from candor.dichotomies import Dichotomy, dichotomy_of_answer
from candor.intervals import (
    DEFAULT_CONFIDENCE_LEVEL,
    DEFAULT_METHOD,
    Interval,
    share_interval,
)
from candor.likelihood import likeliest
from candor.mechanisms import Mechanism
from candor.scores import scores
from candor.tolerance import is_at_most

MORE_REPORTS = 1.0
"""Added to either side before an effective number is worked out: see
`WeightedEstimate.effective_for`."""

ROUNDING = 1e-9
"""What floating point may add to a share or to a number of respondents."""

PARTS_OF_A_REPORT = 10**6
"""Weighted counts are counted in millionths where whole numbers are needed."""

RUN_AWAY = 10.0
"""A respondent who counts as much as so many others dominates what is estimated."""


@dataclass(frozen=True, eq=False)
class WeightedEstimate:
    """The shares of the answers behind reports that do not all count alike.

    Attributes
    ----------
    mechanism : Mechanism
        With as many reports as answers. Of a table that tells the mean of a scale
        alone: that of its highest and its lowest point (`ends_of_scale`).
    counts : array of int
        Shape (cells, reports): how many members of a cell sent each report.
    weights, squares : array of float
        The same shape: the sums of their weights, and of the squares of these.
    largest : array of float
        Shape (cells,): the largest weight of a member.
    sampled : array of float
        Shape (cells,): the sums of the weights before any margin was made true.
    indicators : array of float
        Shape (cells, k): what the weights were made from: who is in which group of the
        population. Shares that these explain have no sampling error of their own.
    is_by_cell : bool
        Whether each cell is one such group: then each has its own spread.
    """

    mechanism: Mechanism
    counts: IntArray
    weights: FloatArray
    squares: FloatArray
    largest: FloatArray
    sampled: FloatArray
    indicators: FloatArray
    is_by_cell: bool = True

    @property
    def respondents(self) -> int:
        """How many reports there are: n."""
        return int(self.counts.sum())

    @property
    def total(self) -> float:
        """The sum of all weights."""
        return float(self.weights.sum())

    @property
    def effective_respondents(self) -> float:
        """As many respondents who all count alike would tell as much: n_eff.

        Where weights have nothing to do with reports: (sum w)^2 / sum w^2 (Kish 1965,
        Survey Sampling, section 11.7). In (0, n].
        """
        return self.total**2 / float(self.squares.sum())

    @property
    def design_effect(self) -> float:
        """How many times the respondents are needed, n / n_eff, 1 or more."""
        return self.respondents / self.effective_respondents

    @property
    def largest_weight(self) -> float:
        """The largest weight of a respondent, the mean being 1."""
        return float(self.largest.max()) * self.respondents / self.total

    @property
    def has_run_away(self) -> bool:
        """Whether one respondent counts as more than `RUN_AWAY` others."""
        return not is_at_most(self.largest_weight, RUN_AWAY)

    @cached_property
    def raw(self) -> dict[str, float]:
        """Estimate of each share that may leave [0, 1]: the weighted mean score.

        Unbiased but for the ratio of two sums, whose bias falls with 1 / n.
        """
        # sum w_i s(r_i) / sum w_i
        means = self.weights.sum(axis=0) @ self._scores / self.total
        # Rounding must not carry a share of 0 or 1 beyond its edge.
        edges = np.rint(means)
        means = np.where(np.abs(means - edges) < ROUNDING, edges, means)
        return dict(zip(self.mechanism.answers, means.tolist(), strict=True))

    @cached_property
    def shares(self) -> dict[str, float]:
        """Shares within [0, 1]: `raw`, or the likeliest ones were counts as weighted.

        The latter is the maximum of the pseudo-likelihood (Binder 1983, International
        Statistical Review 51:279).
        """
        if min(self.raw.values()) >= 0:
            return self.raw
        if len(self.raw) == 2:
            return {answer: min(max(raw, 0.0), 1.0) for answer, raw in self.raw.items()}
        parts = self.weights.sum(axis=0) * (
            self.respondents * PARTS_OF_A_REPORT / self.total
        )
        found = likeliest(self.mechanism.weights, [round(part) for part in parts])
        return dict(zip(self.mechanism.answers, found, strict=True))

    @cached_property
    def covariance(self) -> FloatArray:
        """Linearised covariance of `raw`, shape (answers, answers).

        Of the residuals e of the scores on the indicators: sum w^2 e e' / (sum w)^2,
        with n - 1, of each cell where `is_by_cell`: then NaN for a cell of one member.

        References
        ----------
        Deville & Sarndal 1992, Journal of the American Statistical Association 87:376
        (calibration); Cochran 1977, Sampling Techniques, section 5A.9 (post-strata).
        """
        score, by_cell = self._scores, self.weights.sum(axis=1)
        means = self.weights @ score / by_cell[:, None]
        residuals = score[None] - self.fitted(means)[:, None]
        members = self.counts.sum(axis=1)
        n = members if self.is_by_cell else np.full_like(members, members.sum())
        with np.errstate(divide="ignore"):
            correction = np.where(n > 1, n / (n - 1), math.nan)
        spread = (correction[:, None] * self.squares)[..., None] * residuals
        found = np.einsum("cra,crb->ab", spread, residuals)
        # Of several margins the weighted residuals do not sum to 0 by themselves.
        left = np.einsum("cr,cra->a", self.weights, residuals)
        found -= np.outer(left, left) / max(self.respondents - 1, 1)
        return found / self.total**2

    @cached_property
    def standard_errors(self) -> dict[str, float]:
        """Estimated standard deviation of each `raw` share."""
        variances = np.clip(np.diag(self.covariance), 0.0, None)
        return dict(
            zip(self.mechanism.answers, np.sqrt(variances).tolist(), strict=True)
        )

    def interval(
        self,
        answer: str,
        confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
        method: str = DEFAULT_METHOD,
    ) -> Interval:
        """Return an interval for the share of `answer`, within [0, 1].

        That of `effective_for` its fold respondents, rounded down, of whom the weighted
        share sent one of the reports that are counted; the ends are those of the whole
        numbers of reports on either side. Approximate: weights.md has what was
        found.

        Parameters
        ----------
        answer, confidence_level, method
            As for `ShareEstimate.interval`.
        """
        if answer not in self.mechanism.answers:
            allowed = ", ".join(self.mechanism.answers)
            raise ValueError(f"answer must be one of {allowed}; got {answer!r}")
        place = self.mechanism.answers.index(answer)
        # The other one of two shares is what is left, to the last digit.
        is_mirrored = len(self.mechanism.answers) == 2 and place == 1
        fold = dichotomy_of_answer(self.mechanism, 0 if is_mirrored else place)
        n = max(1, math.floor(self.effective_for(fold) + ROUNDING))
        reports = self.weighted_count(fold) * n
        design = fold.law.design(n)
        # A whole number but for rounding is that number.
        ends = math.floor(reports + ROUNDING), math.ceil(reports - ROUNDING)
        low, high = (
            share_interval(
                count, design, confidence_level=confidence_level, method=method
            )
            for count in ends
        )
        if is_mirrored:
            return Interval(1 - high.high, 1 - low.low)
        return Interval(low.low, high.high)

    def weighted_count(self, fold: Dichotomy) -> float:
        """Return the weighted share of the reports that a fold counts, in [0, 1]."""
        counted = self.weights[:, list(fold.counted)].sum() / self.total
        return min(max(float(counted), 0.0), 1.0)

    def effective_for(self, fold: Dichotomy) -> float:
        """Return how many respondents who all count alike would tell as much of it.

        l (1 - l) / V(l), where l is the weighted share of counted reports and V its
        linearised variance (Korn & Graubard 1998, Survey Methodology 24:193). Kish's
        number is too large where those who count most also differ most, and too small
        where groups explain the reports.

        So that a cell without any spread does not look like certainty, a counted report
        and another one are added to each, with the largest weight of the cell: as if
        the next one might be either (Fay & Feuer 1997, Statistics in Medicine 16:791,
        for rates); and no cell's chance leaves [b, a], as none can. In (0, n].
        """
        law, counted = fold.law, list(fold.counted)
        by_cell, squares = self.weights.sum(axis=1), self.squares.sum(axis=1)
        more, squared = MORE_REPORTS * self.largest, MORE_REPORTS * self.largest**2
        chances = (self.weights[:, counted].sum(axis=1) + more) / (by_cell + 2 * more)
        spread = (self.squares[:, counted].sum(axis=1) + squared) / (
            squares + 2 * squared
        )
        chances = np.clip(chances, law.p_yes_given_no, law.p_yes_given_yes)
        spread = np.clip(spread, law.p_yes_given_no, law.p_yes_given_yes)
        chance = float(by_cell @ chances) / self.total
        fitted = self.fitted(chances[:, None])[:, 0]
        each = spread * (1 - fitted) ** 2 + (1 - spread) * fitted**2
        variance = float(squares @ each) / self.total**2
        if variance <= 0:
            return float(self.respondents)
        return min(chance * (1 - chance) / variance, float(self.respondents))

    @cached_property
    def _scores(self) -> FloatArray:
        """What each report tells of each share, shape (reports, answers)."""
        numerators, denominator = scores(self.mechanism.weights)
        return (numerators / denominator).astype(np.float64)

    def fitted(self, means: FloatArray) -> FloatArray:
        """Return what the indicators explain of the means of the cells, same shape."""
        if self.is_by_cell:
            return means
        # Least squares of reports on indicators, which are alike within a cell, by the
        # weights before raking (Deville & Sarndal 1992).
        root = np.sqrt(self.sampled)[:, None]
        solved = np.linalg.lstsq(root * self.indicators, root * means, rcond=None)[0]
        return self.indicators @ solved
