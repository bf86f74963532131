import pytest

from candor.mechanisms import build
from candor.planning.assumptions import assume
from candor.planning.margins import make_margin_curve
from estimation.presentation.charts.margins import (
    BOTTOM,
    TOP,
    count_parts,
    draw_margins,
)


def curve_of(family="coin", respondents=1000, margin=0.05, share=0.5, **parameters):
    assumed = assume(build(family, **parameters), share=share)
    return make_margin_curve(assumed, respondents=respondents, margin=margin)


def texts(drawing):
    return [text.text.replace("\N{NO-BREAK SPACE}", " ") for text in drawing.texts]


@pytest.mark.parametrize(
    ("end", "parts"),
    [(10, 4), (2000, 4), (25_000, 5), (0.05, 5), (0.25, 5), (0.1, 4), (1.0, 4)],
)
def test_every_tick_is_round(end, parts):
    assert count_parts(end) == parts


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
def test_margin_charts_stay_inside_their_area(curve):
    drawing = draw_margins(curve)
    for shape in (*drawing.lines, *drawing.marks, *drawing.texts):
        assert 0 <= shape.x <= 100
        assert TOP - 1 <= shape.y <= drawing.height
    for curve in drawing.curves:
        places = [each.split(",") for each in curve.points.split()]
        for x, y in places:
            assert 0 <= float(x) <= 100
            assert TOP - 0.01 <= float(y) <= BOTTOM
    assert drawing.texts


def test_the_curve_passes_through_the_planned_margin():
    drawing = draw_margins(curve_of())
    own = [each for each in drawing.curves if each.colour == "accent"]
    (points,) = ([each.split(",") for each in curve.points.split()] for curve in own)
    assert float(points[0][1]) == pytest.approx(TOP)
    (planned,) = (mark for mark in drawing.marks if not mark.is_hollow)
    nearest = min(points, key=lambda each: abs(float(each[0]) - planned.x))
    assert float(nearest[1]) == pytest.approx(planned.y, abs=3)
