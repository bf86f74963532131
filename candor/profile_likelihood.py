"""Profile likelihoods of two shares: of two answers together, and of two groups.

Shares of two answers together are a linear function of the joint shares, or a ratio of
two, and joint shares that are likely enough form a convex set. So what they give forms
an interval, and a search between brackets finds its ends.

Two groups are independent and each count is binomial, so the log likelihood of a pair
of shares is the sum of two concave functions, and the likely pairs are a convex set in
[0, 1]^2. Where a straight line touches it, both slopes of the likelihood are known up
to one number, and each share follows from its slope in closed form.

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
"""Absolute error of the ends of an interval."""

MAX_ITERATIONS = 60

NEXT_TO_EDGE = 1e-12
"""Replaces a share of 0 or 1, where a logarithm may be infinite."""


class PairShare(Enum):
    """Those with answers a and b, as a share of the first so many combinations.

    Combinations come in the order (a, b), (not a, b), (a, not b), (not a, not b).
    """

    WITHIN = 2
    """Of the respondents with answer b."""
    JOINT = 4
    """Of all respondents."""


def held_at(share: FloatArray, chances: FloatArray, target: PairShare) -> FloatArray:
    """Return the components that are left to mix when the share is held.

    Shape (problems, 3, 4); `chances` are those of four combinations of reports under
    the four combinations of answers, shape (problems, 4, 4).
    """
    t, size = share[:, None, None], target.value
    # Of those it is a share of, t have both answers; the rest mixes the others.
    mixed = t * chances[:, :1] + (1 - t) * chances[:, 1:size]
    return np.concatenate([mixed, chances[:, size:]], axis=1)


def likelihood_held(
    share: FloatArray, chances: FloatArray, counts: FloatArray, target: PairShare
) -> FloatArray:
    """Return the largest log likelihood with this share, shape (problems,)."""
    return fit_mixture(held_at(share, chances, target), counts)[1]


def profile_interval(
    chances: FloatArray,
    counts: FloatArray,
    target: PairShare,
    *,
    confidence_level: float,
) -> tuple[FloatArray, FloatArray]:
    """Return the shares, low and high, that a likelihood ratio test does not reject.

    Wilks 1938, Annals of Mathematical Statistics 9:60; Venzon & Moolgavkar 1988,
    Applied Statistics 37:87. The level is aimed at: statistics.md has the coverage that
    was found.
    """
    proportions, best = fit_mixture(chances, counts)

    def held(share: FloatArray, place: IntArray) -> FloatArray:
        return likelihood_held(share, chances[place], counts[place], target)

    middle = maximise_likelihood(proportions, target)
    return likely_ends(held, best, middle, confidence_level, edges=(0.0, 1.0))


def likely_ends(
    held: Callable[[FloatArray, IntArray], FloatArray],
    best: FloatArray,
    middle: FloatArray,
    confidence_level: float,
    *,
    edges: tuple[float, float],
) -> tuple[FloatArray, FloatArray]:
    """Return between which values twice the lack of log likelihood is small enough.

    `held` takes values and the problem that each belongs to, and returns the largest
    log likelihood with them; `best` is the largest of all, at `middle`. Both ends of
    all problems are searched at once, exact to `EXACT_TO`; an end is an edge where the
    interval reaches it.
    """
    # Wilks: 2 [l(maximum) - l(maximum with the true value)] has nearly a chi-squared
    # distribution with one degree of freedom.
    limit = np.sqrt(float(scipy.special.chdtri(1, 1 - confidence_level)))

    def beyond(value: FloatArray, place: IntArray) -> FloatArray:
        # A root of the lack is nearly straight in the value.
        lack = 2 * (best[place] - held(value, place))
        return np.sqrt(np.maximum(lack, 0.0)) - limit

    place = np.tile(np.arange(len(middle)), 2)
    edge = np.repeat(edges, len(middle))
    outer = np.clip(edge, edges[0] + NEXT_TO_EDGE, edges[1] - NEXT_TO_EDGE)
    tolerances = {"xatol": EXACT_TO, "xrtol": 0.0}
    found = roots(beyond, (middle[place], outer), place, tolerances=tolerances)
    low, high = np.split(np.where(np.isnan(found), edge, found), 2)
    return low, high


def roots(
    function: Callable[..., FloatArray],
    ends: tuple[FloatArray, FloatArray],
    *arguments: Any,
    tolerances: Any,
) -> FloatArray:
    """Return where `function` is 0 between each two ends, NaN where it has one sign.

    Of its arguments it gets those whose root is still searched; `tolerances` are those
    of `scipy.optimize.elementwise.find_root`.
    """
    # Here, since scipy does not load this part of it by itself when it is first used.
    from scipy.optimize.elementwise import find_root

    return find_root(
        function, ends, args=arguments, tolerances=tolerances, maxiter=MAX_ITERATIONS
    ).x


def maximise_likelihood(proportions: FloatArray, target: PairShare) -> FloatArray:
    """Return the maximum-likelihood share, shape (problems,), inside (0, 1).

    Where next to no respondent has answer b the ratio of the two proportions, both near
    0, is as good as any.
    """
    whole = proportions[:, : target.value].sum(axis=1)
    return np.clip(proportions[:, 0] / whole, NEXT_TO_EDGE, 1 - NEXT_TO_EDGE)


BoolArray = npt.NDArray[np.bool_]
Chances = tuple[FloatArray, FloatArray]
"""Chances of a yes and of a no report, both of shape (2, problems)."""

MAX_DOUBLINGS = 1000
"""Steps until a slope is steep enough; a million reports need some twenty."""

HALVINGS = 60
"""Of the slope, at most."""

AS_GOOD_AS = 1e-12
"""Slopes that differ by less, relatively: the ends have eleven digits."""

MAX_LINES = 100
"""Tangents tried for a ratio; five are usual."""


@dataclass(frozen=True)
class TwoSampleLikelihood:
    """Pairs of shares whose log likelihood is near the largest, for many problems.

    Arrays have shape (2, problems): `yes` and `no` are the counts of both groups, not
    both 0, `least` and `most` the chances b < a of a yes report at shares 0 and 1.
    `reach` is twice what the log likelihood may lack.
    """

    yes: FloatArray
    no: FloatArray
    least: FloatArray
    most: FloatArray
    reach: float

    @property
    def maximum(self) -> FloatArray:
        """The maximum-likelihood share of each group by itself, shape (2, problems)."""
        return self.shares(self._peak[0])

    def shares(self, chances: FloatArray) -> FloatArray:
        return np.clip((chances - self.least) / (self.most - self.least), 0.0, 1.0)

    def lack(self, chances: FloatArray, rest: FloatArray) -> FloatArray:
        """Return twice what the log likelihood lacks at these chances of yes and no."""
        peak, peak_rest = self._peak
        # Logarithms of ratios: of a billion reports the likelihood itself would leave
        # no digits for what is compared.
        with np.errstate(divide="ignore", invalid="ignore"):
            yes = np.where(self.yes > 0, self.yes * np.log(peak / chances), 0.0)
            no = np.where(self.no > 0, self.no * np.log(peak_rest / rest), 0.0)
        return 2 * (yes + no)

    def farthest(self, direction: FloatArray) -> FloatArray:
        """Return the likely pair that lies farthest in a direction.

        It makes direction times shares as large as it can be; `direction` is not both
        0.
        """
        return self.shares(self._last(direction, self._is_likely)[0])

    def lack_if_equal(self) -> FloatArray:
        """Return twice what the log likelihood lacks where both shares are the same.

        Of the most likely such shares, shape (problems,): 0 where the estimated shares
        are equal anyway.
        """
        first, second = self.maximum
        towards = np.array([np.sign(second - first), np.sign(first - second)])

        def apart(pair: Chances) -> BoolArray:
            shares = self.shares(pair[0])
            return (shares[1] - shares[0]) * towards[0] > 0

        lack: FloatArray = self.lack(*self._last(towards, apart)).sum(axis=0)
        # Rounding must not take it below 0, where chi-squared has no tail.
        return np.maximum(lack, 0.0)

    def differences(self) -> tuple[FloatArray, FloatArray]:
        """Return the smallest and the largest likely difference, first less second."""
        low, high = (
            np.subtract(*self.farthest(np.array([[sign], [-sign]])))
            for sign in (-1.0, 1.0)
        )
        return low, high

    def largest_ratio(self) -> float:
        """Return the largest likely ratio, first by second, of the one problem.

        Infinite where a second share of 0 is likely. Each line through the origin that
        touches the likely pairs is a better one than the last (Dinkelbach 1967,
        Management Science 13:492).
        """
        first, second = self.maximum[:, 0]
        nothing = np.array([self._peak[0][0], self.least[1] + 0 * self.yes[1]])
        if self.lack(nothing, 1 - nothing).sum() <= self.reach:
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
        return self.lack(*pair).sum(axis=0) <= self.reach

    def _last(
        self, direction: FloatArray, holds: Callable[[Chances], BoolArray]
    ) -> Chances:
        """Return the last pair of which something holds, going in a direction.

        On the way from the most likely pair along those that lie farthest for what they
        lack. Where it holds for all of them, the pair at the edge.
        """
        steep = np.ones(self.yes.shape[1])
        edge = (direction > 0).astype(float)
        for _doubling in range(MAX_DOUBLINGS):
            pair = self._touching(steep * direction)
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
            inside = holds(self._touching(between * direction))
            gentle = np.where(inside, between, gentle)
            steep = np.where(inside, steep, between)
        return self._touching(gentle * direction)

    def _touching(self, slope: FloatArray) -> Chances:
        """Return chances at which the log likelihood falls with this slope.

        Slopes are by the share, shape (2, problems), above 0 where it falls towards 1.
        Shares beyond 0 and 1 stay there.
        """
        # (n - x) / (1 - lam) - x / lam = slope / (a - b) is a quadratic in lam; the
        # no reports have the same equation with the other sign.
        fall = slope / (self.most - self.least)
        return (
            np.clip(falling(self.yes, self.no, -fall), self.least, self.most),
            np.clip(falling(self.no, self.yes, fall), 1 - self.most, 1 - self.least),
        )


def falling(count: FloatArray, rest: FloatArray, slope: FloatArray) -> FloatArray:
    """Return the chance at which count / chance - rest / (1 - chance) is the slope.

    In [0, 1]; each form of the root is taken where nothing cancels.
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
        found = np.where(top > 0, 2 * count / (top + root), (top - root) / (2 * slope))
    return np.nan_to_num(found, nan=0.0)
