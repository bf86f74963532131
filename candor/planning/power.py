"""The test of a share against a bound, and its sample size.

By default the test is the one that results use: whether their interval excludes the
bound (docs/decisions/0012-the-interval-is-the-test.md). The exact one-sided test, which
is common in the literature, is an option.
"""

import math
from dataclasses import dataclass, fields
from typing import Any, Self

import scipy

from candor.binary import BinaryChannel, more_than
from candor.dichotomies import find_answer_dichotomy, one_against_the_rest
from candor.intervals import DEFAULT_METHOD
from candor.intervals.one_sided import ONE_SIDED_METHODS
from candor.mechanisms import Mechanism
from candor.mechanisms.parameters import check_choice
from candor.planning.bound_power import IntervalPower, OneSidedPower
from candor.planning.inputs import DEFAULT_POWER, INPUTS
from candor.validation import MAX_RESPONDENTS

DEFAULT_ALPHA = 0.05
ONE_SIDED = "one-sided"
"""The exact one-sided test; the other tests are named after their interval."""

MAX_RATIO = 1e15
"""Limits the root of the normal sample size, so that its square does not overflow."""


@dataclass(frozen=True, kw_only=True)
class BoundTest:
    """A test whether a share lies beyond a bound.

    `direction` is "above" or "below": the side of the bound `against` on which the
    assumed share lies. `method` is the interval that has to exclude the bound, or
    "one-sided".
    """

    share: float
    against: float
    alpha: float
    direction: str
    method: str


@dataclass(frozen=True, kw_only=True)
class ExactTest(BoundTest):
    """Size and power of the test with a number of respondents.

    The test rejects if more than `critical_count` respondents send `report`. The
    probability of rejecting is `size` at the bound, at most `alpha`, and `power` at the
    share.
    """

    respondents: int
    report: str
    critical_count: int
    size: float
    power: float


@dataclass(frozen=True, kw_only=True)
class SampleSize(BoundTest):
    """How many respondents the test needs for a power.

    `normal` follows from the normal approximation and is often a little too small.
    `first` is the first number with the power; the next number may have less. From
    `safe` on the power is never less. Both are None beyond 10**9.
    """

    power: float
    normal: int
    first: int | None
    safe: int | None


def sample_size(
    mechanism: Mechanism,
    *,
    share: float,
    against: float,
    alpha: float = DEFAULT_ALPHA,
    power: float = DEFAULT_POWER,
    method: str = DEFAULT_METHOD,
) -> SampleSize:
    """Return how many respondents are needed to show a share to lie beyond a bound.

    Parameters
    ----------
    mechanism : Mechanism
        With two answers and two reports, or one that treats all answers equally: then
        the share is that of one answer.
    share : float
        Assumed share of the first answer, in [0, 1].
    against : float
        The bound, in [0, 1], different from `share`. If the share is below the bound,
        the test is on that side.
    alpha : float
        Level of the test, in [1e-9, 0.5]: 1 - confidence level of the interval.
    power : float
        Wanted probability of rejecting, in (alpha, 1).
    method : str
        The interval that has to exclude the bound, "feldman-cousins" or "pratt"; or
        "one-sided", the exact binomial test with all of alpha on one side.

    Returns
    -------
    SampleSize

    Raises
    ------
    TypeError, ValueError
        If an argument has the wrong type or is out of its range.

    References
    ----------
    Chernick & Liu 2002, The American Statistician 56:149: the power of an exact test
    does not grow steadily with the sample size.

    Examples
    --------
    Two coins, to show that the share of a trait is above 10 % if it is 20 %:

    >>> import candor
    >>> coin = candor.mechanisms.build("coin")
    >>> found = candor.sample_size(coin, share=0.2, against=0.1)
    >>> found.normal, found.first, found.safe
    (676, 680, 707)

    With the exact one-sided test:

    >>> found = candor.sample_size(coin, share=0.2, against=0.1, method="one-sided")
    >>> found.normal, found.first, found.safe
    (534, 549, 566)
    """
    table = one_against_the_rest(mechanism)
    level, wanted = check_errors(alpha=alpha, power=power)
    claim = Claim.of(
        table, share=share, against=against, alpha=level, method=check_method(method)
    )
    return claim.sample_size(wanted)


def compute_test_level(confidence_level: float) -> float:
    """Return the level of the test that an interval with this level defines.

    `ValueError` for an interval whose test has a level out of the range of alpha.
    """
    alpha, allowed = round(1 - confidence_level, 12), INPUTS["alpha"].within
    if not allowed.low <= alpha <= allowed.high:
        raise ValueError(
            f"confidence_level must be a number in [{1 - allowed.high}, "
            f"{1 - allowed.low}] for a test without alpha; got {confidence_level}"
        )
    return alpha


def check_errors(*, alpha: float, power: float) -> tuple[float, float]:
    """Return alpha, in [1e-9, 0.5], and power, in (alpha, 1), or raise `ValueError`."""
    level = INPUTS["alpha"].check(alpha)
    return level, INPUTS["power"].check(power, low=level)


def check_method(method: str) -> str:
    """Return the name of a test, or raise `ValueError` for an unknown one."""
    check_choice("method", method, (ONE_SIDED, *ONE_SIDED_METHODS))
    return method


@dataclass(frozen=True, kw_only=True)
class Claim(BoundTest):
    """The claim that a share lies beyond a bound, and the report that supports it.

    The report has probability `null` at the bound and `alternative` at the share.
    """

    report: str
    channel: BinaryChannel
    null: float
    alternative: float

    @classmethod
    def of(
        cls,
        table: Mechanism,
        *,
        share: float,
        against: float,
        alpha: float = DEFAULT_ALPHA,
        method: str = DEFAULT_METHOD,
    ) -> Self:
        """Return the claim about a checked table of two answers and two reports."""
        assumed = INPUTS["share"].check(share)
        bound = INPUTS["against"].check(against)
        is_above = assumed > bound
        # A smaller share of yes is a larger share of no.
        dichotomy = find_answer_dichotomy(table, 0 if is_above else 1)
        channel = dichotomy.channel
        null, alternative = (
            channel.report_chance(each if is_above else 1 - each)
            for each in (bound, assumed)
        )
        if not null < alternative:
            raise ValueError(
                f"against must differ from share, which is {assumed:g}; got {bound:g}"
            )
        return cls(
            share=assumed,
            against=bound,
            alpha=alpha,
            direction="above" if is_above else "below",
            method=method,
            report=table.reports[dichotomy.counted[0]],
            channel=channel,
            null=null,
            alternative=alternative,
        )

    def test(self, respondents: int) -> ExactTest:
        count = self._power.critical_count(respondents)
        return ExactTest(
            **self._known,
            respondents=respondents,
            report=self.report,
            critical_count=count,
            size=float(more_than(count, respondents, self.null)),
            power=float(more_than(count, respondents, self.alternative)),
        )

    def sample_size(self, power: float) -> SampleSize:
        normal = self._compute_normal_size(power)
        # If the normal approximation is out of range, do not search.
        sizes = (normal, normal)
        if normal <= MAX_RESPONDENTS:
            sizes = self._power.sizes(power)
        first, safe = (n if n <= MAX_RESPONDENTS else None for n in sizes)
        return SampleSize(
            **self._known, power=power, normal=normal, first=first, safe=safe
        )

    @property
    def _known(self) -> dict[str, Any]:
        return {each.name: getattr(self, each.name) for each in fields(BoundTest)}

    @property
    def _power(self) -> OneSidedPower | IntervalPower:
        one_sided = OneSidedPower(
            null=self.null, alternative=self.alternative, alpha=self.alpha
        )
        if self.method == ONE_SIDED:
            return one_sided
        return IntervalPower(
            channel=self.channel, method=self.method, one_sided=one_sided
        )

    def _compute_normal_size(self, power: float) -> int:
        null, alternative = self.null, self.alternative
        # An interval spends half of alpha at each end, and all of it at one end if the
        # bound is an end of the range.
        is_one_sided = self.method == ONE_SIDED or null == self.channel.p_yes_given_no
        alpha = self.alpha if is_one_sided else self.alpha / 2
        # [z_alpha sqrt(lam0 (1 - lam0)) + z_power sqrt(lam1 (1 - lam1))]^2 divided by
        # (lam1 - lam0)^2: Fleiss, Levin & Paik 2003, Statistical Methods for Rates and
        # Proportions, chapter 2
        spread = -scipy.special.ndtri(alpha) * math.sqrt(null * (1 - null))
        spread += scipy.special.ndtri(power) * math.sqrt(
            alternative * (1 - alternative)
        )
        ratio = min(float(spread) / (alternative - null), MAX_RATIO)
        return max(1, math.ceil(ratio**2))
