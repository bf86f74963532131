"""A draft is tried in Chromium: answered in its frames, simulated, opened, and gone."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from respondents.distribution import rehearsal
from surveys.models import Survey
from tests.browser.accessibility import DESKTOP, log_in, watch_console
from tests.browser.journey import CONTINUE
from tests.factories import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.windowless]


@pytest.fixture
def draft(site):
    three = ("k_ary", {"epsilon": 1, "choices": 3})
    return make_survey(["coin", three], opened=False)


@pytest.fixture
def researcher(page, site, draft):
    """The owner, logged in; complaints of the browser, and cookies that went astray."""
    console_messages = watch_console(page, site)
    page.with_cookies = set()
    page.on(
        "request",
        lambda request: (
            page.with_cookies.add(urlsplit(request.url).path.split("/")[1])
            if "cookie" in request.all_headers()
            else None
        ),
    )
    log_in(page, site, draft.owner)
    yield page
    assert console_messages == []
    # Frames and reports among them: respondents' addresses and files get no cookie.
    assert page.with_cookies == {"admin"}


def answer(frame, send="[data-go=scramble]"):
    """Go through the survey in a frame, from its first page to the last button."""
    frame.locator("#consent").check()
    frame.locator("[data-start]").click()
    frame.locator(CONTINUE).click()
    for _ in range(2):
        frame.locator(".choice:visible").first.click()
        frame.locator(CONTINUE).click()
    frame.locator(send).click()


def test_a_draft_is_answered_repeatedly_in_two_frames(researcher, site, draft):
    page = researcher
    page.goto(f"{site.url}/admin/surveys/survey/{draft.pk}/try/")
    page.get_by_role("button", name="Start the test").click()
    phone = page.frame_locator("[name=phone-frame]")
    desktop = page.frame_locator("[name=desktop-frame]")
    expect(phone.locator("[data-start]")).to_be_visible()

    # The number follows without reloading, and no frame remembers for another.
    number = page.locator("[data-responses]")
    answer(phone)
    expect(number).to_have_text("1")
    answer(desktop)
    expect(number).to_have_text("2")
    phone.get_by_role("link", name="Answer again").click()
    # The page that is about to go has a tick too, and would be taken for the new one.
    expect(phone.locator("[data-start]")).to_be_visible()
    answer(phone)
    expect(number).to_have_text("3")
    page.reload()
    expect(phone.locator("[data-start]")).to_be_visible()
    assert page.evaluate("localStorage.length") == 0


def test_a_plain_form_is_answered_repeatedly_in_its_frame(researcher, site, draft):
    Survey.objects.filter(pk=draft.pk).update(mode="server")
    test = rehearsal.start(Survey.objects.get(pk=draft.pk))
    page = researcher
    page.set_viewport_size(DESKTOP)
    page.goto(f"{site.url}/admin/surveys/survey/{draft.pk}/try/")
    phone = page.frame_locator("[name=phone-frame]")
    for count in (1, 2):
        answer(phone, send="button >> text=Send")
        expect(page.locator("[data-responses] .number")).to_have_text(str(count))
        phone.get_by_role("link", name="Answer again").click()
        expect(phone.locator("form")).to_be_visible()
    assert rehearsal.count_responses(test) == 2
