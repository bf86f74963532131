"""Charts of estimates: each row's interval on a scale, with its name and figures.

`templates/estimation/charts/_chart.html` shows the rows of a chart on a page, where
names and headings are HTML; `draw_chart` puts all of it into one drawing for a file.
"""

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby
from typing import Any

from django.utils.translation import get_language_bidi
from django.utils.translation import gettext as _

from candor.mechanisms.scale import Scale
from estimation.presentation.charts.drawing import (
    OUTSIDE,
    TO_THE_LEFT,
    TO_THE_RIGHT,
    Drawing,
    Line,
    Mark,
    Text,
    place,
    stack,
)
from estimation.presentation.figures import show_estimate_or_dash, show_interval
from estimation.presentation.table import label_row
from estimation.rows.row import Row, Standing
from surveys.models.question import format_scale_value
from surveys.text.numbers import (
    TICK_PARTS,
    choose_decimals,
    format_distinct_percent,
    format_percent,
    say_too_imprecise,
)

BAR_HEIGHT, MIDDLE = 24.0, 12.0
AXIS_HEIGHT = 20.0

# What a file has besides, in pixels; pages leave it to `static/css/charts.css`.
EDGE = 2.0
"""Hundredths of the width left and right of text."""
ESTIMATE_END = 74.0
LINE_HEIGHT, BASELINE = 19.0, 14.0
GAP = 10.0
HEADING_CHARACTERS, NAME_CHARACTERS = 64, 40
"""Characters of a heading's line and of a name that fit, whatever their font."""
HEADING_LINES = 2


@dataclass(frozen=True, kw_only=True)
class Group:
    """Rows on one scale under one heading: of a question, or of a group of people."""

    rows: tuple[Row, ...]
    heading: str = ""


@dataclass(frozen=True)
class Chart:
    """Groups from top to bottom, which share an axis where they share a scale."""

    groups: tuple[Group, ...]

    @property
    def sections(self) -> Iterator[tuple[list[Group], Drawing]]:
        """Groups on one scale, with the axis below them."""
        for scale, groups in groupby(self.groups, lambda each: each.rows[0].scale):
            yield list(groups), draw_axis(scale)


def draw_bar(row: Row) -> Drawing:
    """Return the interval, the best estimate, and the raw estimate where it differs."""
    ticks = [
        Line(x=place(tick), to_x=place(tick), y=6, height=12, colour="track")
        for tick in map(float, TICK_PARTS)
    ]
    track = Line(x=place(0), to_x=place(1), y=MIDDLE, colour="track")
    low, high = place(row.part(row.low)), place(row.part(row.high))
    interval = Line(x=low, to_x=high, y=MIDDLE, width=12, colour="accent")
    lines, marks = [*ticks, track, interval], []
    if row.has_estimate:
        estimate = place(row.part(row.estimate))
        lines.append(Line(x=estimate, to_x=estimate, y=1, height=22, width=3))
    if has_raw(row):
        marks.append(mark_raw(row.part(row.raw)))
    return Drawing(height=BAR_HEIGHT, lines=tuple(lines), marks=tuple(marks))


def has_raw(row: Row) -> bool:
    """Return whether the raw estimate is shown: of a mean only one off its scale."""
    is_other = not row.is_possible if row.scale else row.raw != row.estimate
    return row.has_estimate and is_other


def mark_raw(part: float) -> Mark:
    """Return a mark at a part of the scale; an arrow to one that is off it."""
    if part < 0:
        x, outline = place(0) - OUTSIDE, TO_THE_LEFT
    elif part > 1:
        x, outline = place(1) + OUTSIDE, TO_THE_RIGHT
    else:
        return Mark(x=place(part), y=MIDDLE, colour="muted")
    return Mark(x=x, y=MIDDLE, colour="muted", outline=outline)


def draw_axis(scale: Scale | None) -> Drawing:
    """Return labels of the quarters: values of a scale, or else percentages."""

    def label(part: Fraction) -> str:
        if scale is None:
            return format_percent(float(part), 0)
        return format_scale_value(scale.low + (scale.high - scale.low) * part)

    texts = [
        Text(x=place(float(part)), y=BASELINE, text=label(part), colour="muted")
        for part in TICK_PARTS
    ]
    return Drawing(height=AXIS_HEIGHT, texts=tuple(texts))


def show_note(row: Row) -> str:
    """Return why a row has no estimate, or its raw estimate where that differs."""
    if row.standing is Standing.MISFIT:
        return _("does not fit the design")
    if not row.has_estimate:
        return say_too_imprecise()
    if row.scale or not has_raw(row):
        return ""
    raw = format_distinct_percent(row.raw, choose_decimals(row.low, row.high))
    return _("raw %(raw)s") % {"raw": raw}


def draw_chart(chart: Chart) -> Drawing:
    """Return the chart with all its text as one drawing."""
    parts = [Drawing(height=GAP)]
    for groups, axis in chart.sections:
        for group in groups:
            parts += [*draw_heading(group.heading), *map(draw_row, group.rows)]
            parts.append(Drawing(height=GAP))
        parts[-1] = axis
    return stack(parts)


def draw_heading(heading: str) -> list[Drawing]:
    """Return the heading in lines that fit, the last one shortened."""
    lines = textwrap.wrap(heading, HEADING_CHARACTERS)
    if len(lines) > HEADING_LINES:
        # A long word is cut: an ellipsis by itself would stand where it has room.
        rest = " ".join(lines[HEADING_LINES - 1 :])
        lines[HEADING_LINES - 1 :] = [shorten(rest, HEADING_CHARACTERS)]
    return [write(line, at=EDGE, size=15.0, is_bold=True) for line in lines]


def draw_row(row: Row) -> Drawing:
    """Return name, figures and note of a row above its bar."""
    note = show_note(row)
    name = write(shorten(label_row(row), NAME_CHARACTERS), at=EDGE)
    estimate = write(
        show_estimate_or_dash(row), at=ESTIMATE_END, anchor="end", is_bold=True
    )
    interval = write(show_interval(row), at=100 - EDGE, anchor="end")
    figures = replace(name, texts=name.texts + estimate.texts + interval.texts)
    notes = [write(note, at=100 - EDGE, anchor="end", colour="muted")] if note else []
    return stack([figures, *notes, draw_bar(row)])


def write(text: str, *, at: float, anchor: str = "start", **look: Any) -> Drawing:
    """Return one line of text; where people read from right to left, mirrored."""
    x = 100 - at if get_language_bidi() else at
    line = Text(x=x, y=BASELINE, text=text, anchor=anchor, **look)
    return Drawing(height=LINE_HEIGHT, texts=(line,))


def shorten(text: str, most: int) -> str:
    """Return as much of a text as fits."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"
