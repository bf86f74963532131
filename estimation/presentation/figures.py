"""Figures of a row as text: in percent, in points, or in the units of a scale.

An estimate is shown no finer than its interval deserves; ends of intervals are rounded
outwards, because the text must not claim more than is known.
"""

from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN

from django.utils.translation import gettext as _

from candor.table import Status
from estimation.rows.row import DisplayStatus, Kind, Row
from surveys.numbers import (
    HALF_THE_SCALE,
    NOISE,
    avoid_singular,
    choose_decimals,
    format_distinct_percent,
    format_limits,
    format_p_value,
    format_percent,
    format_points,
    format_scale_estimate,
    format_standard_error,
    isolate_sign,
    say_too_imprecise,
)

MIN_P_SHOWN = 0.001

DASH, MINUS = "\N{EN DASH}", "\N{MINUS SIGN}"

MIRRORED = {ROUND_FLOOR: ROUND_CEILING, ROUND_CEILING: ROUND_FLOOR}


def show_value(row: Row, value: float) -> str:
    if row.scale:
        return format_scale_estimate(value, low=row.low, high=row.high)
    inside = 0 < value < 1
    return format_percent(value, choose_decimals(row.low, row.high) if inside else 0)


def show_estimate(row: Row) -> str:
    return show_value(row, row.estimate)


def show_ends(row: Row) -> tuple[str, str]:
    if row.kind is Kind.DIFFERENCE:
        noise = 0.0 if row.scale else NOISE
        return (
            show_signed(row, row.low + noise, rounding=ROUND_FLOOR),
            show_signed(row, row.high - noise, rounding=ROUND_CEILING),
        )
    if not row.scale:
        return format_limits(row.low, row.high)
    return (
        format_scale_estimate(
            row.low, low=row.low, high=row.high, rounding=ROUND_FLOOR
        ),
        format_scale_estimate(
            row.high, low=row.low, high=row.high, rounding=ROUND_CEILING
        ),
    )


def show_interval(row: Row) -> str:
    return show_range(*show_ends(row))


def show_range(low: str, high: str) -> str:
    return _("%(low)s to %(high)s") % {"low": low, "high": high}


def show_estimate_or_dash(row: Row) -> str:
    if row.kind is Kind.DIFFERENCE:
        is_known = row.status is not Status.MISFIT and not is_uninformative(row)
        return show_signed(row, row.estimate) if is_known else DASH
    return show_estimate(row) if row.display_status is DisplayStatus.ESTIMATED else DASH


def show_raw(row: Row) -> str:
    if row.scale:
        return format_scale_estimate(row.raw, low=row.low, high=row.high)
    inside = row.raw not in {0, 1}
    decimals = choose_decimals(row.low, row.high) if inside else 0
    return format_distinct_percent(row.raw, decimals)


def show_standard_error(row: Row) -> str:
    if not row.scale:
        return format_standard_error(row.standard_error)
    if row.standard_error >= HALF_THE_SCALE * row.length:
        return say_too_imprecise()
    return format_scale_estimate(row.standard_error, low=row.low, high=row.high)


def is_uninformative(row: Row) -> bool:
    """Return whether a difference may be none, with a margin of half the scale."""
    return row.low <= 0 <= row.high and row.width >= 2 * HALF_THE_SCALE


def show_size(row: Row, size: float, *, rounding: str = ROUND_HALF_EVEN) -> str:
    """Return the size of a difference: in points without their name, or in units."""
    if row.scale:
        return format_scale_estimate(
            size, low=row.low, high=row.high, rounding=rounding
        )
    return format_points(
        size, decimals=choose_decimals(row.low, row.high), rounding=rounding
    )


def show_count(row: Row, size: float, *, rounding: str = ROUND_HALF_EVEN) -> str:
    """Return the same as a number that "points" can follow: "1.0" for one."""
    if row.scale:
        return show_size(row, max(0.0, size), rounding=rounding)
    less = max(0.0, size - NOISE) if rounding == ROUND_CEILING else size
    return avoid_singular(show_size(row, less, rounding=rounding))


def show_signed(row: Row, difference: float, *, rounding: str = ROUND_HALF_EVEN) -> str:
    if difference < 0:
        # Away from 0 and towards it change places.
        rounding = MIRRORED.get(rounding, rounding)
    size = show_size(row, abs(difference), rounding=rounding)
    if not size.strip("0.,"):
        return size
    sign = MINUS if difference < 0 else "+"
    return isolate_sign(f"{sign}{size}")


def show_p_value(row: Row) -> str:
    if row.adjusted_p_value is None:
        return DASH
    text = format_p_value(row.adjusted_p_value, smallest=MIN_P_SHOWN, digits=".3f")
    return text.removeprefix("P").lstrip("=\N{NO-BREAK SPACE}")
