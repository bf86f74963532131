"""Charts of estimates: each row's interval on a scale, with its name and figures."""

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
    overlay,
    place,
    stack,
)
from estimation.presentation.figures import (
    show_estimate_or_dash,
    show_interval,
    show_raw,
)
from estimation.presentation.table import label_row
from estimation.rows.row import DisplayStatus, Row
from surveys.kinds.scale import format_scale_value
from surveys.numbers import (
    TICK_PARTS,
    format_percent,
    say_too_imprecise,
)

BAR_HEIGHT, MIDDLE = 24.0, 12.0
BESIDE = 6.0
AXIS_HEIGHT = 20.0

QUARTERS = 4
"""On a phone an axis has labels at its ends and its middle alone."""

# What a file has besides; on pages `static/css/charts.css` has the columns.
EDGE = 2.0
"""Hundredths of the width left and right of text."""
BARS = 36.0, 69.0
"""Hundredths of the width between which bars are drawn."""
ESTIMATE_END = 78.0
LINE_HEIGHT, BASELINE = 17.0, 16.0
GAP = 10.0
HEADING_CHARACTERS, HEADING_LINES = 64, 2
NAME_CHARACTERS, NAME_LINES = 18, 3
"""Lines of a heading and of a name, and their characters, which fit in any font."""


@dataclass(frozen=True, kw_only=True)
class Group:
    rows: tuple[Row, ...]
    heading: str = ""
    colour: str = "accent"


@dataclass(frozen=True)
class Chart:
    """Groups from top to bottom, which share an axis where they share a scale."""

    groups: tuple[Group, ...]

    @property
    def sections(self) -> Iterator[tuple[list[Group], Drawing]]:
        for scale, groups in groupby(self.groups, lambda each: each.rows[0].scale):
            yield list(groups), draw_axis(scale)

    @property
    def drawing(self) -> Drawing:
        return draw_chart(self)


def draw_bar(row: Row, colour: str = "accent") -> Drawing:
    low, high = place(row.part(row.low)), place(row.part(row.high))
    interval = Line(x=low, to_x=high, y=MIDDLE, width=12, colour=colour)
    lines, marks = [interval], []
    if row.has_estimate:
        estimate = place(row.part(row.estimate))
        lines.append(Line(x=estimate, to_x=estimate, y=2, height=20, width=2))
    if has_raw(row):
        marks.append(mark_raw(row.part(row.raw)))
    return Drawing(height=BAR_HEIGHT, lines=tuple(lines), marks=tuple(marks))


def draw_bar_with_ends(row: Row, colour: str) -> Drawing:
    bar = draw_bar(row, colour)
    if row.scale is None:
        return bar
    low, high = map(format_scale_value, row.range)
    start = Text(x=place(0), y=BASELINE, text=low, anchor="end", beside=-BESIDE)
    end = Text(x=place(1), y=BASELINE, text=high, anchor="start", beside=BESIDE)
    texts = tuple(replace(each, colour="muted") for each in (start, end))
    return replace(bar, texts=texts)


def show_row(row: Row) -> str:
    figures = [show_estimate_or_dash(row), show_interval(row), show_note(row)]
    return f"{label_row(row)}: {'; '.join(filter(None, figures))}"


def draw_grid(height: float) -> Drawing:
    places = [place(float(part)) for part in TICK_PARTS]
    lines = [
        Line(x=x, to_x=x, y=0, height=height, width=1, colour="track") for x in places
    ]
    return Drawing(height=height, lines=tuple(lines))


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


def label_part(scale: Scale | None, part: Fraction, end: float = 1.0) -> str:
    if scale is None:
        return format_percent(float(part) * end, 0)
    return format_scale_value(scale.low + (scale.high - scale.low) * part)


def draw_axis(scale: Scale | None) -> Drawing:
    texts = [
        Text(
            x=place(float(part)),
            y=BASELINE,
            text=label_part(scale, part),
            colour="muted",
            needs_room=part.denominator == QUARTERS,
        )
        for part in TICK_PARTS
    ]
    return Drawing(height=AXIS_HEIGHT, texts=tuple(texts))


def show_note(row: Row) -> str:
    if row.display_status is DisplayStatus.MISFIT:
        return _("does not fit the design")
    if not row.has_estimate:
        return say_too_imprecise()
    if row.scale or not has_raw(row):
        return ""
    return _("raw %(raw)s") % {"raw": show_raw(row)}


def draw_chart(chart: Chart) -> Drawing:
    parts = [Drawing(height=GAP)]
    for groups, axis in chart.sections:
        for group in groups:
            rows = stack([draw_row(row, group.colour) for row in group.rows])
            grid = squeeze_to_bars(draw_grid(rows.height))
            parts += [*draw_heading(group.heading), overlay([grid, rows])]
            parts.append(Drawing(height=GAP))
        parts[-1:] = [squeeze_to_bars(axis), Drawing(height=GAP)]
    return stack(parts)


def squeeze_to_bars(drawing: Drawing) -> Drawing:
    left, right = BARS
    if get_language_bidi():
        left, right = 100 - right, 100 - left
    return drawing.squeezed(left, right)


def draw_heading(heading: str) -> list[Drawing]:
    lines = wrap(heading, HEADING_CHARACTERS, HEADING_LINES)
    written = [write(line, at=EDGE, size=14.0, is_bold=True) for line in lines]
    return [*written, Drawing(height=GAP / 2)] if written else []


def draw_row(row: Row, colour: str) -> Drawing:
    names = wrap(label_row(row), NAME_CHARACTERS, NAME_LINES)
    note = show_note(row)
    notes = [write(note, at=100 - EDGE, anchor="end", colour="muted")] if note else []
    estimate = write(
        show_estimate_or_dash(row), at=ESTIMATE_END, anchor="end", is_bold=True
    )
    interval = write(show_interval(row), at=100 - EDGE, anchor="end")
    return overlay(
        [
            squeeze_to_bars(draw_bar(row, colour)),
            stack([write(name, at=EDGE) for name in names]),
            estimate,
            stack([interval, *notes]),
        ]
    )


def write(text: str, *, at: float, anchor: str = "start", **look: Any) -> Drawing:
    x = 100 - at if get_language_bidi() else at
    line = Text(x=x, y=BASELINE, text=text, anchor=anchor, **look)
    return Drawing(height=LINE_HEIGHT, texts=(line,))


def wrap(text: str, characters: int, most: int) -> list[str]:
    lines = textwrap.wrap(text, characters)
    if len(lines) > most:
        # A long word is cut: an ellipsis by itself would stand where it has room.
        rest = " ".join(lines[most - 1 :])
        lines[most - 1 :] = [f"{rest[: characters - 1].rstrip()}…"]
    return lines
