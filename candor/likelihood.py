"""Maximum-likelihood shares from counts of reports, and profiles of an estimand.

Arguments are checked by the callers.
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
import scipy

from candor.binary import FloatArray
from candor.estimands import Estimand, compute_chances
from candor.intervals import Interval
from candor.mechanisms.table import Weights, find_truth_and_other

GAP = 1e-8
"""The search ends if no shares could increase the log likelihood by more."""

ROUNDING = 1e-13
"""Rounding error allowed in the conditions of the maximum, relative to n."""

MAX_ITERATIONS = 100
"""Twenty are usual; tables with strong protection need more."""

CENTRING = 0.1, 0.001
"""Fraction of the gap that a step aims at, after a short and after a full step."""

INSIDE = 0.999
"""Fraction of the distance to the nearest edge that one step may take."""

AT_EDGE = 1e-6
"""Smaller shares are 0: the search ends a little inside the edge."""


def find_maximum_likelihood_shares(
    weights: Weights, counts: Sequence[int]
) -> list[float]:
    """Return the maximum-likelihood shares for counts of reports, not all 0."""
    truth, other = find_truth_and_other(weights) or (0, 0)
    if truth > other:
        return fill_by_water_level(counts, truth=truth, other=other)
    table = np.array(weights, dtype=np.float64) / sum(weights[0])
    found, _ = fit_mixture(table[None], np.array([counts], dtype=np.float64))
    kept = np.where(found[0] < AT_EDGE, 0.0, found[0])
    return (kept / kept.sum()).tolist()


def fill_by_water_level(
    counts: Sequence[int], *, truth: int, other: int
) -> list[float]:
    """Return maximum-likelihood shares for a table that treats all answers equally.

    `truth` and `other` are the weights of the true report and of each other one. Let A
    be the answers with a share above 0. Setting the derivative of the likelihood to 0
    gives, with the chances p and q,

        mu = sum of the counts in A / (p - q + |A| q),   f_v = (C_v / mu - q) / (p - q).

    Answers with a negative f_v leave A for good, because mu then increases.
    """
    kept = set(range(len(counts)))
    while True:
        level = Fraction(
            sum(counts[answer] for answer in kept), truth - other + len(kept) * other
        )
        shares = {
            answer: (counts[answer] / level - other) / (truth - other)
            for answer in kept
        }
        negative = {answer for answer in kept if shares[answer] < 0}
        if not negative:
            return [float(shares.get(answer, 0)) for answer in range(len(counts))]
        kept -= negative


def fit_mixture(
    components: FloatArray, counts: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the maximum-likelihood proportions and their log likelihood.

    They maximise l(m) = sum over reports r of C_r log(sum over j of m_j P_jr) over all
    nonnegative m with sum 1. l is concave; a primal-dual interior point method finds
    its maximum to within `GAP`. The sum needs no constraint of its own: it is 1 at the
    maximum of l(m) - n sum(m), because l increases by n log(s) if m is scaled by s.

    `components` has shape (problems, K, R), the chances of R reports under each of K
    components. `counts` has shape (problems, R), not all 0. Proportions have shape
    (problems, K); proportions that should be 0 end near 1e-12.

    References: Boyd & Vandenberghe 2004, Convex Optimization, section 11.7; Koenker &
    Mizera 2014, Journal of the American Statistical Association 109:674.
    """
    problems, size, _reports = components.shape
    # Reports that no component can send have likelihood 0; avoid a division by 0.
    is_impossible = ~components.any(axis=1)
    has_none = (is_impossible & (counts > 0)).any(axis=1)
    counts = np.where(is_impossible, 0.0, counts)
    total = counts.sum(axis=1, keepdims=True)
    transposed = np.swapaxes(components, 1, 2)
    proportions = np.full((problems, size), 1 / size)
    slack = np.broadcast_to(total, proportions.shape).copy()
    diagonal = np.eye(size)
    most, least = CENTRING
    aim = np.full_like(total, most)
    for _step in range(MAX_ITERATIONS):
        chances = (transposed @ proportions[..., None])[..., 0]
        chances += is_impossible
        ratios = counts / chances
        gradient = (components @ ratios[..., None])[..., 0]
        gap = (proportions * slack).sum(axis=1, keepdims=True)
        lack = np.abs(gradient - total + slack) * proportions
        if np.all(
            np.maximum(gap[:, 0], lack.sum(axis=1)) < GAP + ROUNDING * total[:, 0]
        ):
            break
        # Problems that have converged stay where they are until the others have.
        target = np.maximum(aim * gap, most * GAP) / size
        curvature = (components * (ratios / chances)[:, None, :]) @ transposed
        curvature += (slack / proportions)[..., None] * diagonal
        slope = gradient - total + target / proportions
        step = np.linalg.solve(curvature, slope[..., None])[..., 0]
        slack_step = target / proportions - slack - slack / proportions * step
        taken, slack_taken = (
            limit_step(proportions, step),
            limit_step(slack, slack_step),
        )
        proportions = proportions + taken * step
        slack = slack + slack_taken * slack_step
        # After a long step the point is close to the central path: centre less.
        aim = np.clip((1 - np.minimum(taken, slack_taken)) ** 2, least, most)
    proportions = proportions / proportions.sum(axis=1, keepdims=True)
    chances = (transposed @ proportions[..., None])[..., 0]
    # A report that was not sent may be impossible: 0 log 0 is 0 here.
    logs = np.log(chances, where=counts > 0, out=np.zeros_like(chances))
    likelihood = (counts * logs).sum(axis=1)
    return proportions, np.where(has_none, -math.inf, likelihood)


def limit_step(values: FloatArray, step: FloatArray) -> FloatArray:
    """Return the fraction of the step, at most 1, that keeps all values above 0."""
    ends = np.ones_like(values)
    np.divide(-INSIDE * values, step, out=ends, where=step < 0)
    return np.minimum(1.0, ends.min(axis=1, keepdims=True))


ROOT_TOLERANCE = 1e-9
"""Tolerance of the ends of an interval, relative to the span of the estimand."""


IMPOSSIBLE = 1e12
"""Replaces the infinite deviance of a value under which the reports cannot occur: the
search needs a finite number."""


def find_profile_interval(
    weights: Weights,
    counts: Sequence[int],
    estimand: Estimand,
    *,
    confidence_level: float,
    drop: float | None = None,
) -> Interval:
    """Return the interval of values that a likelihood-ratio test does not reject.

    2 [l(maximum) - l(maximum with the true value)] has nearly a chi-squared
    distribution with one degree of freedom (Wilks 1938, Annals of Mathematical
    Statistics 9:60; Venzon & Moolgavkar 1988, Applied Statistics 37:87). `drop`
    replaces its quantile.
    """
    table = compute_chances(weights)
    counted = np.array(counts, dtype=np.float64)
    found, top = fit_mixture(table[None], counted[None])
    middle = float(np.array(estimand.coefficients) @ found[0])
    limit = (
        float(scipy.special.chdtri(1, 1 - confidence_level)) if drop is None else drop
    )

    def excess(value: float) -> float:
        fixed = mix_components(value, estimand, table)
        _, likelihood = fit_mixture(fixed[None], counted[None])
        return 2 * float(top[0] - likelihood[0]) - limit

    return find_ends(excess, middle, float(estimand.low), float(estimand.high))


def find_ends(
    excess: Callable[[float], float], middle: float, low: float, high: float
) -> Interval:
    """Return the roots of `excess` between `middle` and each end of a range.

    Without a root, it is the end. `excess` is the deviance minus the limit of the test.
    """

    def bounded(value: float) -> float:
        return min(excess(value), IMPOSSIBLE)

    ends = []
    for edge in (low, high):
        if edge == middle or bounded(edge) <= 0:
            ends.append(edge)
        else:
            tolerance = ROOT_TOLERANCE * (high - low)
            ends.append(scipy.optimize.brentq(bounded, edge, middle, xtol=tolerance))
    return Interval(*ends)


def profile_share_among(
    weights: Weights, counts: Sequence[int], answer: int, excluded: int, *, drop: float
) -> tuple[float, Interval]:
    """Return the share of an answer if one other answer is excluded, and its interval.

    It is `profile_ratio` for the answers to one question.
    """
    table = compute_chances(weights)
    among = [each for each in range(len(table)) if each != excluded]
    wanted = Estimand.make_share(among.index(answer), answers=len(among))
    return profile_ratio(table, counts, among, wanted, drop=drop)


def profile_ratio(
    table: FloatArray,
    counts: Sequence[float],
    among: Sequence[int],
    estimand: Estimand,
    *,
    drop: float,
) -> tuple[float, Interval]:
    """Return the value of an estimand among some components, and its interval.

    `table` has shape (components, reports), the chances of the reports under each;
    `estimand` has a coefficient for each component in `among`. The value is
    r = (sum of c_j f_j) / (sum of f_j), both over j in `among`. The interval contains
    the values that a likelihood-ratio test does not reject: 2 [l(maximum) - l(maximum
    with this r)] is at most `drop`. Shares f with a given r are mixtures of components
    outside `among` and of pairs within it that have this value.

    If the maximum-likelihood share of `among` is 0, the value is NaN and the interval
    is the whole range.
    """
    low, high = float(estimand.low), float(estimand.high)
    counted = np.array(counts, dtype=np.float64)
    found, top = fit_mixture(table[None], counted[None])
    shares = found[0, list(among)]
    whole = float(shares.sum())
    if whole < AT_EDGE:
        return math.nan, Interval(low, high)
    within = table[list(among)]
    outside = table[[each for each in range(len(table)) if each not in among]]

    def excess(value: float) -> float:
        fixed = np.vstack([outside, mix_components(value, estimand, within)])
        _, likelihood = fit_mixture(fixed[None], counted[None])
        return 2 * float(top[0] - likelihood[0]) - drop

    value = min(float(np.array(estimand.coefficients) @ shares) / whole, high)
    value = low if value - low < AT_EDGE * (high - low) else value
    return value, find_ends(excess, value, low, high)


def mix_components(value: float, estimand: Estimand, table: FloatArray) -> FloatArray:
    """Return the chances of the reports under all pairs of answers with this value.

    Shares with a given value of the estimand are mixtures of such pairs: an answer with
    a coefficient of at most the value and one with a larger coefficient, in the
    proportions that give the value. The shape is (pairs, reports).
    """
    coefficients = np.array(estimand.coefficients)
    # The largest value is a mixture in which the lower answer has the share 0.
    is_below = (coefficients <= value) & (coefficients < estimand.high)
    below = coefficients[is_below][:, None]
    above = coefficients[~is_below][None, :]
    part = ((above - value) / (above - below))[..., None]
    mixed = part * table[is_below][:, None] + (1 - part) * table[~is_below][None]
    return mixed.reshape(-1, table.shape[1])
