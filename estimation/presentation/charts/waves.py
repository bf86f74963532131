"""The chart of one question over time, with a line for each answer."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from django.utils.formats import date_format

from candor.mechanisms.scale import Scale
from estimation.presentation.charts.drawing import (
    DIAMOND,
    WIDTH,
    Drawing,
    Line,
    Mark,
    Text,
    stack,
)
from estimation.presentation.charts.intervals import (
    GAP,
    draw_heading,
    label_part,
    show_row,
    wrap,
)
from estimation.presentation.table import label_row
from estimation.rows.row import Row, first_of_two
from estimation.rows.waves import Wave
from surveys.numbers import TICK_PARTS

STYLES = (
    ("accent", DIAMOND),
    ("second", "-5,-5 5,-5 5,5 -5,5"),
    ("third", "0,-6 6,5 -6,5"),
    ("ink", "-6,-5 6,-5 0,6"),
)
"""Colour and mark of each line: colours alone would not tell lines apart in print."""

MAX_LINES = len(STYLES)

LEFT, RIGHT = 12.0, 97.0
"""Hundredths of the width between which waves are placed."""
TOP, BOTTOM = 12.0, 232.0
"""Pixels between which values are placed."""
KEY_LINE, LABEL_LINE, LABEL_GAP = 20.0, 17.0, 8.0

SPREAD = 0.3
"""How much of the space between two waves the lines of all answers share."""

SHARE_ENDS = (0.2, 0.4, 0.6, 0.8, 1.0)
"""Where an axis of shares ends: quarters of these are whole percentages."""

CHARACTER = 7.5
"""Pixels of a character of a label, on average."""
MAX_LABELS, MAX_LABELS_ON_PHONE = 7, 4
"""Waves with a label; of more the last one has one, and every second or third."""


@dataclass(frozen=True)
class WavesChart:
    groups: tuple[Wave, ...]
    heading: str

    @cached_property
    def rows(self) -> list[tuple[Row, ...]]:
        drawn = [
            (each.group.mean,) if each.group.mean else first_of_two(each.group.rows)
            for each in self.groups
        ]
        return [each[:MAX_LINES] for each in drawn]

    @property
    def is_cut(self) -> bool:
        group = self.groups[0].group
        return not group.mean and len(group.rows) > MAX_LINES

    @property
    def drawing(self) -> Drawing:
        gap = Drawing(height=GAP)
        return stack([gap, *draw_heading(self.heading), draw_waves(self)])

    @property
    def alternative(self) -> str:
        return " ".join(
            f"{describe_wave(wave)}: {', '.join(map(show_row, rows))}."
            for wave, rows in zip(self.groups, self.rows, strict=True)
        )


def describe_wave(wave: Wave) -> str:
    day = wave.opened and date_format(wave.opened)
    return f"{wave.group.label} ({day})" if day else wave.group.label


def draw_waves(chart: WavesChart) -> Drawing:
    scale = chart.rows[0][0].scale
    end = 1.0 if scale else find_end(chart.rows)
    answers = [draw_answer(chart, place, end) for place in range(len(chart.rows[0]))]
    key = draw_key(chart.rows[0])
    axes = Drawing(
        height=BOTTOM + 2 * LABEL_LINE + GAP,
        lines=(*draw_grid(), *(line for lines, _marks in answers for line in lines)),
        marks=tuple(mark for _lines, marks in answers for mark in marks),
        texts=(*label_values(scale, end), *label_waves(chart.groups)),
    )
    return stack([key, axes])


def find_end(rows: list[tuple[Row, ...]]) -> float:
    most = max(row.high for each in rows for row in each)
    return next((end for end in SHARE_ENDS if end >= most), SHARE_ENDS[-1])


def find_place(place: int, waves: int, line: int, lines: int) -> float:
    """Return where a wave is, in hundredths of the width, for one of the lines."""
    room = (RIGHT - LEFT) / waves
    aside = (line - (lines - 1) / 2) * SPREAD * room / max(1, lines - 1)
    return round(LEFT + (place + 0.5) * room + (aside if lines > 1 else 0), 3)


def find_height(part: float) -> float:
    return round(BOTTOM - part * (BOTTOM - TOP), 2)


def draw_answer(
    chart: WavesChart, line: int, end: float
) -> tuple[list[Line], list[Mark]]:
    colour, outline = STYLES[line]
    bars: list[Line] = []
    marks: list[Mark] = []
    points: list[tuple[float, float] | None] = []
    lines = len(chart.rows[0])
    for place, (wave, rows) in enumerate(zip(chart.groups, chart.rows, strict=True)):
        row = rows[line]
        x = find_place(place, len(chart.groups), line, lines)
        low, high, estimate = (
            find_height(row.part(value) / end)
            for value in (row.low, row.high, row.estimate)
        )
        title = f"{describe_wave(wave)} · {show_row(row)}"
        bars.append(
            Line(
                x=x, to_x=x, y=high, height=low - high, width=5, colour=colour,
                title=title,
            )
        )  # fmt: skip
        points.append((x, estimate) if row.has_estimate else None)
        if row.has_estimate:
            marks.append(
                Mark(x=x, y=estimate, colour=colour, outline=outline, title=title)
            )
    joined = [
        Line(x=one[0], to_x=other[0], y=one[1], height=other[1] - one[1], colour=colour)
        for one, other in pairwise(points)
        if one and other
    ]
    return [*joined, *bars], marks


def draw_key(rows: tuple[Row, ...]) -> Drawing:
    lines, marks, texts = [], [], []
    for place, (row, (colour, outline)) in enumerate(zip(rows, STYLES, strict=False)):
        y = place * KEY_LINE + KEY_LINE / 2
        lines.append(Line(x=LEFT, to_x=LEFT + 5, y=y, colour=colour))
        marks.append(Mark(x=LEFT + 2.5, y=y, colour=colour, outline=outline))
        (label, *_rest) = wrap(label_row(row), int(WIDTH / CHARACTER / 2), 1)
        texts.append(
            Text(x=LEFT + 5, y=y + 4.5, text=label, anchor="start", beside=LABEL_GAP)
        )
    return Drawing(
        height=len(rows) * KEY_LINE + GAP,
        lines=tuple(lines),
        marks=tuple(marks),
        texts=tuple(texts),
    )


def draw_grid() -> Iterator[Line]:
    for part in TICK_PARTS:
        y = find_height(float(part))
        yield Line(x=LEFT, to_x=RIGHT, y=y, width=1, colour="track")


def label_values(scale: Scale | None, end: float) -> Iterator[Text]:
    for part in TICK_PARTS:
        value, y = label_part(scale, part, end), find_height(float(part)) + 4.5
        yield Text(
            x=LEFT, y=y, text=value, anchor="end", beside=-LABEL_GAP, colour="muted"
        )


def label_waves(waves: tuple[Wave, ...]) -> Iterator[Text]:
    count = len(waves)
    months = [date_format(wave.opened, "M Y") if wave.opened else "" for wave in waves]
    room = int(WIDTH * (RIGHT - LEFT) / 100 / min(count, MAX_LABELS) / CHARACTER)
    labels = [
        wrap(month if month and len({*months}) == count else wave.group.label, room, 2)
        for wave, month in zip(waves, months, strict=True)
    ]
    for place, lines in enumerate(labels):
        if not is_labelled(place, count, MAX_LABELS):
            continue
        for line, text in enumerate(lines, start=1):
            yield Text(
                x=find_place(place, count, 0, 1),
                y=BOTTOM + line * LABEL_LINE,
                text=text,
                colour="muted",
                needs_room=not is_labelled(place, count, MAX_LABELS_ON_PHONE),
            )


def is_labelled(place: int, count: int, most: int) -> bool:
    return (count - 1 - place) % math.ceil(count / most) == 0
