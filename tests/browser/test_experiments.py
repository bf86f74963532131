"""The page of experiments, by keyboard: numbers follow the sliders, nothing is sent."""

import pytest

from tests.browser.accessibility import PHONE, scrolls_sideways, watch_console

pytestmark = [pytest.mark.browser, pytest.mark.windowless]


def test_numbers_follow_the_sliders_and_nothing_is_sent(page, site):
    console_messages = watch_console(page, site)
    page.set_viewport_size(PHONE)
    page.goto(f"{site.url}/experiments/?language=en", wait_until="networkidle")
    sent = []
    page.on("request", lambda request: sent.append(request.url))
    card = page.locator("#posterior")
    found = card.locator("[data-value=posterior]")
    assert found.text_content() == "0.4242"
    card.get_by_label("released").focus()
    page.keyboard.press("ArrowRight")
    # Released 2: .4 (.6 .15 + .4 .25) / (.36 .09 + .48 .15 + .16 .25), by hand
    assert found.text_content() == "0.5263"
    assert "compute_count_posterior(2," in card.locator("[data-calls]").text_content()
    noise = page.locator("#noise")
    width = noise.locator("[name=width]")
    assert not width.is_visible()
    noise.get_by_label("Query").select_option("sum")
    assert width.is_visible()
    assert page.locator(".bench svg:has(path)").count() == 7
    assert not scrolls_sideways(page)
    assert sent == console_messages == []
