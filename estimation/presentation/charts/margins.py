"""The margin of error against the number of respondents: plot, table and text."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.utils.translation import gettext as _

from candor.planning.margins import MarginCurve, Precision
from estimation.presentation.charts.drawing import Curve, Drawing, Line, Mark, Text
from surveys.numbers import (
    AS_TYPED,
    HALF_THE_SCALE,
    format_integer,
    format_margin,
    format_people,
    format_points,
    format_reached_margin,
    say_too_imprecise,
)

HEIGHT, TOP, BOTTOM = 300.0, 14.0, 270.0
"""Height of the drawing, and top and bottom of its axes, in pixels."""

LEFT, RIGHT = 12.0, 96.0
"""Ends of the axis in hundredths of the width; labels of margins are left of it."""

SMOOTH = 60
"""Points of a drawn curve; no corners are visible."""

FIRST_PART = 0.004
"""Start of the curves as a part of the axis; at 0 the margin is infinite."""

PARTS = {"1": 4, "2": 4, "3": 5, "5": 5}
"""Number of parts of an axis by the first digit of its end, so that ticks are round. An
end with 2.5 counts as 3."""
FEWER = {4: 2, 5: 1}
"""Number of parts on a phone, for the numbers of respondents."""

CROWDED, CROWDED_ON_A_PHONE = 0.09, 0.18
"""Ticks closer to a marked number, as a part of the axis, are omitted."""

LABEL_LINE, LABEL_GAP = 18.0, 8.0
"""Pixels."""

BEHIND = 0.5
"""A label is right of a line in the left half, and left of it in the right half."""


@dataclass(frozen=True, kw_only=True)
class Row:
    respondents: str
    margin: str
    direct: str
    mark: str


@dataclass(frozen=True, kw_only=True)
class Plot:
    name: str
    caption: str
    rows: tuple[Row, ...]
    alternative: str
    drawing: Drawing


def make_plot(
    curve: MarginCurve, *, name: str, caption: str, is_example: bool = False
) -> Plot:
    """Return the plot of a curve with its labels."""
    planned = _("an example") if is_example else _("planned")
    texts = [
        _("%(respondents)s: %(margin)s, direct question %(direct)s")
        % {
            "respondents": format_people(point.respondents),
            "margin": format_reached_margin(point.margin),
            "direct": format_reached_margin(point.direct_margin),
        }
        for point in curve.points
    ]
    return Plot(
        name=name,
        caption=caption,
        rows=tuple(
            Row(
                respondents=format_integer(point.respondents),
                margin=in_a_row(point.margin),
                direct=in_a_row(point.direct_margin),
                mark=describe_mark(curve, point, planned),
            )
            for point in curve.points
        ),
        alternative=_("Margin of error against the number of respondents. %s.")
        % "; ".join(texts),
        drawing=draw_margins(curve),
    )


def in_a_row(margin: float) -> str:
    return (
        say_too_imprecise()
        if margin >= HALF_THE_SCALE
        else f"± {format_points(margin)}"
    )


def describe_mark(curve: MarginCurve, point: Precision, planned: str) -> str:
    marks = []
    if point.respondents == curve.planned.respondents:
        marks.append(planned)
    if point.respondents == curve.needed:
        wanted = format_margin(curve.wanted, trimmed=True)
        marks.append(_("needed for %s") % wanted)
    return ", ".join(marks)


def draw_margins(curve: MarginCurve) -> Drawing:
    grid = [
        Line(x=LEFT, to_x=RIGHT, y=height, colour="track", width=1.0 if step else 1.5)
        for step, height in enumerate(
            map(partial(find_height, curve), list_margins(curve))
        )
    ]
    root = curve.planned.respondents**0.5
    direct = draw_curve(curve, root * curve.planned.direct_margin)
    own = draw_curve(curve, root * curve.planned.margin)
    return Drawing(
        height=HEIGHT,
        lines=(*grid, *mark_lines(curve)),
        curves=(
            Curve(points=direct, colour="muted", width=1.75, dashes="5 4"),
            Curve(points=own, colour="accent"),
        ),
        marks=tuple(mark_dots(curve)),
        texts=(*label_margins(curve), *label_counts(curve), *label_planned(curve)),
    )


def find_place(curve: MarginCurve, count: float) -> float:
    """Return the position of a number of respondents, in hundredths of the width."""
    return round(LEFT + count / curve.most_respondents * (RIGHT - LEFT), 3)


def find_height(curve: MarginCurve, margin: float) -> float:
    """Return the height of a margin, in pixels from the top."""
    return round(BOTTOM - margin / curve.largest_margin * (BOTTOM - TOP), 2)


def count_parts(end: float) -> int:
    return PARTS[f"{end:.0e}"[0]] if f"{end:.1e}"[2] != "5" else PARTS["3"]


def list_margins(curve: MarginCurve) -> list[float]:
    parts = count_parts(curve.largest_margin)
    return [curve.largest_margin * step / parts for step in range(parts + 1)]


def draw_curve(curve: MarginCurve, margin_of_one: float) -> str:
    # M(n) = M(1) / sqrt(n)
    part = (margin_of_one / curve.largest_margin) ** 2 / curve.most_respondents
    # Evenly spaced square roots give more points where the curve is steep.
    first = min(1.0, max(FIRST_PART, part)) ** 0.5
    roots = [first + (1 - first) * step / SMOOTH for step in range(SMOOTH + 1)]
    counts = [curve.most_respondents * root**2 for root in roots]
    if part > 1:  # all of it is above the drawing
        return ""
    return " ".join(
        f"{find_place(curve, count)},{find_height(curve, margin_of_one / count**0.5)}"
        for count in counts
    )


def is_drawn(curve: MarginCurve, margin: float) -> bool:
    return margin <= curve.largest_margin


def is_reached(curve: MarginCurve) -> bool:
    needed = curve.needed <= curve.most_respondents
    return is_drawn(curve, curve.wanted) and needed


def mark_lines(curve: MarginCurve) -> Iterator[Line]:
    planned = find_place(curve, curve.planned.respondents)
    yield Line(x=planned, to_x=planned, y=TOP, height=BOTTOM - TOP, width=1.0)
    if not is_drawn(curve, curve.wanted):
        return
    wanted = find_height(curve, curve.wanted)
    needed = find_place(curve, min(curve.needed, curve.most_respondents))
    yield Line(x=LEFT, to_x=needed, y=wanted, width=1.0, dashes="1 2")
    if is_reached(curve):
        down = BOTTOM - wanted
        yield Line(
            x=needed, to_x=needed, y=wanted, height=down, width=1.0, dashes="1 2"
        )


def mark_dots(curve: MarginCurve) -> Iterator[Mark]:
    if is_reached(curve):
        yield Mark(
            x=find_place(curve, curve.needed), y=find_height(curve, curve.wanted)
        )
    planned = curve.planned
    if is_drawn(curve, planned.margin):
        yield Mark(
            x=find_place(curve, planned.respondents),
            y=find_height(curve, planned.margin),
            is_hollow=False,
        )


def label_margins(curve: MarginCurve) -> Iterator[Text]:
    def label(margin: float, **look: Any) -> Text:
        shown = format_points(margin, digits=AS_TYPED)
        return Text(
            x=LEFT,
            y=find_height(curve, margin) + 4.5,
            beside=-LABEL_GAP,
            text=f"±{shown}" if margin else shown,
            anchor="end",
            **look,
        )

    nearest = CROWDED * curve.largest_margin
    for margin in list_margins(curve):
        if abs(margin - curve.wanted) > nearest:
            yield label(margin, colour="muted")
    if is_drawn(curve, curve.wanted):
        yield label(curve.wanted, is_bold=True)


def label_counts(curve: MarginCurve) -> Iterator[Text]:
    most = curve.most_respondents

    def label(count: int, **look: Any) -> Text:
        anchor = "end" if count >= most else "middle"
        x = 100.0 if count >= most else find_place(curve, count)
        return Text(
            x=x, y=BOTTOM + 22, text=format_integer(count), anchor=anchor, **look
        )

    parts = count_parts(most)
    for step in range(parts + 1):
        count = round(most * step / parts)
        part = abs(count - curve.needed) / most if is_reached(curve) else 1.0
        if part >= CROWDED:
            is_one_of_many = step % (parts // FEWER[parts]) > 0
            needs_room = is_one_of_many or part < CROWDED_ON_A_PHONE
            yield label(count, colour="muted", needs_room=needs_room)
    if is_reached(curve):
        yield label(curve.needed, is_bold=True)


def label_planned(curve: MarginCurve) -> Iterator[Text]:
    planned = curve.planned
    is_right = planned.respondents > BEHIND * curve.most_respondents
    labels: list[tuple[str, dict[str, Any]]] = [
        (format_people(planned.respondents), {"colour": "muted"}),
        (format_reached_margin(planned.margin), {"is_bold": True}),
    ]
    for line, (text, look) in enumerate(labels):
        yield Text(
            x=find_place(curve, planned.respondents),
            y=TOP + 12 + LABEL_LINE * line,
            beside=-LABEL_GAP if is_right else LABEL_GAP,
            text=text,
            anchor="end" if is_right else "start",
            **look,
        )
