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
from candor.mechanisms.table import Weights, truth_and_other

GAP = 1e-8
"""The search ends where no shares could raise the log likelihood by more."""

ROUNDING = 1e-13
"""What rounding may add to a condition of the maximum, as a part of all reports."""

MAX_ITERATIONS = 100
"""Some twenty are needed; the rest is for tables that hide nearly everything."""

CENTRING = 0.1, 0.001
"""Part of the gap that a step aims at: after a short step, and after a whole one."""

INSIDE = 0.999
"""Part of the way to the nearest edge that one step may take."""

AT_EDGE = 1e-6
"""Shares below are shares of 0 that the search left behind."""


def maximum_likelihood_shares(weights: Weights, counts: Sequence[int]) -> list[float]:
    """Return the shares of the answers that make counts of reports most likely.

    `counts` are not all 0.
    """
    truth, other = truth_and_other(weights) or (0, 0)
    if truth > other:
        return water_filling(counts, truth=truth, other=other)
    table = np.array(weights, dtype=np.float64) / sum(weights[0])
    found, _ = fit_mixture(table[None], np.array([counts], dtype=np.float64))
    kept = np.where(found[0] < AT_EDGE, 0.0, found[0])
    return (kept / kept.sum()).tolist()


def water_filling(counts: Sequence[int], *, truth: int, other: int) -> list[float]:
    """Return maximum-likelihood shares for one weight of the truth, one of the rest.

    Let A be the answers with a share above 0. Setting the derivative of the likelihood
    to 0 gives, in chances p and q,

        mu = sum of the counts in A / (p - q + |A| q),   f_v = (C_v / mu - q) / (p - q).

    Answers whose f_v is negative leave A, and mu rises; they never come back.
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
    """Return the proportions that make counts most likely, and the log likelihood.

    Maximises l(m) = sum over reports r of C_r log(sum over j of m_j P_jr) over all m of
    at least 0 that sum to 1. l is concave; a primal-dual interior point method finds
    its maximum to within `GAP`. The sum needs no constraint of its own: it is 1 at the
    maximum of l(m) - n sum(m), because l grows by n log(s) when m is scaled by s.

    `components` has shape (problems, K, R), the chances of R reports under each of K
    components, and `counts` shape (problems, R), not all 0. Proportions have shape
    (problems, K); those that belong to 0 end near 1e-12.

    References: Boyd & Vandenberghe 2004, Convex Optimization, section 11.7; Koenker &
    Mizera 2014, Journal of the American Statistical Association 109:674.
    """
    problems, size, _reports = components.shape
    # Reports that no component can send leave no likelihood, and must not divide by 0.
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
        # Problems that are done wait for the others where they are.
        target = np.maximum(aim * gap, most * GAP) / size
        curvature = (components * (ratios / chances)[:, None, :]) @ transposed
        curvature += (slack / proportions)[..., None] * diagonal
        slope = gradient - total + target / proportions
        step = np.linalg.solve(curvature, slope[..., None])[..., 0]
        slack_step = target / proportions - slack - slack / proportions * step
        taken, slack_taken = reach(proportions, step), reach(slack, slack_step)
        proportions = proportions + taken * step
        slack = slack + slack_taken * slack_step
        # Who came far is next to the central path, and need not be led back to it.
        aim = np.clip((1 - np.minimum(taken, slack_taken)) ** 2, least, most)
    proportions = proportions / proportions.sum(axis=1, keepdims=True)
    chances = (transposed @ proportions[..., None])[..., 0]
    # A report without a sender may be impossible: 0 log 0 is 0 here.
    logs = np.log(chances, where=counts > 0, out=np.zeros_like(chances))
    likelihood = (counts * logs).sum(axis=1)
    return proportions, np.where(has_none, -math.inf, likelihood)


def reach(values: FloatArray, step: FloatArray) -> FloatArray:
    """Return how much of the step keeps all values above 0, at most all of it."""
    ends = np.ones_like(values)
    np.divide(-INSIDE * values, step, out=ends, where=step < 0)
    return np.minimum(1.0, ends.min(axis=1, keepdims=True))


ROOT_TOLERANCE = 1e-9
"""Of an end of an interval, as a part of the span of the estimand."""


IMPOSSIBLE = 1e12
"""Replaces the infinite deviance of a value under which the reports cannot occur: the
search needs a finite number."""


def profile_interval(
    weights: Weights,
    counts: Sequence[int],
    estimand: Estimand,
    *,
    confidence_level: float,
    drop: float | None = None,
) -> Interval:
    """Return the values of the estimand that a likelihood-ratio test does not reject.

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
        fixed = components_with_value(value, estimand, table)
        _, likelihood = fit_mixture(fixed[None], counted[None])
        return 2 * float(top[0] - likelihood[0]) - limit

    return find_ends(excess, middle, float(estimand.low), float(estimand.high))


def find_ends(
    excess: Callable[[float], float], middle: float, low: float, high: float
) -> Interval:
    """Return where `excess` is 0 between `middle` and each end of a range, or the end.

    `excess` is what the deviance of a value is above the limit of the test.
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
    """Return the share of an answer among those without another one, and its interval.

    That is `profile_ratio` for answers to one question.
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
    r = (sum of c_j f_j) / (sum of f_j), both over j in `among`. The interval holds the
    values that a likelihood-ratio test does not reject: 2 [l(maximum) - l(maximum with
    this r)] is at most `drop`. Shares f with a given r are mixtures of components
    outside `among` and of pairs within that have this value.

    The value is NaN, and the interval everything, where the maximum has nothing in
    `among`.
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
        fixed = np.vstack([outside, components_with_value(value, estimand, within)])
        _, likelihood = fit_mixture(fixed[None], counted[None])
        return 2 * float(top[0] - likelihood[0]) - drop

    value = min(float(np.array(estimand.coefficients) @ shares) / whole, high)
    value = low if value - low < AT_EDGE * (high - low) else value
    return value, find_ends(excess, value, low, high)


def components_with_value(
    value: float, estimand: Estimand, table: FloatArray
) -> FloatArray:
    """Return the chances of the reports under all pairs of answers with this value.

    Shares with a given value of the estimand are mixtures of such pairs: one answer
    whose coefficient is not above the value, one whose coefficient is above it, in the
    proportions that give the value. Shape (pairs, reports).
    """
    coefficients = np.array(estimand.coefficients)
    # The largest value itself is a mixture in which the lower answer has no part.
    is_below = (coefficients <= value) & (coefficients < estimand.high)
    below = coefficients[is_below][:, None]
    above = coefficients[~is_below][None, :]
    part = ((above - value) / (above - below))[..., None]
    mixed = part * table[is_below][:, None] + (1 - part) * table[~is_below][None]
    return mixed.reshape(-1, table.shape[1])
