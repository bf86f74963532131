"""The power of the tests of a bound by number of respondents.

The one-sided test rejects if more than c of n reports are "yes", where c is the
smallest count with P(X > c) <= alpha under the null. Counts are discrete, so the power
does not grow steadily with n: it rises while c is constant, and falls while n - c is
constant (Chernick & Liu 2002, The American Statistician 56:149). Both are called runs
here. The search relies on two envelopes of the runs that grow with their number. This
is not proved, but was true in every case tried (the tests check every number of
respondents).

The test of the results rejects if their interval excludes the bound. Its runs have no
closed form: the interval spends its errors on both sides, and near the ends of the
scale on one. The search therefore tries every number of respondents in a bracket.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

from candor.binary import (
    BinaryChannel,
    FloatArray,
    IntArray,
    at_most,
    binomial,
    more_than,
)
from candor.intervals.one_sided import OneSidedTest
from candor.tolerance import is_at_most
from candor.validation import MAX_RESPONDENTS

BATCH = 256
"""Number of runs that are computed in one step."""

FAR = 2**50
"""More than any number of respondents; longer runs end here."""


@dataclass(frozen=True, kw_only=True)
class OneSidedPower:
    """Runs of constant critical count of a test at level `alpha`, numbered from 0.

    `null` and `alternative` are probabilities of the counted report. For a null of at
    most 1/2, run c contains the n with critical count c, on which the power rises. For
    a larger null, run k contains the n that reject with at most k reports of "no", on
    which the power falls. These are the longer runs, closer to their envelopes.
    """

    null: float
    alternative: float
    alpha: float

    def critical_count(self, respondents: int) -> int:
        """Return the smallest c with P(X > c) <= alpha under the null."""
        return find_smallest(
            lambda count: is_at_most(
                more_than(count, respondents, self.null), self.alpha
            )
        )

    def first(self, power: float) -> int:
        """Return the smallest n with this power, in (alpha, 1)."""
        # No run has more power than its envelope: skip those whose envelope has less.
        run = find_smallest(lambda each: self._envelope(each, each) >= power)
        while True:
            runs = np.arange(run, run + BATCH)
            best = self._find_ends(runs) if self._rises else self._find_starts(runs)
            has_power = self._power(runs, best) >= power
            if has_power.any():
                return self._find_entry(int(runs[has_power][0]), power)
            run += BATCH

    def sizes(self, power: float) -> tuple[int, int]:
        """Return `first`, and the smallest n from which on the power is never less."""
        # No run has less power than its envelope: skip those whose envelope has enough.
        other = -1 if self._rises else 1
        run = find_smallest(lambda each: self._envelope(each, each + other) >= power)
        while run:
            runs = np.arange(max(0, run - BATCH), run)
            worst = self._find_starts(runs) if self._rises else self._find_ends(runs)
            is_short = self._power(runs, worst) < power
            if is_short.any():
                # A rising run may still reach the power; a falling one has lost it.
                short = int(runs[is_short][-1])
                run = short if self._rises else short + 1
                break
            run = int(runs[0])
        return self.first(power), self._find_entry(run, power)

    @property
    def _rises(self) -> bool:
        return self.null <= 1 / 2

    @property
    def _before(self) -> int:
        # A rising run ends at its own crossing and begins after that of another.
        return 1 if self._rises else 0

    def _find_entry(self, run: int, power: float) -> int:
        """Return the first n of a run with this power, or the n after its end."""
        both = np.arange(run - self._before, run - self._before + 2)
        before, end = (int(n) for n in self._find_last(both))
        start = max(1, before + 1)
        return start + find_smallest(
            lambda step: start + step > end or self._power(run, start + step) >= power
        )

    def _find_starts(self, runs: IntArray) -> IntArray:
        return np.maximum(1, self._find_last(runs - self._before) + 1)

    def _find_ends(self, runs: IntArray) -> IntArray:
        return self._find_last(runs - self._before + 1)

    def _find_last(self, runs: IntArray) -> IntArray:
        """Return the last n before the tail under the null crosses alpha."""
        return find_last(
            lambda n: (
                is_at_most(self._tail(runs, n, self.null), self.alpha) == self._rises
            ),
            runs,
        )

    def _envelope(self, run: int, crossed: int) -> float:
        """Return the power on a run at the real n where a tail crosses alpha.

        The tail is that of the run `crossed`, under the null.
        """
        n = float(crossed)
        if crossed >= 0:
            n = find_crossing(
                lambda n: float(self._tail(crossed, n, self.null)), self.alpha, crossed
            )
        return float(self._power(run, n))

    def _power(self, runs: npt.ArrayLike, respondents: npt.ArrayLike) -> FloatArray:
        return self._tail(runs, respondents, self.alternative)

    def _tail(
        self, runs: npt.ArrayLike, respondents: npt.ArrayLike, chance: float
    ) -> FloatArray:
        if self._rises:
            return more_than(runs, respondents, chance)
        return at_most(runs, respondents, 1 - chance)


def find_smallest(claim: Callable[[int], object]) -> int:
    """Return the smallest whole number >= 0 from which on a claim is true."""
    high = 1
    while not claim(high - 1):
        high *= 2
    low, high = high // 2 - 1, high - 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if claim(middle) else (middle, high)
    return high


def find_last(
    claim: Callable[[IntArray], npt.NDArray[np.bool_]], low: IntArray
) -> IntArray:
    """Return the last whole numbers for which a claim is true; it is true at `low`."""
    high = 2 * low + 2
    while ((holds := claim(high)) & (high < FAR)).any():
        high = np.where(holds, 2 * high, high)
    while (high - low > 1).any():
        middle = (low + high) // 2
        holds = claim(middle)
        low, high = np.where(holds, middle, low), np.where(holds, high, middle)
    return low


def find_crossing(tail: Callable[[float], float], alpha: float, low: float) -> float:
    """Return where a tail equals alpha, at most `FAR`; it is 0 or 1 at `low`."""
    is_rising = tail(low) < alpha
    if (tail(FAR) < alpha) == is_rising:
        return float(FAR)
    return scipy.optimize.brentq(lambda n: tail(n) - alpha, low, FAR)


JUMPS = 3
"""From one number of respondents to the next the power falls by at most the probability
of the critical count. The search allows for this many such falls; two were enough in
every case tried (the tests check every number)."""

MAX_TRIED = 6_000
"""This many numbers take less than a second. Brackets are longer from about a million
respondents on, where the jumps are below 1/500."""


@dataclass(frozen=True, kw_only=True)
class IntervalPower:
    """The test by an interval, with level, null and alternative of `one_sided`."""

    channel: BinaryChannel
    method: str
    one_sided: OneSidedPower

    def critical_count(self, respondents: int) -> int:
        """Return the largest count with which the interval still includes the bound."""
        return int(self._find_critical(np.array([respondents]))[0])

    def sizes(self, power: float) -> tuple[int, int]:
        # If the interval rejects, the one-sided test at alpha rejects, too.
        least = self.one_sided.first(power)
        if least > MAX_RESPONDENTS:
            return least, least
        settled = self._find_first(least, lambda low, _high: low >= power)
        start = self._find_first(least, lambda _low, high: high >= power, most=settled)
        if settled > MAX_RESPONDENTS or settled - start > MAX_TRIED:
            middle = self._find_first(
                least, lambda low, high: (low + high) / 2 >= power, most=settled
            )
            return middle, settled
        numbers = np.arange(start, settled + 1)
        chance = self.one_sided.alternative
        is_short = more_than(self._find_critical(numbers), numbers, chance) < power
        short = numbers[is_short]
        return (
            int(numbers[~is_short][0]),
            int(short[-1]) + 1 if len(short) else start,
        )

    def _find_first(
        self,
        low: int,
        claim: Callable[[float, float], bool],
        *,
        most: int = 2 * MAX_RESPONDENTS,
    ) -> int:
        """Return the n from which on a claim about the band of the power is true."""
        # The power grows with n, except for its jumps.
        steps = max(most - low, 0)

        def holds(step: int) -> bool:
            return step >= steps or claim(*self._band(low + step))

        return low + min(find_smallest(holds), steps)

    def _band(self, respondents: int) -> tuple[float, float]:
        count, chance = self.critical_count(respondents), self.one_sided.alternative
        power = float(more_than(count, respondents, chance))
        fall = JUMPS * float(binomial(count, respondents, chance))
        return power - fall, power + fall

    def _find_critical(self, respondents: IntArray) -> IntArray:
        bound, alpha = self.one_sided.null, self.one_sided.alpha
        test = OneSidedTest(channel=self.channel, bound=bound, method=self.method)
        return test.critical_counts(respondents, alpha=alpha)
