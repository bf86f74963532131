"""Intervals of many shares in one chart, group by group, on one scale."""

import textwrap
from dataclasses import dataclass, replace
from functools import lru_cache

from estimation import libraries
from estimation.presentation.charts.intervals import (
    Bar,
    Look,
    Scale,
    draw_bar,
    draw_ticks,
    label_scale,
)
from estimation.presentation.charts.style import (
    CHARACTER_WIDTH,
    DRAWINGS,
    THEMES,
    WIDTHS,
    Drawing,
    Theme,
    as_file,
    drawing,
    new_figure,
    shortened,
)

EDGE = 8.0
"""Points between the text and the edge of the picture."""

TOP, BOTTOM = 4.0, 18.0
LINE, UNDER_HEADING, GAP = 14.0, 4.0, 12.0
"""Heights in points: a line of a heading, and the space below it and below a group."""

HEADING_LINES = 2

OF_ONE_WORD = 0.87
"""Of a line that is one long word so much fits: spaces are narrow, and bold is wide."""

HEADING_SIZE, NAME_SIZE, SCALE_SIZE = 9.75, 9.25, 8.5
"""Font sizes; 9.75 points are 13 pixels."""

BETWEEN = "\N{EM SPACE}\N{EN SPACE}"
"""Between estimate and interval; SVG makes one of several plain spaces."""

SCALE_LABELS = 5.0
"""Points from the lower edge to the labels of the scale."""


SMALL = Look(
    bar=7.0,
    estimate_height=13.0,
    estimate_width=2.0,
    line=1.0,
    mark=5.0,
    font_size=SCALE_SIZE,
    is_clipped=True,
)


@dataclass(frozen=True, kw_only=True)
class Layout(Scale):
    """Where things are, in points, with smaller bars: rows are so high.

    `beside` says whether name and value stand beside the bar or above it.
    """

    outside: float = EDGE
    look: Look = SMALL
    row: float
    beside: bool


LAYOUTS = {
    "wide": Layout(left=132.0, right=326.0, row=20.0, beside=True),
    "narrow": Layout(left=20.0, right=WIDTHS["narrow"] - 20, row=38.0, beside=False),
}


@dataclass(frozen=True, kw_only=True)
class Group:
    """Bars under one heading: the answers to a question, or of a group of people."""

    heading: str
    bars: tuple[Bar, ...]


def heading_lines(group: Group, size: str) -> list[str]:
    """Return the heading in lines that fit, the last one shortened."""
    most = int((WIDTHS[size] - 2 * EDGE) / (CHARACTER_WIDTH * HEADING_SIZE))
    if any(len(word) > most * OF_ONE_WORD for word in group.heading.split()):
        most = int(most * OF_ONE_WORD)
    lines = textwrap.wrap(group.heading, most)
    if len(lines) > HEADING_LINES:
        # A long word is cut: an ellipsis by itself would stand where it has room.
        *lines, last = lines[:HEADING_LINES]
        lines.append(f"{last[: most - 1].rstrip()}…")
    return lines


def overview_height(groups: tuple[Group, ...], size: str) -> float:
    """Return the height of the chart in points."""
    return (
        TOP
        + BOTTOM
        + sum(
            len(heading_lines(group, size)) * LINE
            + UNDER_HEADING
            + len(group.bars) * LAYOUTS[size].row
            + GAP
            for group in groups
        )
    )


def drawings_of(groups: tuple[Group, ...]) -> list[Drawing]:
    """Return every drawing of these groups, the first that fits is taken."""
    heights = {size: overview_height(groups, size) for size in WIDTHS}
    return [replace(drawing, points=heights[drawing.size]) for drawing in DRAWINGS]


@lru_cache(maxsize=128)
def draw_overview(
    *groups: Group, theme: str = "light", size: str = "wide", file_format: str = "svg"
) -> bytes:
    """Return the chart as a file, the same bytes for the same arguments.

    Parameters
    ----------
    groups : Group
        One or more, from top to bottom, each with bars as `draw_interval` takes them:
        all of shares, or all of one scale.
    theme : {"light", "dark"}
    size : {"wide", "narrow"}
    file_format : {"svg", "png", "pdf"}
    """
    colours, width, layout = THEMES[theme], WIDTHS[size], LAYOUTS[size]
    height = overview_height(groups, size)
    with drawing():
        figure = new_figure(width=width, height=height, colours=colours)
        # One unit of the axes is one point of the picture.
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_axis_off()
        axes.set_xlim(0, width)
        axes.set_ylim(0, height)
        ticks = groups[0].bars[0].ticks
        label_scale(axes, layout, colours, height=SCALE_LABELS, ticks=ticks)
        y = height - TOP
        for group in groups:
            for line in heading_lines(group, size):
                y -= LINE
                axes.text(
                    EDGE,
                    y,
                    line,
                    fontsize=HEADING_SIZE,
                    fontweight="bold",
                    color=colours.ink,
                )
            y -= UNDER_HEADING
            for bar in group.bars:
                y -= layout.row
                draw_row(axes, bar, layout, colours, base=y, width=width)
            y -= GAP
        return as_file(figure, file_format)


def draw_row(
    axes: "libraries.matplotlib.axes.Axes",
    bar: Bar,
    layout: Layout,
    colours: Theme,
    *,
    base: float,
    width: float,
) -> None:
    """Draw one bar on its part of the scale, with its name and its numbers."""
    # The bar has the whole row, or the lower half of it below the text.
    band = layout.row if layout.beside else layout.row / 2
    draw_ticks(axes, layout, colours, ends=(base, base + band))
    draw_bar(axes, bar, layout, colours, middle=base + band / 2)
    text = base + (layout.row / 2 if layout.beside else 3 * layout.row / 4)
    # The raw estimate has no room here; its mark is drawn, its number in the table.
    value = f"{bar.share_label}{BETWEEN}{bar.interval_label}"
    room = layout.left - 2 * EDGE
    if not layout.beside:
        room = width - 3 * EDGE - len(value) * CHARACTER_WIDTH * NAME_SIZE
    axes.text(
        EDGE,
        text,
        shortened(bar.name, room, fontsize=NAME_SIZE),
        fontsize=NAME_SIZE,
        color=colours.muted,
        va="center_baseline",
    )
    axes.text(
        width - EDGE,
        text,
        value,
        fontsize=NAME_SIZE,
        color=colours.ink,
        ha="right",
        va="center_baseline",
    )
