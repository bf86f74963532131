"""The power of an exact binomial test while the number of respondents grows.

The test rejects where more than c of n reports are "yes", c being the smallest count
with P(X > c) <= alpha under the null. While n grows, the power rises as long as c
stays, and falls as long as n - c stays: a sawtooth (Chernick & Liu 2002, The American
Statistician 56:149). Both runs of n are called teeth here.

The search relies on two envelopes of the teeth that grow with their number. This was
found so in every case tried (the tests go through every number of respondents) and is
not proved.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

from candor.binary import FloatArray, IntArray, at_most, more_than
from candor.tolerance import is_at_most

TEETH = 256
"""So many teeth are looked at in one go."""

FAR = 2**50
"""Nobody counts respondents up to here; a tooth that would end beyond ends here."""

EVEN = 0.5


@dataclass(frozen=True, kw_only=True)
class OneSidedPower:
    """Teeth, numbered from 0. Arguments are checked by the callers.

    Up to a null of 1/2, tooth c is the run of n with critical count c, on which the
    power rises; above, tooth k is the run of n that reject with k reports of "no" at
    most, on which it falls. These teeth are the longer ones, so that their envelopes
    are closer to them.

    Attributes
    ----------
    null, alternative : float
        Chance of the counted report, 0 <= null < alternative <= 1.
    alpha : float
        In (0, 1/2].
    """

    null: float
    alternative: float
    alpha: float

    def critical_count(self, respondents: int) -> int:
        """Return the count with more than which the test rejects."""
        return critical_count(respondents, null=self.null, alpha=self.alpha)

    def first(self, power: float) -> int:
        """Return the smallest n with this power, in (alpha, 1)."""
        # No tooth has more power than its envelope: earlier ones need no look.
        tooth = smallest(lambda each: self._envelope(each, each) >= power)
        while True:
            teeth = np.arange(tooth, tooth + TEETH)
            best = self._end(teeth) if self._rises else self._start(teeth)
            has_power = self._power(teeth, best) >= power
            if has_power.any():
                return self._entered(int(teeth[has_power][0]), power)
            tooth += TEETH

    def safe(self, power: float) -> int:
        """Return the smallest n from which on the power stays, in (alpha, 1)."""
        # No tooth has less power than its envelope: later ones need no look.
        beside = -1 if self._rises else 1
        tooth = smallest(lambda each: self._envelope(each, each + beside) >= power)
        while tooth:
            teeth = np.arange(max(0, tooth - TEETH), tooth)
            worst = self._start(teeth) if self._rises else self._end(teeth)
            is_short = self._power(teeth, worst) < power
            if is_short.any():
                # A rising tooth may yet reach the power; a falling one has lost it.
                short = int(teeth[is_short][-1])
                return self._entered(short if self._rises else short + 1, power)
            tooth = int(teeth[0])
        return self._entered(0, power)

    def sizes(self, power: float) -> tuple[int, int]:
        """Return `first` and `safe`."""
        return self.first(power), self.safe(power)

    @property
    def _rises(self) -> bool:
        return self.null <= EVEN

    @property
    def _before(self) -> int:
        """Whose crossing a tooth begins behind: a rising one ends at its own."""
        return 1 if self._rises else 0

    def _entered(self, tooth: int, power: float) -> int:
        """Return the first n of a tooth with this power, or the one behind its end."""
        both = np.arange(tooth - self._before, tooth - self._before + 2)
        before, end = (int(n) for n in self._last(both))
        start = max(1, before + 1)
        return start + smallest(
            lambda step: start + step > end or self._power(tooth, start + step) >= power
        )

    def _start(self, teeth: IntArray) -> IntArray:
        """Return the first n of each tooth."""
        return np.maximum(1, self._last(teeth - self._before) + 1)

    def _end(self, teeth: IntArray) -> IntArray:
        """Return the last n of each tooth."""
        return self._last(teeth - self._before + 1)

    def _last(self, teeth: IntArray) -> IntArray:
        """Return the last n before the tail under the null crosses alpha."""
        return last(
            lambda n: (
                is_at_most(self._tail(teeth, n, self.null), self.alpha) == self._rises
            ),
            teeth,
        )

    def _envelope(self, tooth: int, crossed: int) -> float:
        """Return the power on a tooth at the real n where the tail of one is alpha."""
        n = float(crossed)
        if crossed >= 0:
            n = crossing(
                lambda n: float(self._tail(crossed, n, self.null)), self.alpha, crossed
            )
        return float(self._power(tooth, n))

    def _power(self, teeth: npt.ArrayLike, respondents: npt.ArrayLike) -> FloatArray:
        return self._tail(teeth, respondents, self.alternative)

    def _tail(
        self, teeth: npt.ArrayLike, respondents: npt.ArrayLike, chance: float
    ) -> FloatArray:
        """Return P(more reports than c), or P(at most k of "no")."""
        if self._rises:
            return more_than(teeth, respondents, chance)
        return at_most(teeth, respondents, 1 - chance)


def critical_count(respondents: int, *, null: float, alpha: float) -> int:
    """Return the smallest c with P(X > c) <= alpha."""
    return smallest(
        lambda count: is_at_most(more_than(count, respondents, null), alpha)
    )


def smallest(claim: Callable[[int], object]) -> int:
    """Return the smallest whole number >= 0 that a claim which stays true holds for."""
    high = 1
    while not claim(high - 1):
        high *= 2
    low, high = high // 2 - 1, high - 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if claim(middle) else (middle, high)
    return high


def last(claim: Callable[[IntArray], npt.NDArray[np.bool_]], low: IntArray) -> IntArray:
    """Return the last whole numbers for which a claim holds that holds at `low`."""
    high = 2 * low + 2
    while ((holds := claim(high)) & (high < FAR)).any():
        high = np.where(holds, 2 * high, high)
    while (high - low > 1).any():
        middle = (low + high) // 2
        holds = claim(middle)
        low, high = np.where(holds, middle, low), np.where(holds, high, middle)
    return low


def crossing(tail: Callable[[float], float], alpha: float, low: float) -> float:
    """Return where a tail that starts at 0 or 1 at `low` is alpha, `FAR` at most."""
    is_rising = tail(low) < alpha
    if (tail(FAR) < alpha) == is_rising:
        return float(FAR)
    return scipy.optimize.brentq(lambda n: tail(n) - alpha, low, FAR)
