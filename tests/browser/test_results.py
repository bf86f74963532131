"""The results page in real Chromium: its charts, its form and its files."""

import pytest
from django.urls import reverse

from respondents.models import SealedPattern, close
from tests.browser.authoring.steps import tab_to
from tests.browser.everybody import (
    CHARTED_LOOKS,
    log_in,
    note_complaints,
    violations,
    wait_for_chart,
)
from tests.factories import make_responses, make_survey

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

DRAWN_WIDTH = {390: 328, 1280: 640}
"""Pixels of the narrow and the wide drawing: see WIDTHS in `charts.style`. Beside its
table, a chart of many answers has no room for a wide one."""

ONE_BAR, THREE_BARS = 104, 357
"""Pixels of the height, 4/3 of 78 and of 16 + 3 * 84 points."""


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
        for chart in page.locator("picture img").all():
            chart.scroll_into_view_if_needed()
            chart.evaluate("image => image.decode()")
        return page

    yield open_results
    assert complaints == []


def test_the_drawing_for_each_screen_comes_with_its_shape_kept(open_page, survey, page):
    open_page(survey)
    charts = page.locator("article picture img").all()
    for viewport, scheme in CHARTED_LOOKS:
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=scheme)
        for chart, height in zip(charts, [*[ONE_BAR] * 3, THREE_BARS], strict=True):
            wait_for_chart(page, chart, scheme)
            natural = chart.evaluate("img => [img.naturalWidth, img.naturalHeight]")
            shown = chart.bounding_box()
            width = DRAWN_WIDTH[viewport["width"] if height == ONE_BAR else 390]
            assert natural == [width, height]
            assert shown["width"] / shown["height"] == pytest.approx(
                natural[0] / natural[1], rel=0.02
            )


def test_a_chart_opened_by_itself_keeps_its_colours(open_page, survey, page):
    source = open_page(survey).locator("article img").first.get_attribute("src")
    page.goto(f"{page.url.partition('/admin/')[0]}{source}")
    estimate = page.locator("text").get_by_text("%").first
    assert (
        estimate.evaluate("text => getComputedStyle(text).fill") == "rgb(73, 86, 100)"
    )


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


def test_refresh_shows_the_next_batch_and_close_leads_to_closing(open_page, page, site):
    survey = make_survey(slug="moving", batch_size=10)
    open_page(survey)
    page.get_by_text("No responses yet").wait_for()
    make_responses(survey, [b"\0", b"\1"] * 10)
    page.get_by_role("link", name="Refresh").click()
    page.get_by_text("from 10 reports").wait_for()
    page.get_by_role("link", name="Close survey").click()
    page.get_by_role("button", name="Close survey").click()
    survey.refresh_from_db()
    assert survey.is_closed


def test_the_csv_is_downloaded(open_page, survey, page):
    close(survey)
    open_page(survey)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download estimates").click()
    assert download.value.suggested_filename == "study-habits-estimates.csv"
    lines = download.value.path().read_text().splitlines()
    assert len(lines) == 1 + 2 * 3 + 3


def test_a_wrong_address_is_explained(page, site, survey):
    log_in(page, site, survey.owner)
    path = reverse("admin:estimation_results", args=[survey.pk])
    page.goto(f"{site.url}{path}?method=guess")
    page.get_by_text("guess is not one of the available choices").wait_for()
    assert violations(page) == []
    assert page.locator("article").count() == 0
