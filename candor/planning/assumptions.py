"""What a plan assumes of an estimand: its variance with and without protection.

An estimand is planned on the scale from its least value, 0, to its largest, 1, so that
a share and the mean of a scale are planned by the same formulas.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

import numpy as np

from candor.binary import DIRECT, BinaryChannel
from candor.dichotomies import channel_of, one_against_the_rest
from candor.intervals import DEFAULT_CONFIDENCE_LEVEL
from candor.intervals.closed_form import two_sided_z
from candor.means import mean_scores
from candor.mechanisms import Mechanism, ParameterError, build
from candor.mechanisms.table import Weights
from candor.validation import CONFIDENCE_LEVEL, SHARE, Range, check_mechanism

SHARE_OF_ANSWER, MEAN = "share", "mean"
ESTIMANDS = (SHARE_OF_ANSWER, MEAN)

SCALE_FAMILIES = ("one_bit", "grid")
"""The families that protect an answer on a scale."""

DEFAULT_SHARE = 0.5
"""No other share needs more respondents under a symmetric table."""

ROUNDING = 1e-9
"""Rounding error that the end of a computed range may have, as a part of the scale."""

CACHED_TABLES = 256


@dataclass(frozen=True, kw_only=True)
class NormalMargins:
    """Margins of error of an estimate whose variance is inversely proportional to n.

    Attributes
    ----------
    variance : float
        n times the variance of the estimate.
    confidence_level : float
        In (0, 1).
    """

    variance: float
    confidence_level: float

    @property
    def z(self) -> float:
        """The normal quantile of the confidence level."""
        return two_sided_z(self.confidence_level)

    def margin(self, respondents: int) -> float:
        """Return half the width of the normal interval."""
        # z sqrt(variance / n)
        return self.z * math.sqrt(self.variance / respondents)

    def needed(self, margin: float) -> int:
        """Return the smallest number of respondents for a margin of error."""
        # z^2 variance / M^2, rounded up
        return max(1, math.ceil((self.z / margin) ** 2 * self.variance))


@dataclass(frozen=True, kw_only=True)
class Assumed:
    """An estimand whose variance is known by assumption.

    Attributes
    ----------
    confidence_level : float
        Of all margins, in (0, 1).
    """

    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL

    def __post_init__(self) -> None:
        level = CONFIDENCE_LEVEL.check("confidence_level", self.confidence_level)
        object.__setattr__(self, "confidence_level", level)

    @property
    def variance(self) -> float:
        """The variance of the unbiased estimate, times n."""
        raise NotImplementedError

    @property
    def direct_variance(self) -> float:
        """The same of honest answers to a direct question."""
        raise NotImplementedError

    @property
    def length(self) -> int:
        """The largest value of the estimand less the least, in its own units."""
        return 1

    @property
    def margins(self) -> NormalMargins:
        """Margins with the mechanism, as parts of the range of the estimand."""
        return self._margins(self.variance)

    @property
    def direct_margins(self) -> NormalMargins:
        """Margins of honest answers to a direct question."""
        return self._margins(self.direct_variance)

    @property
    def cost_of_privacy(self) -> float:
        """How many times the respondents of a direct question are needed, 1 or more.

        Infinite where direct answers have no variance and protected ones have.
        """
        # For a share: lam (1 - lam) / [(a - b)^2 pi (1 - pi)]
        if self.direct_variance == 0:
            return math.inf if self.variance > 0 else 1.0
        return self.variance / self.direct_variance

    def _margins(self, variance: float) -> NormalMargins:
        return NormalMargins(variance=variance, confidence_level=self.confidence_level)


@dataclass(frozen=True, kw_only=True)
class AssumedShare(Assumed):
    """A share behind a binary channel; arguments are checked here.

    Attributes
    ----------
    channel : BinaryChannel
    share : float
        In [0, 1].
    """

    channel: BinaryChannel = DIRECT
    share: float

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "share", SHARE.check("share", self.share))

    @property
    def variance(self) -> float:
        """The variance of the unbiased estimate, times n."""
        return self.channel.variance(self.share)

    @property
    def direct_variance(self) -> float:
        """The same of honest answers to a direct question."""
        return DIRECT.variance(self.share)


@dataclass(frozen=True, kw_only=True)
class ScaleAnswers:
    """Mean and standard deviation of answers on a scale; `of` checks them.

    The tables of a scale treat all of its points alike, so that the variance of a mean
    score depends on these two alone.

    Attributes
    ----------
    points : int
        K + 1, 2 or more.
    mean : float
        In [0, K].
    sd : float
        Standard deviation of the answers, in points.
    """

    points: int
    mean: float
    sd: float

    @classmethod
    def of(
        cls, points: int, *, mean: float | None = None, sd: float | None = None
    ) -> Self:
        """Return checked assumptions.

        Parameters
        ----------
        points : int
            K + 1, 2 or more.
        mean : float, optional
            In [0, K]; K / 2 by default.
        sd : float, optional
            In [0, largest that the mean allows]. The default is that of equally common
            points, or the largest. Answers are whole points: around a mean between two
            of them they have a least standard deviation, which replaces a smaller one.

        Examples
        --------
        >>> ScaleAnswers.of(11)
        ScaleAnswers(points=11, mean=5.0, sd=3.1622776601683795)
        >>> ScaleAnswers.of(11, mean=9.5).sd, ScaleAnswers.of(11, mean=9.5, sd=0).sd
        (2.179449471770337, 0.5)
        """
        last = points - 1
        center = last / 2
        if mean is not None:
            allowed = Range(low=0, high=last, example=f"{last / 2:g}")
            center = allowed.check("mean", mean)
        if sd is None:
            # Of all points equally common: K (K + 2) / 12
            spread = math.sqrt(last * (last + 2) / 12)
            spread = min(spread, largest_sd(center, last=last))
        else:
            spread = check_sd(sd, center, last=last)
        # Between two points, the nearest on either side: f (1 - f)
        fraction = center % 1
        least = math.sqrt(fraction * (1 - fraction))
        return cls(points=points, mean=center, sd=max(spread, least))

    @property
    def last(self) -> int:
        """The largest point: K."""
        return self.points - 1

    @property
    def is_default(self) -> bool:
        """Whether all points are equally common."""
        return self == type(self).of(self.points)

    def mean_square_of_scores(self, weights: Weights) -> float:
        """Return the mean square of the scores of reports, in points."""
        square, slope, constant = fit_squared_scores(weights)
        return square * (self.sd**2 + self.mean**2) + slope * self.mean + constant

    def variance(self, weights: Weights) -> float:
        """Return n times the variance of the unbiased mean, in points."""
        return max(self.mean_square_of_scores(weights) - self.mean**2, 0.0)


@dataclass(frozen=True, kw_only=True)
class AssumedMean(Assumed):
    """The mean of a scale, protected by one of `SCALE_FAMILIES`.

    Attributes
    ----------
    answers : ScaleAnswers
    family : str
        The one that is planned with.
    variances : mapping of str to float
        `variance` by each family that takes this many points, at the same epsilon.
    """

    answers: ScaleAnswers
    family: str
    variances: Mapping[str, float]

    @property
    def variance(self) -> float:
        """The variance of the unbiased estimate, times n."""
        return self.variances[self.family]

    @property
    def direct_variance(self) -> float:
        """The same of honest answers to a direct question."""
        return (self.answers.sd / self.answers.last) ** 2

    @property
    def length(self) -> int:
        """The largest point of the scale: K."""
        return self.answers.last

    @property
    def most_precise(self) -> str:
        """The family with the smallest variance."""
        return min(self.variances, key=lambda name: self.variances[name])

    def margins_by(self, family: str) -> NormalMargins:
        """Return the margins with a family in `variances`."""
        return self._margins(self.variances[family])


def is_of_mean(mechanism: Mechanism, estimand: str | None = None) -> bool:
    """Return whether a mean is planned: of a scale by default, and else a share.

    Raises `TypeError` or `ValueError` for what is no mechanism or not in `ESTIMANDS`.
    """
    check_mechanism(mechanism)
    if estimand not in (None, *ESTIMANDS):
        allowed = " or ".join(ESTIMANDS)
        raise ValueError(f"estimand must be {allowed}; got {estimand!r}")
    is_scale = mechanism.family in SCALE_FAMILIES
    return is_scale if estimand is None else estimand == MEAN


def assume(
    mechanism: Mechanism,
    *,
    estimand: str | None = None,
    share: float = DEFAULT_SHARE,
    mean: float | None = None,
    sd: float | None = None,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
) -> AssumedShare | AssumedMean:
    """Return what is assumed of the mean of a scale, or else of the share of an answer.

    Parameters
    ----------
    mechanism : Mechanism
        Of a scale, or as `one_against_the_rest` takes it.
    estimand : str, optional
        One of `ESTIMANDS`; the mean of a scale and the share of an answer by default.
    share : float
        Of the first answer, in [0, 1]; not used for a mean.
    mean, sd : float, optional
        Of the answers on a scale, in points, as `ScaleAnswers.of` takes them.
    confidence_level : float
        In (0, 1).
    """
    if is_of_mean(mechanism, estimand):
        return assume_mean(
            mechanism, mean=mean, sd=sd, confidence_level=confidence_level
        )
    channel = channel_of(one_against_the_rest(mechanism))
    return AssumedShare(channel=channel, share=share, confidence_level=confidence_level)


def assume_mean(
    mechanism: Mechanism,
    *,
    mean: float | None = None,
    sd: float | None = None,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
) -> AssumedMean:
    """Return what is assumed of the mean of a scale.

    Parameters are those of `assume`; a mechanism of another family raises `ValueError`.

    Examples
    --------
    On a scale from 0 to 10 one bit is more precise at epsilon 1, and sending each point
    at epsilon 4.

    >>> from candor.mechanisms import build
    >>> for epsilon in (1, 4):
    ...     mean = assume_mean(build("one_bit", epsilon=epsilon, points=11))
    ...     print({family: round(v, 2) for family, v in mean.variances.items()})
    {'one_bit': 1.17, 'grid': 5.48}
    {'one_bit': 0.27, 'grid': 0.15}
    """
    check_scale(mechanism)
    answers = ScaleAnswers.of(len(mechanism.answers), mean=mean, sd=sd)
    tables = {mechanism.family: mechanism}
    for family in SCALE_FAMILIES:
        try:
            tables.setdefault(family, build(family, **mechanism.parameters))
        except ParameterError:
            continue
    return AssumedMean(
        answers=answers,
        family=mechanism.family,
        variances={
            name: answers.variance(tables[name].weights) / answers.last**2
            for name in SCALE_FAMILIES
            if name in tables
        },
        confidence_level=confidence_level,
    )


def check_scale(mechanism: Mechanism) -> None:
    """Raise `TypeError` or `ValueError` for what does not protect a scale."""
    if not is_of_mean(mechanism):
        allowed = " or ".join(SCALE_FAMILIES)
        raise ValueError(f"mechanism must be of {allowed}; got {mechanism.family}")


def check_sd(sd: float, *means: float, last: float) -> float:
    """Return a standard deviation that answers with any of these means can have."""
    most = largest_sd(*means, last=last)
    allowed = Range(low=0, high=most + ROUNDING * last, example=f"{most / 2:.2g}")
    return min(allowed.check("sd", sd), most)


def largest_sd(*means: float, last: float) -> float:
    """Return the largest standard deviation that all of these means allow.

    It is reached with every answer at either end: sqrt(m (K - m)).
    """
    return math.sqrt(max(0.0, min(mean * (last - mean) for mean in means)))


@lru_cache(maxsize=CACHED_TABLES)
def fit_squared_scores(weights: Weights) -> tuple[float, float, float]:
    """Return a, b, c of the mean squared score given a point: a v^2 + b v + c.

    It has this form where every point sends a report with the same probability, or one
    that is linear in the point, or with another probability if the report is the point
    itself: in every table of a scale.
    """
    given = np.array(weights, dtype=np.float64) @ mean_scores(weights) ** 2
    first, middle, last = (given / sum(weights[0]))[[0, 1, -1]]
    k = len(weights) - 1
    if k == 1:
        return 0.0, float(last - first), float(first)
    # Through 0, 1 and K.
    square = ((last - first) / k - (middle - first)) / (k - 1)
    return float(square), float(middle - first - square), float(first)
