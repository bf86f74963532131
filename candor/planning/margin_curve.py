"""The margin of error by number of respondents: points of a plot and a table."""

import math
from dataclasses import dataclass
from functools import lru_cache

from candor.intervals import DEFAULT_CONFIDENCE_LEVEL
from candor.mechanisms import Mechanism
from candor.planning.assumptions import DEFAULT_SHARE, assume
from candor.validation import MARGIN, check_respondents

STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
"""Multiples of a power of ten that count as round numbers."""

BEYOND = 1.25
"""The plot ends a little behind the last number that is marked."""

FARTHEST = 8
"""Times the planned number. A needed one beyond is left to the table: on the plot it
would press everything else against the axis."""

PARTS = (0.1, 0.25, 0.5, 1.0)
"""Rows of the table, as parts of the longest axis; the planned and the needed number
are added."""

HEADROOM = 2.2
"""The highest margin shown, as a multiple of the planned one. Margins fall with the
square root, so that the curve begins at a fifth of the planned respondents."""

CACHED_CURVES = 128
"""A page shows the numbers of a curve, and then asks for its drawings."""


@dataclass(frozen=True, kw_only=True)
class MarginPoint:
    """Margins of error of a number of respondents.

    Attributes
    ----------
    respondents : int
    margin, direct_margin : float
        With the mechanism, and with honest answers to a direct question.
    """

    respondents: int
    margin: float
    direct_margin: float


@dataclass(frozen=True, kw_only=True)
class MarginCurve:
    """Points and axes of the plot, and of the table next to it.

    Attributes
    ----------
    planned : MarginPoint
    wanted : float
        The wanted margin.
    needed, direct_needed : int
        Respondents for it, with the mechanism and by a direct question.
    most_respondents : int
        End of the horizontal axis.
    largest_margin : float
        End of the vertical axis, in (0, 1].
    points : tuple of MarginPoint
        Ascending; the planned and the needed number are among them.
    """

    planned: MarginPoint
    wanted: float
    needed: int
    direct_needed: int
    most_respondents: int
    largest_margin: float
    points: tuple[MarginPoint, ...]


@lru_cache(maxsize=CACHED_CURVES)
def margin_curve(
    mechanism: Mechanism,
    *,
    share: float = DEFAULT_SHARE,
    mean: float | None = None,
    sd: float | None = None,
    respondents: int,
    margin: float,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
) -> MarginCurve:
    """Return margins for numbers of respondents around the planned one.

    Margins of the mean of a scale are parts of the scale.

    Parameters
    ----------
    mechanism, share, mean, sd, confidence_level
        As `assume` takes them.
    respondents : int
        The planned number, in [1, 10**9].
    margin : float
        The wanted margin, in [1e-6, 1).
    """
    assumed = assume(
        mechanism, share=share, mean=mean, sd=sd, confidence_level=confidence_level
    )
    ours, direct = assumed.margins, assumed.direct_margins
    n, wanted = check_respondents(respondents), MARGIN.check("margin", margin)
    needed = ours.needed(wanted)

    def point(count: int) -> MarginPoint:
        return MarginPoint(
            respondents=count,
            margin=ours.margin(count),
            direct_margin=direct.margin(count),
        )

    planned = point(n)
    last = max(n, needed if needed <= FARTHEST * n else n)
    most = round(max(10.0, round_up(BEYOND * last)))
    counts = {n, needed, *(round(part * most) for part in PARTS)}
    highest = max(HEADROOM * planned.margin, 1.5 * wanted)
    return MarginCurve(
        planned=planned,
        wanted=wanted,
        needed=needed,
        direct_needed=direct.needed(wanted),
        most_respondents=most,
        largest_margin=min(1.0, round_up(highest)),
        points=tuple(point(count) for count in sorted(counts)),
    )


def round_up(number: float) -> float:
    """Return the next round number: 1, 2, 2.5 or 5 times a power of ten.

    Examples
    --------
    >>> round_up(1300), round_up(0.037)
    (2000.0, 0.05)
    """
    unit = 10.0 ** math.floor(math.log10(number))
    step = next(step for step in STEPS if number <= step * unit * (1 + 1e-12))
    # Powers of ten below 1 as a divisor: 5 * 10**-2 has a rounding error, 5 / 100 none.
    return step * unit if unit >= 1 else step / round(1 / unit)
