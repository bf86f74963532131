"""The power of the test that results perform: their interval leaves the bound out.

As of every exact test of counts the power is a sawtooth. Unlike that of one tail
(`sawtooth`) its teeth have no closed form: the interval spends its errors on both
sides, and near the ends of the scale on one. So every number of respondents is looked
at, between two that bracket the answer.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from candor.binary import BinaryChannel, FloatArray, IntArray, more_than
from candor.binomial import binomial
from candor.intervals.one_sided import OneSidedTest
from candor.planning.one_sided_power import OneSidedPower, smallest
from candor.validation import MAX_RESPONDENTS

JUMPS = 3
"""From one number of respondents to the next the power falls by the chance of the
critical count, at most; so many falls from the wish it is taken to be out of reach.
Two were enough in every case tried (the tests go through every number)."""

MAX_LOOKED_AT = 6_000
"""So many numbers take less than a second. There are more between the brackets from
about a million respondents on: there the jumps are below a five-hundredth."""


@dataclass(frozen=True, kw_only=True)
class IntervalPower:
    """Whether the interval at level 1 - alpha lies above a bound. Checked by callers.

    Attributes
    ----------
    law : BinaryChannel
        Of the counted report.
    null, alternative : float
        Its chance at the bound and at the supposed share.
    alpha : float
        In (0, 1/2].
    method : str
        One of `ONE_SIDED_METHODS`.
    """

    law: BinaryChannel
    null: float
    alternative: float
    alpha: float
    method: str

    def critical_count(self, respondents: int) -> int:
        """Return the largest count with which the interval still holds the bound."""
        return int(self._critical(np.array([respondents]))[0])

    def powers(self, respondents: IntArray) -> FloatArray:
        """Return the power of each of these numbers of respondents."""
        return more_than(self._critical(respondents), respondents, self.alternative)

    def sizes(self, power: float) -> tuple[int, int]:
        """Return the smallest n with this power, in (alpha, 1), and where it stays."""
        # The interval refutes nothing that one tail with all of alpha does not.
        one_tail = OneSidedPower(
            null=self.null, alternative=self.alternative, alpha=self.alpha
        ).first(power)
        if one_tail > MAX_RESPONDENTS:
            return one_tail, one_tail
        settled = self._from(one_tail, lambda low, _high: low >= power)
        start = self._from(one_tail, lambda _low, high: high >= power, most=settled)
        if settled > MAX_RESPONDENTS or settled - start > MAX_LOOKED_AT:
            middle = self._from(
                one_tail, lambda low, high: (low + high) / 2 >= power, most=settled
            )
            return middle, settled
        numbers = np.arange(start, settled + 1)
        is_short = self.powers(numbers) < power
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
        """Return from which n on a claim holds of the power, less and plus its jumps.

        Up to the jumps the power grows with n.
        """
        steps = max(most - low, 0)

        def holds(step: int) -> bool:
            return step >= steps or claim(*self._band(low + step))

        return low + min(smallest(holds), steps)

    def _band(self, respondents: int) -> tuple[float, float]:
        count = self.critical_count(respondents)
        power = float(more_than(count, respondents, self.alternative))
        fall = JUMPS * float(binomial(count, respondents, self.alternative))
        return power - fall, power + fall

    def _critical(self, respondents: IntArray) -> IntArray:
        test = OneSidedTest(channel=self.law, bound=self.null, method=self.method)
        return test.critical_counts(respondents, alpha=self.alpha)
