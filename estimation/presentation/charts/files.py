"""Drawings as files: SVG for any page, PNG and PDF for papers."""

import io
from collections.abc import Mapping
from threading import Lock

from django.template.loader import render_to_string
from django.utils.translation import get_language_bidi

from estimation import libraries
from estimation.presentation.charts.drawing import COLOURS, Drawing

FORMATS = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}
"""Content type by the name of a file's format."""

WIDTH = 640
"""Pixels."""

ONE_AT_A_TIME = Lock()
"""Held while matplotlib draws: its settings are shared by all threads."""

# No date and no version: the same numbers give the same bytes.
METADATA: Mapping[str, dict[str, None]] = {
    "png": {"Software": None},
    "pdf": {"Creator": None, "Producer": None, "CreationDate": None},
}

PRINT_RESOLUTION = 300
"""Dots per inch of a PNG: what journals ask for."""

PIXELS_PER_INCH = 96
POINT = 0.75
"""A pixel in points, in which matplotlib measures text and lines."""


def write_file(drawing: Drawing, file_format: str) -> bytes:
    """Return a drawing as a file, the same bytes for the same drawing.

    Parameters
    ----------
    drawing : Drawing
    file_format : {"svg", "png", "pdf"}
        An SVG is shown in the reader's own font, PNG and PDF have matplotlib's.
    """
    if file_format == "svg":
        shown = {"drawing": drawing, "width": WIDTH}
        return render_to_string("estimation/charts/file.svg", shown).encode()
    written = io.BytesIO()
    settings = libraries.matplotlib.rc_context(
        {
            # TrueType: many journals refuse matplotlib's own Type 3.
            "pdf.fonttype": 42,
            # Questions may speak of money: "$" starts no formula.
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
    # As in SVG: from the left in hundredths of the width, from the top in pixels.
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
        )
    ends = {"start": "left", "middle": "center", "end": "right"}
    if get_language_bidi():
        ends |= {"start": "right", "end": "left"}
    for text in drawing.texts:
        axes.text(
            text.x,
            text.y,
            text.text,
            color=text.paint,
            fontsize=text.size * POINT,
            fontweight="bold" if text.is_bold else "normal",
            ha=ends[text.anchor],
        )
    return figure
