"""The exact test that a share lies beyond a bound, and the respondents it needs."""

import math
from dataclasses import dataclass

from scipy.special import ndtri

from estimation.maths.chances import Chances, report_for_no, report_for_yes
from estimation.maths.checked import MAX_RESPONDENTS, SHARE, Range, check_respondents
from estimation.maths.planning.sawtooth import Sawtooth, critical_count
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
    mechanism : Mechanism
        Two answers, two reports.
    respondents : int
        n, in [1, 10**9].
    share, against : float
        Supposed share of the first answer and the bound to be refuted, each in [0, 1],
        not the same. A share below the bound tests that side.
    alpha : float
        In [1e-9, 0.5].

    Raises
    ------
    TypeError, ValueError
        For a bad argument, naming it, its range and the value.

    References
    ----------
    Chernick & Liu 2002, The American Statistician 56:149 (the sawtooth of the power).
    """
    n = check_respondents(respondents)
    side = _Side.of(mechanism, share=share, against=against)
    level = ALPHA.check("alpha", alpha)
    count = critical_count(n, null=side.null, alpha=level)
    return ExactTest(
        respondents=n,
        share=side.share,
        against=side.against,
        alpha=level,
        direction=side.direction,
        report=side.report,
        critical_count=count,
        size=side.chances.design(n).at_least(count + 1, side.null),
        power=side.chances.design(n).at_least(count + 1, side.alternative),
    )


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

    References
    ----------
    Chernick & Liu 2002, The American Statistician 56:149 (the sawtooth of the power).

    Examples
    --------
    Two coins, to show that more than one in ten do what two in ten do:

    >>> from surveys.mechanisms import build
    >>> found = sample_size(build("coin"), share=0.2, against=0.1)
    >>> found.normal, found.first, found.safe
    (534, 549, 566)
    """
    side = _Side.of(mechanism, share=share, against=against)
    level, wanted = check_errors(alpha=alpha, power=power)
    # [z_alpha sqrt(lam0 (1 - lam0)) + z_power sqrt(lam1 (1 - lam1))]^2 divided by
    # (lam1 - lam0)^2: Fleiss, Levin & Paik 2003, Statistical Methods for Rates and
    # Proportions, chapter 2
    spread = -ndtri(level) * math.sqrt(side.null * (1 - side.null))
    spread += ndtri(wanted) * math.sqrt(side.alternative * (1 - side.alternative))
    normal = max(1, math.ceil((spread / (side.alternative - side.null)) ** 2))
    teeth = Sawtooth(null=side.null, alternative=side.alternative, alpha=level)
    # A normal number beyond reach spares the search.
    is_near = normal <= MAX_RESPONDENTS
    return SampleSize(
        share=side.share,
        against=side.against,
        alpha=level,
        power=wanted,
        direction=side.direction,
        normal=normal,
        first=_if_reached(teeth.first(wanted)) if is_near else None,
        safe=_if_reached(teeth.safe(wanted)) if is_near else None,
    )


def check_errors(*, alpha: float, power: float) -> tuple[float, float]:
    """Return both within their ranges, [1e-9, 0.5] and (alpha, 1), or raise."""
    level = ALPHA.check("alpha", alpha)
    allowed = Range(low=level, high=1, open_low=True, open_high=True, example="0.8")
    return level, allowed.check("power", power)


def _if_reached(respondents: int) -> int | None:
    return respondents if respondents <= MAX_RESPONDENTS else None


@dataclass(frozen=True, kw_only=True)
class _Side:
    """The test told of the report that becomes likelier under the alternative."""

    share: float
    against: float
    direction: str
    report: str
    chances: Chances
    null: float
    alternative: float

    @classmethod
    def of(cls, mechanism: Mechanism, *, share: float, against: float) -> "_Side":
        chances = Chances.of(mechanism)
        supposed = SHARE.check("share", share)
        bound = SHARE.check("against", against)
        is_above = supposed > bound
        if not is_above:
            chances = chances.mirrored()
        # The share of no, where the test is about less yes.
        null, alternative = (
            chances.of_report(each if is_above else 1 - each)
            for each in (bound, supposed)
        )
        if not null < alternative:
            raise ValueError(
                f"against must differ from share, which is {supposed:g}; got {bound:g}"
            )
        return cls(
            share=supposed,
            against=bound,
            direction="above" if is_above else "below",
            report=(report_for_yes if is_above else report_for_no)(mechanism),
            chances=chances,
            null=null,
            alternative=alternative,
        )
