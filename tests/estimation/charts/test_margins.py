import xml.etree.ElementTree as ET

import pytest

from candor.mechanisms import build
from candor.planning.assumptions import assume
from candor.planning.margin_curve import margin_curve
from estimation.presentation.charts.margins import HEIGHTS, draw_margins, parts_of
from estimation.presentation.charts.style import THEMES, WIDTHS

SVG = "{http://www.w3.org/2000/svg}"


def curve_of(family="coin", respondents=1000, margin=0.05, share=0.5, **parameters):
    assumed = assume(build(family, **parameters), share=share)
    return margin_curve(assumed, respondents=respondents, margin=margin)


def drawn(curve, **options):
    return ET.fromstring(draw_margins.__wrapped__(curve, **options))  # noqa: S314


def texts(svg):
    found = [element.text for element in svg.iter(f"{SVG}text")]
    return [text.replace("\N{NO-BREAK SPACE}", " ") for text in found]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("size", WIDTHS)
def test_the_same_numbers_give_the_same_bytes(theme, size):
    first, second = (
        draw_margins.__wrapped__(curve_of(), theme=theme, size=size) for _ in range(2)
    )
    assert first == second
    assert b"style" not in first
    assert b"<script" not in first


def test_the_planned_and_the_needed_number_are_marked_with_their_margins():
    # 1.96 sqrt(1/4 / 1000) / (1/2) = 0.062; n for 5 points: 1,537 (planning.md).
    shown = texts(drawn(curve_of()))
    assert {"1,000 people", "± 6.2 points", "1,537", "±5", "±20", "2,000"} <= {*shown}


def test_axes_have_round_ticks_and_none_too_near_to_a_marked_number():
    shown = texts(drawn(curve_of()))
    # Ends at 2,000 people and 20 points: quarters, without 1,500 beside 1,537.
    for tick in ("0", "500", "1,000", "2,000", "±10", "±15"):
        assert tick in shown
    assert "1,500" not in shown
    narrow = texts(drawn(curve_of(), size="narrow"))
    assert "500" not in narrow


@pytest.mark.parametrize(
    ("end", "parts"),
    [(10, 4), (2000, 4), (25_000, 5), (0.05, 5), (0.25, 5), (0.1, 4), (1.0, 4)],
)
def test_every_tick_is_round(end, parts):
    assert parts_of(end) == parts


@pytest.mark.parametrize(
    "curve",
    [
        curve_of("epsilon", epsilon="0.01", respondents=10),
        curve_of("direct", share=0.0),
        curve_of("direct", respondents=1),
        curve_of(respondents=10_000_000, margin=0.5),
        curve_of("epsilon", epsilon="10", margin=0.001),
    ],
    ids=["hopeless", "no spread", "one person", "everybody", "nearly direct"],
)
@pytest.mark.parametrize("size", WIDTHS)
def test_nothing_is_drawn_outside(curve, size):
    svg = drawn(curve, size=size)
    # Points of the file are those of the drawing.
    assert float(svg.get("height").removesuffix("pt")) == HEIGHTS[size]
    for path in svg.iter(f"{SVG}path"):
        numbers = [float(p) for p in path.get("d").split() if p[0] in "0123456789-."]
        assert all(-1e6 < number < 1e6 for number in numbers)
    assert texts(svg)
