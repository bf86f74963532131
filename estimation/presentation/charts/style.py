"""What all charts share: colours, widths, and files with reproducible bytes."""

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import Lock

from estimation import libraries

DRAWING = Lock()
"""Held while matplotlib draws: its settings are shared by all threads."""

FORMATS = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}
"""Content type by the name of a file's format."""

# No date and no version: the same numbers give the same bytes.
METADATA: Mapping[str, dict[str, None]] = {
    "svg": {"Date": None},
    "png": {"Software": None},
    "pdf": {"Creator": None, "Producer": None, "CreationDate": None},
}

PRINT_RESOLUTION = 300
"""Dots per inch of a PNG: what journals ask for."""

POINTS_PER_INCH = 72
PIXELS_PER_POINT = 96 / 72

WIDTHS = {"wide": 480.0, "narrow": 246.0}
"""Points; a pixel of CSS is three quarters of one. The narrow drawing fits a phone
without being scaled down, so that its text stays readable."""

TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)

FONT_SIZE = 9.75

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
    points: float = 0.0
    """Height of the drawing."""

    @property
    def width(self) -> int:
        """Width in pixels of CSS."""
        return round(WIDTHS[self.size] * PIXELS_PER_POINT)

    @property
    def height(self) -> int:
        """Height in pixels of CSS."""
        return round(self.points * PIXELS_PER_POINT)


PHONE = "(max-width: 40rem)"
DARK = "screen and (prefers-color-scheme: dark)"
"""Paper is white."""

DRAWINGS = (
    Drawing("dark", "narrow", f"{DARK} and {PHONE}"),
    Drawing("dark", "wide", DARK),
    Drawing("light", "narrow", PHONE),
    Drawing("light", "wide", "all"),
)
"""In the order in which a browser takes the first that fits."""

BESIDE_A_TABLE = "(min-width: 80rem)"
"""On such screens tables of many answers stand beside their chart: results.css."""


def beside_a_table(drawings: Sequence[Drawing]) -> list[Drawing]:
    """Return the same, the narrow ones also where a wide one would be scaled down."""
    return [
        replace(each, media=f"{each.media}, {other}")
        if (other := each.media.replace(PHONE, BESIDE_A_TABLE)) != each.media
        else each
        for each in drawings
    ]


@contextmanager
def drawing() -> Iterator[None]:
    """Hold matplotlib, with the settings of all charts, while one is drawn."""
    settings = libraries.matplotlib.rc_context(
        {
            # Text stays text, and ids come from a fixed salt instead of a random one.
            "svg.fonttype": "none",
            "svg.hashsalt": "candor",
            # TrueType: many journals refuse matplotlib's own Type 3.
            "pdf.fonttype": 42,
            # Questions may speak of money: "$" starts no formula.
            "text.parse_math": False,
        }
    )
    with DRAWING, settings:
        yield


def new_figure(
    *, width: float, height: float, colours: Theme
) -> "libraries.matplotlib.figure.Figure":
    """Return an empty figure; width and height are points."""
    return libraries.matplotlib.figure.Figure(
        figsize=(width / POINTS_PER_INCH, height / POINTS_PER_INCH),
        facecolor=colours.background,
    )


def as_file(figure: "libraries.matplotlib.figure.Figure", file_format: str) -> bytes:
    """Return the drawing as a file, to be called within `drawing`.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    file_format : {"svg", "png", "pdf"}
        SVG for pages, in the reader's own font; PNG and PDF for papers, with
        matplotlib's font.
    """
    written = io.BytesIO()
    figure.savefig(
        written,
        format=file_format,
        dpi=PRINT_RESOLUTION if file_format == "png" else POINTS_PER_INCH,
        metadata=METADATA[file_format],
    )
    if file_format == "svg":
        return as_attributes(written.getvalue().decode()).encode()
    return written.getvalue()


def shortened(name: str, points: float, *, fontsize: float) -> str:
    """Return the name, or as much of it as fits; the table has it in full."""
    most = int(points / (CHARACTER_WIDTH * fontsize))
    return name if len(name) <= most else f"{name[: most - 1]}…"


def as_attributes(svg: str) -> str:
    """Return the drawing without styles, which the site's content policy forbids.

    Within <img> they are let through; opened by itself the chart would be all black.
    """

    def attributes(style: re.Match[str]) -> str:
        pairs = DECLARATION.findall(FONT_FAMILY.sub(SYSTEM_FONT, style[1]))
        return " ".join(f'{name}="{value}"' for name, value in pairs)

    return STYLE.sub(attributes, STYLE_SHEET.sub("", svg))
