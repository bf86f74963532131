import struct
import subprocess
import sys
from pathlib import Path

import pytest
from django.utils import translation

from estimation.presentation.charts.drawing import (
    FORMATS,
    WIDTH,
    Drawing,
    Line,
    Mark,
    Text,
    write_file,
)

ROOT = Path(__file__).parents[3]

DRAWING = Drawing(
    height=72,
    lines=(Line(x=6, to_x=94, y=12.5, colour="accent"),),
    marks=(Mark(x=50, y=12), Mark(x=60, y=12, is_hollow=False)),
    texts=(Text(x=50, y=40, text="Between $5 and $9"),),
)


@pytest.mark.server
def test_another_process_draws_the_same_bytes():
    code = (
        "import sys, django\n"
        "django.setup()\n"
        "from estimation.presentation.charts.drawing import *\n"
        "from estimation.presentation.charts.drawing import write_file\n"
        f"for each in {list(FORMATS)}: "
        f"sys.stdout.buffer.write(write_file({DRAWING!r}, each))"
    )
    found = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True
    )
    assert found.stdout == b"".join(write_file(DRAWING, each) for each in FORMATS)


def test_a_png_has_300_dots_per_inch():
    picture = write_file(DRAWING, "png")
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    # The header has width and height, pHYs the dots per metre: 300 dpi are 11,811.
    width, height = struct.unpack(">II", picture[16:24])
    assert (width, height) == (WIDTH * 300 // 96, 72 * 300 // 96)
    at = picture.index(b"pHYs") + 4
    assert struct.unpack(">IIB", picture[at : at + 9]) == (11811, 11811, 1)
    assert b"tEXt" not in picture


def test_a_pdf_carries_its_font_as_truetype_and_no_date():
    document = write_file(DRAWING, "pdf")
    assert document.startswith(b"%PDF-")
    assert b"/FontFile2" in document
    assert b"/Subtype /Type3" not in document
    for name in (b"/CreationDate", b"/ModDate", b"/Producer", b"/Creator"):
        assert name not in document


def test_positions_have_the_same_format_in_every_language():
    with translation.override("de"):
        assert b'y1="12.5"' in write_file(DRAWING, "svg")


def test_text_starts_on_the_right_in_right_to_left_languages():
    with translation.override("ar"):
        assert b'direction="rtl"' in write_file(DRAWING, "svg")
    assert b"direction" not in write_file(DRAWING, "svg")
