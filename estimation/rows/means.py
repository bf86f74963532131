"""The mean of a scale, in numbers alone."""

from dataclasses import dataclass

from candor.estimands import mean_of_points
from candor.mechanisms.scale import Scale
from candor.sample import BaseSample, Sample
from estimation.rows.counts import Counted
from surveys.design import DesignQuestion


@dataclass(frozen=True, kw_only=True)
class MeanResult:
    """The mean of a scale, as a part of the way from its lowest value to its highest.

    The numbers are those of the library, divided by K; `scale.at` turns them into
    values.
    """

    scale: Scale
    raw: float
    share: float
    """The maximum-likelihood mean, in [0, 1]: drawn and judged as shares are."""
    standard_error: float
    """Of `raw`."""
    low: float
    high: float
    method: str
    """Of the interval: the one that was asked for, or the profile."""

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
    sample = Sample.of(question.mechanism, dict(tally))
    return mean_of_sample(question.scale, sample, confidence_level, method)


def mean_of_sample(
    scale: Scale, sample: BaseSample, confidence_level: float, method: str
) -> MeanResult:
    """Return the mean of a scale in a sample, weighted or not."""
    mean = mean_of_points(len(sample.mechanism.answers))
    low, high = sample.interval(mean, confidence_level, method)
    return MeanResult(
        scale=scale,
        raw=sample.raw(mean) / mean.span,
        share=sample.estimate(mean) / mean.span,
        standard_error=sample.standard_error(mean) / mean.span,
        low=low / mean.span,
        high=high / mean.span,
        method=sample.method(mean, method),
    )
