"""Coverage and width of intervals by enumerating the counts."""

import math
from functools import cache
from typing import NamedTuple

import numpy as np
from scipy.stats import binom

from candor.binary import BinomialDesign
from candor.intervals import share_interval

SHARES = np.linspace(0, 1, 2001)

# Counts further than this many standard deviations from every expected count have a
# total chance below 1e-10. They count as not covered, so the result is a lower bound of
# the coverage.
FAR = 6.5


class Chances(NamedTuple):
    """P(report yes | yes) and P(report yes | no)."""

    a: float
    b: float


def symmetric(epsilon):
    a = math.exp(epsilon) / (1 + math.exp(epsilon))
    return Chances(a, 1 - a)


DESIGNS = {
    "epsilon .1": symmetric(0.1),
    "epsilon .5": symmetric(0.5),
    "die, ln 2": symmetric(math.log(2)),
    "epsilon 1": symmetric(1),
    "coin, ln 3": symmetric(math.log(3)),
    "5/6, ln 5": symmetric(math.log(5)),
    "epsilon 2": symmetric(2),
    "11/12, ln 11": symmetric(math.log(11)),
    "epsilon 4": symmetric(4),
    "11/12 and 1/6": Chances(11 / 12, 1 / 6),
}


class Limits(NamedTuple):
    """Intervals of a run of counts."""

    counts: np.ndarray
    low: np.ndarray
    high: np.ndarray


@cache
def limits(n, design, method):
    """Return the 95 % interval of every count that is likely under any share."""
    a, b = DESIGNS[design]
    reach = FAR * math.sqrt(n) / 2
    first = max(0, math.floor(n * b - reach))
    last = min(n, math.ceil(n * a + reach))
    is_symmetric = design != "11/12 and 1/6"
    if is_symmetric:
        first, last = min(first, n - last), max(last, n - first)
    counts = np.arange(first, last + 1)
    design = BinomialDesign(respondents=n, p_yes_given_yes=a, p_yes_given_no=b)
    # In a symmetric design the interval of n - x is that of x, seen from "no": a
    # property with its own test, which halves the work here.
    computed = counts[: (len(counts) + 1) // 2] if is_symmetric else counts
    found = np.array([share_interval(int(x), design, method=method) for x in computed])
    if is_symmetric:
        rest = 1 - found[: len(counts) // 2][::-1, ::-1]
        found = np.concatenate([found, rest])
    return Limits(counts, found[:, 0], found[:, 1])


def coverage(n, design, method, shares):
    """Return P(the interval covers the share) for each of `shares`."""
    a, b = DESIGNS[design]
    counts, low, high = limits(n, design, method)
    chances = b + (a - b) * shares
    # Both limits grow with the count, so the counts that cover a share are consecutive.
    first = counts[0] + np.searchsorted(high, shares, side="left")
    last = counts[0] + np.searchsorted(low, shares, side="right") - 1
    return binom.cdf(last, n, chances) - binom.cdf(first - 1, n, chances)


def shares_where_coverage_is_lowest(n, design, method):
    """Return the grid of shares and the next number outside every interval's ends."""
    _, low, high = limits(n, design, method)
    outside = np.concatenate([np.nextafter(low, -1), np.nextafter(high, 2)])
    shares = np.concatenate([SHARES, outside])
    return shares[(shares >= 0) & (shares <= 1)]


@cache
def expected_width(n, design, method):
    """Return the mean width of the interval for each of `SHARES`."""
    a, b = DESIGNS[design]
    counts, low, high = limits(n, design, method)
    chances = b + (a - b) * SHARES
    return binom.pmf(counts, n, chances[:, None]) @ (high - low)


@cache
def shortest_possible_width(n, design):
    """Return the smallest mean width over all shares that 95 % intervals can have.

    Pratt 1961: for every share, the most likely counts of a uniform share are left out
    of its acceptance region until the chance 0.95 is just reached, the last count by
    lot (Neyman-Pearson); the width is the region's chance under a uniform share.
    """
    a, b = DESIGNS[design]
    chance = binom.pmf(np.arange(n + 1), n, (b + (a - b) * SHARES)[:, None])
    uniform = np.trapezoid(chance, SHARES, axis=0)
    order = np.argsort(-chance / uniform, axis=1)
    chance = np.take_along_axis(chance, order, axis=1)
    before = chance.cumsum(axis=1) - chance
    taken = np.clip((0.95 - before) / chance, 0, 1)
    return float(np.trapezoid((uniform[order] * taken).sum(axis=1), SHARES))
