"""Drawings, rendered as SVG, PNG and PDF.

Horizontal positions are hundredths of the width, so that a drawing fits every screen.
Heights and text are in pixels, so that text keeps its size.
"""

import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import accumulate
from threading import Lock
from typing import Self

from django.template.loader import render_to_string
from django.utils.translation import get_language_bidi

from estimation import libraries

COLOURS = {
    "surface": "#ffffff",
    "ink": "#17212b",
    "muted": "#495664",
    "track": "#c3cdd3",
    "accent": "#3a9b90",
    "plain": "#87949c",
    "second": "#b45f06",
    "third": "#6b4fa0",
}
"""Light colours for files; `static/css/charts.css` replaces them on pages."""

LEFT, RIGHT = 7.0, 93.0
"""Ends of a scale. Half of the label "100 %" fits next to it on a phone."""

OUTSIDE = 3.0
"""Distance of an arrow from the end of the scale."""

DIAMOND, TO_THE_LEFT, TO_THE_RIGHT = (
    "0,-6 5,0 0,6 -5,0",
    "-5,0 4,-6 4,6",
    "5,0 -4,-6 -4,6",
)
"""Corners of marks in pixels, in the format of SVG points."""


def place(part: float) -> float:
    """Return the position of a part of a scale, in hundredths of the width."""
    return round(LEFT + part * (RIGHT - LEFT), 3)


def squeeze(x: float, left: float, right: float) -> float:
    """Return a position, scaled to the part of the width from `left` to `right`."""
    return round(left + x * (right - left) / 100, 3)


@dataclass(frozen=True, kw_only=True)
class Painted:
    colour: str = "ink"

    @property
    def paint(self) -> str:
        return COLOURS[self.colour]


@dataclass(frozen=True, kw_only=True)
class Shape(Painted):
    x: float
    y: float

    def moved(self, down: float) -> Self:
        return replace(self, y=self.y + down)

    def squeezed(self, left: float, right: float) -> Self:
        return replace(self, x=squeeze(self.x, left, right))


@dataclass(frozen=True, kw_only=True)
class Line(Shape):
    to_x: float
    height: float = 0.0
    width: float = 1.5
    dashes: str = ""
    title: str = ""

    @property
    def to_y(self) -> float:
        return self.y + self.height

    def squeezed(self, left: float, right: float) -> Self:
        to_x = squeeze(self.to_x, left, right)
        return replace(self, x=squeeze(self.x, left, right), to_x=to_x)


@dataclass(frozen=True, kw_only=True)
class Mark(Shape):
    outline: str = DIAMOND
    is_hollow: bool = True
    title: str = ""


@dataclass(frozen=True, kw_only=True)
class Text(Shape):
    """A line of text; `y` is the height of its baseline."""

    text: str
    anchor: str = "middle"
    size: float = 13.0
    is_bold: bool = False
    beside: float = 0.0
    """Distance from its position to the right, in pixels."""
    needs_room: bool = False


@dataclass(frozen=True, kw_only=True)
class Curve(Painted):
    points: str
    width: float = 2.5
    dashes: str = ""


@dataclass(frozen=True, kw_only=True)
class Drawing:
    height: float
    lines: tuple[Line, ...] = ()
    curves: tuple[Curve, ...] = ()
    marks: tuple[Mark, ...] = ()
    texts: tuple[Text, ...] = ()

    def moved(self, down: float) -> "Drawing":
        """Return the drawing, which has no curves, moved down."""
        return replace(
            self,
            lines=tuple(each.moved(down) for each in self.lines),
            marks=tuple(each.moved(down) for each in self.marks),
            texts=tuple(each.moved(down) for each in self.texts),
        )

    def squeezed(self, left: float, right: float) -> "Drawing":
        """Return the drawing, which has no curves, in a part of the width."""
        return replace(
            self,
            lines=tuple(each.squeezed(left, right) for each in self.lines),
            marks=tuple(each.squeezed(left, right) for each in self.marks),
            texts=tuple(each.squeezed(left, right) for each in self.texts),
        )


def overlay(drawings: Iterable[Drawing]) -> Drawing:
    drawings = tuple(drawings)
    return Drawing(
        height=max(each.height for each in drawings),
        lines=tuple(line for each in drawings for line in each.lines),
        marks=tuple(mark for each in drawings for mark in each.marks),
        texts=tuple(text for each in drawings for text in each.texts),
    )


def stack(drawings: Iterable[Drawing]) -> Drawing:
    drawings = tuple(drawings)
    ends = tuple(accumulate((each.height for each in drawings), initial=0.0))
    moved = [each.moved(top) for each, top in zip(drawings, ends, strict=False)]
    return replace(overlay(moved), height=ends[-1])


FORMATS = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}

WIDTH = 640  # pixels

ONE_AT_A_TIME = Lock()
"""Lock for matplotlib, whose settings are shared by all threads."""

# Without date and version, so that the same numbers give the same bytes.
METADATA: Mapping[str, dict[str, None]] = {
    "png": {"Software": None},
    "pdf": {"Creator": None, "Producer": None, "CreationDate": None},
}

PRINT_RESOLUTION = 300
"""Dots per inch of a PNG, as journals require."""

PIXELS_PER_INCH = 96
POINT = 0.75
"""Size of a pixel in points, the unit of matplotlib."""


def write_file(drawing: Drawing, file_format: str) -> bytes:
    """Return a drawing as a file, the same bytes for the same drawing.

    Parameters
    ----------
    drawing : Drawing
    file_format : {"svg", "png", "pdf"}
        An SVG uses the font of the reader; PNG and PDF use that of matplotlib.
    """
    if file_format == "svg":
        shown = {"drawing": drawing, "width": WIDTH}
        return render_to_string("estimation/charts/file.svg", shown).encode()
    written = io.BytesIO()
    settings = libraries.matplotlib.rc_context(
        {
            # TrueType, because many journals reject the default, Type 3.
            "pdf.fonttype": 42,
            # Questions may contain "$", which must not start a formula.
            "text.parse_math": False,
        }
    )
    with ONE_AT_A_TIME, settings:
        make_figure(drawing).savefig(
            written,
            format=file_format,
            dpi=PRINT_RESOLUTION,
            metadata=METADATA[file_format],
        )
    return written.getvalue()


def make_figure(drawing: Drawing) -> "libraries.matplotlib.figure.Figure":
    """Return the drawing as a figure without curves, which only the planner draws."""
    height = drawing.height
    figure = libraries.matplotlib.figure.Figure(
        figsize=(WIDTH / PIXELS_PER_INCH, height / PIXELS_PER_INCH)
    )
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    # The coordinates of SVG: hundredths of the width, and pixels from the top.
    axes.set_xlim(0, 100)
    axes.set_ylim(height, 0)
    for line in drawing.lines:
        axes.plot(
            [line.x, line.to_x],
            [line.y, line.to_y],
            color=line.paint,
            linewidth=line.width * POINT,
            solid_capstyle="butt",  # an interval ends where its bar ends
        )
    for mark in drawing.marks:
        corners = [each.split(",") for each in mark.outline.split()]
        axes.fill(
            [mark.x + 100 * float(across) / WIDTH for across, _down in corners],
            [mark.y + float(down) for _across, down in corners],
            facecolor=COLOURS["surface"],
            edgecolor=mark.paint,
            linewidth=1.5 * POINT,
            zorder=3,  # above the lines, as in SVG
        )
    ends = {"start": "left", "middle": "center", "end": "right"}
    if get_language_bidi():
        ends |= {"start": "right", "end": "left"}
    for text in drawing.texts:
        axes.text(
            text.x + 100 * text.beside / WIDTH,
            text.y,
            text.text,
            color=text.paint,
            fontsize=text.size * POINT,
            fontweight="bold" if text.is_bold else "normal",
            ha=ends[text.anchor],
        )
    return figure
