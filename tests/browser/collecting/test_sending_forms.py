"""Modes server and hand over a bad connection: the form is kept, and stored once."""

import re

import pytest
from playwright.sync_api import expect

from respondents.models import Receipt, Response, close
from respondents.storage.invitations import Invitation
from tests.browser.collecting.test_sending import drop_reply
from tests.browser.journey import NOT_SENT, PATIENT, Respondent, note_posts
from tests.factories import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.windowless]

FORM = re.compile(r"/s/study-habits/$")


@pytest.fixture
def survey(site):
    """One of the two modes with a form, which share a script."""
    return make_survey(["coin", "die"], mode="server")


@pytest.fixture
def respondent(page, site, survey):
    page.add_init_script(PATIENT)
    return Respondent(page, site)


@pytest.fixture
def bodies(page):
    return note_posts(page)


def posts(answer):
    """Return a route handler that answers only POST, by `answer`."""
    return lambda route: (
        answer(route) if route.request.method == "POST" else route.fallback()
    )


def expect_not_sent(page):
    expect(page.locator("[data-status]")).to_contain_text(NOT_SENT)


def test_a_retry_after_a_lost_reply_sends_the_same_bytes(page, respondent, bodies):
    """The login page of a network is not an acknowledgement either."""
    respondent.reach_check(0, 1)
    page.route(FORM, posts(drop_reply), times=1)
    log_in = posts(lambda route: route.fulfill(body="<h1>Log in</h1>"))
    page.route(FORM, log_in, times=1)  # the first to be asked
    respondent.send()
    for stored in (0, 1):
        expect_not_sent(page)
        assert page.locator("input").count() == 0
        assert Response.objects.count() == stored
        page.click("text=Try again now")
    respondent.heading("Thank you")
    assert len(bodies) == 3
    assert len(set(bodies)) == 1
    assert (Response.objects.count(), Receipt.objects.count()) == (1, 1)


def test_a_form_sent_again_after_a_reload_is_stored_once(page, respondent):
    """The first one was stored without a reply; the second has the same number."""
    respondent.reach_check(0, 1)
    page.route(FORM, posts(drop_reply), times=1)
    respondent.send()
    expect_not_sent(page)
    (kept,) = page.evaluate("Object.values(sessionStorage)")
    assert re.fullmatch("[0-9a-f]{32}", kept)
    respondent.reach_check(1, 0)
    respondent.submit()
    assert (Response.objects.count(), Receipt.objects.count()) == (1, 1)
    assert page.evaluate("localStorage.length + sessionStorage.length") == 0
    respondent.reach_check(1, 0)
    respondent.submit()
    assert Response.objects.count() == 2  # another person at the same device


def test_a_double_click_sends_once_and_back_leaves_the_survey(page, respondent, bodies):
    """It works without storage in the browser too."""
    page.add_init_script(
        "Object.defineProperty(window, 'sessionStorage', "
        "{ get() { throw new DOMException('denied', 'SecurityError'); } });"
    )
    page.goto("about:blank")
    respondent.reach_check(0, 1)
    page.dblclick("[type=submit]", force=True)
    respondent.heading("Thank you")
    assert len(bodies) == 1
    assert Response.objects.count() == 1
    page.go_back()
    assert page.url == "about:blank"


@pytest.mark.parametrize("is_reloaded", [False, True])
def test_a_form_opened_by_forward_from_the_thanks_is_not_thanked_for_early(
    page, respondent, is_reloaded
):
    """Going back to the welcome page would show the earlier thanks."""
    respondent.finish(0, 1)
    page.go_forward()
    if is_reloaded:
        page.reload()
    page.check("#consent")
    page.click("[data-start]")
    respondent.go_on()
    respondent.answer(1, 0)
    page.route(FORM, posts(lambda route: route.abort()), times=1)
    respondent.send()
    expect_not_sent(page)
    page.click("text=Try again now")
    respondent.heading("Thank you")
    assert Response.objects.count() == 2


def test_a_survey_closed_before_sending_is_reported(page, respondent, survey):
    respondent.reach_check(0, 1)
    page.route(FORM, posts(drop_reply), times=1)
    respondent.send()
    expect_not_sent(page)
    close(survey)
    page.click("text=Try again now")
    respondent.heading("This survey is closed")
    text = page.inner_text("main")
    assert "This try was not recorded." not in text
    assert "This page cannot tell." in text
    assert page.evaluate("sessionStorage.length") == 0


def test_an_unknown_link_is_reported_on_the_page(page, site):
    survey = make_survey(["coin"], mode="server", access="invitation")
    Invitation.objects.make(survey, 1)
    respondent = Respondent(page, site)
    respondent.url += "#" + "u" * 22  # an old token: nothing in it can be checked
    respondent.reach_check(0)
    respondent.send()
    respondent.heading("We do not know this link")
    assert Response.objects.count() == 0


MAY_KEEP = "this browser may keep what you chose on this device"


def test_without_javascript_the_page_states_what_the_browser_may_keep(page, respondent):
    """The notice appears after some seconds, unless a script runs before."""
    page.goto(respondent.url)
    notice = page.locator("[data-unscripted]", has_text=MAY_KEEP)
    expect(notice).to_have_attribute("hidden", "")
    page.route("**/plain.js", lambda route: route.abort())
    page.goto(respondent.url)
    expect(notice).to_be_visible()
