"""The mean of a scale, in numbers alone."""

import math
from dataclasses import dataclass

from candor.binary import keep_inside
from candor.means import estimate_mean, variance_of_mean
from candor.mechanisms.scale import Scale
from estimation.results.tallies import Counted
from surveys.design import DesignQuestion


@dataclass(frozen=True, kw_only=True)
class MeanResult:
    """The mean of a scale, as a part of the way from its lowest value to its highest.

    The numbers are those of `MeanEstimate`, divided by K; `scale.at` makes values of
    them.
    """

    scale: Scale
    raw: float
    share: float
    """The likeliest mean, in [0, 1]: drawn and judged as shares are."""
    standard_error: float
    """Of `raw`, by its spread; where that is 0, of the likeliest mean."""
    low: float
    high: float
    method: str
    """By which the interval was found: the one that was asked for, or the profile."""

    @property
    def error_on_scale(self) -> float:
        """Return the standard error in the units of the scale."""
        return self.standard_error * float(self.scale.high - self.scale.low)


def mean_result(
    question: DesignQuestion,
    tally: Counted,
    confidence_level: float,
    method: str,
) -> MeanResult | None:
    """Return the mean of a scale; None for all other questions."""
    if question.scale is None:
        return None
    estimate = estimate_mean(question.mechanism, dict(tally))
    low, high = estimate.interval(confidence_level, method)
    error = estimate.standard_error
    if error == 0:
        # All reports score alike: as in `error_if_alike`.
        part = keep_inside(estimate.estimate / estimate.last, estimate.respondents)
        ends = [0.0] * len(question.mechanism.answers)
        ends[0], ends[-1] = 1 - part, part
        spread = variance_of_mean(question.mechanism.weights, ends)
        error = math.sqrt(spread / estimate.respondents) * estimate.last
    return MeanResult(
        scale=question.scale,
        raw=estimate.raw / estimate.last,
        share=estimate.estimate / estimate.last,
        standard_error=error / estimate.last,
        low=low / estimate.last,
        high=high / estimate.last,
        method=estimate.method(method),
    )
