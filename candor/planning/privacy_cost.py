"""What protection costs: compared with direct questions and with the central model."""

import math
from dataclasses import dataclass

from candor.binary import symmetric_noise
from candor.intervals import DEFAULT_CONFIDENCE_LEVEL
from candor.mechanisms.epsilon import MAX_EPSILON
from candor.planning.assumptions import Assumed, assume_share
from candor.validation import Range, check_respondents

HALF_WIDTH = Range(low=0, high=0.5, open_low=True, example="0.05")
"""No interval of a share is wider than the whole scale."""

LEAST_Z = 1e-100
"""Of confidence levels next to 0, whose square would underflow."""


@dataclass(frozen=True, kw_only=True)
class SmallestEpsilon:
    """The strongest protection with which a margin of error can be reached.

    The epsilon of the best table for two answers is in (0, 10]; None where none reaches
    it.
    """

    respondents: int
    margin: float
    share: float
    confidence_level: float
    direct_margin: float
    epsilon: float | None


@dataclass(frozen=True, kw_only=True)
class StandardErrors:
    """Standard errors of a share: without noise, in the central and the local model.

    In the central model a trusted curator adds noise to the count of true answers, with
    the epsilon of the table. `noise_ratio` is the noise of the local model as a
    multiple of the central one; None without noise.
    """

    direct: float
    central: float
    local: float
    noise_ratio: float | None


def smallest_epsilon(
    assumed: Assumed, *, respondents: int, margin: float
) -> SmallestEpsilon:
    """Return the smallest epsilon for a margin, whichever channel is assumed."""
    # The best table for two answers (Kairouz, Oh & Viswanath 2016, JMLR 17(17)) is that
    # of the family `epsilon`.
    direct = assumed.direct_margins
    z = max(direct.z, LEAST_Z)
    # n M^2 / z^2 - pi (1 - pi): the noise that the margin leaves room for
    room = respondents * (margin / z) ** 2 - direct.variance
    epsilon = None
    if room >= symmetric_noise(MAX_EPSILON):
        # e^eps / (e^eps - 1)^2 = room, solved for eps
        epsilon = 2 * math.asinh(1 / (2 * math.sqrt(room)))
    return SmallestEpsilon(
        respondents=respondents,
        margin=margin,
        share=assumed.part,
        confidence_level=assumed.confidence_level,
        direct_margin=direct.margin(respondents),
        epsilon=epsilon,
    )


def standard_errors(
    assumed: Assumed, *, respondents: int, epsilon: float
) -> StandardErrors:
    """Return the standard errors, given the table's epsilon."""
    local = assumed.variance / respondents
    direct = assumed.direct_variance / respondents
    # Geometric noise is best for a count (Ghosh, Roughgarden & Sundararajan 2012, SIAM
    # Journal on Computing 41:1673): variance 2 e^eps / (e^eps - 1)^2
    central = 2 * symmetric_noise(epsilon) / respondents**2
    # The noise of a direct question may round to less than 0.
    noise = max(0.0, local - direct)
    return StandardErrors(
        direct=math.sqrt(direct),
        central=math.sqrt(direct + central),
        local=math.sqrt(local),
        noise_ratio=math.sqrt(noise / central) if central else None,
    )


def direct_half_width(
    *,
    respondents: int,
    share: float,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
) -> float:
    """Return half the width of Wilson's interval from honest direct answers."""
    n = check_respondents(respondents)
    direct = assume_share(share, confidence_level=confidence_level)
    # z sqrt(n pi (1 - pi) + z^2 / 4) / (n + z^2)
    spread = math.sqrt(n * direct.variance + direct.z**2 / 4)
    return direct.z * spread / (n + direct.z**2)


def direct_respondents(
    *,
    half_width: float,
    share: float,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
) -> int:
    """Return how many direct answers give an interval of half a width in (0, 1/2]."""
    wanted = HALF_WIDTH.check("half_width", half_width)
    direct = assume_share(share, confidence_level=confidence_level)
    spread, z = direct.variance, direct.z
    # direct_half_width = h, squared, is quadratic in n + z^2:
    # n + z^2 = z^2 [v + sqrt(v^2 + 4 h^2 (1/4 - v))] / (2 h^2), v = pi (1 - pi)
    root = math.sqrt(spread**2 + 4 * wanted**2 * (1 / 4 - spread))
    needed = z**2 * ((spread + root) / (2 * wanted**2) - 1)
    return max(1, math.ceil(needed))
