"""Intervals of shares, drawn one below the other on a scale from 0 % to 100 %."""

import io
import re
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

DRAWING = Lock()
"""Held while matplotlib draws: its settings are shared by all threads."""

POINTS_PER_INCH = 72
PIXELS_PER_POINT = 96 / 72

WIDTHS = {"wide": 480.0, "narrow": 246.0}
"""Points; a pixel of CSS is three quarters of one. The narrow drawing fits a phone
without being scaled down, so that its text stays readable."""

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
FONT_SIZE = 9.75
ESTIMATE_FONT_SIZE = 12.0
NAME_FONT_SIZE = 11.0

TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)

CHARACTER_WIDTH = 0.62
"""Width of a wide character in font sizes. The font is the reader's own, so that no
text can be measured here."""

# matplotlib lists its own fonts; people shall see the one of their system.
FONT_FAMILY = re.compile(r"font-family: [^;\"]*")
SYSTEM_FONT = "font-family: system-ui, 'Segoe UI', Roboto, sans-serif"
STYLE = re.compile(r'style="([^"]*)"')
STYLE_SHEET = re.compile(r"<style.*?</style>", re.DOTALL)
DECLARATION = re.compile(r"([a-z-]+): ([^;]*)(?:; )?")


@dataclass(frozen=True)
class Theme:
    """Colours of one chart on a card of the page; the accent has a contrast of 3."""

    background: str
    ink: str
    muted: str
    track: str
    accent: str


THEMES = {
    "light": Theme("#ffffff", "#17212b", "#495664", "#c3cdd3", "#3a9b90"),
    "dark": Theme("#161e22", "#e9eef0", "#a9b6be", "#46555e", "#2f9488"),
}


@dataclass(frozen=True)
class Drawing:
    """One of the drawings of a chart, and the screens that it is meant for."""

    theme: str
    size: str
    media: str
    bars: int = 1

    @property
    def width(self) -> int:
        """Width in pixels of CSS."""
        return round(WIDTHS[self.size] * PIXELS_PER_POINT)

    @property
    def height(self) -> int:
        """Height in pixels of CSS."""
        return round(height_of(self.bars) * PIXELS_PER_POINT)


PHONE, DARK = "(max-width: 40rem)", "(prefers-color-scheme: dark)"

DRAWINGS = (
    Drawing("dark", "narrow", f"{DARK} and {PHONE}"),
    Drawing("dark", "wide", DARK),
    Drawing("light", "narrow", PHONE),
    Drawing("light", "wide", "all"),
)
"""In the order in which a browser takes the first that fits."""


@dataclass(frozen=True, kw_only=True)
class Bar:
    """What one bar shows: numbers as shares, texts as people read them.

    `name` is that of the answer; it may be left out where a chart has one bar.
    """

    low: float
    high: float
    share: float
    raw: float
    interval_label: str
    estimate_label: str
    name: str = ""


def height_of(bars: int) -> float:
    """Return the height of a chart in points."""
    return FLOOR + (TOP if bars == 1 else bars * NAMED_TOP)


@lru_cache(maxsize=512)
def draw_interval(*bars: Bar, theme: str = "light", size: str = "wide") -> bytes:
    """Return the chart as SVG, the same bytes for the same arguments.

    Parameters
    ----------
    bars : Bar
        One or more, from top to bottom. `low`, `high` and `share` in [0, 1]; `raw` may
        be any finite number, and is marked where it is not the share.
    theme : {"light", "dark"}
    size : {"wide", "narrow"}
    """
    colours, width, height = THEMES[theme], WIDTHS[size], height_of(len(bars))
    points = width - 2 * MARGIN
    # Text stays text, and ids come from a fixed salt instead of a random one.
    with DRAWING, rc_context({"svg.fonttype": "none", "svg.hashsalt": "candor"}):
        figure = Figure(
            figsize=(width / POINTS_PER_INCH, height / POINTS_PER_INCH),
            facecolor=colours.background,
        )
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
        written = io.BytesIO()
        figure.savefig(written, format="svg", metadata={"Date": None})
    return as_attributes(written.getvalue().decode()).encode()


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
            shortened(bar.name, points + 2 * MARGIN),
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


def shortened(name: str, points: float) -> str:
    """Return the name, or as much of it as fits; the table has it in full."""
    most = int(points / (CHARACTER_WIDTH * NAME_FONT_SIZE))
    return name if len(name) <= most else f"{name[: most - 1]}…"


def as_attributes(svg: str) -> str:
    """Return the drawing without styles, which the site's content policy forbids.

    Within <img> they are let through; opened by itself the chart would be all black.
    """

    def attributes(style: re.Match[str]) -> str:
        pairs = DECLARATION.findall(FONT_FAMILY.sub(SYSTEM_FONT, style[1]))
        return " ".join(f'{name}="{value}"' for name, value in pairs)

    return STYLE.sub(attributes, STYLE_SHEET.sub("", svg))
