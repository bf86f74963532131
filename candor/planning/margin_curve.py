"""How the margin of error falls as more people answer: points of a plot and a table."""

import math
from dataclasses import dataclass
from functools import lru_cache

from candor.assumptions import Assumed, NormalMargins
from candor.binary import DIRECT
from candor.dichotomies import channel_of, one_against_the_rest
from candor.intervals import DEFAULT_CONFIDENCE_LEVEL
from candor.mechanisms import Mechanism
from candor.validation import MARGIN, check_respondents

STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
"""Multiples of a power of ten that people call round."""

BEYOND = 1.25
"""The plot goes on a little behind the last number that is marked."""

FARTHEST = 8
"""Times the planned number. A needed one beyond stays in the table alone: on the plot
it would press everything else against the axis."""

PARTS = (0.1, 0.25, 0.5, 1.0)
"""Of the longest axis: the rows of the table, beside what is planned and needed."""

ROOM_ABOVE = 2.2
"""The highest margin shown, as a multiple of the planned one: the curve is seen from a
fifth of the planned respondents on, because margins fall with their square root."""

CACHED_CURVES = 128
"""A page shows the numbers of a curve, and then asks for its drawings."""


@dataclass(frozen=True, kw_only=True)
class MarginPoint:
    """Margins of error of so many respondents.

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
    """What the plot and the table beside it show.

    Attributes
    ----------
    planned : MarginPoint
    wanted : float
        The margin that is wanted.
    needed, direct_needed : int
        Respondents for it, with the mechanism and by a direct question.
    most_respondents : int
        Where the plot ends.
    largest_margin : float
        Where it ends above, in (0, 1].
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
    share: float,
    respondents: int,
    margin: float,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
) -> MarginCurve:
    """Return margins of a share for numbers of respondents around the planned one.

    Parameters
    ----------
    mechanism : Mechanism
        As `one_against_the_rest` takes it.
    share, confidence_level
        As `Assumed` has them.
    respondents, margin
        As `curve_between` takes them.
    """
    law = channel_of(one_against_the_rest(mechanism))
    assumed = Assumed(law=law, share=share, confidence_level=confidence_level)
    ours, direct = assumed.margins(), assumed.margins(DIRECT)
    return curve_between(ours, direct, respondents=respondents, margin=margin)


def curve_between(
    ours: NormalMargins, direct: NormalMargins, *, respondents: int, margin: float
) -> MarginCurve:
    """Return margins of a question beside those of a direct one.

    Parameters
    ----------
    ours, direct : NormalMargins
    respondents : int
        The planned number, in [1, 10**9].
    margin : float
        The wanted margin, in [1e-6, 1).
    """
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
    highest = max(ROOM_ABOVE * planned.margin, 1.5 * wanted)
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
    """Return the next number above 0 that people call round: 1, 2, 2.5, 5, times tens.

    Examples
    --------
    >>> round_up(1300), round_up(0.037)
    (2000.0, 0.05)
    """
    unit = 10.0 ** math.floor(math.log10(number))
    step = next(step for step in STEPS if number <= step * unit * (1 + 1e-12))
    # Whole tens as a quotient: 5 * 10**-2 has no rounding error this way.
    return step * unit if unit >= 1 else step / round(1 / unit)
