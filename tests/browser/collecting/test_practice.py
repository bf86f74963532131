"""The practice on the second screen, which runs the table of the survey."""

import pytest
from playwright.sync_api import expect

from tests.browser.journey import Respondent, note_posts
from tests.factories import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

ALWAYS = "crypto.getRandomValues = (array) => array.fill({});"


def enter(page, site):
    make_survey(["coin"])
    page.add_init_script(ALWAYS.format(0))
    respondent = Respondent(page, site)
    respondent.enter()
    return respondent


def test_practice_uses_the_survey_table_and_sends_nothing(page, site):
    sent = note_posts(page)
    enter(page, site)
    again = page.get_by_text("Tap again.")
    status = page.get_by_role("status")
    expect(again).to_be_hidden()
    expect(status).to_have_text("You tapped \u2013 We would receive \u2013")
    for word, tapped, received in (
        (0, "Yes", "Yes"),
        (2**32 - 1, "Yes", "No"),
        (0, "No", "Yes"),
        (3, "No", "No"),
    ):
        page.evaluate(f"() => {{ {ALWAYS.format(word)} }}")
        button = page.get_by_role("button", name=tapped)
        button.click()
        expect(status).to_have_text(f"You tapped {tapped} We would receive {received}")
        expect(button).to_have_attribute("aria-pressed", "true")
        expect(again).to_be_visible()
    assert sent == []
    # The coin turns unless people want less motion.
    coin = page.locator(".coin")
    for motion, name in (("reduce", "none"), ("no-preference", "turn")):
        page.emulate_media(reduced_motion=motion)
        for _ in range(2):
            button.click()
            moves = coin.evaluate("(coin) => getComputedStyle(coin).animationName")
            assert moves == name


def test_the_survey_starts_without_the_practice_script(page, site):
    """A content blocker may block the script, which only the practice needs."""
    page.route("**/practise*.js", lambda route: route.abort())
    respondent = enter(page, site)
    expect(page.locator("[data-try]")).to_be_hidden()
    respondent.go_on()
    respondent.heading("Sensitive question 1?")
