"""The power of an exact binomial test while the number of respondents grows.

The test rejects where more than c of n reports are "yes", c being the smallest count
with P(X > c) <= alpha under the null. While n grows, the power rises as long as c
stays, and falls as long as n - c stays: a sawtooth (Chernick & Liu 2002, The American
Statistician 56:149). Both runs of n are called teeth here; each class follows the
longer ones on its side of a null of 1/2.

The search relies on two envelopes of the teeth that grow with their number. This was
found so in every case tried (the tests go through every number of respondents) and is
not proved.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq
from scipy.special import betainc, betaincc

from estimation.maths.chances import IntArray
from estimation.maths.yes_no import FloatArray

TEETH = 256
"""So many teeth are looked at in one go."""

FAR = 2**50
"""Nobody counts respondents up to here; a tooth that would end beyond ends here."""

EVEN = 0.5


@dataclass(frozen=True, kw_only=True)
class Sawtooth(ABC):
    """Teeth are numbered from 0. Arguments are checked by the callers.

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

    def first(self, power: float) -> int:
        """Return the smallest n with this power, in (alpha, 1)."""
        # No tooth has more power than its envelope: earlier ones need no look.
        tooth = smallest(lambda each: self._best_envelope(each) >= power)
        while True:
            teeth = np.arange(tooth, tooth + TEETH)
            has_power = self._best(teeth) >= power
            if has_power.any():
                return self._entered(int(teeth[has_power][0]), power)
            tooth += TEETH

    def safe(self, power: float) -> int:
        """Return the smallest n from which on the power stays, in (alpha, 1)."""
        # No tooth has less power than its envelope: later ones need no look.
        tooth = smallest(lambda each: self._worst_envelope(each) >= power)
        while tooth:
            teeth = np.arange(max(0, tooth - TEETH), tooth)
            is_short = self._worst(teeth) < power
            if is_short.any():
                return self._left(int(teeth[is_short][-1]), power)
            tooth = int(teeth[0])
        return self._entered(0, power)

    @abstractmethod
    def _best(self, teeth: IntArray) -> FloatArray:
        """Return the largest power on each tooth."""

    @abstractmethod
    def _worst(self, teeth: IntArray) -> FloatArray:
        """Return the smallest power on each tooth."""

    @abstractmethod
    def _best_envelope(self, tooth: int) -> float:
        """Return a bound of the power on a tooth from above."""

    @abstractmethod
    def _worst_envelope(self, tooth: int) -> float:
        """Return a bound of the power on a tooth from below."""

    @abstractmethod
    def _entered(self, tooth: int, power: float) -> int:
        """Return the first n of a tooth with this power, which it reaches."""

    @abstractmethod
    def _left(self, tooth: int, power: float) -> int:
        """Return the n from which on a tooth, or else the next, keeps this power."""


class RisingTeeth(Sawtooth):
    """Tooth c is the run of n with critical count c; the power rises with n."""

    def _best(self, teeth: IntArray) -> FloatArray:
        return more_than(teeth, self._ends(teeth), self.alternative)

    def _worst(self, teeth: IntArray) -> FloatArray:
        return more_than(teeth, self._ends(teeth - 1) + 1, self.alternative)

    def _best_envelope(self, tooth: int) -> float:
        return float(more_than(tooth, self._real_end(tooth), self.alternative))

    def _worst_envelope(self, tooth: int) -> float:
        return float(more_than(tooth, self._real_end(tooth - 1), self.alternative))

    def _entered(self, tooth: int, power: float) -> int:
        before, end = (int(n) for n in self._ends(np.array([tooth - 1, tooth])))
        start = max(1, before + 1)
        return start + smallest(
            lambda step: (
                start + step > end
                or more_than(tooth, start + step, self.alternative) >= power
            )
        )

    # Where no n of the tooth keeps the power, `_entered` ends behind it.
    _left = _entered

    def _ends(self, counts: IntArray) -> IntArray:
        """Return the largest n with P(X > count) <= alpha under the null."""
        return last(lambda n: more_than(counts, n, self.null) <= self.alpha, counts)

    def _real_end(self, count: int) -> float:
        """Return the real n where P(X > count) under the null is alpha."""
        if count < 0:
            return float(count)
        return crossing(
            lambda n: float(more_than(count, n, self.null)), self.alpha, count
        )


class FallingTeeth(Sawtooth):
    """Tooth k is the run of n that reject with k reports of "no" at most.

    The power falls with n on a tooth, and it starts where P(no <= k) is alpha or less.
    """

    def _best(self, teeth: IntArray) -> FloatArray:
        return at_most(teeth, self._starts(teeth), 1 - self.alternative)

    def _worst(self, teeth: IntArray) -> FloatArray:
        return at_most(teeth, self._starts(teeth + 1) - 1, 1 - self.alternative)

    def _best_envelope(self, tooth: int) -> float:
        return float(at_most(tooth, self._real_start(tooth), 1 - self.alternative))

    def _worst_envelope(self, tooth: int) -> float:
        return float(at_most(tooth, self._real_start(tooth + 1), 1 - self.alternative))

    def _entered(self, tooth: int, power: float) -> int:
        return int(self._starts(np.array([tooth]))[0])

    def _left(self, tooth: int, power: float) -> int:
        return self._entered(tooth + 1, power)

    def _starts(self, counts: IntArray) -> IntArray:
        """Return the smallest n with P(no <= count) <= alpha under the null."""
        no = 1 - self.null
        return last(lambda n: at_most(counts, n, no) > self.alpha, counts) + 1

    def _real_start(self, count: int) -> float:
        """Return the real n where P(no <= count) under the null is alpha."""
        no = 1 - self.null
        return crossing(lambda n: float(at_most(count, n, no)), self.alpha, count)


def sawtooth(*, null: float, alternative: float, alpha: float) -> Sawtooth:
    """Return the teeth that are longer, whose envelopes are closer to them."""
    kind = RisingTeeth if null <= EVEN else FallingTeeth
    return kind(null=null, alternative=alternative, alpha=alpha)


def critical_count(respondents: int, *, null: float, alpha: float) -> int:
    """Return the smallest c with P(X > c) <= alpha."""
    return smallest(lambda count: more_than(count, respondents, null) <= alpha)


def more_than(
    counts: npt.ArrayLike, respondents: npt.ArrayLike, chance: float
) -> FloatArray:
    """Return P(X > count) for X binomial, for every real number of respondents.

    1 where the count is below 0, else 0 where there are no more respondents than it.
    """
    count, n = np.asarray(counts, dtype=float), np.asarray(respondents, dtype=float)
    # P(X > c) = I(chance; c + 1, n - c), DLMF 8.17.5; grows with n, as I does
    inside = (count >= 0) & (n > count)
    tail = betainc(
        np.where(inside, count + 1, 1.0), np.where(inside, n - count, 1.0), chance
    )
    return np.where(inside, tail, count < 0)


def at_most(
    counts: npt.ArrayLike, respondents: npt.ArrayLike, chance: float
) -> FloatArray:
    """Return P(X <= count), the rest of `more_than`, for counts >= 0."""
    count, n = np.asarray(counts, dtype=float), np.asarray(respondents, dtype=float)
    inside = n > count
    rest = betaincc(count + 1, np.where(inside, n - count, 1.0), chance)
    return np.where(inside, rest, 1.0)


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
    return brentq(lambda n: tail(n) - alpha, low, FAR)
