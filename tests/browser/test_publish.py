"""The owner publishes results, in real Chromium."""

import pytest
from django.urls import reverse

from estimation.presentation.charts.drawing import COLOURS
from tests.browser.accessibility import (
    DARK,
    colours_in,
    find_problems,
    log_in,
    watch_console,
)
from tests.factories import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.windowless]


def test_noisy_counts_are_released_and_the_public_page_stores_nothing(
    page, site, client
):
    # Groups of 200 and 100.
    counts = {b"\0\0\0": 90, b"\1\0\1": 110, b"\0\1\1": 30, b"\1\1\2": 70}
    survey = make_survey(
        ["coin", "direct", ("k_ary", {"epsilon": 1, "choices": 3})],
        counts=counts,
        closed=True,
    )
    console_messages = watch_console(page, site)
    log_in(page, site, survey.owner)
    publish = reverse("admin:estimation_publish", args=[survey.pk])
    page.goto(f"{site.url}{publish}")
    page.get_by_label("Numbers of people").select_option("2.00")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("2.00 in total").wait_for()
    page.get_by_role("button", name="Release with noise for epsilon 2.00").click()
    page.get_by_text("Releases with noise: 1, epsilon 2.00").wait_for()
    assert find_problems(page) == []
    client.force_login(survey.owner)
    client.post(f"{publish}switch/", {"is_public": "on"})

    page.context.clear_cookies()
    assert console_messages == []
    # The page of the closed survey leads there; its status makes the console speak.
    page.goto(f"{site.url}{survey.get_absolute_url()}")
    console_messages.clear()
    page.locator("main a").first.click()
    page.wait_for_url("**/r/**")
    page.get_by_text("by a factor of 7.4 at most").wait_for()
    assert find_problems(page) == []
    shown = page.locator("main").inner_text()
    page.reload()
    assert page.locator("main").inner_text() == shown
    page.locator("summary").first.click()
    assert page.locator("table").first.is_visible()
    with page.expect_download() as download:
        page.locator(".download a").click()
    assert download.value.suggested_filename == "study-habits-published.csv"
    assert page.context.cookies() == []
    assert page.evaluate("localStorage.length + sessionStorage.length") == 0
    assert console_messages == []

    # Paper is white, whatever the screen is.
    page.emulate_media(color_scheme="dark")
    printed = colours_in(page.pdf())
    assert COLOURS["accent"] in printed
    assert not DARK & printed
    client.post(f"{publish}switch/", {"is_public": "off"})
    assert page.reload().status == 404
