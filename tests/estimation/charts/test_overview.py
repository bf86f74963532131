import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextPath

from candor.mechanisms.draws import NOT_ASKED
from estimation.presentation.charts.intervals import Bar
from estimation.presentation.charts.overview import (
    EDGE,
    HEADING_SIZE,
    LAYOUTS,
    Group,
    draw_overview,
    drawings_of,
    heading_lines,
    overview_height,
)
from estimation.presentation.charts.style import FORMATS, THEMES, WIDTHS
from tests.estimation.results_of import seal_and_show
from tests.factories import make_survey

VALUE = "23 %\N{EM SPACE}\N{EN SPACE}13 % to 33 %"
SVG = "{http://www.w3.org/2000/svg}"

BAR = Bar(
    low=0.13,
    high=0.33,
    share=0.23,
    raw=0.23,
    interval_label="13 % to 33 %",
    estimate_label="23 %",
    share_label="23 %",
    name="Yes",
)
GROUPS = (
    Group(heading="1. Did you?", bars=(BAR,)),
    Group(heading="2. Would you?", bars=(BAR, replace(BAR, raw=-0.1, name="No"))),
)


def drawn(*groups, **options):
    svg = draw_overview.__wrapped__(*groups, **options)
    return ET.fromstring(svg)  # noqa: S314


def texts(svg):
    return [element.text for element in svg.iter(f"{SVG}text")]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("size", WIDTHS)
@pytest.mark.parametrize("file_format", FORMATS)
def test_the_same_numbers_give_the_same_bytes(theme, size, file_format):
    options = {"theme": theme, "size": size, "file_format": file_format}
    first, second = (draw_overview.__wrapped__(*GROUPS, **options) for _ in range(2))
    assert first == second


@pytest.mark.parametrize("size", WIDTHS)
def test_every_bar_has_its_name_and_numbers(size):
    found = texts(drawn(*GROUPS, size=size))
    assert found == [
        "0\N{NO-BREAK SPACE}%", "25\N{NO-BREAK SPACE}%", "50\N{NO-BREAK SPACE}%",
        "75\N{NO-BREAK SPACE}%", "100\N{NO-BREAK SPACE}%",
        "1. Did you?", "Yes", VALUE,
        "2. Would you?", "Yes", VALUE, "No", VALUE,
    ]  # fmt: skip


@pytest.mark.parametrize("size", WIDTHS)
def test_the_bar_spans_the_interval(size):
    layout, accent = LAYOUTS[size], THEMES["light"].accent
    (path,) = [
        path
        for path in drawn(GROUPS[0], size=size).iter(f"{SVG}path")
        if path.get("stroke") == accent
    ]
    left, _, right, _ = (
        float(part) for part in path.get("d").split() if part not in "MLz"
    )
    span = layout.right - layout.left
    assert left == pytest.approx(layout.left + 0.13 * span, abs=1e-3)
    assert right == pytest.approx(layout.left + 0.33 * span, abs=1e-3)


def test_a_raw_estimate_that_differs_is_marked_once():
    assert len(list(drawn(*GROUPS).iter(f"{SVG}use"))) == 1


@pytest.mark.parametrize("size", WIDTHS)
def test_a_long_question_takes_two_lines_and_no_more(size):
    group = replace(GROUPS[0], heading="3. " + "Did you ever do this? " * 20)
    shown = texts(drawn(group, size=size))[5:-2]
    assert len(shown) == 2
    assert shown[-1].endswith("…")
    assert overview_height((group,), size) > overview_height(GROUPS[:1], size)


@pytest.mark.parametrize("size", WIDTHS)
@pytest.mark.parametrize(
    "heading",
    [
        "1. Haben Sie je " + "Rindfleischetikettierungsüberwachungsaufgaben" * 3,
        "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamten" * 2,
        "2. Did you ever do this, and did anybody else know of it afterwards?",
    ],
)
def test_no_heading_is_cut_at_the_edge(heading, size):
    """In the widest of the usual fonts, which comes with matplotlib."""
    bold = FontProperties(family="DejaVu Sans", weight="bold")
    for line in heading_lines(replace(GROUPS[0], heading=heading), size):
        drawn = TextPath((0, 0), line, size=HEADING_SIZE, prop=bold)
        assert EDGE + drawn.get_extents().width < WIDTHS[size], line


def test_the_page_knows_the_height_of_every_drawing():
    for drawing in drawings_of(GROUPS):
        svg = drawn(*GROUPS, theme=drawing.theme, size=drawing.size)
        width, height = svg.get("width"), svg.get("height")
        # Points in the file, pixels of CSS on the page: 4/3 of a point.
        assert float(width.removesuffix("pt")) * 4 / 3 == pytest.approx(drawing.width)
        assert float(height.removesuffix("pt")) * 4 / 3 == pytest.approx(
            drawing.height, abs=0.5
        )


@pytest.mark.django_db
def test_a_survey_shows_all_questions_that_have_reports():
    panel = seal_and_show(make_survey(["coin", "coin"]), {bytes([0, NOT_ASKED]): 10})
    (group,) = panel.overview.groups
    assert group.heading == "1. Sensitive question 1?"
    assert [bar.name for bar in group.bars] == ["Yes"]
