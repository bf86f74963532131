"""The results page in real Chromium: its charts, its form and its files."""

import pytest
from django.urls import reverse

from respondents.models import SealedPattern
from tests.browser.authoring.steps import tab_to
from tests.browser.everybody import (
    DESKTOP,
    PHONE,
    log_in,
    note_complaints,
)
from tests.factories import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

ACCENT = {"light": "rgb(58, 155, 144)", "dark": "rgb(47, 148, 136)"}

STROKE = "line => getComputedStyle(line).stroke"

LEAVE_THEIR_CHART = """chart => {
  const {left, right} = chart.getBoundingClientRect();
  return [...chart.querySelectorAll("text, span, b, line")].filter((each) => {
    const box = each.getBoundingClientRect();
    return box.left < left - 1 || box.right > right + 1;
  }).map((each) => each.outerHTML);
}"""


@pytest.fixture
def survey(site):
    """All that the page can show: sound, unprotected, off the scale, missing, open.

    The last question has three answers.
    """
    three = ("k_ary", {"epsilon": 1, "choices": 3})
    survey = make_survey(["coin", "direct", "die", three], batch_size=2)
    counts = {b"\0\0\1\0": 30, b"\1\1\1\1": 60, bytes([255, 1, 1, 2]): 10}
    SealedPattern.objects.add(survey, counts)
    return survey


@pytest.fixture
def open_page(page, site):
    """Open a survey's results, logged in; note what the browser complains about."""
    complaints = note_complaints(page, site)

    def open_results(survey, query=""):
        log_in(page, site, survey.owner)
        path = reverse("admin:estimation_results", args=[survey.pk])
        page.goto(site.url + path + query)
        return page

    yield open_results
    assert complaints == []


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_chart_fits_every_screen_in_its_colours(open_page, survey, page, size):
    open_page(survey)
    page.set_viewport_size(size)
    charts = page.locator(".chart").all()
    assert len(charts) == 5
    for scheme, accent in ACCENT.items():
        page.emulate_media(color_scheme=scheme)
        for chart in charts:
            assert chart.locator("line.accent").first.evaluate(STROKE) == accent
            assert chart.evaluate(LEAVE_THEIR_CHART) == []


def test_figures_stand_in_columns_and_bars_on_one_scale(open_page, survey, page):
    open_page(survey)
    for size in (PHONE, DESKTOP):
        page.set_viewport_size(size)
        rows = page.locator(".overview .chart-row")
        for part, side in (
            ("b", "right"),
            (".chart-interval", "right"),
            ("svg", "left"),
        ):
            places = rows.locator(f"> {part}").evaluate_all(
                "(all, side) => all.map("
                "each => Math.round(each.getBoundingClientRect()[side]))",
                side,
            )
            assert (len(places), len(set(places))) == (6, 1)


def test_a_chart_opened_by_itself_keeps_its_colours(open_page, survey, page):
    svg = open_page(survey).get_by_role("link", name="SVG").first.get_attribute("href")
    page.goto(f"{page.url.partition('/admin/')[0]}{svg}")
    assert page.locator("line.accent").first.evaluate(STROKE) == ACCENT["light"]
    label = page.locator("text").get_by_text("100").last
    assert label.evaluate("text => getComputedStyle(text).fill") == "rgb(73, 86, 100)"


def test_another_method_is_chosen_by_keyboard(open_page, survey, page):
    open_page(survey)
    page.get_by_label("Confidence level").focus()
    page.keyboard.type("99 %")
    page.keyboard.press("Tab")
    page.keyboard.type("Pratt")
    tab_to(page, page.get_by_role("button", name="Apply"))
    page.keyboard.press("Enter")
    page.get_by_text("99 % confidence interval from 90 reports").wait_for()
    assert page.get_by_label("Method").input_value() == "pratt"
    assert page.get_by_text("Method: Pratt").count() == 4
