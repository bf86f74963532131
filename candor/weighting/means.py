"""The mean of a scale in a population, from respondents who do not all count alike."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy

from candor.binary import FloatArray
from candor.estimands import Estimand, mean_of_points
from candor.intervals import (
    DEFAULT_CONFIDENCE_LEVEL,
    DEFAULT_METHOD,
    Interval,
)
from candor.mean_differences import AT_EACH_END, SCORES
from candor.mechanisms import Mechanism
from candor.scores import scores
from candor.weighting.estimate import WeightedEstimate


@dataclass(frozen=True)
class WeightedMean:
    """The mean of a scale behind reports that do not all count alike, from 0 to K.

    Attributes
    ----------
    estimate : WeightedEstimate
        Of the shares of the points; where a table tells the mean alone, of the part of
        the way from the lowest point to the highest.
    target : Estimand
        What its answers count: the points, or K and 0.
    """

    estimate: WeightedEstimate
    target: Estimand

    @property
    def last(self) -> int:
        """The largest value: K."""
        return max(self.target.coefficients)

    @property
    def raw(self) -> float:
        """The weighted mean score of the reports; may leave [0, K]."""
        return self._sum_of(self.estimate.raw)

    @property
    def likeliest(self) -> float:
        """The mean of the adjusted shares, in [0, K]."""
        return self._sum_of(self.estimate.shares)

    @property
    def standard_error(self) -> float:
        """Estimated standard deviation of `raw`, linearised as that of shares is."""
        coefficients = np.array(self.target.coefficients)
        variance = float(coefficients @ self.estimate.covariance @ coefficients)
        return math.sqrt(variance) if variance >= 0 else 0.0

    def method(self, method: str = DEFAULT_METHOD) -> str:
        """Return by which method the interval is found where this one is asked for."""
        return method if self._is_counted else SCORES

    def interval(
        self,
        confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
        method: str = DEFAULT_METHOD,
    ) -> Interval:
        """Return an interval for the mean, within [0, K].

        That of the share where one count tells the mean. Else the mean score, cut off
        at the ends, plus and minus t standard errors by `padded_variance`, with as many
        degrees of freedom as effective respondents less one. Approximate: weights.md
        has what was found.
        """
        if self._is_counted:
            place = self.target.coefficients.index(self.last)
            answer = self.estimate.mechanism.answers[place]
            found = self.estimate.interval(answer, confidence_level, method)
            return Interval(self.last * found.low, self.last * found.high)
        freedom = max(self.estimate.effective_respondents - 1, 1.0)
        t = float(scipy.special.stdtrit(freedom, (1 + confidence_level) / 2))
        reach = t * math.sqrt(padded_variance(self.estimate, self._score))
        middle = min(max(self.raw, 0.0), float(self.last))
        low, high = max(middle - reach, 0.0), min(middle + reach, float(self.last))
        # The likeliest mean heeds all shares, none below 0, and the score does not.
        return Interval(min(low, self.likeliest), max(high, self.likeliest))

    @property
    def _is_counted(self) -> bool:
        """Whether two answers stand for the mean, so that one count tells it."""
        return len(self.target.coefficients) == 2

    @cached_property
    def _score(self) -> FloatArray:
        weights = self.estimate.mechanism.weights
        numerators, denominator = scores(weights, self.target)
        return (numerators[:, 0] / denominator).astype(np.float64)

    def _sum_of(self, shares: dict[str, float]) -> float:
        pairs = zip(self.target.coefficients, shares.values(), strict=True)
        return sum(value * share for value, share in pairs)


def weighted_mean(mechanism: Mechanism, estimate: WeightedEstimate) -> WeightedMean:
    """Return the mean of a scale, in points from 0 to K.

    Parameters
    ----------
    mechanism : Mechanism
        Its answers are the points of the scale, from the lowest to the highest.
    estimate : WeightedEstimate
        What `rake`, `post_stratify` or `estimate_weighted` returned for it.

    Examples
    --------
    Half of the population are women, of the sample one in four. Half of their reports
    are High, .35 of the men's; one bit of ln 3 has a = 3/4, b = 1/4. The mean of the
    women is .5 of the way up, that of the men .2; of all .35, on 0 to 10 3.5.

    >>> from candor.weighting import post_stratify
    >>> from candor.mechanisms import build
    >>> one_bit = build("one_bit", epsilon="1.0986122886681098", points=11)
    >>> women = {("f", "high"): 50, ("f", "low"): 50}
    >>> men = {("m", "high"): 105, ("m", "low"): 195}
    >>> estimate = post_stratify(one_bit, women | men, {"f": 0.5, "m": 0.5})
    >>> found = weighted_mean(one_bit, estimate)
    >>> print(f"{found.raw:.2f} ({found.standard_error:.3f})")
    3.50 (0.573)
    """
    target = mean_of_points(len(mechanism.answers))
    if not mechanism.tells_shares:
        target = Estimand((max(target.coefficients), 0))
    return WeightedMean(estimate, target)


def padded_variance(estimate: WeightedEstimate, score: FloatArray) -> float:
    """Return the variance of a weighted mean score that no few reports make too small.

    As in `mean_differences` a report is added at each end of the scores, here in each
    cell and with the largest weight of its members; where all weights are alike it is
    the same variance.

    Parameters
    ----------
    estimate : WeightedEstimate
    score : array of float
        What each report scores, shape (reports,).
    """
    ends = [score.argmin(), score.argmax()]
    weights, squares = estimate.weights.copy(), estimate.squares.copy()
    weights[:, ends] += AT_EACH_END * estimate.largest[:, None]
    squares[:, ends] += AT_EACH_END * estimate.largest[:, None] ** 2
    means = weights @ score / weights.sum(axis=1)
    fitted = estimate.fitted(means[:, None])
    return float((squares * (score - fitted) ** 2).sum()) / estimate.total**2
