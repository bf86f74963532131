import xml.etree.ElementTree as ET
from dataclasses import replace
from fractions import Fraction

import pytest
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextPath

from candor.mechanisms.scale import Scale
from candor.table import Status
from estimation.presentation.charts.drawing import (
    LEFT,
    RIGHT,
    TO_THE_LEFT,
    TO_THE_RIGHT,
    WIDTH,
    write_file,
)
from estimation.presentation.charts.intervals import (
    BARS,
    EDGE,
    NAME_LINES,
    Chart,
    Group,
    draw_bar,
    draw_chart,
)
from tests.estimation.results_of import result_of

SVG = "{http://www.w3.org/2000/svg}"
SPACE = "\N{NO-BREAK SPACE}"

TEN = Scale(Fraction(0), Fraction(10), 11)

ROW = result_of(40, 60).rows[0]


def lines(row, colour):
    return [line for line in draw_bar(row).lines if line.colour == colour]


def chart_of(*headings, rows=(ROW,)):
    return Chart(tuple(Group(rows=rows, heading=each) for each in headings))


def texts(chart):
    return [text.text for text in draw_chart(chart).texts]


@pytest.mark.parametrize(("low", "high"), [(0.13, 0.33), (0, 1), (0.5, 0.5)])
def test_the_bar_spans_the_interval(low, high):
    (bar,) = lines(replace(ROW, low=low, high=high), "accent")
    span = RIGHT - LEFT
    assert bar.x == pytest.approx(LEFT + low * span, abs=1e-3)
    assert bar.to_x == pytest.approx(LEFT + high * span, abs=1e-3)


def test_an_estimate_is_drawn_as_a_line():
    (line,) = lines(ROW, "ink")
    assert line.x == line.to_x == pytest.approx(LEFT + 0.3 * (RIGHT - LEFT), abs=1e-3)
    assert lines(ROW.with_status(Status.MISFIT), "ink") == []


@pytest.mark.parametrize(
    ("raw", "place", "outline"),
    [(-0.12, "left", TO_THE_LEFT), (1.12, "right", TO_THE_RIGHT), (0.4, "on", None)],
)
def test_a_raw_estimate_that_differs_is_marked(raw, place, outline):
    assert draw_bar(ROW).marks == ()
    (mark,) = draw_bar(replace(ROW, raw=raw)).marks
    assert place == ("left" if mark.x < LEFT else "right" if mark.x > RIGHT else "on")
    assert outline in {mark.outline, None}


def test_a_raw_mean_is_marked_only_outside_its_scale():
    mean = replace(ROW, scale=TEN, estimate=3.0, raw=3.1)
    assert draw_bar(mean).marks == ()
    assert len(draw_bar(replace(mean, raw=10.1)).marks) == 1


def test_a_long_question_takes_two_lines_and_no_more():
    shown = texts(chart_of("3. " + "Did you ever do this? " * 20))[:-8]
    assert len(shown) == 2
    assert shown[-1].endswith("…")


@pytest.mark.parametrize(
    "heading",
    [
        "1. Haben Sie je " + "Rindfleischetikettierungsüberwachungsaufgaben" * 3,
        "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamten" * 2,
        "2. Did you ever do this, and did anybody else know of it afterwards?",
    ],
)
def test_headings_fit_the_width_of_the_chart(heading):
    """Measured in the widest common font, which matplotlib includes."""
    bold = FontProperties(family="DejaVu Sans", weight="bold")
    for text in draw_chart(chart_of(heading)).texts:
        if text.anchor == "start" and text.is_bold:
            drawn = TextPath((0, 0), text.text, size=text.size, prop=bold)
            assert EDGE * WIDTH / 100 + drawn.get_extents().width < WIDTH, text.text


def test_a_long_name_takes_three_lines_and_leaves_room_for_its_bar():
    row = replace(ROW, label="M" * 100)
    drawn = draw_chart(chart_of("", rows=(row,)))
    names = [text for text in drawn.texts if text.text.startswith("M")]
    font = FontProperties(family="DejaVu Sans")
    room = (BARS[0] - EDGE) * WIDTH / 100
    for name in names:
        path = TextPath((0, 0), name.text, size=name.size, prop=font)
        assert path.get_extents().width < room
    assert len(names) == NAME_LINES
    assert names[-1].text.endswith("…")


def test_an_svg_is_complete_without_a_style_sheet():
    written = write_file(draw_chart(chart_of("A <b>?")), "svg").decode()
    assert "style" not in written
    assert "<script" not in written
    svg = ET.fromstring(written)  # noqa: S314
    for line in svg.iter(f"{SVG}line"):
        assert line.get("color").startswith("#")
    shown = [text.text for text in svg.iter(f"{SVG}text")]
    assert shown == texts(chart_of("A <b>?"))
