"""The margin of error by number of respondents: points of a plot and a table."""

import math
from dataclasses import dataclass

from candor.planning.assumptions import Assumed
from candor.validation import MARGIN, check_respondents

STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
"""Multiples of a power of ten that count as round numbers."""

BEYOND = 1.25
"""The plot ends a little behind the last number that is marked."""

FARTHEST = 8
"""Times the planned number. A needed one beyond is left to the table: on the plot it
would press everything else against the axis."""

PARTS = (0.1, 0.25, 0.5, 1.0)
"""Rows of the table, as parts of the longest axis, next to those that are marked."""

HEADROOM = 2.2
"""The highest margin shown, as a multiple of the planned one. Margins fall with the
square root, so that the curve begins at a fifth of the planned respondents."""


@dataclass(frozen=True, kw_only=True)
class MarginPoint:
    """Margins of respondents with the mechanism, and of a direct question."""

    respondents: int
    margin: float
    direct_margin: float


@dataclass(frozen=True, kw_only=True)
class MarginCurve:
    """Points and axes of the plot, and of the table next to it.

    Respondents are needed for the wanted margin with the mechanism, and by a direct
    question. The planned and the needed number are among the points, which ascend.
    """

    planned: MarginPoint
    wanted: float
    needed: int
    direct_needed: int
    most_respondents: int
    largest_margin: float
    points: tuple[MarginPoint, ...]


def margin_curve(assumed: Assumed, *, respondents: int, margin: float) -> MarginCurve:
    """Return margins around the planned number, as parts of the range."""
    direct = assumed.direct_margins
    n, wanted = check_respondents(respondents), MARGIN.check("margin", margin)
    needed = assumed.needed(wanted)

    def point(count: int) -> MarginPoint:
        return MarginPoint(
            respondents=count,
            margin=assumed.margin(count),
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
    """Return the next round number: 1, 2, 2.5 or 5 times a power of ten."""
    unit = 10.0 ** math.floor(math.log10(number))
    step = next(step for step in STEPS if number <= step * unit * (1 + 1e-12))
    # Powers of ten below 1 as a divisor: 5 * 10**-2 has a rounding error, 5 / 100 none.
    return step * unit if unit >= 1 else step / round(1 / unit)
