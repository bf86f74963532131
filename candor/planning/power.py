"""The test that a share lies beyond a bound, and the respondents it needs.

Two tests: the exact one of a single tail, as papers plan with it, and the one that
results perform, whether their interval leaves the bound out
(docs/decisions/0012-the-interval-is-the-test.md).
"""

import math
from dataclasses import dataclass
from typing import Self

import scipy

from candor.assumptions import Assumed
from candor.binary import BinaryChannel, more_than
from candor.dichotomies import dichotomy_of_answer
from candor.intervals.one_sided import ONE_SIDED_METHODS
from candor.mechanisms import Mechanism
from candor.planning.interval_power import IntervalPower
from candor.planning.one_sided_power import OneSidedPower
from candor.validation import MAX_RESPONDENTS, SHARE, Range, check_respondents

DEFAULT_ALPHA = 0.05
DEFAULT_POWER = 0.8
"""The custom of Cohen 1988, Statistical Power Analysis for the Behavioral Sciences."""

ALPHA = Range(low=1e-9, high=0.5, example="0.05")
"""A test that errs more often than a coin is none."""

ONE_SIDED = "one-sided"
"""The test of a single tail, where others are named for their interval."""


@dataclass(frozen=True, kw_only=True)
class ExactTest:
    """What the exact test does with so many respondents.

    Attributes
    ----------
    respondents : int
    share, against, alpha : float
        True share supposed, the bound to be refuted, and the chance granted to error.
    direction : str
        "above" or "below": on which side of `against` the share is supposed to lie.
    report : str
        The report that is counted.
    critical_count : int
        The test rejects where more than so many send `report`.
    size : float
        Chance of rejecting although the share is `against`; at most `alpha`.
    power : float
        Chance of rejecting when the share is `share`.
    method : str
        `ONE_SIDED`, or the interval that has to leave the bound out.
    """

    respondents: int
    share: float
    against: float
    alpha: float
    direction: str
    report: str
    critical_count: int
    size: float
    power: float
    method: str = ONE_SIDED


@dataclass(frozen=True, kw_only=True)
class SampleSize:
    """How many respondents the exact test needs.

    Attributes
    ----------
    share, against, alpha : float
        As in `ExactTest`.
    power : float
        The power that was wanted.
    direction : str
        "above" or "below".
    normal : int
        What the normal approximation says; often a little short.
    first : int or None
        The first number that has the power; the next one may have less.
    safe : int or None
        From this number on the power is never less. Both are None beyond 10**9.
    method : str
        As in `ExactTest`.
    """

    share: float
    against: float
    alpha: float
    power: float
    direction: str
    normal: int
    first: int | None
    safe: int | None
    method: str = ONE_SIDED


def exact_test(
    mechanism: Mechanism,
    *,
    respondents: int,
    share: float,
    against: float,
    alpha: float = DEFAULT_ALPHA,
    method: str = ONE_SIDED,
) -> ExactTest:
    """Return what the test does with so many respondents.

    Parameters
    ----------
    mechanism, share
        As `Assumed.of` takes them.
    respondents : int
        n, in [1, 10**9].
    against : float
        The bound to be refuted, in [0, 1], not the share. A share below the bound tests
        that side.
    alpha : float
        In [1e-9, 0.5]; of an interval 1 less its confidence level.
    method : str
        `ONE_SIDED`, or one of `ONE_SIDED_METHODS`.
    """
    n, level = check_respondents(respondents), ALPHA.check("alpha", alpha)
    claim = Claim.of(mechanism, Assumed.of(mechanism, share=share), against=against)
    return claim.tested(n, alpha=level, method=check_test(method))


def sample_size(
    mechanism: Mechanism,
    *,
    share: float,
    against: float,
    alpha: float = DEFAULT_ALPHA,
    power: float = DEFAULT_POWER,
    method: str = ONE_SIDED,
) -> SampleSize:
    """Return how many respondents the test needs.

    Parameters
    ----------
    mechanism, share, against, alpha, method
        As in `exact_test`.
    power : float
        In (alpha, 1).

    Examples
    --------
    Two coins, to show that more than one in ten do what two in ten do:

    >>> from candor.mechanisms import build
    >>> found = sample_size(build("coin"), share=0.2, against=0.1)
    >>> found.normal, found.first, found.safe
    (534, 549, 566)

    The same by the 95 % interval of the results:

    >>> shown = sample_size(
    ...     build("coin"), share=0.2, against=0.1, method="feldman-cousins"
    ... )
    >>> shown.normal, shown.first, shown.safe
    (676, 680, 707)
    """
    level, wanted = check_errors(alpha=alpha, power=power)
    claim = Claim.of(mechanism, Assumed.of(mechanism, share=share), against=against)
    return claim.sampled(alpha=level, power=wanted, method=check_test(method))


def alpha_of(confidence_level: float) -> float:
    """Return how often an interval at this level errs, on both sides together."""
    return round(1 - confidence_level, 12)


def check_errors(*, alpha: float, power: float) -> tuple[float, float]:
    """Return both within their ranges, [1e-9, 0.5] and (alpha, 1), or raise."""
    level = ALPHA.check("alpha", alpha)
    allowed = Range(low=level, high=1, open_low=True, open_high=True, example="0.8")
    return level, allowed.check("power", power)


def check_test(method: str) -> str:
    """Return the name of a test, or raise."""
    if method not in (ONE_SIDED, *ONE_SIDED_METHODS):
        allowed = ", ".join((ONE_SIDED, *ONE_SIDED_METHODS))
        raise ValueError(f"method must be one of {allowed}; got {method!r}")
    return method


@dataclass(frozen=True, kw_only=True)
class Claim:
    """That a share lies beyond a bound, told of the report that this makes likelier.

    Attributes
    ----------
    share, against, direction, report
        As in `ExactTest`.
    law : BinaryChannel
        Of the report: of yes, or of no where less yes is claimed.
    null, alternative : float
        Chance of the report where the share is the bound, and where it is the supposed
        one.
    """

    share: float
    against: float
    direction: str
    report: str
    law: BinaryChannel
    null: float
    alternative: float

    @classmethod
    def of(cls, mechanism: Mechanism, assumed: Assumed, *, against: float) -> Self:
        """Return the claim about a table of which something is assumed."""
        bound = SHARE.check("against", against)
        is_above = assumed.share > bound
        # A claim of less yes is one of more no.
        fold = dichotomy_of_answer(mechanism, 0 if is_above else 1)
        null, alternative = (
            fold.channel.of_report(share if is_above else 1 - share)
            for share in (bound, assumed.share)
        )
        if not null < alternative:
            raise ValueError(
                f"against must differ from share, which is {assumed.share:g}; "
                f"got {bound:g}"
            )
        return cls(
            share=assumed.share,
            against=bound,
            direction="above" if is_above else "below",
            report=mechanism.reports[fold.counted[0]],
            law=fold.channel,
            null=null,
            alternative=alternative,
        )

    def test(self, *, alpha: float, method: str) -> OneSidedPower | IntervalPower:
        """Return the test of this name, of a checked level."""
        null, alternative = self.null, self.alternative
        if method == ONE_SIDED:
            return OneSidedPower(null=null, alternative=alternative, alpha=alpha)
        return IntervalPower(
            law=self.law,
            null=null,
            alternative=alternative,
            alpha=alpha,
            method=method,
        )

    def tested(
        self, respondents: int, *, alpha: float, method: str = ONE_SIDED
    ) -> ExactTest:
        """Return what the test does, of checked numbers."""
        count = self.test(alpha=alpha, method=method).critical_count(respondents)
        return ExactTest(
            respondents=respondents,
            share=self.share,
            against=self.against,
            alpha=alpha,
            direction=self.direction,
            report=self.report,
            critical_count=count,
            size=float(more_than(count, respondents, self.null)),
            power=float(more_than(count, respondents, self.alternative)),
            method=method,
        )

    def sampled(
        self, *, alpha: float, power: float, method: str = ONE_SIDED
    ) -> SampleSize:
        """Return how many respondents the test needs, of checked numbers."""
        null, alternative = self.null, self.alternative
        # [z_alpha sqrt(lam0 (1 - lam0)) + z_power sqrt(lam1 (1 - lam1))]^2 divided by
        # (lam1 - lam0)^2: Fleiss, Levin & Paik 2003, Statistical Methods for Rates and
        # Proportions, chapter 2
        # An interval grants each of its two ends half of alpha; all of it to one where
        # nothing lies beyond the other.
        is_one_tail = method == ONE_SIDED or null == self.law.p_yes_given_no
        tail = alpha if is_one_tail else alpha / 2
        spread = -scipy.special.ndtri(tail) * math.sqrt(null * (1 - null))
        spread += scipy.special.ndtri(power) * math.sqrt(
            alternative * (1 - alternative)
        )
        normal = max(1, math.ceil((spread / (alternative - null)) ** 2))
        test = self.test(alpha=alpha, method=method)
        # A normal number beyond reach spares the search.
        is_near = normal <= MAX_RESPONDENTS
        first, safe = test.sizes(power) if is_near else (normal, normal)
        return SampleSize(
            share=self.share,
            against=self.against,
            alpha=alpha,
            power=power,
            direction=self.direction,
            normal=normal,
            first=_if_reached(first),
            safe=_if_reached(safe),
            method=method,
        )


def _if_reached(respondents: int) -> int | None:
    return respondents if respondents <= MAX_RESPONDENTS else None
