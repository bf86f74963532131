"""The power of the test of the results: their interval excludes the bound.

As in every exact test of counts, the power does not grow steadily with n. Unlike those
of the one-sided test its runs have no closed form: the interval spends its errors on
both sides, and near the ends of the scale on one. So every number of respondents is
tried, between two that bracket the answer.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from candor.binary import BinaryChannel, IntArray, more_than
from candor.binomial import binomial
from candor.intervals.one_sided import OneSidedTest
from candor.planning.one_sided_power import OneSidedPower, smallest
from candor.validation import MAX_RESPONDENTS

JUMPS = 3
"""From one number of respondents to the next the power falls by the probability of the
critical count at most. With so many falls to spare a power is out of reach; two were
enough in every case tried (the tests go through every number)."""

MOST_TRIED = 6_000
"""So many numbers take less than a second. There are more between the brackets from
about a million respondents on: there the jumps are below a five-hundredth."""


@dataclass(frozen=True, kw_only=True)
class IntervalPower:
    """The test with level, null and alternative of a one-sided one, by an interval."""

    channel: BinaryChannel
    method: str
    one_sided: OneSidedPower

    def critical_count(self, respondents: int) -> int:
        """Return the largest count with which the interval still includes the bound."""
        return int(self._critical(np.array([respondents]))[0])

    def sizes(self, power: float) -> tuple[int, int]:
        """Return the smallest n with this power, and from which n on it is kept."""
        # The interval rejects nothing that the one-sided test at alpha does not.
        least = self.one_sided.first(power)
        if least > MAX_RESPONDENTS:
            return least, least
        settled = self._from(least, lambda low, _high: low >= power)
        start = self._from(least, lambda _low, high: high >= power, most=settled)
        if settled > MAX_RESPONDENTS or settled - start > MOST_TRIED:
            middle = self._from(
                least, lambda low, high: (low + high) / 2 >= power, most=settled
            )
            return middle, settled
        numbers = np.arange(start, settled + 1)
        chance = self.one_sided.alternative
        is_short = more_than(self._critical(numbers), numbers, chance) < power
        short = numbers[is_short]
        return (
            int(numbers[~is_short][0]),
            int(short[-1]) + 1 if len(short) else start,
        )

    def _from(
        self,
        low: int,
        claim: Callable[[float, float], bool],
        *,
        most: int = 2 * MAX_RESPONDENTS,
    ) -> int:
        """Return from which n on a claim holds of the power less and plus its jumps."""
        # Up to the jumps the power grows with n.
        steps = max(most - low, 0)

        def holds(step: int) -> bool:
            return step >= steps or claim(*self._band(low + step))

        return low + min(smallest(holds), steps)

    def _band(self, respondents: int) -> tuple[float, float]:
        count, chance = self.critical_count(respondents), self.one_sided.alternative
        power = float(more_than(count, respondents, chance))
        fall = JUMPS * float(binomial(count, respondents, chance))
        return power - fall, power + fall

    def _critical(self, respondents: IntArray) -> IntArray:
        bound, alpha = self.one_sided.null, self.one_sided.alpha
        test = OneSidedTest(channel=self.channel, bound=bound, method=self.method)
        return test.critical_counts(respondents, alpha=alpha)
