"""What a drawing is made of, for SVG in pages and for files.

Places from left to right are hundredths of the width, so that one drawing fits every
screen; heights and text are pixels, so that text keeps its size.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Self

COLOURS = {
    "surface": "#ffffff",
    "ink": "#17212b",
    "muted": "#495664",
    "track": "#c3cdd3",
    "accent": "#3a9b90",
}
"""The light colours, for files. On a page `static/css/charts.css` replaces them."""

LEFT, RIGHT = 7.0, 93.0
"""Where a scale begins and ends. Half the label "100 %" fits beside it on a phone."""

OUTSIDE = 3.0
"""How far beyond the scale an arrow stands."""

DIAMOND, TO_THE_LEFT, TO_THE_RIGHT = (
    "0,-6 5,0 0,6 -5,0",
    "-5,0 4,-6 4,6",
    "5,0 -4,-6 -4,6",
)
"""Corners of marks in pixels, as SVG writes points."""


def place(part: float) -> float:
    """Return where a part of a scale is, in hundredths of the width."""
    return round(LEFT + part * (RIGHT - LEFT), 3)


@dataclass(frozen=True, kw_only=True)
class Painted:
    """Anything drawn in a colour."""

    colour: str = "ink"

    @property
    def paint(self) -> str:
        """Its colour in a file."""
        return COLOURS[self.colour]


@dataclass(frozen=True, kw_only=True)
class Shape(Painted):
    """Anything drawn at a place."""

    x: float
    y: float

    def moved(self, down: float) -> Self:
        """Return the same further down."""
        return replace(self, y=self.y + down)


@dataclass(frozen=True, kw_only=True)
class Line(Shape):
    """A straight line."""

    to_x: float
    height: float = 0.0
    width: float = 1.5
    dashes: str = ""

    @property
    def to_y(self) -> float:
        """Where it ends."""
        return self.y + self.height


@dataclass(frozen=True, kw_only=True)
class Mark(Shape):
    """A small polygon, filled with its colour or hollow."""

    outline: str = DIAMOND
    is_hollow: bool = True


@dataclass(frozen=True, kw_only=True)
class Text(Shape):
    """One line of text; `y` is that of its baseline."""

    text: str
    anchor: str = "middle"
    size: float = 13.0
    is_bold: bool = False
    beside: float = 0.0
    """Pixels to the right of its place."""
    needs_room: bool = False
    """Whether it is left out on a phone."""


@dataclass(frozen=True, kw_only=True)
class Curve(Painted):
    """A line through points, as SVG writes them, in the units of the drawing."""

    points: str
    width: float = 2.5
    dashes: str = ""


@dataclass(frozen=True, kw_only=True)
class Drawing:
    """Shapes on an area as high as stated, in pixels."""

    height: float
    lines: tuple[Line, ...] = ()
    curves: tuple[Curve, ...] = ()
    marks: tuple[Mark, ...] = ()
    texts: tuple[Text, ...] = ()


def stack(drawings: Iterable[Drawing]) -> Drawing:
    """Return drawings without curves below each other."""
    drawings = tuple(drawings)
    ends = tuple(accumulate((each.height for each in drawings), initial=0.0))
    both = tuple(zip(drawings, ends, strict=False))
    return Drawing(
        height=ends[-1],
        lines=tuple(each.moved(top) for part, top in both for each in part.lines),
        marks=tuple(each.moved(top) for part, top in both for each in part.marks),
        texts=tuple(each.moved(top) for part, top in both for each in part.texts),
    )
