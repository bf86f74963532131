"""Assumptions of a plan: variances with and without protection.

The range of an estimand is mapped to [0, 1], so that the same formulas plan a share and
the mean of a scale.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Self

import numpy as np

from candor.binary import DIRECT, BinaryChannel
from candor.dichotomies import make_channel, one_against_the_rest
from candor.estimands import mean_of_points, score_values
from candor.intervals import DEFAULT_CONFIDENCE_LEVEL
from candor.intervals.closed_form import two_sided_z
from candor.mechanisms import Mechanism, ParameterError, build, load_families
from candor.mechanisms.table import Weights
from candor.planning.inputs import DEFAULT_SHARE, INPUTS
from candor.validation import CONFIDENCE_LEVEL, check_mechanism

ESTIMANDS = ("share", "mean")

SCALE_FAMILIES = ("one_bit", "grid")
"""The families that protect an answer on a scale."""

SKIPPABLE_SCALES = ("one_bit_skip", "grid_skip")
"""The same for scales that can be skipped, in the same order."""

ROUNDING = 1e-9
"""Rounding error allowed at the end of a computed range, as a part of the scale."""

CACHED_TABLES = 256


@dataclass(frozen=True, kw_only=True)
class NormalMargins:
    """Margins of error of an estimate; `variance` is n times its variance."""

    variance: float
    confidence_level: float

    @property
    def z(self) -> float:
        return two_sided_z(self.confidence_level)

    def margin(self, respondents: int) -> float:
        # z sqrt(variance / n)
        return self.z * math.sqrt(self.variance / respondents)

    def needed(self, margin: float) -> int:
        """Return the smallest number of respondents for a margin of error."""
        # z^2 variance / M^2, rounded up
        return max(1, math.ceil((self.z / margin) ** 2 * self.variance))


@dataclass(frozen=True, kw_only=True)
class ScaleAnswers:
    """Mean and standard deviation of answers on a scale from 0 to K = points - 1.

    The variance of a mean score depends only on these two, because tables treat all
    points equally.
    """

    points: int
    mean: float
    sd: float

    @classmethod
    def of(
        cls, points: int, *, mean: float | None = None, sd: float | None = None
    ) -> Self:
        """Return checked assumptions in points; by default points are equally common.

        Answers are whole points, so a mean between two points implies a smallest
        standard deviation, which replaces a smaller `sd`.
        """
        last = points - 1
        center = last / 2
        if mean is not None:
            center = INPUTS["mean"].check(mean, length=last)
        if sd is None:
            # Variance of equally common points: K (K + 2) / 12
            spread = math.sqrt(last * (last + 2) / 12)
            spread = min(spread, find_largest_sd(center, last=last))
        else:
            spread = check_sd(sd, center, last=last)
        # Smallest variance, with only the two nearest points: f (1 - f)
        fraction = center % 1
        least = math.sqrt(fraction * (1 - fraction))
        return cls(points=points, mean=center, sd=max(spread, least))

    @property
    def is_default(self) -> bool:
        return self == type(self).of(self.points)

    def mean_squared_score(self, weights: Weights) -> float:
        square, slope, constant = fit_squared_scores(weights)
        return square * (self.sd**2 + self.mean**2) + slope * self.mean + constant

    def variance(self, weights: Weights) -> float:
        """Return n times the variance of the unbiased mean, in points."""
        return max(self.mean_squared_score(weights) - self.mean**2, 0.0)


@dataclass(frozen=True, kw_only=True)
class Assumed(NormalMargins):
    """An estimand whose variance follows from assumptions.

    `variance` and `direct_variance` are n times the variance of the unbiased estimate,
    with the mechanism and with direct answers, as parts of the range. A share is the
    mean of a scale of two points, reported through `channel`. For the mean of a scale,
    `variances` has the variance under each family for scales.
    """

    answers: ScaleAnswers
    direct_variance: float
    channel: BinaryChannel = DIRECT
    variances: Mapping[str, float] = field(default_factory=dict)

    @property
    def is_mean(self) -> bool:
        return bool(self.variances)

    @property
    def length(self) -> int:
        """The length of the range: 1 for a share, K for a scale from 0 to K."""
        return self.answers.points - 1

    @property
    def part(self) -> float:
        """The assumed share, or the assumed mean as a part of the scale."""
        return self.answers.mean / self.length

    @property
    def direct_margins(self) -> NormalMargins:
        return NormalMargins(
            variance=self.direct_variance, confidence_level=self.confidence_level
        )

    @property
    def cost_of_privacy(self) -> float:
        """Required respondents as a multiple of those for a direct question."""
        # For a share: lam (1 - lam) / [(a - b)^2 pi (1 - pi)]
        if self.direct_variance == 0:
            return math.inf if self.variance > 0 else 1.0
        return self.variance / self.direct_variance

    @property
    def most_precise(self) -> str:
        return min(self.variances, key=lambda name: self.variances[name])


def is_of_mean(mechanism: Mechanism, estimand: str | None = None) -> bool:
    """Return whether a mean is planned; raise if the estimand cannot be planned."""
    check_mechanism(mechanism)
    if estimand not in (None, *ESTIMANDS):
        allowed = " or ".join(ESTIMANDS)
        raise ValueError(f"estimand must be {allowed}; got {estimand!r}")
    is_scale = mechanism.family in (*SCALE_FAMILIES, *SKIPPABLE_SCALES)
    if estimand == "mean" and not is_scale:
        allowed = " or ".join(SCALE_FAMILIES)
        raise ValueError(f"mechanism must be of {allowed}; got {mechanism.family}")
    return is_scale and estimand != "share"


def check_left_out(planned: str, **given: object) -> None:
    """Raise `ValueError` for arguments that do not apply to the planned estimand."""
    for name, value in given.items():
        if value is not None:
            raise ValueError(f"{name} must be left out of {planned}; got {value!r}")


def assume(
    mechanism: Mechanism,
    *,
    estimand: str | None = None,
    share: float = DEFAULT_SHARE,
    mean: float | None = None,
    sd: float | None = None,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
) -> Assumed:
    """Return the assumptions about a share or mean; parameters as for `candor.plan`."""
    if not is_of_mean(mechanism, estimand):
        check_left_out("a share", mean=mean, sd=sd)
        channel = make_channel(one_against_the_rest(mechanism))
        return assume_share(share, channel=channel, confidence_level=confidence_level)
    # A table that was reduced to the ends of its scale keeps the number of points.
    points = mechanism.parameters["points"] if mechanism.can_be_skipped else None
    answers = ScaleAnswers.of(int(points or len(mechanism.answers)), mean=mean, sd=sd)
    tables, last = {mechanism.family: mechanism}, answers.points - 1
    names = SKIPPABLE_SCALES if points else SCALE_FAMILIES
    for family in names:
        try:
            tables.setdefault(family, build(family, **mechanism.parameters))
        except ParameterError:
            continue
    variances = {
        name: compute_mean_variance(tables[name], answers) / last**2
        for name in names
        if name in tables
    }
    return Assumed(
        answers=answers,
        variance=variances[mechanism.family],
        direct_variance=(answers.sd / last) ** 2,
        confidence_level=CONFIDENCE_LEVEL.check("confidence_level", confidence_level),
        variances=variances,
    )


def compute_mean_variance(mechanism: Mechanism, answers: ScaleAnswers) -> float:
    """Return n times the variance of the mean of a scale, in points.

    If the question can be skipped, it is the variance of the mean among those who
    answer, assuming that everyone answers. Points are then reported by the table of the
    scale that cannot be skipped, and reports of "no answer" are uninformative.
    """
    if not mechanism.can_be_skipped:
        return answers.variance(mechanism.weights)
    family = load_families()[mechanism.family]
    without = build(family.without_skip, **mechanism.parameters)
    # The probability of reporting "no answer" is the same for every point.
    lost = mechanism.weights[0][-1] / mechanism.total
    return answers.variance(without.weights) / (1 - lost)


def assume_share(
    share: float,
    *,
    channel: BinaryChannel = DIRECT,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
) -> Assumed:
    """Return the assumptions about a share that is reported through a channel."""
    level = CONFIDENCE_LEVEL.check("confidence_level", confidence_level)
    checked = INPUTS["share"].check(share)
    variance = DIRECT.variance(checked)
    return Assumed(
        answers=ScaleAnswers(points=2, mean=checked, sd=math.sqrt(variance)),
        variance=channel.variance(checked),
        direct_variance=variance,
        confidence_level=level,
        channel=channel,
    )


def check_sd(sd: float, *means: float, last: float) -> float:
    """Return the standard deviation if all of these means allow it, or raise."""
    most = find_largest_sd(*means, last=last)
    # The end is computed and may have a rounding error.
    high, example = most + ROUNDING * last, f"{most / 2:.2g}"
    return min(INPUTS["sd"].check(sd, high=high, example=example), most)


def find_largest_sd(*means: float, last: float) -> float:
    """Return the largest standard deviation that all of these means allow."""
    # Largest if every answer is at one of the ends: m (K - m)
    return math.sqrt(max(0.0, min(mean * (last - mean) for mean in means)))


@lru_cache(maxsize=CACHED_TABLES)
def fit_squared_scores(weights: Weights) -> tuple[float, float, float]:
    """Return a, b, c of the mean squared score given a point v: a v^2 + b v + c."""
    # Tables of scales have this form: the probability of a report is constant or
    # linear in the point, or has another value at the point itself.
    score = score_values(weights, mean_of_points(len(weights)))
    given = np.array(weights, dtype=np.float64) @ score**2
    first, middle, last = (given / sum(weights[0]))[[0, 1, -1]]
    k = len(weights) - 1
    if k == 1:
        return 0.0, float(last - first), float(first)
    # Through 0, 1 and K.
    square = ((last - first) / k - (middle - first)) / (k - 1)
    return float(square), float(middle - first - square), float(first)
