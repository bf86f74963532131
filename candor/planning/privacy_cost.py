"""What protection costs, and the strongest that a wanted precision leaves room for."""

import math
from dataclasses import dataclass

from candor.assumptions import Assumed
from candor.binary import DIRECT, symmetric_noise
from candor.intervals import DEFAULT_CONFIDENCE_LEVEL
from candor.mechanisms import Mechanism
from candor.mechanisms.epsilon import MAX_EPSILON
from candor.validation import MARGIN, check_respondents


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
    """Return how many times the respondents of a direct question are needed, 1 or more.

    The mechanism has two answers and two reports, the share is in [0, 1]: at either end
    it is infinite, since a direct question has no spread there.
    """
    return Assumed.of(mechanism, share=share).cost_of_privacy


def smallest_epsilon(
    *,
    respondents: int,
    margin: float,
    share: float,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
) -> SmallestEpsilon:
    """Return the smallest epsilon that reaches a margin with so many respondents.

    Parameters
    ----------
    respondents : int
        n, in [1, 10**9].
    margin : float
        Half the width of the interval, M, in [1e-6, 1).
    share, confidence_level
        As `Assumed` has them.

    Examples
    --------
    >>> found = smallest_epsilon(respondents=1000, margin=0.05, share=0.1)
    >>> print(f"{found.epsilon:.2f}")
    1.25
    """
    assumed = Assumed(share=share, confidence_level=confidence_level)
    n, wanted = check_respondents(respondents), MARGIN.check("margin", margin)
    return epsilon_for(assumed, respondents=n, margin=wanted)


def epsilon_for(
    assumed: Assumed, *, respondents: int, margin: float
) -> SmallestEpsilon:
    """Return the smallest epsilon, of checked numbers; no matter what law is assumed.

    Of the best table for two answers, the family `epsilon` (Kairouz, Oh & Viswanath
    2016, Journal of Machine Learning Research 17(17)).
    """
    # n M^2 / z^2 - pi (1 - pi): the noise that the margin leaves room for
    room = respondents * (margin / assumed.z) ** 2 - assumed.variance(DIRECT)
    epsilon = None
    if room >= symmetric_noise(MAX_EPSILON):
        # e^eps / (e^eps - 1)^2 = room, solved for eps
        epsilon = 2 * math.asinh(1 / (2 * math.sqrt(room)))
    return SmallestEpsilon(
        respondents=respondents,
        margin=margin,
        share=assumed.share,
        confidence_level=assumed.confidence_level,
        direct_margin=assumed.margin(respondents, DIRECT),
        epsilon=epsilon,
    )


def standard_errors(
    mechanism: Mechanism, *, respondents: int, share: float
) -> StandardErrors:
    """Return the spread of the estimate beside that of other ways to protect.

    Of n respondents, in [1, 10**9]; mechanism and share as `Assumed.of` takes them.
    """
    assumed, n = Assumed.of(mechanism, share=share), check_respondents(respondents)
    return errors_of(assumed, respondents=n, epsilon=mechanism.epsilon)


def errors_of(assumed: Assumed, *, respondents: int, epsilon: float) -> StandardErrors:
    """Return the standard errors, of checked respondents and the table's epsilon.

    Ghosh, Roughgarden & Sundararajan 2012, SIAM Journal on Computing 41:1673: the
    geometric mechanism is best for a count.
    """
    ours = assumed.variance() / respondents
    direct = assumed.variance(DIRECT) / respondents
    # Two-sided geometric noise on the count: variance 2 e^eps / (e^eps - 1)^2
    office = 2 * symmetric_noise(epsilon) / respondents**2
    # What rounding leaves of a direct question's noise may lie below 0.
    noise = max(0.0, ours - direct)
    return StandardErrors(
        direct=math.sqrt(direct),
        central=math.sqrt(direct + office),
        local=math.sqrt(ours),
        noise_ratio=math.sqrt(noise / office) if office else math.nan,
    )
