"""The margin of error against the number of respondents: plot, table and text."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from candor.planning.margin_curve import MarginCurve, MarginPoint
from estimation import libraries
from estimation.presentation.charts.style import (
    DRAWINGS,
    FONT_SIZE,
    THEMES,
    WIDTHS,
    Theme,
    as_file,
    drawing,
    new_figure,
)
from surveys.text.language_cache import cache_by_language
from surveys.text.numbers import (
    AS_TYPED,
    HALF_THE_SCALE,
    format_integer,
    format_margin,
    format_people,
    format_points,
    format_reached_margin,
    say_too_imprecise,
)

HEIGHTS = {"wide": 260.0, "narrow": 220.0}
LEFT, RIGHT, BELOW, ABOVE = 34.0, 14.0, 24.0, 14.0
"""Points around the axes: room for the labels of their ticks."""

SMOOTH = 200
"""Points of a drawn curve: no corner is seen."""

FIRST_PART = 0.004
"""Where the curves start, as a part of the axis: at 0 the margin has no bound."""

PARTS = {"1": 4, "2": 4, "3": 5, "5": 5}
"""Parts of an axis by the first digit of its end, so that all ticks are round. Ends
with 2.5 count as 3."""
FEWER = {4: 2, 5: 1}
"""The same on a phone, for the numbers of respondents."""

CROWDED = {"wide": 0.09, "narrow": 0.18}
"""A tick so near to a marked number, as a part of the axis, is left out."""

CURVE_WIDTH, DIRECT_WIDTH, LINE_WIDTH, DOT = 2.5, 1.75, 1.0, 7.0
LABEL_FONT_SIZE = 10.5
LABEL_LINE = 14.0
LABEL_GAP = 6.0
BEHIND = 0.5
"""Left of the middle a label stands to the right of its line, else to the left."""


CURVE_DRAWINGS = tuple(replace(each, points=HEIGHTS[each.size]) for each in DRAWINGS)
"""In the order in which a browser takes the first that fits."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """Margins of one number of respondents, and what is special about it."""

    respondents: str
    margin: str
    direct: str
    mark: str


@dataclass(frozen=True, kw_only=True)
class CurveInWords:
    """Title, table and text alternative of a plot."""

    name: str
    caption: str
    """Of what the margins are, and how sure."""
    rows: tuple[Row, ...]
    alternative: str


def curve_in_words(
    curve: MarginCurve, *, name: str, caption: str, is_example: bool = False
) -> CurveInWords:
    """Return what is written beside a plot.

    `is_example` tells that nobody has planned the number of respondents yet.
    """
    planned = _("an example") if is_example else _("planned")
    told = [
        _("%(respondents)s: %(margin)s, direct question %(direct)s")
        % {
            "respondents": format_people(point.respondents),
            "margin": format_reached_margin(point.margin),
            "direct": format_reached_margin(point.direct_margin),
        }
        for point in curve.points
    ]
    return CurveInWords(
        name=name,
        caption=caption,
        rows=tuple(
            Row(
                respondents=format_integer(point.respondents),
                margin=in_a_row(point.margin),
                direct=in_a_row(point.direct_margin),
                mark=mark_of(curve, point, planned),
            )
            for point in curve.points
        ),
        alternative=_("Margin of error against the number of respondents. %s.")
        % "; ".join(told),
    )


def in_a_row(margin: float) -> str:
    """Return a margin below a heading that names its unit."""
    return (
        say_too_imprecise()
        if margin >= HALF_THE_SCALE
        else f"± {format_points(margin)}"
    )


def mark_of(curve: MarginCurve, point: MarginPoint, planned: str) -> str:
    """Return what is special about a row, or nothing."""
    marks = []
    if point.respondents == curve.planned.respondents:
        marks.append(planned)
    if point.respondents == curve.needed:
        wanted = format_margin(curve.wanted, trimmed=True)
        marks.append(_("needed for %s") % wanted)
    return ", ".join(marks)


@cache_by_language(maxsize=256)
def draw_margins(
    curve: MarginCurve, *, theme: str = "light", size: str = "wide"
) -> bytes:
    """Return the plot as SVG, the same bytes for the same arguments.

    Parameters
    ----------
    curve : MarginCurve
    theme : {"light", "dark"}
    size : {"wide", "narrow"}
    """
    colours, width, height = THEMES[theme], WIDTHS[size], HEIGHTS[size]
    with drawing():
        figure = new_figure(width=width, height=height, colours=colours)
        axes = figure.add_axes(
            (
                LEFT / width,
                BELOW / height,
                1 - (LEFT + RIGHT) / width,
                1 - (BELOW + ABOVE) / height,
            )
        )
        axes.set_axis_off()
        axes.set_xlim(0, curve.most_respondents)
        axes.set_ylim(0, curve.largest_margin)
        draw_grid(axes, curve, colours, size=size)
        draw_curves(axes, curve, colours)
        mark_wanted(axes, curve, colours)
        mark_planned(axes, curve, colours)
        return as_file(figure, "svg")


def parts_of(end: float) -> int:
    """Return into how many parts an axis is divided that ends at a round number."""
    return PARTS[f"{end:.0e}"[0]] if f"{end:.1e}"[2] != "5" else PARTS["3"]


def draw_grid(
    axes: "libraries.matplotlib.axes.Axes",
    curve: MarginCurve,
    colours: Theme,
    *,
    size: str,
) -> None:
    """Draw lines at round margins, and write round numbers along both axes."""
    most, largest = curve.most_respondents, curve.largest_margin
    lines = parts_of(largest)
    for step in range(lines + 1):
        margin = largest * step / lines
        axes.plot(
            [0, most],
            [margin, margin],
            color=colours.track,
            linewidth=LINE_WIDTH if step else 1.5 * LINE_WIDTH,
            clip_on=False,
        )
        if abs(margin - curve.wanted) > CROWDED["wide"] * largest:
            label_margin(axes, margin, colours)
    is_reached = curve.needed <= most
    parts = FEWER[parts_of(most)] if size == "narrow" else parts_of(most)
    for step in range(parts + 1):
        count = most * step / parts
        distance = abs(count - curve.needed)
        is_crowded = is_reached and distance < CROWDED[size] * most
        if not is_crowded:
            label_count(axes, round(count), colours)


def label_margin(
    axes: "libraries.matplotlib.axes.Axes", margin: float, colours: Theme, **look: Any
) -> None:
    """Write a margin left of the axes."""
    shown = format_points(margin, digits=AS_TYPED)
    axes.annotate(
        f"±{shown}" if margin else shown,
        (0, margin),
        xytext=(-LABEL_GAP, 0),
        textcoords="offset points",
        ha="right",
        va="center",
        fontsize=FONT_SIZE,
        **{"color": colours.muted, **look},
    )


def label_count(
    axes: "libraries.matplotlib.axes.Axes", count: int, colours: Theme, **look: Any
) -> None:
    """Write a number of respondents below the axes."""
    at_end = count >= axes.get_xlim()[1]
    axes.annotate(
        format_integer(count),
        (count, 0),
        xytext=(RIGHT if at_end else 0, -LABEL_LINE - 2),
        textcoords="offset points",
        ha="right" if at_end else "center",
        fontsize=FONT_SIZE,
        **{"color": colours.muted, **look},
    )


def draw_curves(
    axes: "libraries.matplotlib.axes.Axes", curve: MarginCurve, colours: Theme
) -> None:
    """Draw the margins of the question and of a direct one."""
    # M(n) = M(1) / sqrt(n)
    root = curve.planned.respondents**0.5
    one, direct = root * curve.planned.margin, root * curve.planned.direct_margin
    # Evenly spaced roots: the curve is steep where they are dense.
    roots = np.linspace(FIRST_PART**0.5, 1, SMOOTH)
    counts = curve.most_respondents * roots**2
    axes.plot(
        counts,
        direct / np.sqrt(counts),
        color=colours.muted,
        linewidth=DIRECT_WIDTH,
        linestyle=(0, (4, 3)),
    )
    axes.plot(
        counts, one / np.sqrt(counts), color=colours.accent, linewidth=CURVE_WIDTH
    )


def mark_wanted(
    axes: "libraries.matplotlib.axes.Axes", curve: MarginCurve, colours: Theme
) -> None:
    """Mark the wanted margin, and the number of respondents that reaches it."""
    most = curve.most_respondents
    if curve.wanted > curve.largest_margin:
        return
    is_reached = curve.needed <= most
    look: dict[str, Any] = {
        "color": colours.ink,
        "linewidth": LINE_WIDTH,
        "linestyle": (0, (1, 2)),
    }
    axes.plot([0, min(curve.needed, most)], [curve.wanted] * 2, **look)
    label_margin(axes, curve.wanted, colours, color=colours.ink, fontweight="bold")
    if not is_reached:
        return
    axes.plot([curve.needed] * 2, [0, curve.wanted], **look)
    label_count(axes, curve.needed, colours, color=colours.ink, fontweight="bold")
    draw_dot(axes, curve.needed, curve.wanted, colours, is_full=False)


def mark_planned(
    axes: "libraries.matplotlib.axes.Axes", curve: MarginCurve, colours: Theme
) -> None:
    """Mark the planned number with the margins of both curves there."""
    planned, most = curve.planned, curve.most_respondents
    top = curve.largest_margin
    axes.plot(
        [planned.respondents] * 2, [0, top], color=colours.ink, linewidth=LINE_WIDTH
    )
    is_right = planned.respondents > BEHIND * most
    labels: list[tuple[str, dict[str, Any]]] = [
        (format_people(planned.respondents), {"color": colours.muted}),
        (
            format_reached_margin(planned.margin),
            {"color": colours.ink, "fontweight": "bold"},
        ),
    ]
    for line, (text, look) in enumerate(labels):
        axes.annotate(
            text,
            (planned.respondents, top),
            xytext=(-LABEL_GAP if is_right else LABEL_GAP, -LABEL_LINE * (line + 0.6)),
            textcoords="offset points",
            ha="right" if is_right else "left",
            fontsize=LABEL_FONT_SIZE,
            **look,
        )
    draw_dot(axes, planned.respondents, planned.margin, colours, is_full=True)


def draw_dot(
    axes: "libraries.matplotlib.axes.Axes",
    count: int,
    margin: float,
    colours: Theme,
    *,
    is_full: bool,
) -> None:
    """Draw a dot on the curve; nothing where the plot ends below it."""
    if margin > axes.get_ylim()[1]:
        return
    axes.plot(
        [count],
        [margin],
        marker="o",
        markersize=DOT,
        markerfacecolor=colours.ink if is_full else colours.background,
        markeredgecolor=colours.ink,
        markeredgewidth=1.5,
        clip_on=False,
    )
