"""What protection costs, and the strongest that a wanted precision leaves room for."""

import math
from dataclasses import dataclass

from estimation.maths.chances import DIRECT, Chances, symmetric_noise
from estimation.maths.checked import CONFIDENCE_LEVEL, MARGIN, SHARE, check_respondents
from estimation.maths.intervals import DEFAULT_CONFIDENCE_LEVEL
from estimation.maths.intervals.closed_form import two_sided_z
from estimation.maths.planning.precision import margin_of_error
from surveys.mechanisms import Mechanism, build
from surveys.mechanisms.privacy import MAX_EPSILON


@dataclass(frozen=True, kw_only=True)
class SmallestEpsilon:
    """The strongest protection with which a margin of error can be reached.

    Attributes
    ----------
    respondents : int
    margin, share, confidence_level : float
        What was asked for.
    direct_margin : float
        The margin that a direct question reaches: nothing protected goes below it.
    epsilon : float or None
        In (0, 10], of the best table for two answers. None where no table reaches the
        margin: a direct question would not, or an epsilon above 10 were needed, which
        protects nobody.
    """

    respondents: int
    margin: float
    share: float
    confidence_level: float
    direct_margin: float
    epsilon: float | None


@dataclass(frozen=True, kw_only=True)
class StandardErrors:
    """Standard deviations of an estimated share, by who adds the noise.

    Attributes
    ----------
    direct : float
        Nobody: every answer is known.
    central : float
        One trusted office that knows all answers adds noise to their count, with the
        epsilon of the table.
    local : float
        Every respondent, by the table.
    noise_ratio : float
        Noise of the table as a multiple of the office's; NaN without any noise.
    """

    direct: float
    central: float
    local: float
    noise_ratio: float


def cost_of_privacy(mechanism: Mechanism, *, share: float) -> float:
    """Return how many times the respondents of a direct question are needed.

    Parameters
    ----------
    mechanism : Mechanism
        Two answers, two reports.
    share : float
        Assumed share of the first answer, pi, in [0, 1].

    Returns
    -------
    float
        1 or more. Infinite at shares 0 and 1, where a direct question has no spread;
        1 there if the table has none either.
    """
    chances, assumed = Chances.of(mechanism), SHARE.check("share", share)
    # lam (1 - lam) / [(a - b)^2 pi (1 - pi)]
    ours, direct = chances.variance(assumed), DIRECT.variance(assumed)
    if direct == 0:
        return math.inf if ours > 0 else 1.0
    return ours / direct


def smallest_epsilon(
    *,
    respondents: int,
    margin: float,
    share: float,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
) -> SmallestEpsilon:
    """Return the smallest epsilon that reaches a margin with so many respondents.

    Of the best table for two answers, the family `epsilon`.

    Parameters
    ----------
    respondents : int
        n, in [1, 10**9].
    margin : float
        Half the width of the interval, M, in [1e-6, 1).
    share : float
        Assumed share of the first answer, pi, in [0, 1].
    confidence_level : float
        In (0, 1).

    References
    ----------
    Kairouz, Oh & Viswanath 2016, Journal of Machine Learning Research 17(17): the
    symmetric table is best at every epsilon.

    Examples
    --------
    >>> found = smallest_epsilon(respondents=1000, margin=0.05, share=0.1)
    >>> print(f"{found.epsilon:.2f}")
    1.25
    """
    n = check_respondents(respondents)
    wanted = MARGIN.check("margin", margin)
    assumed = SHARE.check("share", share)
    level = CONFIDENCE_LEVEL.check("confidence_level", confidence_level)
    # n M^2 / z^2 - pi (1 - pi): the noise that the margin leaves room for
    room = n * (wanted / two_sided_z(level)) ** 2 - DIRECT.variance(assumed)
    epsilon = None
    if room >= symmetric_noise(MAX_EPSILON):
        # e^eps / (e^eps - 1)^2 = room, solved for eps
        epsilon = 2 * math.asinh(1 / (2 * math.sqrt(room)))
    return SmallestEpsilon(
        respondents=n,
        margin=wanted,
        share=assumed,
        confidence_level=level,
        direct_margin=margin_of_error(
            build("direct"), respondents=n, share=assumed, confidence_level=level
        ),
        epsilon=epsilon,
    )


def standard_errors(
    mechanism: Mechanism, *, respondents: int, share: float
) -> StandardErrors:
    """Return the spread of the estimate beside that of other ways to protect.

    Parameters
    ----------
    mechanism : Mechanism
        Two answers, two reports.
    respondents : int
        n, in [1, 10**9].
    share : float
        Assumed share of the first answer, pi, in [0, 1].

    References
    ----------
    Ghosh, Roughgarden & Sundararajan 2012, SIAM Journal on Computing 41:1673 (the
    geometric mechanism, best for a count).
    """
    chances, n = Chances.of(mechanism), check_respondents(respondents)
    assumed = SHARE.check("share", share)
    ours, direct = chances.variance(assumed) / n, DIRECT.variance(assumed) / n
    # Two-sided geometric noise on the count: variance 2 e^eps / (e^eps - 1)^2
    office = 2 * symmetric_noise(mechanism.epsilon) / n**2
    # What rounding leaves of a direct question's noise may lie below 0.
    noise = max(0.0, ours - direct)
    return StandardErrors(
        direct=math.sqrt(direct),
        central=math.sqrt(direct + office),
        local=math.sqrt(ours),
        noise_ratio=math.sqrt(noise / office) if office else math.nan,
    )
