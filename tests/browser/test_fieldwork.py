"""Sharing and watching an open survey in real Chromium."""

import pytest

from respondents.models import Response
from tests.browser.accessibility import log_in, scrolls_sideways, watch_console
from tests.factories import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

YES, NO = b"\0", b"\1"
LONGER_THAN_A_POLL = 31_000
"""Milliseconds: the page looks every 30 seconds."""


@pytest.fixture
def survey(site):
    return make_survey(
        batch_size=2, target=400, wanted_margin=5, counts={YES: 60, NO: 40}
    )


@pytest.fixture
def go(page, site, survey):
    """Open a page about the survey, logged in as its owner."""
    log_in(page, site, survey.owner)

    def open_page(name):
        page.goto(f"{site.url}/admin/surveys/survey/{survey.pk}/{name}/")
        return page

    return open_page


def test_the_share_page_copies_the_address_and_shows_the_qr_code(go, page, site):
    console_messages = watch_console(page, site)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    go("share")
    page.get_by_role("button", name="Copy").first.click()
    page.get_by_role("status").first.get_by_text("Copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == f"{site.url}/s/study-habits/"
    code = page.get_by_role("img", name="QR code of")
    assert code.evaluate("image => image.naturalWidth") > 0
    with page.expect_download() as download:
        page.get_by_role("link", name="Download SVG").click()
    assert download.value.suggested_filename == "study-habits.svg"
    assert console_messages == []


def test_a_poster_with_long_words_fits_its_paper(page, site, survey):
    words = {name: name[0] * 150 for name in ("title", "organiser", "contact")}
    long = make_survey(slug="long", owner=survey.owner, **words)
    log_in(page, site, survey.owner)
    page.goto(f"{site.url}/admin/surveys/survey/{long.pk}/share/poster/")
    page.set_viewport_size({"width": 794, "height": 1123})
    page.emulate_media(media="print")
    assert not scrolls_sideways(page)


def test_the_monitor_updates_after_a_batch_while_it_is_visible(go, page, survey):
    page.clock.install()
    go("monitor")
    requests = []
    page.on("request", lambda each: requests.append(each.url))
    responses = page.locator("[data-live=responses]")
    bar = page.get_by_role("progressbar").first
    page.evaluate("window.isTheSame = true")
    for number, expected in ((1, "100"), (2, "100"), (3, "100"), (4, "102")):
        Response.objects.store(survey, f"{number:032x}", YES)
        with page.expect_response("**/monitor/numbers/"):
            page.clock.fast_forward(LONGER_THAN_A_POLL)
        page.wait_for_function(
            "text => document.querySelector('[data-live=responses]').textContent.trim()"
            " === text",
            arg=expected,
        )
    assert responses.inner_text() == "102"
    assert bar.evaluate("bar => bar.value") == 102
    assert page.evaluate("window.isTheSame")
    assert len(requests) == 4

    # A hidden page does not poll.
    requests.clear()
    page.evaluate(
        "Object.defineProperty(document, 'hidden', { value: true, writable: true });"
        "document.dispatchEvent(new Event('visibilitychange'))"
    )
    page.clock.fast_forward(10 * LONGER_THAN_A_POLL)
    assert requests == []
    page.evaluate(
        "document.hidden = false;document.dispatchEvent(new Event('visibilitychange'))"
    )
    with page.expect_response("**/monitor/numbers/"):
        page.clock.fast_forward(1)
    assert len(requests) == 1
