"""Intervals of shares, drawn one below the other on a scale from 0 % to 100 %."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from matplotlib.axes import Axes

from estimation.charts.style import (
    CHARACTER_WIDTH,
    FONT_SIZE,
    THEMES,
    TICKS,
    WIDTHS,
    Theme,
    as_file,
    drawing,
    new_figure,
    shortened,
)

MARGIN = 24.0
"""Points left and right of the scale: half the label "100 %", and room for an arrow."""

# Heights in points above the lower edge: labels of the scale, the lowest bar's part.
SCALE_LABELS, FLOOR = 6.0, 16.0

# Heights in points above the lower edge of one bar's part.
INTERVAL_LABEL, BAR, ESTIMATE_LABEL, NAME, TOP = 6.0, 28.0, 46.0, 64.0, 62.0
NAMED_TOP = 84.0
"""A part's own height; one with the name of its answer is higher."""

BAR_WIDTH = 12.0
ESTIMATE_HEIGHT = 22.0
ESTIMATE_WIDTH = 2.5
ARROW_SIZE = 8.0
SCALE_WIDTH = 1.5
TICK_HEIGHT = 10.0
ESTIMATE_FONT_SIZE = 12.0
NAME_FONT_SIZE = 11.0


@dataclass(frozen=True, kw_only=True)
class Bar:
    """What one bar shows: numbers as shares, texts as people read them.

    `estimate_label` names the raw estimate too where it differs, `share_label` never.
    `name` is that of the answer; it may be left out where a chart has one bar.
    """

    low: float
    high: float
    share: float
    raw: float
    interval_label: str
    estimate_label: str
    share_label: str = ""
    name: str = ""


def height_of(bars: int) -> float:
    """Return the height of a chart in points."""
    return FLOOR + (TOP if bars == 1 else bars * NAMED_TOP)


@lru_cache(maxsize=512)
def draw_interval(
    *bars: Bar, theme: str = "light", size: str = "wide", file_format: str = "svg"
) -> bytes:
    """Return the chart as a file, the same bytes for the same arguments.

    Parameters
    ----------
    bars : Bar
        One or more, from top to bottom. `low`, `high` and `share` in [0, 1]; `raw` may
        be any finite number, and is marked where it is not the share.
    theme : {"light", "dark"}
    size : {"wide", "narrow"}
    file_format : {"svg", "png", "pdf"}
    """
    colours, width, height = THEMES[theme], WIDTHS[size], height_of(len(bars))
    points = width - 2 * MARGIN
    with drawing():
        figure = new_figure(width=width, height=height, colours=colours)
        axes = figure.add_axes((MARGIN / width, 0, 1 - 2 * MARGIN / width, 1))
        axes.set_axis_off()
        axes.set_xlim(0, 1)
        axes.set_ylim(0, height)
        label_scale(axes, colours)
        for above, bar in enumerate(reversed(bars)):
            base = FLOOR + above * NAMED_TOP
            draw_scale(axes, colours, base=base)
            draw_bar(axes, bar, colours, base=base, points=points)
            draw_labels(axes, bar, colours, base=base, points=points)
        return as_file(figure, file_format)


def draw_scale(axes: Axes, colours: Theme, *, base: float) -> None:
    """Draw a line from 0 to 1 with a tick at every quarter."""
    look: dict[str, Any] = {"color": colours.track, "clip_on": False}
    height = base + BAR
    axes.plot([0, 1], [height, height], linewidth=SCALE_WIDTH, **look)
    for tick in TICKS:
        ends = [height - TICK_HEIGHT / 2, height + TICK_HEIGHT / 2]
        axes.plot([tick, tick], ends, linewidth=SCALE_WIDTH, **look)


def label_scale(axes: Axes, colours: Theme) -> None:
    """Write a percentage below every quarter."""
    for tick in TICKS:
        axes.text(
            tick,
            SCALE_LABELS,
            f"{100 * tick:.0f}\N{NO-BREAK SPACE}%",
            color=colours.muted,
            fontsize=FONT_SIZE,
            ha="center",
        )


def draw_bar(
    axes: Axes, bar: Bar, colours: Theme, *, base: float, points: float
) -> None:
    """Draw the interval, the estimate on it, and the raw estimate where it differs."""
    height = base + BAR
    axes.plot(
        [bar.low, bar.high],
        [height, height],
        color=colours.accent,
        linewidth=BAR_WIDTH,
        solid_capstyle="butt",  # it ends where the interval ends
        clip_on=False,
    )
    axes.plot(
        [bar.share, bar.share],
        [height - ESTIMATE_HEIGHT / 2, height + ESTIMATE_HEIGHT / 2],
        color=colours.ink,
        linewidth=ESTIMATE_WIDTH,
        solid_capstyle="butt",
        clip_on=False,
    )
    if bar.raw == bar.share:
        return
    # Off the scale only the direction is drawn: the label has the number.
    if bar.raw < 0:
        place, marker = -MARGIN / 2 / points, "<"
    elif bar.raw > 1:
        place, marker = 1 + MARGIN / 2 / points, ">"
    else:
        place, marker = bar.raw, "d"
    axes.plot(
        [place],
        [height],
        marker=marker,
        markersize=ARROW_SIZE,
        markerfacecolor=colours.background,
        markeredgecolor=colours.muted,
        markeredgewidth=SCALE_WIDTH,
        clip_on=False,
    )


def draw_labels(
    axes: Axes, bar: Bar, colours: Theme, *, base: float, points: float
) -> None:
    """Write the estimate above the bar, the interval below it, the name over both."""
    if bar.name:
        axes.text(
            -MARGIN / points,
            base + NAME,
            shortened(bar.name, points + 2 * MARGIN, fontsize=NAME_FONT_SIZE),
            fontsize=NAME_FONT_SIZE,
            color=colours.ink,
        )
    write_label(
        axes,
        bar.estimate_label,
        centre=bar.share,
        height=base + ESTIMATE_LABEL,
        points=points,
        fontsize=ESTIMATE_FONT_SIZE,
        fontweight="bold",
        color=colours.ink,
    )
    write_label(
        axes,
        bar.interval_label,
        centre=(bar.low + bar.high) / 2,
        height=base + INTERVAL_LABEL,
        points=points,
        fontsize=FONT_SIZE,
        color=colours.muted,
    )


def write_label(
    axes: Axes,
    text: str,
    *,
    centre: float,
    height: float,
    points: float,
    fontsize: float,
    **look: Any,
) -> None:
    """Write `text` around `centre`, or from the edge that it would otherwise leave."""
    room = (len(text) * CHARACTER_WIDTH * fontsize / 2 - MARGIN) / points
    place, alignment = centre, "center"
    if centre < room:
        place, alignment = -MARGIN / points, "left"
    elif centre > 1 - room:
        place, alignment = 1 + MARGIN / points, "right"
    axes.text(place, height, text, ha=alignment, fontsize=fontsize, **look)
