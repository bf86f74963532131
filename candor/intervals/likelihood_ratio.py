"""Exact intervals, never empty, that order the counts by a likelihood ratio.

For each chance lam of a yes report, the counts y are ordered by R(y; lam) =
P(y | lam) / w(y), and p(x, lam) = P{R(Y; lam) <= R(x; lam)}. The interval is the hull
of {lam in [b, a] : p(x, lam) > alpha}. Its coverage is at least 1 - alpha for every
lam and any weight w:

- w(y) = max over [b, a] of P(y | lam): Feldman & Cousins 1998, Physical Review D
  57:3873, section IV;
- w(y) = mean over [b, a] of P(y | lam): Pratt 1961, Journal of the American Statistical
  Association 56:549, the shortest on average over shares.

ln R(y; lam) = y logit(lam) + n ln(1 - lam) - d(y) with d convex, so the counts that
rank no higher than x are {0, ..., x} and {y, ..., n} for some y > x. Between two ties
of x and y, p(x, lam) first falls and then rises: a few tail sums find each limit.
"""

import math
from collections.abc import Callable
from functools import cache, partial

import numpy as np
import scipy

from candor.binary import BinomialDesign
from candor.intervals.posterior import compute_log_evidence

LogWeight = Callable[[int, BinomialDesign], float]

ROUNDING = 32 * float(np.finfo(float).eps)
"""Relative error allowed in a log weight: twice the largest found in a comparison with
exact fractions. Ties are moved outwards by it, so that there is no gap, in which
coverage is lost, between two intervals that should touch."""

TINY = np.finfo(float).tiny
"""Absolute tolerance of roots: practically 0, the relative one decides."""


def feldman_cousins(
    yes: int, design: BinomialDesign, *, confidence_level: float
) -> tuple[float, float]:
    """Return the exact interval for the share, ordered by the likelihood ratio."""
    return _interval(yes, design, 1 - confidence_level, compute_log_peak)


def pratt(
    yes: int, design: BinomialDesign, *, confidence_level: float
) -> tuple[float, float]:
    """Return the exact interval for the share, ordered by the ratio to the average."""
    return _interval(yes, design, 1 - confidence_level, compute_log_evidence)


def compute_log_peak(yes: int, design: BinomialDesign) -> float:
    """Return ln of the largest likelihood over [b, a], without the coefficient."""
    return design.log_likelihood(yes, design.peak(yes))


def _interval(
    yes: int, design: BinomialDesign, alpha: float, log_weight: LogWeight
) -> tuple[float, float]:
    # The lower limit for yes is 1 minus the upper limit for no.
    mirrored, no = design.mirrored, design.respondents - yes
    low = 1 - mirrored.share(_find_upper_chance(no, mirrored, alpha, log_weight))
    high = design.share(_find_upper_chance(yes, design, alpha, log_weight))
    # At confidence levels near 0 the subtraction may round past the upper limit.
    return min(low, high), high


def _find_upper_chance(
    yes: int, design: BinomialDesign, alpha: float, log_weight: LogWeight
) -> float:
    """Return the largest chance in [b, a] with p > alpha, moved outwards by rounding.

    ln R(y; lam) is concave in y. So for lam above the one at which `yes` ranks first,
    the counts that rank no higher are {0..yes} and {y..n}. The count y ties with `yes`
    at

        logit(tie(y)) = [ln w(y) - ln w(yes)] / (y - yes),

    where w omits binomial coefficients. This increases with y, because ln w is convex.
    So the range of lam consists of pieces (tie(y - 1), tie(y)], on each of which p is
    the sum of two tails that first falls, then rises. y = n + 1 is "no right tail".
    """
    n = design.respondents
    lowest, highest = design.p_yes_given_no, design.p_yes_given_yes
    own, peak = log_weight(yes, design), design.peak(yes)
    too_low = own + math.log(alpha / 2) - ROUNDING * (1 + abs(own))

    def ends(y: int) -> tuple[float, float, bool]:
        """Return the end of the piece of `y`, the next start, and if it is far."""
        weight = log_weight(y, design)
        rise, distance = weight - own, y - yes
        error = ROUNDING * (1 + abs(weight) + abs(own))
        expit = scipy.special.expit
        end, start = expit((rise + error) / distance), expit(rise / distance)
        # Chernoff: above it each tail is at most R(yes; lam), which decreases.
        least = max(peak, float(expit((rise - error) / distance)))
        is_far = design.log_likelihood(yes, least) <= too_low
        return min(highest, float(end)), max(lowest, float(start)), is_far

    # P(X <= yes) and P(X >= y), as in `candor.binary` but three times as fast, because
    # they are called hundreds of times. The first is called at the left end of both
    # parts of a block.
    @cache
    def at_most(chance: float) -> float:
        return float(scipy.special.betaincc(yes + 1, n - yes, chance))

    def at_least(y: int, chance: float) -> float:
        return float(scipy.special.betainc(y, n - y + 1, chance)) if y <= n else 0.0

    def p_value(y: int, chance: float) -> float:
        return at_most(chance) + at_least(y, chance)

    # Search from the far end inwards. Over the pieces first..last, P(X <= yes) is
    # largest at the left and P(X >= first) at the right. If their sum is at most alpha,
    # the block is skipped; otherwise it is halved.
    nearest, left, is_far = ends(yes + 1) if yes < n else (highest, highest, True)
    blocks = [] if is_far else [(yes + 2, n + 1, left, highest)]
    while blocks:
        first, last, left, right = blocks.pop()
        # The first tail is often enough, and each takes most of the time of a step.
        if (tail := at_most(left)) <= alpha and tail + at_least(first, right) <= alpha:
            continue
        if first < last:
            middle = (first + last) // 2
            end, start, is_far = ends(middle)
            blocks.append((first, middle, left, end))
            if not is_far:
                blocks.append((middle + 1, last, start, right))
        elif p_value(first, right) > alpha:
            return right
        elif left < right and p_value(first, left) > alpha:
            return _find_crossing(partial(p_value, first), alpha, left, right)
    # In the piece y = yes + 1 the two tails contain all counts: p = 1 up to its end.
    return nearest


def _find_crossing(
    p_value: Callable[[float], float], alpha: float, low: float, high: float
) -> float:
    """Return where `p_value` falls to alpha in (low, high], rounded outwards."""
    root = scipy.optimize.brentq(
        lambda lam: p_value(lam) - alpha, low, high, xtol=TINY, rtol=ROUNDING
    )
    return min(high, root * (1 + ROUNDING))
