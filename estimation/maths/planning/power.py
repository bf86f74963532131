"""The exact test that a share lies beyond a bound, and the respondents it needs."""

import math
from dataclasses import dataclass
from typing import Self

from scipy.special import ndtri

from estimation.maths.assumed import Assumed
from estimation.maths.checked import MAX_RESPONDENTS, SHARE, Range, check_respondents
from estimation.maths.folds import fold_of_answer
from estimation.maths.planning.sawtooth import Sawtooth, critical_count
from estimation.maths.yes_no import more_than
from surveys.mechanisms import Mechanism

DEFAULT_ALPHA = 0.05
DEFAULT_POWER = 0.8
"""The custom of Cohen 1988, Statistical Power Analysis for the Behavioral Sciences."""

ALPHA = Range(low=1e-9, high=0.5, example="0.05")
"""A test that errs more often than a coin is none."""


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
    """

    share: float
    against: float
    alpha: float
    power: float
    direction: str
    normal: int
    first: int | None
    safe: int | None


def exact_test(
    mechanism: Mechanism,
    *,
    respondents: int,
    share: float,
    against: float,
    alpha: float = DEFAULT_ALPHA,
) -> ExactTest:
    """Return what the exact one-sided test does with so many respondents.

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
        In [1e-9, 0.5].
    """
    n, level = check_respondents(respondents), ALPHA.check("alpha", alpha)
    claim = Claim.of(mechanism, Assumed.of(mechanism, share=share), against=against)
    return claim.tested(n, alpha=level)


def sample_size(
    mechanism: Mechanism,
    *,
    share: float,
    against: float,
    alpha: float = DEFAULT_ALPHA,
    power: float = DEFAULT_POWER,
) -> SampleSize:
    """Return how many respondents the exact one-sided test needs.

    Parameters
    ----------
    mechanism, share, against, alpha
        As in `exact_test`.
    power : float
        In (alpha, 1).

    Examples
    --------
    Two coins, to show that more than one in ten do what two in ten do:

    >>> from surveys.mechanisms import build
    >>> found = sample_size(build("coin"), share=0.2, against=0.1)
    >>> found.normal, found.first, found.safe
    (534, 549, 566)
    """
    level, wanted = check_errors(alpha=alpha, power=power)
    claim = Claim.of(mechanism, Assumed.of(mechanism, share=share), against=against)
    return claim.sampled(alpha=level, power=wanted)


def check_errors(*, alpha: float, power: float) -> tuple[float, float]:
    """Return both within their ranges, [1e-9, 0.5] and (alpha, 1), or raise."""
    level = ALPHA.check("alpha", alpha)
    allowed = Range(low=level, high=1, open_low=True, open_high=True, example="0.8")
    return level, allowed.check("power", power)


@dataclass(frozen=True, kw_only=True)
class Claim:
    """That a share lies beyond a bound, told of the report that this makes likelier.

    Attributes
    ----------
    share, against, direction, report
        As in `ExactTest`.
    null, alternative : float
        Chance of the report where the share is the bound, and where it is the supposed
        one.
    """

    share: float
    against: float
    direction: str
    report: str
    null: float
    alternative: float

    @classmethod
    def of(cls, mechanism: Mechanism, assumed: Assumed, *, against: float) -> Self:
        """Return the claim about a table of which something is assumed."""
        bound = SHARE.check("against", against)
        is_above = assumed.share > bound
        # A claim of less yes is one of more no.
        fold = fold_of_answer(mechanism, 0 if is_above else 1)
        null, alternative = (
            fold.law.of_report(share if is_above else 1 - share)
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
            null=null,
            alternative=alternative,
        )

    def tested(self, respondents: int, *, alpha: float) -> ExactTest:
        """Return what the test does, of checked numbers."""
        count = critical_count(respondents, null=self.null, alpha=alpha)
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
        )

    def sampled(self, *, alpha: float, power: float) -> SampleSize:
        """Return how many respondents the test needs, of checked numbers."""
        null, alternative = self.null, self.alternative
        # [z_alpha sqrt(lam0 (1 - lam0)) + z_power sqrt(lam1 (1 - lam1))]^2 divided by
        # (lam1 - lam0)^2: Fleiss, Levin & Paik 2003, Statistical Methods for Rates and
        # Proportions, chapter 2
        spread = -ndtri(alpha) * math.sqrt(null * (1 - null))
        spread += ndtri(power) * math.sqrt(alternative * (1 - alternative))
        normal = max(1, math.ceil((spread / (alternative - null)) ** 2))
        teeth = Sawtooth(null=null, alternative=alternative, alpha=alpha)
        # A normal number beyond reach spares the search.
        is_near = normal <= MAX_RESPONDENTS
        return SampleSize(
            share=self.share,
            against=self.against,
            alpha=alpha,
            power=power,
            direction=self.direction,
            normal=normal,
            first=_if_reached(teeth.first(power)) if is_near else None,
            safe=_if_reached(teeth.safe(power)) if is_near else None,
        )


def _if_reached(respondents: int) -> int | None:
    return respondents if respondents <= MAX_RESPONDENTS else None
