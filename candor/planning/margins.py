"""Margins of error, planned and achieved.

Both use the normal approximation, so that a survey can be compared with its plan. The
intervals of the results are exact, and half their width differs a little.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from candor.binary import binomial, find_likely_counts, keep_inside
from candor.dichotomies import make_channel, one_against_the_rest
from candor.estimands import compute_chances, mean_of_points, score_variance
from candor.intervals import DEFAULT_CONFIDENCE_LEVEL
from candor.intervals.likelihood_ratio import feldman_cousins
from candor.mechanisms import Mechanism
from candor.mechanisms.scale import reduce_to_ends
from candor.planning.assumptions import (
    Assumed,
    NormalMargins,
    assume,
    assume_share,
    is_of_mean,
)
from candor.planning.fieldwork import Draw, find_needed_respondents
from candor.planning.inputs import DEFAULT_SHARE
from candor.planning.privacy import StandardErrors
from candor.sample import Sample
from candor.skipped_scales import MeanAmongAnswered
from candor.validation import MARGIN, MAX_RESPONDENTS, check_respondents

MAX_EXACT_RESPONDENTS = 10**6
"""The exact intervals were measured up to here; beyond, the margin replaces them."""

MAX_INTERVALS = 100
"""A mean over more counts than this uses every second, third, ... of them. The width
changes so slowly that the mean moves by less than one part in 1,000 (measured)."""

LEFT_OUT = 1e-6
"""Probability of the counts that are omitted; it changes none of the digits shown."""


def margin_of_error(
    mechanism: Mechanism,
    *,
    respondents: int,
    share: float = DEFAULT_SHARE,
    mean: float | None = None,
    sd: float | None = None,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
) -> float:
    """Return half the width of the normal interval of a share, or of a scale's mean.

    Parameters
    ----------
    mechanism : Mechanism
        With two answers and two reports, or one that treats all answers equally: then
        the share is that of one answer. For a scale the mean is planned.
    respondents : int
        n, in [1, 10**9].
    share : float
        Assumed share of the first answer, in [0, 1]; not used for a scale.
    mean, sd : float, optional
        Mean and standard deviation of the answers on a scale, in points: in [0, K], and
        in [0, largest value that the mean allows]. By default all points are equally
        common.
    confidence_level : float
        In (0, 1).

    Returns
    -------
    float
        In [0, inf), as a share or in points of the scale; 0 only if the reports are
        certain. Above 1, or K, the survey is uninformative.

    Raises
    ------
    TypeError, ValueError
        If an argument has the wrong type or is out of its range.

    References
    ----------
    Warner 1965, Journal of the American Statistical Association 60:63.

    Examples
    --------
    Two coins, 1,600 respondents, a share of one half:
    1.96 sqrt(1/2 * 1/2 / 1600) / (1/2).

    >>> import candor
    >>> coin = candor.mechanisms.build("coin")
    >>> print(f"{candor.margin_of_error(coin, respondents=1600, share=0.5):.3f}")
    0.049
    """
    assumed = assume(
        mechanism, share=share, mean=mean, sd=sd, confidence_level=confidence_level
    )
    return assumed.length * assumed.margin(check_respondents(respondents))


@dataclass(frozen=True, kw_only=True)
class Precision:
    """Margins for a number of respondents, with the mechanism and asked directly.

    For a share, `expected_half_width` is half the expected width of the exact interval.
    It is None above 10**6 respondents, where the margin replaces it.
    """

    respondents: int
    margin: float
    direct_margin: float
    expected_half_width: float | None = None
    standard_errors: StandardErrors | None = None


@dataclass(frozen=True, kw_only=True)
class Size:
    """Respondents for a wanted margin, also with a direct question."""

    margin: float
    respondents: int
    direct_respondents: int


@dataclass(frozen=True, kw_only=True)
class Alternative:
    """A scale protected by one of the families for scales, at the same epsilon.

    `variance` is n times the variance of the mean, in points. `margin` is for the
    planned respondents. `respondents` are for the wanted margin; None beyond 10**9.
    """

    family: str
    variance: float
    margin: float | None
    respondents: int | None


def plan_precision(assumed: Assumed, respondents: int | None) -> Precision | None:
    """Return the margins for a planned number of respondents; None without one."""
    if respondents is None:
        return None
    half_width = None
    if not assumed.is_mean and respondents <= MAX_EXACT_RESPONDENTS:
        half_width = expect_half_width(assumed, respondents)
    return Precision(
        respondents=respondents,
        margin=assumed.length * assumed.margin(respondents),
        direct_margin=assumed.length * assumed.direct_margins.margin(respondents),
        expected_half_width=half_width,
    )


def plan_size(assumed: Assumed, margin: float | None, draw: Draw) -> Size | None:
    """Return the respondents for a wanted margin.

    None without a margin, and for a mean that needs more than 10**9 respondents.
    """
    if margin is None:
        return None
    part = margin / assumed.length
    needed = assumed.needed(part)
    if assumed.is_mean and needed > MAX_RESPONDENTS:
        return None
    direct = assumed.direct_margins.needed(part)
    return Size(
        margin=margin,
        respondents=find_needed_respondents(needed, draw.chance),
        direct_respondents=find_needed_respondents(direct, draw.chance),
    )


def compare_families(
    assumed: Assumed, margin: float | None, draw: Draw
) -> tuple[Alternative, ...]:
    """Return the margins and respondents of a mean under each family for scales."""
    found = []
    for family, variance in assumed.variances.items():
        by_family = replace(assumed, variance=variance)
        size = plan_size(by_family, margin, draw)
        precision = plan_precision(by_family, draw.reports)
        found.append(
            Alternative(
                family=family,
                variance=variance * assumed.length**2,
                margin=precision.margin if precision else None,
                respondents=size.respondents if size else None,
            )
        )
    return tuple(found)


def expect_half_width(assumed: Assumed, respondents: int) -> float:
    """Return half the expected width of the Feldman-Cousins interval of a share."""
    design, level = assumed.channel.design(respondents), assumed.confidence_level
    chance = design.report_chance(assumed.part)
    counts = find_likely_counts(respondents, chance, left_out=LEFT_OUT)
    counts = counts[:: math.ceil(len(counts) / MAX_INTERVALS)]
    intervals = [
        feldman_cousins(count, design, confidence_level=level)
        for count in counts.tolist()
    ]
    # sum over x of P(x) (high(x) - low(x)) / 2
    weights = binomial(counts, respondents, chance)
    return float(weights @ np.diff(intervals)[:, 0] / weights.sum() / 2)


def compute_achieved_margin(
    mechanism: Mechanism,
    counts: Mapping[str, int],
    *,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
) -> float:
    """Return the widest margin of error of all answers at the estimated shares.

    For a scale it is the margin of the mean, as a part of the scale.
    """
    shares = estimate_for_margin(mechanism, counts)
    widest = find_widest_margins(mechanism, shares, confidence_level=confidence_level)
    return widest.margin(sum(counts.values()))


def is_margin_of_mean(mechanism: Mechanism) -> bool:
    """Return whether the margin of a question refers to a mean."""
    return is_of_mean(mechanism) or not mechanism.identifies_shares


def estimate_for_margin(mechanism: Mechanism, counts: Mapping[str, int]) -> list[float]:
    """Return the estimated share of every answer, half a report away from 0 and 1.

    For two answers only the first: the other one is the rest, and a table need not
    treat them equally. If only a mean is estimated, the list contains the mean, as a
    part of the scale.
    """
    sample = Sample.of(mechanism, counts)
    mechanism = sample.mechanism
    respondents = check_respondents(sample.n)
    if not mechanism.identifies_shares:
        mean = mean_of_points(len(mechanism.answers))
        return [keep_inside(sample.estimate(mean) / mean.span, respondents)]
    shares = list(sample.shares.values())
    if len(shares) == 2:
        del shares[1]
    return [keep_inside(share, respondents) for share in shares]


def find_widest_margins(
    mechanism: Mechanism, shares: list[float], *, confidence_level: float
) -> NormalMargins:
    """Return the widest margins of all answers, at `estimate_for_margin` shares."""
    mechanism = reduce_to_ends(mechanism)
    if is_of_mean(mechanism) and mechanism.identifies_shares:
        assumed = assume(mechanism, confidence_level=confidence_level)
        if len(shares) < len(mechanism.answers):
            return assumed
        if mechanism.can_be_skipped:
            return replace(assumed, variance=linearise_variance(mechanism, shares))
        parts = [share / sum(shares) for share in shares]
        mean = mean_of_points(len(mechanism.answers))
        variance = score_variance(mechanism.weights, parts, mean) / mean.span**2
        return replace(assumed, variance=variance)
    channel = make_channel(one_against_the_rest(mechanism))
    answers = [
        assume_share(share, channel=channel, confidence_level=confidence_level)
        for share in shares
    ]
    return max(answers, key=lambda each: each.variance)


def linearise_variance(mechanism: Mechanism, shares: list[float]) -> float:
    """Return n times the linearised variance of a mean among those who answered.

    The mean is a part of the scale; `shares` are the shares of the answers.
    """
    found, whole = MeanAmongAnswered(mechanism), sum(shares)
    total, answered = (each.of(shares) for each in (found.total, found.answered))
    score = found.residual_score(total / answered)
    sent = np.array(shares) / whole @ compute_chances(mechanism.weights)
    # The mean of this score is 0.
    return float(sent @ score**2) / (answered / whole * found.last) ** 2


STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
"""Multiples of a power of ten that count as round numbers."""

BEYOND = 1.25
"""The plot ends a little after the last number that is marked."""

FARTHEST = 8
"""Multiple of the planned number up to which the plot shows the needed number. A larger
one is only in the table: on the plot it would compress everything else."""

PARTS = (0.1, 0.25, 0.5, 1.0)
"""Additional rows of the table, as parts of the length of the axis."""

HEADROOM = 2.2
"""The highest margin shown, as a multiple of the planned one. Margins fall with the
square root, so that the curve begins at a fifth of the planned respondents."""


@dataclass(frozen=True, kw_only=True)
class MarginCurve:
    """Points and axes of the plot, and of the table next to it.

    `needed` is the number of respondents for the wanted margin. `points` ascend and
    include the planned and the needed number.
    """

    planned: Precision
    wanted: float
    needed: int
    most_respondents: int
    largest_margin: float
    points: tuple[Precision, ...]


def make_margin_curve(
    assumed: Assumed, *, respondents: int, margin: float
) -> MarginCurve:
    """Return the margins around the planned number, as parts of the range."""
    n, wanted = check_respondents(respondents), MARGIN.check("margin", margin)
    needed = assumed.needed(wanted)

    def point(count: int) -> Precision:
        return Precision(
            respondents=count,
            margin=assumed.margin(count),
            direct_margin=assumed.direct_margins.margin(count),
        )

    planned = point(n)
    last = max(n, needed if needed <= FARTHEST * n else n)
    most = round(max(10.0, round_up(BEYOND * last)))
    counts = {n, needed, *(round(part * most) for part in PARTS)}
    highest = max(HEADROOM * planned.margin, 1.5 * wanted)
    return MarginCurve(
        planned=planned,
        wanted=wanted,
        needed=needed,
        most_respondents=most,
        largest_margin=min(1.0, round_up(highest)),
        points=tuple(point(count) for count in sorted(counts)),
    )


def round_up(number: float) -> float:
    """Return the next round number: 1, 2, 2.5 or 5 times a power of ten."""
    unit = 10.0 ** math.floor(math.log10(number))
    step = next(step for step in STEPS if number <= step * unit * (1 + 1e-12))
    # Divide by powers of ten: 5 * 10**-2 has a rounding error, 5 / 100 has none.
    return step * unit if unit >= 1 else step / round(1 / unit)
