"""Profile likelihoods of two shares: of two answers together, and of two groups.

Shares of pairs of answers are linear functions of the joint shares, or ratios of two.
Joint shares with a sufficient likelihood form a convex set, so the values of such a
function form an interval. A search between brackets finds its ends.

Two groups are independent and each count is binomial. So the log likelihood of a pair
of shares is a sum of two concave functions, and the pairs with a sufficient likelihood
form a convex set in [0, 1]^2. Where a straight line touches this set, both derivatives
of the likelihood are known up to a factor, and each share follows from its derivative
in closed form.

Arguments are checked by the callers.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy

from candor.binary import FloatArray, IntArray
from candor.likelihood import fit_mixture

EXACT_TO = 1e-9
"""Absolute tolerance of the ends of an interval."""

MAX_ITERATIONS = 60

NEXT_TO_EDGE = 1e-12
"""Distance from 0 and 1 to keep, where a logarithm may be infinite."""


class PairShare(Enum):
    """The share of respondents with answers a and b, by its denominator.

    The value is the number of combinations in the denominator, in the order (a, b),
    (not a, b), (a, not b), (not a, not b).
    """

    WITHIN = 2
    """The share of the respondents with answer b."""
    JOINT = 4
    """The share of all respondents."""


def fix_share(share: FloatArray, chances: FloatArray, target: PairShare) -> FloatArray:
    """Return the components of the mixture with a fixed share, shape (problems, 3, 4).

    `chances`, shape (problems, 4, 4), are the chances of four combinations of reports
    under the four combinations of answers.
    """
    t, size = share[:, None, None], target.value
    # In the denominator, a part t has both answers; the rest mixes the others.
    mixed = t * chances[:, :1] + (1 - t) * chances[:, 1:size]
    return np.concatenate([mixed, chances[:, size:]], axis=1)


def maximise_with_share(
    share: FloatArray, chances: FloatArray, counts: FloatArray, target: PairShare
) -> FloatArray:
    """Return the largest log likelihood with this share, shape (problems,)."""
    return fit_mixture(fix_share(share, chances, target), counts)[1]


def find_profile_interval(
    chances: FloatArray,
    counts: FloatArray,
    target: PairShare,
    *,
    confidence_level: float,
) -> tuple[FloatArray, FloatArray]:
    """Return the shares, low and high, that a likelihood ratio test does not reject.

    Coverage is approximate: see statistics.md. Wilks 1938, Annals of Mathematical
    Statistics 9:60; Venzon & Moolgavkar 1988, Applied Statistics 37:87.
    """
    proportions, best = fit_mixture(chances, counts)

    def held(share: FloatArray, place: IntArray) -> FloatArray:
        return maximise_with_share(share, chances[place], counts[place], target)

    middle = maximise_likelihood(proportions, target)
    return find_likely_ends(held, best, middle, confidence_level, edges=(0.0, 1.0))


def find_likely_ends(
    held: Callable[[FloatArray, IntArray], FloatArray],
    best: FloatArray,
    middle: FloatArray,
    confidence_level: float,
    *,
    edges: tuple[float, float],
) -> tuple[FloatArray, FloatArray]:
    """Return the ends of the intervals of values that the test does not reject.

    `held` takes values and the problem of each value, and returns their profile log
    likelihood. `best` is the maximum, at `middle`. Both ends of all problems are
    searched simultaneously, to within `EXACT_TO`. An end is the edge if the interval
    reaches it.
    """
    # Wilks: 2 [l(maximum) - l(maximum with the true value)] has nearly a chi-squared
    # distribution with one degree of freedom.
    limit = np.sqrt(float(scipy.special.chdtri(1, 1 - confidence_level)))

    def beyond(value: FloatArray, place: IntArray) -> FloatArray:
        # The square root of the deviance is nearly linear in the value.
        deviance = 2 * (best[place] - held(value, place))
        return np.sqrt(np.maximum(deviance, 0.0)) - limit

    place = np.tile(np.arange(len(middle)), 2)
    edge = np.repeat(edges, len(middle))
    outer = np.clip(edge, edges[0] + NEXT_TO_EDGE, edges[1] - NEXT_TO_EDGE)
    tolerances = {"xatol": EXACT_TO, "xrtol": 0.0}
    found = find_roots(beyond, (middle[place], outer), place, tolerances=tolerances)
    low, high = np.split(np.where(np.isnan(found), edge, found), 2)
    return low, high


def find_roots(
    function: Callable[..., FloatArray],
    ends: tuple[FloatArray, FloatArray],
    *arguments: Any,
    tolerances: Any,
) -> FloatArray:
    """Return the root of `function` between each pair of ends; NaN without a root.

    `function` is called with the elements of `arguments` whose root is not yet found.
    `tolerances` are as in `scipy.optimize.elementwise.find_root`.
    """
    # scipy does not load this module on first use by itself.
    from scipy.optimize.elementwise import find_root

    return find_root(
        function, ends, args=arguments, tolerances=tolerances, maxiter=MAX_ITERATIONS
    ).x


def maximise_likelihood(proportions: FloatArray, target: PairShare) -> FloatArray:
    """Return the maximum-likelihood share, shape (problems,), in (0, 1).

    If almost no respondent has answer b, both proportions are near 0, and their ratio
    is arbitrary.
    """
    whole = proportions[:, : target.value].sum(axis=1)
    return np.clip(proportions[:, 0] / whole, NEXT_TO_EDGE, 1 - NEXT_TO_EDGE)


BoolArray = npt.NDArray[np.bool_]
Chances = tuple[FloatArray, FloatArray]
"""Chances of a yes and of a no report, both of shape (2, problems)."""

MAX_DOUBLINGS = 1000
"""Most doublings of a slope; a million reports need about twenty."""

HALVINGS = 60
"""Most halvings of the interval of slopes."""

AS_GOOD_AS = 1e-12
"""Relative tolerance of slopes: the ends have eleven digits."""

MAX_LINES = 100
"""Most tangents for a ratio; five are usual."""


@dataclass(frozen=True)
class TwoSampleLikelihood:
    """The pairs of shares with a deviance of at most `reach`, for many problems.

    Arrays have shape (2, problems). `yes` and `no` are the counts of both groups, not
    both 0. `least` and `most` are the chances b < a of a yes report at shares 0 and 1.
    """

    yes: FloatArray
    no: FloatArray
    least: FloatArray
    most: FloatArray
    reach: float

    @property
    def maximum(self) -> FloatArray:
        """The maximum-likelihood share of each group, shape (2, problems)."""
        return self.shares(self._peak[0])

    def shares(self, chances: FloatArray) -> FloatArray:
        return np.clip((chances - self.least) / (self.most - self.least), 0.0, 1.0)

    def deviance(self, chances: FloatArray, rest: FloatArray) -> FloatArray:
        """Return the deviance of each group at these chances of yes and no."""
        peak, peak_rest = self._peak
        # Logarithms of ratios, because a difference of log likelihoods of a billion
        # reports would have no correct digits.
        with np.errstate(divide="ignore", invalid="ignore"):
            yes = np.where(self.yes > 0, self.yes * np.log(peak / chances), 0.0)
            no = np.where(self.no > 0, self.no * np.log(peak_rest / rest), 0.0)
        return 2 * (yes + no)

    def farthest(self, direction: FloatArray) -> FloatArray:
        """Return the likely pair with the largest sum of `direction` times shares.

        At least one number of `direction` is not 0.
        """
        return self.shares(self._find_last(direction, self._is_likely)[0])

    def compute_deviance_if_equal(self) -> FloatArray:
        """Return the smallest deviance of equal shares, shape (problems,).

        It is 0 if the estimated shares are equal.
        """
        first, second = self.maximum
        towards = np.array([np.sign(second - first), np.sign(first - second)])

        def apart(pair: Chances) -> BoolArray:
            shares = self.shares(pair[0])
            return (shares[1] - shares[0]) * towards[0] > 0

        common = self._find_last(towards, apart)
        deviance: FloatArray = self.deviance(*common).sum(axis=0)
        # Rounding must not make it negative, where chi-squared has no tail.
        return np.maximum(deviance, 0.0)

    def differences(self) -> tuple[FloatArray, FloatArray]:
        """Return the smallest and the largest likely difference, first minus second."""
        low, high = (
            np.subtract(*self.farthest(np.array([[sign], [-sign]])))
            for sign in (-1.0, 1.0)
        )
        return low, high

    def largest_ratio(self) -> float:
        """Return the largest likely ratio, first by second, of a single problem.

        It is infinite if a second share of 0 is likely. Each line through the origin
        that touches the likely pairs improves on the previous one (Dinkelbach 1967,
        Management Science 13:492).
        """
        first, second = self.maximum[:, 0]
        nothing = np.array([self._peak[0][0], self.least[1] + 0 * self.yes[1]])
        if self.deviance(nothing, 1 - nothing).sum() <= self.reach:
            return np.inf
        ratio = first / second
        for _line in range(MAX_LINES):
            first, second = self.farthest(np.array([[1.0], [-ratio]]))[:, 0]
            if first / second <= ratio * (1 + 1e-12):
                break
            ratio = first / second
        return float(ratio)

    @property
    def swapped(self) -> "TwoSampleLikelihood":
        return TwoSampleLikelihood(
            self.yes[::-1], self.no[::-1], self.least[::-1], self.most[::-1], self.reach
        )

    @cached_property
    def _peak(self) -> Chances:
        total = self.yes + self.no
        return (
            np.clip(self.yes / total, self.least, self.most),
            np.clip(self.no / total, 1 - self.most, 1 - self.least),
        )

    def _is_likely(self, pair: Chances) -> BoolArray:
        return self.deviance(*pair).sum(axis=0) <= self.reach

    def _find_last(
        self, direction: FloatArray, holds: Callable[[Chances], BoolArray]
    ) -> Chances:
        """Return the last pair in a direction that satisfies `holds`.

        The path starts at the most likely pair and follows the pairs that are farthest
        in the direction for their deviance. If all satisfy `holds`, it is the pair at
        the edge.
        """
        steep = np.ones(self.yes.shape[1])
        edge = (direction > 0).astype(float)
        for _doubling in range(MAX_DOUBLINGS):
            pair = self._find_touching(steep * direction)
            at_edge = (self.shares(pair[0]) == edge) | (direction == 0)
            short = holds(pair) & ~at_edge.all(axis=0)
            if not short.any():
                break
            steep = np.where(short, 2 * steep, steep)
        gentle = np.where(holds(pair), steep, 0.0)
        for _halving in range(HALVINGS):
            if np.all(steep - gentle <= AS_GOOD_AS * steep):
                break
            between = (gentle + steep) / 2
            inside = holds(self._find_touching(between * direction))
            gentle = np.where(inside, between, gentle)
            steep = np.where(inside, steep, between)
        return self._find_touching(gentle * direction)

    def _find_touching(self, slope: FloatArray) -> Chances:
        """Return the chances at which the log likelihood decreases with this slope.

        Slopes are per share, shape (2, problems), positive where it decreases towards
        1. Shares are clipped to [0, 1].
        """
        # (n - x) / (1 - lam) - x / lam = slope / (a - b) is a quadratic in lam; the
        # no reports have the same equation with the other sign.
        fall = slope / (self.most - self.least)
        return (
            np.clip(solve_slope(self.yes, self.no, -fall), self.least, self.most),
            np.clip(
                solve_slope(self.no, self.yes, fall), 1 - self.most, 1 - self.least
            ),
        )


def solve_slope(count: FloatArray, rest: FloatArray, slope: FloatArray) -> FloatArray:
    """Return the chance, in [0, 1], with count / chance - rest / (1 - chance) = slope.

    Each form of the root is used where no digits cancel.
    """
    total = count + rest
    top = total + slope
    root = np.sqrt(
        np.where(
            slope > 0,
            (total - slope) ** 2 + 4 * slope * rest,
            top**2 - 4 * slope * count,
        )
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        chance = np.where(top > 0, 2 * count / (top + root), (top - root) / (2 * slope))
    return np.nan_to_num(chance, nan=0.0)
