"""By how much groups differ, in words and in the cells of a table."""

from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN

from django.utils.translation import gettext as _

from estimation.presentation.differences_of_means import (
    MINUS,
    mean_difference_sentence,
    signed_apart,
    tells_nothing,
)
from estimation.rows.comparison import Comparison
from estimation.rows.differences import DifferenceRow
from surveys.words.numbers import (
    NOISE,
    decimals_for,
    isolated,
    not_singular,
    percent,
    points,
)


def difference_sentence(row: DifferenceRow, comparison: Comparison) -> str:
    """Return by how much the first group is above the other, with the interval."""
    if row.scale:
        return mean_difference_sentence(row, row.scale, comparison)
    texts = between_groups(row) if comparison.second else between_surveys(row)
    decimals = decimals_for(row.low, row.high)
    words = {
        "group": row.group,
        "other": row.other,
        "label": row.label,
        "level": percent(comparison.confidence_level, trimmed=True),
        "points": counted_points(abs(row.estimate), decimals),
        "best": signed_points(row.estimate, decimals),
    }
    if row.low > 0 or row.high < 0:
        near, far = sorted((abs(row.low), abs(row.high)))
        words |= {
            "low": points(near + NOISE, decimals=decimals, rounding=ROUND_FLOOR),
            "high": outwards(far, decimals),
        }
    else:
        words |= {
            "fewer": counted_points(-row.low, decimals, rounding=ROUND_CEILING),
            "more": counted_points(row.high, decimals, rounding=ROUND_CEILING),
        }
    return texts % words


def between_groups(row: DifferenceRow) -> str:
    """Return the sentence for groups within one survey, its gaps unfilled."""
    if row.low > 0:
        return _(
            "Of those with “%(group)s”, %(points)s points more answered “%(label)s” "
            "than of those with “%(other)s” (%(level)s interval: %(low)s to %(high)s)"
        )
    if row.high < 0:
        return _(
            "Of those with “%(group)s”, %(points)s points fewer answered “%(label)s” "
            "than of those with “%(other)s” (%(level)s interval: %(low)s to %(high)s)"
        )
    if tells_nothing(row):
        return _(
            "Of those with “%(group)s”, between %(fewer)s points fewer and %(more)s "
            "points more answered “%(label)s” than of those with “%(other)s”: that "
            "tells next to nothing"
        )
    return _(
        "Of those with “%(group)s”, between %(fewer)s points fewer and %(more)s points "
        "more answered “%(label)s” than of those with “%(other)s” (%(level)s interval; "
        "best estimate %(best)s)"
    )


def between_surveys(row: DifferenceRow) -> str:
    """Return the same for two surveys."""
    if row.low > 0:
        return _(
            "In “%(group)s”, %(points)s points more answered “%(label)s” than in "
            "“%(other)s” (%(level)s interval: %(low)s to %(high)s)"
        )
    if row.high < 0:
        return _(
            "In “%(group)s”, %(points)s points fewer answered “%(label)s” than in "
            "“%(other)s” (%(level)s interval: %(low)s to %(high)s)"
        )
    if tells_nothing(row):
        return _(
            "In “%(group)s”, between %(fewer)s points fewer and %(more)s points more "
            "answered “%(label)s” than in “%(other)s”: that tells next to nothing"
        )
    return _(
        "In “%(group)s”, between %(fewer)s points fewer and %(more)s points more "
        "answered “%(label)s” than in “%(other)s” (%(level)s interval; best estimate "
        "%(best)s)"
    )


def difference_cell(row: DifferenceRow) -> str:
    """Return the difference in points with its sign, a dash where it is none."""
    if tells_nothing(row):
        return "\N{EN DASH}"
    if row.scale:
        return signed_apart(row.scale, row, row.estimate)
    return signed_points(row.estimate, decimals_for(row.low, row.high))


def interval_cell(row: DifferenceRow) -> str:
    """Return both ends in points with their signs, rounded outwards."""
    decimals = decimals_for(row.low, row.high)
    ends = {
        "low": signed_points(row.low + NOISE, decimals, rounding=ROUND_FLOOR),
        "high": signed_points(row.high - NOISE, decimals, rounding=ROUND_CEILING),
    }
    if row.scale:
        ends = {
            "low": signed_apart(row.scale, row, row.low, rounding=ROUND_FLOOR),
            "high": signed_apart(row.scale, row, row.high, rounding=ROUND_CEILING),
        }
    return _("%(low)s to %(high)s") % ends


def signed_points(
    difference: float, decimals: int, *, rounding: str = ROUND_HALF_EVEN
) -> str:
    """Return points with their sign; a difference that rounds to none has none."""
    shown = points(difference, decimals=decimals, rounding=rounding)
    size = shown.lstrip("-")
    if not size.strip("0.,"):
        return size
    return isolated(f"{'+' if size == shown else MINUS}{size}")


def counted_points(
    size: float, decimals: int, *, rounding: str = ROUND_HALF_EVEN
) -> str:
    """Return a number that "points" can follow: "1.0" for one, else the number."""
    less = max(0.0, size - NOISE) if rounding == ROUND_CEILING else size
    shown = points(less, decimals=decimals, rounding=rounding)
    return not_singular(shown)


def outwards(end: float, decimals: int) -> str:
    """Return the far end of an interval."""
    return points(max(0.0, end - NOISE), decimals=decimals, rounding=ROUND_CEILING)
