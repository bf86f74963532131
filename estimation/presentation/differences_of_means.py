"""The same of the mean of a scale, in its units."""

from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN
from fractions import Fraction

from django.utils.translation import gettext as _

from candor.mechanisms.scale import Scale
from estimation.rows.comparison import Comparison
from estimation.rows.differences import DifferenceRow
from surveys.words.numbers import HALF_THE_SCALE, isolated, percent, value_on_scale

MINUS = "\N{MINUS SIGN}"

MIRRORED = {ROUND_FLOOR: ROUND_CEILING, ROUND_CEILING: ROUND_FLOOR}
"""How a number below 0 is rounded by its size."""


def mean_difference_sentence(
    row: DifferenceRow, scale: Scale, comparison: Comparison
) -> str:
    """Return by how much the first group's mean is above the other's."""
    text = between_groups(row) if comparison.second else between_surveys(row)
    near, far = sorted((abs(row.low), abs(row.high)))
    return text % {
        "group": row.group,
        "other": row.other,
        "level": percent(comparison.confidence_level, trimmed=True),
        "size": apart(scale, row, abs(row.estimate)),
        "near": apart(scale, row, near, rounding=ROUND_FLOOR),
        "far": apart(scale, row, far, rounding=ROUND_CEILING),
        "fewer": apart(scale, row, max(0.0, -row.low), rounding=ROUND_CEILING),
        "more": apart(scale, row, max(0.0, row.high), rounding=ROUND_CEILING),
        "best": signed_apart(scale, row, row.estimate),
    }


def between_groups(row: DifferenceRow) -> str:
    """Return the sentence for groups within one survey, its gaps unfilled."""
    if row.low > 0:
        return _(
            "Of those with “%(group)s”, the mean is %(size)s higher than of those with "
            "“%(other)s” (%(level)s interval: %(near)s to %(far)s)"
        )
    if row.high < 0:
        return _(
            "Of those with “%(group)s”, the mean is %(size)s lower than of those with "
            "“%(other)s” (%(level)s interval: %(near)s to %(far)s)"
        )
    if tells_nothing(row):
        return _(
            "Of those with “%(group)s”, the mean is between %(fewer)s lower and "
            "%(more)s higher than of those with “%(other)s”: that tells next to nothing"
        )
    return _(
        "Of those with “%(group)s”, the mean is between %(fewer)s lower and "
        "%(more)s higher than of those with “%(other)s” (%(level)s interval; best "
        "estimate %(best)s)"
    )


def between_surveys(row: DifferenceRow) -> str:
    """Return the same for two surveys."""
    if row.low > 0:
        return _(
            "In “%(group)s”, the mean is %(size)s higher than in “%(other)s” "
            "(%(level)s interval: %(near)s to %(far)s)"
        )
    if row.high < 0:
        return _(
            "In “%(group)s”, the mean is %(size)s lower than in “%(other)s” "
            "(%(level)s interval: %(near)s to %(far)s)"
        )
    if tells_nothing(row):
        return _(
            "In “%(group)s”, the mean is between %(fewer)s lower and %(more)s "
            "higher than in “%(other)s”: that tells next to nothing"
        )
    return _(
        "In “%(group)s”, the mean is between %(fewer)s lower and %(more)s "
        "higher than in “%(other)s” (%(level)s interval; best estimate "
        "%(best)s)"
    )


def apart(
    scale: Scale, row: DifferenceRow, part: float, *, rounding: str = ROUND_HALF_EVEN
) -> str:
    """Return a part of a scale's length in its units, as fine as the interval is."""
    length = Scale(Fraction(0), scale.high - scale.low, scale.points)
    return value_on_scale(length, part, low=row.low, high=row.high, rounding=rounding)


def signed_apart(
    scale: Scale, row: DifferenceRow, part: float, *, rounding: str = ROUND_HALF_EVEN
) -> str:
    """Return the same with its sign; a difference that rounds to none has none."""
    if part < 0:
        # Away from 0 and towards it change places.
        rounding = MIRRORED.get(rounding, rounding)
    size = apart(scale, row, abs(part), rounding=rounding)
    if not size.strip("0.,"):
        return size
    return isolated(f"{MINUS if part < 0 else '+'}{size}")


def tells_nothing(row: DifferenceRow) -> bool:
    """Return whether it may be none, with a margin of half the scale of a share."""
    return row.low <= 0 <= row.high and row.high - row.low >= 2 * HALF_THE_SCALE
