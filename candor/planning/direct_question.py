"""What honest answers to a direct question would have shown: the cost of protection."""

import math

from candor.intervals import DEFAULT_CONFIDENCE_LEVEL
from candor.planning.assumptions import AssumedShare
from candor.validation import Range, check_respondents

HALF_WIDTH = Range(low=0, high=0.5, open_low=True, example="0.05")
"""No interval of a share is wider than the whole scale."""


def direct_half_width(
    *,
    respondents: int,
    share: float,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
) -> float:
    """Return half the width of Wilson's interval from honest direct answers.

    Wilson's interval has a formula, and a width above 0 at shares of 0 and 1 too.

    Parameters
    ----------
    respondents : int
        n, in [1, 10**9].
    share : float
        In [0, 1].
    confidence_level : float
        In (0, 1).

    Returns
    -------
    float
        In (0, 1/2).

    Examples
    --------
    Half of 100 people: 1.96 / (2 sqrt(100 + 1.96**2)).

    >>> print(f"{direct_half_width(respondents=100, share=0.5):.4f}")
    0.0962
    """
    n = check_respondents(respondents)
    direct = AssumedShare(share=share, confidence_level=confidence_level).direct_margins
    # z sqrt(n pi (1 - pi) + z^2 / 4) / (n + z^2)
    return (
        direct.z * math.sqrt(n * direct.variance + direct.z**2 / 4) / (n + direct.z**2)
    )


def direct_respondents(
    *,
    half_width: float,
    share: float,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
) -> int:
    """Return how many honest direct answers, 1 or more, give an interval this wide.

    Parameters
    ----------
    half_width : float
        h, in (0, 1/2].
    share, confidence_level : float
        As in `direct_half_width`.

    Examples
    --------
    >>> direct_respondents(half_width=0.0962, share=0.5)
    100
    """
    wanted = HALF_WIDTH.check("half_width", half_width)
    direct = AssumedShare(share=share, confidence_level=confidence_level).direct_margins
    spread, z = direct.variance, direct.z
    # direct_half_width = h, squared, is quadratic in n + z^2:
    # n + z^2 = z^2 [v + sqrt(v^2 + 4 h^2 (1/4 - v))] / (2 h^2), v = pi (1 - pi)
    root = math.sqrt(spread**2 + 4 * wanted**2 * (1 / 4 - spread))
    needed = z**2 * ((spread + root) / (2 * wanted**2) - 1)
    return max(1, math.ceil(needed))
