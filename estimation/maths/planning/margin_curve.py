"""How the margin of error falls as more people answer: points of a plot and a table."""

import math
from dataclasses import dataclass

from estimation.maths.checked import check_respondents
from estimation.maths.folds import one_against_the_rest
from estimation.maths.intervals import DEFAULT_CONFIDENCE_LEVEL
from estimation.maths.planning.precision import margin_of_error, respondents_needed
from surveys.mechanisms import Mechanism, build

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
    mechanism : Mechanism
        2 x 2: one answer against the rest.
    share, confidence_level : float
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

    mechanism: Mechanism
    share: float
    confidence_level: float
    planned: MarginPoint
    wanted: float
    needed: int
    direct_needed: int
    most_respondents: int
    largest_margin: float
    points: tuple[MarginPoint, ...]


def margin_curve(
    mechanism: Mechanism,
    *,
    share: float,
    respondents: int,
    margin: float,
    confidence_level: float = DEFAULT_CONFIDENCE_LEVEL,
) -> MarginCurve:
    """Return margins of error for numbers of respondents around the planned one.

    Parameters
    ----------
    mechanism : Mechanism
        As `one_against_the_rest` takes it.
    share : float
        Assumed share of one answer, in [0, 1].
    respondents : int
        The planned number, in [1, 10**9].
    margin : float
        The wanted margin, in [1e-6, 1).
    confidence_level : float
        In (0, 1).

    Raises
    ------
    TypeError, ValueError
        For a bad argument, naming it, its range and the value.
    """
    table, n = one_against_the_rest(mechanism), check_respondents(respondents)
    assumed = {"share": share, "confidence_level": confidence_level}
    direct = build("direct")
    needed = respondents_needed(table, margin=margin, **assumed)

    def point(count: int) -> MarginPoint:
        return MarginPoint(
            respondents=count,
            margin=margin_of_error(table, respondents=count, **assumed),
            direct_margin=margin_of_error(direct, respondents=count, **assumed),
        )

    planned = point(n)
    last = max(n, needed if needed <= FARTHEST * n else n)
    most = round(max(10.0, round_up(BEYOND * last)))
    counts = {n, needed, *(round(part * most) for part in PARTS)}
    highest = max(ROOM_ABOVE * planned.margin, 1.5 * margin)
    return MarginCurve(
        mechanism=table,
        **assumed,
        planned=planned,
        wanted=margin,
        needed=needed,
        direct_needed=respondents_needed(direct, margin=margin, **assumed),
        most_respondents=most,
        largest_margin=min(1.0, round_up(highest)),
        points=tuple(point(count) for count in sorted(counts)),
    )


def round_up(number: float) -> float:
    """Return the next number that people call round: 1, 2, 2.5 or 5, times tens.

    Parameters
    ----------
    number : float
        Above 0.

    Examples
    --------
    >>> round_up(1300), round_up(0.037)
    (2000.0, 0.05)
    """
    unit = 10.0 ** math.floor(math.log10(number))
    step = next(step for step in STEPS if number <= step * unit * (1 + 1e-12))
    # Whole tens as a quotient: 5 * 10**-2 has no rounding error this way.
    return step * unit if unit >= 1 else step / round(1 / unit)
