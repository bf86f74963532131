import struct
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest

from estimation.presentation.charts.intervals import MARGIN, Bar, draw_interval
from estimation.presentation.charts.style import DRAWINGS, FORMATS, THEMES, WIDTHS
from tests.contrast import GRAPHICS_CONTRAST, TEXT_CONTRAST, contrast
from tests.estimation.results_of import panel_of

ROOT = Path(__file__).parents[3]

SVG = "{http://www.w3.org/2000/svg}"

BAR = Bar(
    low=0.13,
    high=0.33,
    share=0.23,
    raw=0.23,
    interval_label="13 % to 33 %",
    estimate_label="23 %",
)

# Markers have ids in the file, which are random unless they are salted.
MARKED = replace(BAR, raw=-0.12)


def drawn(bar=BAR, **options):
    return ET.fromstring(draw_interval.__wrapped__(bar, **options))  # noqa: S314


def texts(svg):
    return [element.text for element in svg.iter(f"{SVG}text")]


def lines(svg, colour):
    """Ends (x, y) of the straight lines of this colour."""
    found = []
    for path in svg.iter(f"{SVG}path"):
        if path.get("stroke") == colour:
            numbers = [
                float(part) for part in path.get("d").split() if part not in "MLz"
            ]
            found.append(numbers)
    return found


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("size", WIDTHS)
@pytest.mark.parametrize("file_format", FORMATS)
def test_the_same_numbers_give_the_same_bytes(theme, size, file_format):
    options = {"theme": theme, "size": size, "file_format": file_format}
    first, second = (draw_interval.__wrapped__(MARKED, **options) for _ in range(2))
    assert first == second


@pytest.mark.server
def test_another_process_draws_the_same_bytes():
    code = (
        "import sys\n"
        "from estimation.presentation.charts.intervals import Bar, draw_interval\n"
        f"for each in {list(FORMATS)}: "
        f"sys.stdout.buffer.write(draw_interval({MARKED!r}, file_format=each))"
    )
    found = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True
    )
    here = b"".join(draw_interval(MARKED, file_format=each) for each in FORMATS)
    assert found.stdout == here


def test_a_png_is_sharp_enough_for_paper():
    picture = draw_interval(BAR, file_format="png")
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    # The header has width and height, pHYs the dots per metre: 300 dpi are 11,811.
    width, height = struct.unpack(">II", picture[16:24])
    assert (width, height) == (480 * 300 // 72, 78 * 300 // 72)
    at = picture.index(b"pHYs") + 4
    assert struct.unpack(">IIB", picture[at : at + 9]) == (11811, 11811, 1)
    assert b"tEXt" not in picture


def test_a_pdf_carries_its_font_as_truetype_and_no_date():
    document = draw_interval(BAR, file_format="pdf")
    assert document.startswith(b"%PDF-")
    assert b"/FontFile2" in document
    assert b"/Subtype /Type3" not in document
    for name in (b"/CreationDate", b"/ModDate", b"/Producer", b"/Creator"):
        assert name not in document


def test_a_dollar_sign_starts_no_formula():
    bar = replace(BAR, name="Between $5 and $9")
    assert "Between $5 and $9" in texts(drawn(bar))


def test_a_chart_has_no_style_and_no_script():
    svg = draw_interval(BAR).decode()
    assert "style" not in svg
    assert "<script" not in svg


def test_text_stays_text_in_the_readers_own_font():
    svg = drawn()
    assert texts(svg)[-2:] == ["23 %", "13 % to 33 %"]
    for element in svg.iter(f"{SVG}text"):
        assert element.get("font-family").startswith("system-ui,")


@pytest.mark.parametrize("size", WIDTHS)
@pytest.mark.parametrize(("low", "high"), [(0.13, 0.33), (0, 1), (0.5, 0.5)])
def test_the_bar_spans_the_interval(size, low, high):
    bar = replace(BAR, low=low, high=high)
    ((left, _, right, _),) = lines(drawn(bar, size=size), THEMES["light"].accent)
    points = WIDTHS[size] - 2 * MARGIN
    assert left == pytest.approx(MARGIN + low * points, abs=1e-3)
    assert right == pytest.approx(MARGIN + high * points, abs=1e-3)


def test_the_estimate_stands_at_its_place():
    ((x, _, same_x, _),) = lines(drawn(), THEMES["light"].ink)
    assert x == same_x == pytest.approx(MARGIN + 0.23 * (480 - 2 * MARGIN), abs=1e-3)


@pytest.mark.parametrize("raw", [-0.12, 1.12, 0.4])
def test_a_raw_estimate_that_differs_is_marked(raw):
    marked = replace(BAR, raw=raw)
    assert len(list(drawn(marked).iter(f"{SVG}use"))) == 1
    assert not list(drawn().iter(f"{SVG}use"))


@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 0.99, 1.0])
@pytest.mark.parametrize("size", WIDTHS)
def test_labels_never_leave_the_picture(share, size):
    label = "100 % (raw 104.00 %)"
    bar = replace(BAR, share=share, estimate_label=label)
    svg = drawn(bar, size=size)
    (text,) = [each for each in svg.iter(f"{SVG}text") if each.text == label]
    x, anchor = float(text.get("x")), text.get("text-anchor", "start")
    # 0.62 font sizes a character is more than any system font needs.
    width = 0.62 * float(text.get("font-size").removesuffix("px")) * len(label)
    left = x - {"start": 0, "middle": width / 2, "end": width}[anchor]
    assert left >= -1e-6
    assert left + width <= WIDTHS[size] + 1e-6


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_everything_stands_out_from_the_background(theme):
    assert contrast(theme.ink, theme.background) >= TEXT_CONTRAST
    assert contrast(theme.muted, theme.background) >= TEXT_CONTRAST
    assert contrast(theme.accent, theme.background) >= GRAPHICS_CONTRAST
    assert contrast(theme.ink, theme.accent) >= GRAPHICS_CONTRAST


def test_there_is_a_drawing_for_every_theme_and_size():
    found = {(drawing.theme, drawing.size) for drawing in DRAWINGS}
    assert found == {(theme, size) for theme in THEMES for size in WIDTHS}


def test_a_result_is_drawn_with_the_numbers_of_its_sentence():
    panel = panel_of(40, 60)
    labels = texts(drawn(*panel.bars))
    assert [label.replace("\N{NO-BREAK SPACE}", " ") for label in labels[-2:]] == [
        "30 %",
        "11 % to 50 %",
    ]
