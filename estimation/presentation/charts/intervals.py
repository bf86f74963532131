"""Intervals of shares, drawn one below the other on a scale from 0 % to 100 %."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from estimation import libraries
from estimation.presentation.charts.style import (
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

OWN_TICKS = 18.0
"""How much higher a part is whose scale has labels of its own, below the others."""

TICK_HEIGHT = 10.0
ESTIMATE_FONT_SIZE = 12.0
NAME_FONT_SIZE = 11.0


@dataclass(frozen=True, kw_only=True)
class Bar:
    """What one bar shows: numbers as shares, texts as people read them.

    `estimate_label` names the raw estimate too where it differs, `share_label` never.
    `name` is that of the answer; it may be left out where a chart has one bar. Without
    an estimate neither share nor raw estimate is marked.
    """

    low: float
    high: float
    share: float
    raw: float
    has_estimate: bool = True
    interval_label: str
    estimate_label: str
    share_label: str = ""
    name: str = ""
    ticks: tuple[str, ...] = ()
    """What the quarters of its own scale are called; none where it is one of shares."""


@dataclass(frozen=True, kw_only=True)
class Look:
    """How large a bar and what is around it are drawn, in points."""

    bar: float
    estimate_height: float
    estimate_width: float
    line: float
    mark: float
    font_size: float
    is_clipped: bool


LARGE = Look(
    bar=12.0,
    estimate_height=22.0,
    estimate_width=2.5,
    line=1.5,
    mark=8.0,
    font_size=FONT_SIZE,
    is_clipped=False,
)


@dataclass(frozen=True, kw_only=True)
class Scale:
    """Where shares are along the axes, and how a bar is drawn there.

    0 is at `left` and 1 at `right`; `outside` is how far beyond them an arrow stands
    for what is off the scale, in the units of the axes.
    """

    left: float = 0.0
    right: float = 1.0
    outside: float
    look: Look = LARGE

    def place(self, share: float) -> float:
        """Return where a share is drawn."""
        return self.left + share * (self.right - self.left)


def height_of(bars: int, *, own_scales: int = 0) -> float:
    """Return the height of a chart in points.

    `own_scales` of the bars have labels of their own, where others are of shares.
    """
    return FLOOR + (TOP if bars == 1 else bars * NAMED_TOP) + own_scales * OWN_TICKS


def own_scales_of(bars: Sequence[Bar]) -> int:
    """Return how many bars need labels of their own: none where one bar is all."""
    return sum(1 for bar in bars if bar.ticks) if len(bars) > 1 else 0


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
    colours, width = THEMES[theme], WIDTHS[size]
    height = height_of(len(bars), own_scales=own_scales_of(bars))
    points = width - 2 * MARGIN
    with drawing():
        figure = new_figure(width=width, height=height, colours=colours)
        axes = figure.add_axes((MARGIN / width, 0, 1 - 2 * MARGIN / width, 1))
        axes.set_axis_off()
        axes.set_xlim(0, 1)
        axes.set_ylim(0, height)
        scale = Scale(outside=MARGIN / 2 / points)
        base, is_alone = FLOOR, len(bars) == 1
        label_scale(
            axes,
            scale,
            colours,
            height=SCALE_LABELS,
            ticks=bars[0].ticks if is_alone else (),
        )
        for bar in reversed(bars):
            if bar.ticks and not is_alone:
                label_scale(
                    axes, scale, colours, height=base + SCALE_LABELS, ticks=bar.ticks
                )
                base += OWN_TICKS
            middle, half = base + BAR, TICK_HEIGHT / 2
            draw_line(axes, scale, (0, 1), (middle, middle), color=colours.track)
            draw_ticks(axes, scale, colours, ends=(middle - half, middle + half))
            draw_bar(axes, bar, scale, colours, middle=middle)
            draw_labels(axes, bar, colours, base=base, points=points)
            base += NAMED_TOP
        return as_file(figure, file_format)


def label_scale(
    axes: "libraries.matplotlib.axes.Axes",
    scale: Scale,
    colours: Theme,
    *,
    height: float,
    ticks: Sequence[str] = (),
) -> None:
    """Write a percentage below every quarter, or what it is called."""
    percents = [f"{100 * tick:.0f}\N{NO-BREAK SPACE}%" for tick in TICKS]
    for tick, label in zip(TICKS, ticks or percents, strict=True):
        axes.text(
            scale.place(tick),
            height,
            label,
            color=colours.muted,
            fontsize=scale.look.font_size,
            ha="center",
        )


def draw_ticks(
    axes: "libraries.matplotlib.axes.Axes",
    scale: Scale,
    colours: Theme,
    *,
    ends: tuple[float, float],
) -> None:
    """Draw a line at every quarter."""
    for tick in TICKS:
        draw_line(axes, scale, (tick, tick), ends, color=colours.track)


def draw_line(
    axes: "libraries.matplotlib.axes.Axes",
    scale: Scale,
    shares: tuple[float, float],
    heights: tuple[float, float],
    **look: Any,
) -> None:
    """Draw a straight line between two shares, as wide as those of the scale."""
    places = [scale.place(share) for share in shares]
    look = {"linewidth": scale.look.line, "clip_on": scale.look.is_clipped, **look}
    axes.plot(places, heights, **look)


def draw_bar(
    axes: "libraries.matplotlib.axes.Axes",
    bar: Bar,
    scale: Scale,
    colours: Theme,
    *,
    middle: float,
) -> None:
    """Draw the interval, the estimate on it, and the raw estimate where it differs."""
    draw_line(
        axes,
        scale,
        (bar.low, bar.high),
        (middle, middle),
        color=colours.accent,
        linewidth=scale.look.bar,
        solid_capstyle="butt",  # it ends where the interval ends
    )
    if not bar.has_estimate:
        return
    half = scale.look.estimate_height / 2
    draw_line(
        axes,
        scale,
        (bar.share, bar.share),
        (middle - half, middle + half),
        color=colours.ink,
        linewidth=scale.look.estimate_width,
        solid_capstyle="butt",
    )
    if bar.raw == bar.share:
        return
    # Off the scale only the direction is drawn: the label has the number.
    if bar.raw < 0:
        place, marker = scale.left - scale.outside, "<"
    elif bar.raw > 1:
        place, marker = scale.right + scale.outside, ">"
    else:
        place, marker = scale.place(bar.raw), "d"
    axes.plot(
        [place],
        [middle],
        marker=marker,
        markersize=scale.look.mark,
        markerfacecolor=colours.background,
        markeredgecolor=colours.muted,
        markeredgewidth=scale.look.line,
        clip_on=scale.look.is_clipped,
    )


def draw_labels(
    axes: "libraries.matplotlib.axes.Axes",
    bar: Bar,
    colours: Theme,
    *,
    base: float,
    points: float,
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
        centre=bar.share if bar.has_estimate else (bar.low + bar.high) / 2,
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
    axes: "libraries.matplotlib.axes.Axes",
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
