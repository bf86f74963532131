"""From results to the page for everybody, as the owner does it, in real Chromium."""

import pytest
from django.urls import reverse

from estimation.presentation.charts.drawing import COLOURS
from respondents.models import SealedPattern, close
from tests.browser.everybody import (
    DARK,
    colours_in,
    log_in,
    note_complaints,
    objections,
)
from tests.factories import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.windowless]


# Coin and direct question, three answers: groups of 200 and 100.
COUNTS = {b"\0\0\0": 90, b"\1\0\1": 110, b"\0\1\1": 30, b"\1\1\2": 70}


@pytest.fixture
def survey(site):
    three = ("k_ary", {"epsilon": 1, "choices": 3})
    survey = make_survey(["coin", "direct", three])
    SealedPattern.objects.add(survey, COUNTS)
    close(survey)
    return survey


@pytest.fixture
def owner(page, site, survey):
    """The owner's browser, and what it complained about."""
    complaints = note_complaints(page, site)
    log_in(page, site, survey.owner)
    yield page
    assert complaints == []


def test_counts_are_released_with_noise_after_reading_what_it_costs(
    owner, site, survey
):
    page = owner
    publish = reverse("admin:estimation_publish", args=[survey.pk])
    page.goto(f"{site.url}{publish}")
    page.get_by_label("Numbers of people").select_option("2.00")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("2.00 in total").wait_for()
    page.get_by_role("button", name="Release with noise for epsilon 2.00").click()
    page.get_by_text("Releases with noise: 1, epsilon 2.00").wait_for()
    assert objections(page) == []
    page.locator("a[href*='/r/']").click()
    page.get_by_text("by a factor of 7.4 at most").wait_for()
    assert objections(page) == []
    shown = page.locator("main").inner_text()
    page.reload()
    assert page.locator("main").inner_text() == shown


def test_the_public_page_leaves_nothing(page, site, client):
    survey = make_survey(["coin", "direct"])
    SealedPattern.objects.add(survey, {b"\0\0": 90, b"\1\1": 110})
    close(survey)
    client.force_login(survey.owner)
    choice = {"questions": [1, 2], "confidence_level": 0.95, "method": "pratt"}
    address = reverse("admin:estimation_publish", args=[survey.pk])
    client.post(address, choice)
    client.post(f"{address}switch/", {"is_public": "on"})

    complaints = note_complaints(page, site)
    # The page of the closed survey leads there; its status makes the console speak.
    page.goto(f"{site.url}{survey.get_absolute_url()}")
    complaints.clear()
    page.locator("main a").first.click()
    page.wait_for_url("**/r/**")
    page.locator("summary").first.click()
    assert page.locator("table").first.is_visible()
    with page.expect_download() as download:
        page.locator(".download a").click()
    assert download.value.suggested_filename == "study-habits-published.csv"
    assert page.context.cookies() == []
    assert page.evaluate("localStorage.length + sessionStorage.length") == 0
    assert complaints == []

    # Paper is white, whatever the screen is.
    page.emulate_media(color_scheme="dark")
    printed = colours_in(page.pdf())
    assert COLOURS["accent"] in printed
    assert not DARK & printed
    client.post(f"{address}switch/", {"is_public": "off"})
    assert page.reload().status == 404
