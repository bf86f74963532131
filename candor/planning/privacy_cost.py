"""What protection costs, and the strongest that a wanted precision allows."""

import math
from dataclasses import dataclass

from candor.binary import symmetric_noise
from candor.mechanisms.epsilon import MAX_EPSILON
from candor.planning.assumptions import AssumedShare


@dataclass(frozen=True, kw_only=True)
class SmallestEpsilon:
    """The strongest protection with which a margin of error can be reached.

    Attributes
    ----------
    respondents : int
    margin, share, confidence_level : float
        As given.
    direct_margin : float
        The margin of a direct question; no mechanism has a smaller one.
    epsilon : float or None
        In (0, 10], of the best table for two answers. None where no table reaches the
        margin, or only one with an epsilon above 10, which protects nobody.
    """

    respondents: int
    margin: float
    share: float
    confidence_level: float
    direct_margin: float
    epsilon: float | None


@dataclass(frozen=True, kw_only=True)
class StandardErrors:
    """Standard errors of a share by where noise is added.

    Attributes
    ----------
    direct : float
        Nowhere: every answer is known.
    central : float
        In the central model: a trusted curator adds noise to the count of true answers,
        with the epsilon of the table.
    local : float
        In the local model: every respondent uses the table.
    noise_ratio : float or None
        Noise of the local model as a multiple of the central one; None without noise.
    """

    direct: float
    central: float
    local: float
    noise_ratio: float | None


def smallest_epsilon(
    assumed: AssumedShare, *, respondents: int, margin: float
) -> SmallestEpsilon:
    """Return the smallest epsilon for a margin; respondents and margin are checked.

    Of the family `epsilon`, the best table for two answers (Kairouz, Oh & Viswanath
    2016, Journal of Machine Learning Research 17(17)), whichever channel is assumed.
    """
    direct = assumed.direct_margins
    # n M^2 / z^2 - pi (1 - pi): the noise that the margin leaves room for
    room = respondents * (margin / direct.z) ** 2 - direct.variance
    epsilon = None
    if room >= symmetric_noise(MAX_EPSILON):
        # e^eps / (e^eps - 1)^2 = room, solved for eps
        epsilon = 2 * math.asinh(1 / (2 * math.sqrt(room)))
    return SmallestEpsilon(
        respondents=respondents,
        margin=margin,
        share=assumed.share,
        confidence_level=assumed.confidence_level,
        direct_margin=direct.margin(respondents),
        epsilon=epsilon,
    )


def standard_errors(
    assumed: AssumedShare, *, respondents: int, epsilon: float
) -> StandardErrors:
    """Return the standard errors, given checked respondents and the table's epsilon.

    The central model uses the geometric mechanism, which is best for a count (Ghosh,
    Roughgarden & Sundararajan 2012, SIAM Journal on Computing 41:1673).
    """
    local = assumed.variance / respondents
    direct = assumed.direct_variance / respondents
    # Two-sided geometric noise on the count: variance 2 e^eps / (e^eps - 1)^2
    central = 2 * symmetric_noise(epsilon) / respondents**2
    # The noise of a direct question may round to less than 0.
    noise = max(0.0, local - direct)
    return StandardErrors(
        direct=math.sqrt(direct),
        central=math.sqrt(direct + central),
        local=math.sqrt(local),
        noise_ratio=math.sqrt(noise / central) if central else None,
    )
