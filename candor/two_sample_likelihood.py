"""The shares in two groups that are likely enough, and the farthest of them.

The groups are independent and each count is binomial, so the log likelihood of a pair
of shares is the sum of two concave functions, and the likely pairs are a convex set in
[0, 1]^2. Where a straight line touches it, both slopes of the likelihood are known up
to one number, and each share follows from its slope in closed form.

Arguments are checked by the callers.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from candor.binary import FloatArray

BoolArray = npt.NDArray[np.bool_]
Chances = tuple[FloatArray, FloatArray]
"""Chances of a yes and of a no report, both of shape (2, problems)."""

MOST_DOUBLINGS = 1000
"""Steps until a slope is steep enough; a million reports need some twenty."""

HALVINGS = 60
"""Of the slope, at most."""

AS_GOOD_AS = 1e-12
"""Slopes that differ by less, relatively: the ends have eleven digits."""

MOST_LINES = 100
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
        for _line in range(MOST_LINES):
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
        for _doubling in range(MOST_DOUBLINGS):
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
